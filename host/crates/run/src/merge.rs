//! Merges the shards of a tournament into the run that one machine would have recorded.
//!
//! The logs are read twice. The first pass parses every line and keeps its position and
//! its figures. The second pass copies the lines of the selected games in the order of the
//! plan. So the moves, which make up most of a log, are never all in memory.
//!
//! A thousand logs may lie on a cold network file system. So one is open at a time, and each is
//! read from front to back, a stretch for every piece of the merged log.

mod agreement;
mod line_index;
mod merge_error;
mod missing_games;

use std::{
    collections::HashMap,
    io::{self, Write},
    mem,
    num::NonZeroU32,
    path::Path,
    slice,
};

use crate::{
    atomic_file::{self, replace_with},
    counted::Counted,
    game_figures::GameFigures,
    game_log::{LinePosition, LogIdentity, OpenLog},
    machine::PlayedOn,
    record_line::record_of,
    run_files,
    run_folder::RunFolder,
    run_plan::RunPlan,
    stderr_files::StderrFiles,
    thought_files::ThoughtFiles,
};

pub use agreement::{Disagreement, Part, disagreements};
pub use line_index::DamagedLine;
pub use merge_error::{Contradiction, MergeError, listed, listed_of};
pub use missing_games::MissingGames;

use line_index::{IndexedLine, LineIndex, reopened, unreadable};
use missing_games::MissingCount;

/// The games of all parts together.
#[derive(Debug)]
pub struct Merger<'p> {
    parts: &'p [Part],
    logs: Vec<Option<LogIdentity>>,
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
    /// When a log cannot be read again, or a file cannot be written.
    pub fn write(mut self, folder: &RunFolder) -> Result<(RunPlan, Vec<GameFigures>), MergeError> {
        let plan = match whole_plan(self.parts) {
            // The run has ended, so its salt may be published.
            plan if self.missing.is_empty() => plan.with_published_salt(),
            plan => plan,
        };
        let (run, log) = (folder.path(), folder.log_path());
        // A log without its plan could not be used.
        plan.write(run).map_err(unwritable(&run_files::plan(run)))?;
        let sources = self.sources(run)?;
        let mut refused = None;
        let written = replace_with(&log, |writer| {
            let (mut bytes, mut end) = (Vec::new(), LinePosition::default());
            for lines in self.lines.chunk_by_mut(piece_by_piece()) {
                let written = sources.gather(lines, &mut bytes).and_then(|()| {
                    writer.write_all(&bytes).map_err(unwritable(&log))?;
                    sources.copy_remarks(lines, &bytes, &plan, run)
                });
                if let Err(error) = written {
                    refused = Some(error);
                    return Err(io::ErrorKind::Other.into());
                }
                for line in lines {
                    end = end.followed_by(line.figures.position.length);
                    line.figures.position = end;
                }
            }
            Ok(())
        });
        written.map_err(|source| refused.unwrap_or_else(|| unwritable(&log)(source)))?;
        // What the folder had before is in the new log.
        let compressed = run_files::compressed(&log);
        atomic_file::remove(&compressed).map_err(unwritable(&compressed))?;
        let records = self.lines.into_iter().map(|line| line.figures).collect();
        Ok((plan, records))
    }

    /// The logs, of which those that are compressed are unpacked into a file in this folder.
    fn sources(&mut self, folder: &Path) -> Result<Sources<'p>, MergeError> {
        let (mut unpacked, mut starts) = (None, HashMap::new());
        for (index, part) in self.parts.iter().enumerate() {
            if !self.logs[index].is_some_and(LogIdentity::is_compressed) {
                continue;
            }
            let log = reopened(part, self.logs[index])?;
            let mut unpack = || {
                let unpacked = match &mut unpacked {
                    Some(unpacked) => unpacked,
                    none => none.insert(OpenLog::unnamed(folder)?),
                };
                log.unpack_into(unpacked)
            };
            starts.insert(index, unpack().map_err(unwritable(folder))?);
        }
        for line in &mut self.lines {
            line.figures.position.offset += starts.get(&line.part).copied().unwrap_or(0);
        }
        Ok(Sources {
            parts: self.parts,
            logs: mem::take(&mut self.logs),
            unpacked,
        })
    }
}

/// Where the lines of the merged log come from.
struct Sources<'p> {
    parts: &'p [Part],
    logs: Vec<Option<LogIdentity>>,
    /// The content of all compressed logs.
    unpacked: Option<OpenLog>,
}

impl Sources<'_> {
    /// Reads some lines of the merged log, one log after the other.
    fn gather(&self, lines: &[IndexedLine], bytes: &mut Vec<u8>) -> Result<(), MergeError> {
        let mut end = 0;
        let mut wanted: Vec<(usize, (LinePosition, usize))> = Vec::with_capacity(lines.len());
        for line in lines {
            wanted.push((line.part, (line.figures.position, end)));
            end += line.figures.position.length as usize;
        }
        bytes.resize(end, 0);
        wanted.sort_unstable_by_key(|(part, (position, _))| (*part, position.offset));
        for of_part in wanted.chunk_by(|(a, _), (b, _)| a == b) {
            let index = of_part[0].0;
            let part = &self.parts[index];
            let lines: Vec<(LinePosition, usize)> = of_part.iter().map(|(_, line)| *line).collect();
            let read = match (&self.unpacked, self.logs[index]) {
                (Some(unpacked), Some(log)) if log.is_compressed() => {
                    unpacked.lines_to(&lines, bytes)
                }
                (_, log) => reopened(part, log)?.lines_to(&lines, bytes),
            };
            read.map_err(|source| unreadable(part, source))?;
        }
        Ok(())
    }

    /// Copies the stderr tails and the thoughts of games.
    fn copy_remarks(
        &self,
        lines: &[IndexedLine],
        bytes: &[u8],
        plan: &RunPlan,
        run: &Path,
    ) -> Result<(), MergeError> {
        let mut rest = bytes;
        for line in lines {
            let (bytes, after) = rest.split_at(line.figures.position.length as usize);
            rest = after;
            if !line.figures.ending.is_fault() && plan.tournament.thoughts.is_none() {
                continue;
            }
            let Some(record) = record_of(bytes) else {
                continue;
            };
            let from = &self.parts[line.part].folder;
            StderrFiles::of_run(run)
                .copy_from(&StderrFiles::of_run(from), &record)
                .map_err(unwritable(&run_files::stderr_folder(run)))?;
            ThoughtFiles::of_run(run)
                .copy_from(&ThoughtFiles::of_run(from), &record)
                .map_err(unwritable(&run_files::thoughts_folder(run)))?;
        }
        Ok(())
    }
}

/// Splits lines into pieces that fit into memory.
fn piece_by_piece() -> impl FnMut(&IndexedLine, &IndexedLine) -> bool {
    const PIECE: u64 = 128 << 20;
    let mut n_bytes = 0;
    move |line, _| {
        n_bytes += u64::from(line.figures.position.length);
        let fits = n_bytes < PIECE;
        if !fits {
            n_bytes = 0;
        }
        fits
    }
}

fn unwritable(file: &Path) -> impl Fn(io::Error) -> MergeError {
    let file = file.display().to_string();
    move |source| MergeError::Unwritable {
        file: file.clone(),
        source,
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
