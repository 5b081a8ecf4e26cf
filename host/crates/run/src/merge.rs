//! Merges the shards of a tournament into the run that one machine would have recorded.
//!
//! The logs are read twice. The first pass parses every line and keeps its position and
//! its figures. The second pass copies the lines of the selected games in the order of the
//! plan. So the moves, which make up most of a log, are never all in memory.

mod agreement;
mod line_index;
mod missing_games;

use std::{
    io::{self, Write},
    iter,
    num::NonZeroU32,
    path::{Path, PathBuf},
    slice,
};

use crate::{
    atomic_file::{self, replace_with},
    counted::Counted,
    game_figures::GameFigures,
    game_log::{LinePosition, OpenLog},
    machine::PlayedOn,
    record_line::record_of,
    run_files,
    run_folder::RunFolder,
    run_plan::RunPlan,
    stderr_files::StderrFiles,
    thought_files::ThoughtFiles,
};
use text::listing::first_items;

pub use agreement::{Disagreement, disagreements};
pub use line_index::{Contradiction, DamagedLine};
pub use missing_games::MissingGames;

use line_index::{IndexedLine, LineIndex};
use missing_games::MissingCount;

/// A run that contains a part of the games.
#[derive(Clone, Debug)]
pub struct Part {
    pub folder: PathBuf,
    pub plan: RunPlan,
}

/// The games of all parts together.
#[derive(Debug)]
pub struct Merger<'p> {
    parts: &'p [Part],
    logs: Vec<Option<OpenLog>>,
    /// In the order of the plan.
    lines: Vec<IndexedLine>,
    /// How many records one machine would not have made.
    pub n_superfluous: u64,
    /// How many lines are not records of this plan; their games are missing.
    pub n_damaged: u64,
    /// The first of them in each part.
    pub damaged: Vec<DamagedLine>,
    /// Which games count.
    pub counted: Counted,
    /// The games that have to be played before the run is complete, or before the next
    /// decision.
    pub missing: Vec<MissingGames>,
}

/// Why parts cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    #[error("cannot read the game log of `{folder}`: {source}")]
    Unreadable { folder: String, source: io::Error },
    /// The first of them, and how many there are.
    #[error("different records of the same game:{}", listed_of(.0, *.1))]
    Contradictions(Vec<Contradiction>, u64),
}

/// How many sentences of one kind are shown.
const MOST_SHOWN: usize = 10;

/// The first of these sentences, each on a line of its own.
#[must_use]
pub fn listed(sentences: &[impl ToString]) -> String {
    listed_of(sentences, sentences.len() as u64)
}

/// The same where only the first sentences are known, and how many there are.
#[must_use]
pub fn listed_of(sentences: &[impl ToString], n_sentences: u64) -> String {
    let n_sentences = usize::try_from(n_sentences).unwrap_or(usize::MAX);
    let lines = first_items(
        sentences.iter().map(ToString::to_string),
        n_sentences,
        MOST_SHOWN,
    );
    let lines = iter::once(String::new()).chain(lines);
    lines.collect::<Vec<_>>().join("\n  ")
}

impl<'p> Merger<'p> {
    /// Reads the logs of parts whose plans agree; see [`disagreements`].
    ///
    /// # Errors
    /// When a log cannot be read, or two records of a game differ.
    pub fn new(parts: &'p [Part]) -> Result<Self, MergeError> {
        let plan = whole_plan(parts);
        let mut index = LineIndex::read(parts)?;
        let counted = Counted::of(&plan, index.lines.iter().map(|line| &line.figures));
        // A shard sees only its own games, so it plays on where one machine would have stopped.
        let n_found = index.lines.len();
        let would_be_recorded = |line: &IndexedLine| counted.would_be_recorded(line.figures.game);
        index.lines.retain(would_be_recorded);
        Ok(Self {
            parts,
            n_superfluous: (n_found - index.lines.len()) as u64,
            missing: still_missing(&plan, &counted, &index.lines, parts),
            logs: index.logs,
            lines: index.lines,
            n_damaged: index.n_damaged,
            damaged: index.damaged,
            counted,
        })
    }

    /// How many records the run will have.
    #[must_use]
    pub fn n_records(&self) -> usize {
        self.lines.len()
    }

    /// Writes log and plan into the folder of a run, each in one step. Returns the plan and
    /// the figures of the games in the folder.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(self, folder: &RunFolder) -> io::Result<(RunPlan, Vec<GameFigures>)> {
        let plan = match whole_plan(self.parts) {
            // The run has ended, so its salt may be published.
            plan if self.missing.is_empty() => plan.with_published_salt(),
            plan => plan,
        };
        // A log without its plan could not be used.
        plan.write(folder.path())?;
        let log = folder.log_path();
        let Self {
            parts,
            logs,
            mut lines,
            ..
        } = self;
        let logs: Vec<Option<OpenLog>> = logs
            .into_iter()
            .map(|log| log.map(|log| log.in_any_order(folder.path())).transpose())
            .collect::<io::Result<_>>()?;
        replace_with(&log, |writer| {
            let mut bytes = Vec::new();
            let mut position = LinePosition::default();
            for line in &mut lines {
                let log = logs[line.part].as_ref();
                let log = log.expect("a line was read from this log");
                log.line_at(line.figures.position, &mut bytes)?;
                writer.write_all(&bytes)?;
                position = position.next(&bytes);
                line.figures.position = position;
                if line.figures.ending.is_fault() || plan.tournament.thoughts.is_some() {
                    copy_remarks(&parts[line.part], &bytes, folder.path())?;
                }
            }
            Ok(())
        })?;
        // What the folder had before is in the new log.
        atomic_file::remove(&run_files::compressed(&log))?;
        let records = lines.into_iter().map(|line| line.figures).collect();
        Ok((plan, records))
    }
}

/// The records of one run, each game once, in the order of the plan.
///
/// # Errors
/// When the log cannot be read, or two records of a game differ.
pub fn records_of_run(run: &Part) -> Result<Vec<GameFigures>, MergeError> {
    let index = LineIndex::read(slice::from_ref(run))?;
    Ok(index.lines.into_iter().map(|line| line.figures).collect())
}

/// Copies the stderr tail and the thoughts of a game.
fn copy_remarks(part: &Part, line: &[u8], run: &Path) -> io::Result<()> {
    let Some(record) = record_of(line) else {
        return Ok(());
    };
    let from = &part.folder;
    StderrFiles::of_run(run).copy_from(&StderrFiles::of_run(from), &record)?;
    ThoughtFiles::of_run(run).copy_from(&ThoughtFiles::of_run(from), &record)
}

/// The plan of the merged run.
fn whole_plan(parts: &[Part]) -> RunPlan {
    let first = parts.first().expect("there is a part to merge");
    let mut machines: Vec<PlayedOn> = Vec::new();
    for machine in parts.iter().flat_map(|part| part.plan.played_on()) {
        // A run that was merged before lists the machines of its shards.
        if !machines.contains(&machine) {
            machines.push(machine);
        }
    }
    RunPlan {
        machines,
        ..first.plan.clone().for_shard(None)
    }
}

/// The games that have yet to be played. `lines` are in the order of the plan.
fn still_missing(
    plan: &RunPlan,
    counted: &Counted,
    lines: &[IndexedLine],
    parts: &[Part],
) -> Vec<MissingGames> {
    let (games, n_shards) = (plan.games(), number_of_shards(parts));
    let found = lines.iter().map(|line| line.figures.game);
    let missing = if counted.needs_all() {
        MissingCount::of_all(&games, n_shards, found)
    } else {
        MissingCount::of_needed(&games, n_shards, found, |game| {
            counted.needs(games.series_of(game), game)
        })
    };
    missing_games::by_shard(missing.by_shard, &games, parts)
}

/// How many shards the plan was split into, if a part is a shard.
fn number_of_shards(parts: &[Part]) -> Option<NonZeroU32> {
    parts.iter().find_map(|part| Some(part.plan.shard?.of()))
}
