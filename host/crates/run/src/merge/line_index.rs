//! The positions of the records of all parts in their logs.

use std::{
    fmt, io,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use super::{
    agreement::Part,
    merge_error::{Contradiction, MOST_SHOWN, MergeError},
};
use crate::{
    game_figures::GameFigures,
    game_log::{LogIdentity, OpenLog},
    game_record::GameRecord,
    record_line::{LogLine, parse_line},
    run_files,
    run_plan::Numbering,
};

/// The figures of a game, and where its record is.
#[derive(Debug)]
pub(super) struct IndexedLine {
    /// Index into the parts.
    pub(super) part: usize,
    pub(super) figures: GameFigures,
}

/// A line that is not a record of the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedLine {
    pub file: PathBuf,
    pub line: u64,
    pub reason: String,
}

/// All records, each game once, in the order of the plan.
#[derive(Debug)]
pub(super) struct LineIndex {
    /// Which files the logs are: a resuming host may replace one in the meantime. They are not
    /// kept open, because a thousand shards have a thousand logs.
    pub(super) logs: Vec<Option<LogIdentity>>,
    pub(super) lines: Vec<IndexedLine>,
    pub(super) n_damaged: u64,
    /// The first of each log.
    pub(super) damaged: Vec<DamagedLine>,
}

/// The content of one log.
#[derive(Default)]
struct OneLog {
    log: Option<LogIdentity>,
    lines: Vec<IndexedLine>,
    n_damaged: u64,
    damaged: Vec<DamagedLine>,
}

impl LineIndex {
    /// Reads all logs, one thread per core.
    pub(super) fn read(parts: &[Part]) -> Result<Self, MergeError> {
        let n_threads = thread::available_parallelism().map_or(1, usize::from);
        let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        thread::scope(|scope| {
            for _ in 0..n_threads.min(parts.len()) {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(part) = parts.get(index) else {
                            return;
                        };
                        let result = OneLog::read(index, part);
                        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                        results.push((index, result));
                    }
                });
            }
        });
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_unstable_by_key(|(index, _)| *index);
        let mut index = Self {
            logs: Vec::new(),
            lines: Vec::new(),
            n_damaged: 0,
            damaged: Vec::new(),
        };
        for ((_, result), part) in results.into_iter().zip(parts) {
            let log = result.map_err(|source| unreadable(part, source))?;
            index.logs.push(log.log);
            if index.lines.is_empty() {
                // The lines of one log are not copied: both would be in memory.
                index.lines = log.lines;
            } else {
                index.lines.extend(log.lines);
            }
            index.n_damaged += log.n_damaged;
            index.damaged.extend(log.damaged);
        }
        // Of equal records the first of the first part is kept. A sort that keeps their order
        // would need half as much memory again.
        index.lines.sort_unstable_by_key(|line| {
            let figures = &line.figures;
            (figures.game, line.part, figures.position.number)
        });
        index.drop_repetitions(parts)?;
        Ok(index)
    }

    /// Keeps one record of each game. Records with the same figures and the same digest of their
    /// moves are equal; others are read, the first of them to say how they differ.
    fn drop_repetitions(&mut self, parts: &[Part]) -> Result<(), MergeError> {
        let (mut contradictions, mut n_contradictions) = (Vec::new(), 0);
        for pair in self.lines.windows(2) {
            let [a, b] = [&pair[0], &pair[1]];
            if a.figures.game == b.figures.game && told(&a.figures) != told(&b.figures) {
                n_contradictions += 1;
                if contradictions.len() < MOST_SHOWN {
                    contradictions.push(self.compare(parts, [a, b])?);
                }
            }
        }
        if n_contradictions > 0 {
            return Err(MergeError::Contradictions(contradictions, n_contradictions));
        }
        self.lines.dedup_by_key(|line| line.figures.game);
        Ok(())
    }

    fn compare(
        &self,
        parts: &[Part],
        lines: [&IndexedLine; 2],
    ) -> Result<Contradiction, MergeError> {
        let [a, b] = lines.map(|line| self.record(parts, line));
        let (a, b) = (a?, b?);
        let mut differing = Vec::new();
        if a.moves != b.moves {
            differing.push(format!("moves ({} and {})", a.n_moves, b.n_moves));
        }
        if a.score != b.score {
            differing.push(format!("score ({} and {})", a.score, b.score));
        }
        if a.ending != b.ending {
            differing.push(format!("ending ({} and {})", a.ending, b.ending));
        }
        Ok(Contradiction {
            game: a.game,
            agent: a.agent,
            seed: a.seed,
            differing: differing.join(", "),
            positions: lines.map(|line| {
                let number = u64::from(line.figures.position.number);
                (log_of(&parts[line.part]), number)
            }),
        })
    }

    fn record(&self, parts: &[Part], line: &IndexedLine) -> Result<GameRecord, MergeError> {
        let part = &parts[line.part];
        let log = reopened(part, self.logs[line.part])?;
        let records = log.records_at([line.figures.position]);
        let record = records.map(|records| records.into_iter().next());
        record
            .and_then(|record| record.ok_or_else(has_changed))
            .map_err(|source| unreadable(part, source))
    }
}

impl OneLog {
    fn read(index: usize, part: &Part) -> io::Result<Self> {
        let path = log_of(part);
        let Some(open) = OpenLog::of_run(&part.folder, &part.plan)? else {
            return Ok(Self::default());
        };
        let numbering = Numbering::new(&part.plan);
        let mut log = Self::default();
        open.read_bytes(|position, line| {
            let reason = match parse_line(line) {
                LogLine::Record(record) if let Some(series) = numbering.planned_series(&record) => {
                    log.lines.push(IndexedLine {
                        part: index,
                        figures: GameFigures::new(&record, series, position),
                    });
                    return Ok(());
                }
                LogLine::Record(_) => "is not a game of this plan".to_owned(),
                LogLine::Malformed { sentence, .. } => sentence,
                LogLine::CutOff { .. } => "is cut off".to_owned(),
            };
            log.n_damaged += 1;
            if log.damaged.len() < MOST_SHOWN {
                log.damaged.push(DamagedLine {
                    file: path.clone(),
                    line: u64::from(position.number),
                    reason,
                });
            }
            Ok(())
        })?;
        log.log = Some(open.identity()?);
        Ok(log)
    }
}

/// What two records of a game must have in common.
fn told(game: &GameFigures) -> impl PartialEq {
    (game.moves_digest, game.n_moves, game.score, game.ending)
}

/// Opens a log again. It has to be the file that was indexed.
pub(super) fn reopened(part: &Part, identity: Option<LogIdentity>) -> Result<OpenLog, MergeError> {
    let open = || {
        let log = OpenLog::of_run(&part.folder, &part.plan)?.ok_or_else(has_changed)?;
        if Some(log.identity()?) == identity {
            Ok(log)
        } else {
            Err(has_changed())
        }
    };
    open().map_err(|source| unreadable(part, source))
}

fn has_changed() -> io::Error {
    io::Error::other("it changed while it was read; give the command again")
}

fn log_of(part: &Part) -> PathBuf {
    run_files::game_log(&part.folder)
}

pub(super) fn unreadable(part: &Part, source: io::Error) -> MergeError {
    MergeError::Unreadable {
        folder: part.folder.display().to_string(),
        source,
    }
}

impl fmt::Display for DamagedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, line {}, {}",
            self.file.display(),
            self.line,
            self.reason
        )
    }
}
