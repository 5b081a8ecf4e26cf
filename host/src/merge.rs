//! Makes one run of many: of the shards of a tournament, as one machine would have
//! recorded it.
//!
//! The logs are read twice. The first time every line is parsed, but only its place is
//! kept; then it is decided which games count, and their lines are copied in the order
//! of the plan. So the moves, which are nearly all of a log, never fill the memory.

mod agreement;
mod line_index;
mod missing_games;
mod one_machine;

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    num::NonZeroU32,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

use crate::{
    game_log::{self, LogLine},
    game_plan::GamePlan,
    last_words::LastWords,
    machine::PlayedOn,
    run_folder::RunFolder,
    run_plan::RunPlan,
    run_report::RunReport,
};

pub use agreement::{Disagreement, disagreements};
pub use line_index::{Contradiction, DamagedLine};
pub use missing_games::MissingGames;

use line_index::{Figures, LineIndex, LinePlace};
use one_machine::recorded_by_one_machine;

/// A run that holds a part of the games.
#[derive(Clone, Debug)]
pub struct Part {
    pub folder: PathBuf,
    pub plan: RunPlan,
}

/// What the parts of a run hold together.
#[derive(Debug)]
pub struct Merger<'p> {
    parts: &'p [Part],
    files: Vec<Option<File>>,
    /// In the order of the plan.
    lines: Vec<LinePlace>,
    figures: Figures,
    /// Records that one machine would not have made.
    pub n_superfluous: u64,
    /// Lines that are no records of this plan; their games are missing.
    pub damaged: Vec<DamagedLine>,
    /// What has to be played before the run is complete.
    pub missing: Vec<MissingGames>,
}

/// Why parts cannot be made one run.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    #[error("the game log of `{folder}` cannot be read: {source}")]
    Unreadable { folder: String, source: io::Error },
    #[error("games were recorded in two ways:{}", listed(.0))]
    Contradictions(Vec<Contradiction>),
}

/// The most lines that are shown of one kind.
const MOST_SHOWN: usize = 10;

/// The first of some sentences, each on a line of its own.
#[must_use]
pub fn listed(sentences: &[impl ToString]) -> String {
    let mut lines: Vec<String> = sentences
        .iter()
        .take(MOST_SHOWN)
        .map(|sentence| format!("\n  {}", sentence.to_string()))
        .collect();
    if sentences.len() > MOST_SHOWN {
        lines.push(format!("\n  and {} more", sentences.len() - MOST_SHOWN));
    }
    lines.concat()
}

impl<'p> Merger<'p> {
    /// Reads the logs of parts whose plans agree; see [`disagreements`].
    ///
    /// # Errors
    /// When a log cannot be read, or two records of a game contradict each other.
    pub fn new(parts: &'p [Part]) -> Result<Self, MergeError> {
        let plan = whole_plan(parts);
        let index = LineIndex::read(parts)?;
        let selection = recorded_by_one_machine(&plan, index.lines, &index.figures);
        let games = GamePlan::new(&plan.tournament);
        Ok(Self {
            parts,
            files: index.files,
            figures: index.figures,
            lines: selection.lines,
            n_superfluous: selection.n_superfluous,
            damaged: index.damaged,
            missing: missing_games::by_shard(&selection.missing, &games, parts),
        })
    }

    /// How many records the run will have.
    #[must_use]
    pub fn n_records(&self) -> usize {
        self.lines.len()
    }

    /// Writes plan and log into the folder of a run, in whole steps: killed in
    /// between, the old log is there or the new one. Returns the plan and what
    /// [`RunReport::read`] would read from there.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(self, folder: &RunFolder) -> io::Result<(RunPlan, RunReport)> {
        let plan = whole_plan(self.parts);
        let log = folder.log_path();
        let new = log.with_extension("jsonl.new");
        let mut writer = BufWriter::with_capacity(1 << 18, File::create(&new)?);
        let mut line = Vec::new();
        for place in &self.lines {
            self.read_line(place, &mut line)?;
            writer.write_all(&line)?;
            if place.is_fault {
                self.copy_last_words(place, &line, folder.path())?;
            }
        }
        // Not forced onto the disk: the parts, which are, make it again.
        writer.flush()?;
        std::fs::rename(&new, &log)?;
        plan.write(folder.path())?;
        let records = self.figures.take(&self.lines);
        let report = RunReport::of_records(folder.path(), &plan, records);
        Ok((plan, report))
    }

    fn read_line(&self, place: &LinePlace, line: &mut Vec<u8>) -> io::Result<()> {
        let file = self.files[place.part].as_ref();
        let file = file.expect("a line was read from this file");
        line.resize(place.length, 0);
        file.read_exact_at(line, place.offset)
    }

    fn copy_last_words(&self, place: &LinePlace, line: &[u8], run: &Path) -> io::Result<()> {
        match game_log::parse_line(line) {
            LogLine::Record(record) => {
                let from = LastWords::of_run(&self.parts[place.part].folder);
                LastWords::of_run(run).copy_from(&from, &record)
            }
            LogLine::Malformed { .. } | LogLine::CutOff { .. } => Ok(()),
        }
    }
}

/// The plan of the run that parts make together.
fn whole_plan(parts: &[Part]) -> RunPlan {
    let first = parts.first().expect("there is a part to merge");
    let mut machines: Vec<PlayedOn> = Vec::new();
    for machine in parts.iter().flat_map(|part| part.plan.played_on()) {
        // A run that was merged before brings the machines of its shards along.
        if !machines.contains(&machine) {
            machines.push(machine);
        }
    }
    RunPlan {
        machines,
        ..first.plan.clone().for_shard(None)
    }
}

/// How many shards the plan was cut into, where a part is a shard.
fn number_of_shards(parts: &[Part]) -> Option<NonZeroU32> {
    parts.iter().find_map(|part| Some(part.plan.shard?.of()))
}
