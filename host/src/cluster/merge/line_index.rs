//! The positions of the records of all parts in their logs.

use std::{
    fmt,
    fs::File,
    io,
    os::unix::fs::FileExt,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use nix::sys::resource::{Resource, getrlimit, setrlimit};

use super::{MergeError, Part};
use crate::{
    report::{ReportInput, run_report::figures_of},
    run::{
        game_log::{self, LogLine},
        game_record::GameRecord,
        leftovers::Numbering,
        run_files,
    },
};

/// The position of a line that holds the record of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexedLine {
    pub(super) game: u64,
    /// Index into the parts.
    pub(super) part: usize,
    /// The number of the line, from 1.
    pub(super) line: u64,
    pub(super) offset: u64,
    /// In bytes, including the line feed.
    pub(super) length: usize,
    pub(super) is_fault: bool,
    /// Index into the figures of its part.
    pub(super) figures: usize,
}

/// A line that is not a record of the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedLine {
    pub file: PathBuf,
    pub line: u64,
    pub reason: String,
}

/// Two records of one game that differ in more than timings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    game: u64,
    agent: String,
    seed: u64,
    differing: String,
    positions: [(PathBuf, u64); 2],
}

/// All records, each game once, in the order of the plan.
#[derive(Debug)]
pub(super) struct LineIndex {
    /// The logs, kept open because a resuming host may replace one in the meantime.
    pub(super) files: Vec<Option<File>>,
    pub(super) lines: Vec<IndexedLine>,
    pub(super) damaged: Vec<DamagedLine>,
    pub(super) figures: Figures,
}

/// The records of all parts, without what no table needs.
#[derive(Debug, Default)]
pub(super) struct Figures(Vec<Vec<GameRecord>>);

impl Figures {
    pub(super) fn of(&self, position: &IndexedLine) -> &GameRecord {
        &self.0[position.part][position.figures]
    }

    /// The figures of these lines, in the same order.
    pub(super) fn take(mut self, positions: &[IndexedLine]) -> Vec<GameRecord> {
        let mut all: Vec<Vec<Option<GameRecord>>> = Vec::new();
        for part in self.0.drain(..) {
            all.push(part.into_iter().map(Some).collect());
        }
        let taken = positions
            .iter()
            .filter_map(|position| all[position.part][position.figures].take());
        taken.collect()
    }
}

/// The content of one log.
#[derive(Default)]
struct OneLog {
    file: Option<File>,
    lines: Vec<IndexedLine>,
    damaged: Vec<DamagedLine>,
    figures: Vec<GameRecord>,
}

impl LineIndex {
    /// Reads all logs, one thread per core.
    pub(super) fn read(parts: &[Part]) -> Result<Self, MergeError> {
        allow_many_open_files();
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
        results.sort_by_key(|(index, _)| *index);
        let mut index = Self {
            files: Vec::new(),
            lines: Vec::new(),
            damaged: Vec::new(),
            figures: Figures::default(),
        };
        for ((_, result), part) in results.into_iter().zip(parts) {
            let log = result.map_err(|source| unreadable(part, source))?;
            index.files.push(log.file);
            index.lines.extend(log.lines);
            index.damaged.extend(log.damaged);
            index.figures.0.push(log.figures);
        }
        // The sort is stable: of equal records that of the first part is kept.
        index.lines.sort_by_key(|position| position.game);
        index.drop_repetitions(parts)?;
        Ok(index)
    }

    /// Keeps one record of each game.
    fn drop_repetitions(&mut self, parts: &[Part]) -> Result<(), MergeError> {
        let mut contradictions = Vec::new();
        for pair in self.lines.windows(2) {
            if pair[0].game == pair[1].game {
                let positions = [pair[0], pair[1]];
                contradictions.extend(self.compare(parts, positions)?);
            }
        }
        if !contradictions.is_empty() {
            return Err(MergeError::Contradictions(contradictions));
        }
        self.lines.dedup_by_key(|position| position.game);
        Ok(())
    }

    fn compare(
        &self,
        parts: &[Part],
        positions: [IndexedLine; 2],
    ) -> Result<Option<Contradiction>, MergeError> {
        let [a, b] = positions.map(|position| self.record(parts, &position));
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
        Ok((!differing.is_empty()).then(|| Contradiction {
            game: a.game,
            agent: a.agent,
            seed: a.seed,
            differing: differing.join(", "),
            positions: positions.map(|position| (log_of(&parts[position.part]), position.line)),
        }))
    }

    fn record(&self, parts: &[Part], position: &IndexedLine) -> Result<GameRecord, MergeError> {
        let read = || {
            let mut bytes = vec![0; position.length];
            let file = self.files[position.part].as_ref();
            let file = file.expect("a line was read from this file");
            file.read_exact_at(&mut bytes, position.offset)?;
            match game_log::parse_line(&bytes) {
                LogLine::Record(record) => Ok(*record),
                LogLine::Malformed { .. } | LogLine::CutOff { .. } => {
                    Err(io::Error::other("it changed while it was read"))
                }
            }
        };
        read().map_err(|source| unreadable(&parts[position.part], source))
    }
}

impl OneLog {
    fn read(index: usize, part: &Part) -> io::Result<Self> {
        let path = log_of(part);
        let Some(file) = game_log::open_existing(&path)? else {
            return Ok(Self::default());
        };
        let numbering = Numbering::new(&part.plan);
        let luck = ReportInput::of(&part.plan).luck;
        let mut log = Self::default();
        game_log::read_from(&file, |position, line| {
            let reason = match line {
                LogLine::Record(record) if numbering.number_of(&record) == Some(record.game) => {
                    log.lines.push(IndexedLine {
                        game: record.game,
                        part: index,
                        line: position.number,
                        offset: position.offset,
                        length: position.length,
                        is_fault: record.ending.is_fault(),
                        figures: log.figures.len(),
                    });
                    log.figures.push(figures_of(*record, luck));
                    return;
                }
                LogLine::Record(_) => "is not a game of this plan".to_owned(),
                LogLine::Malformed { reason, .. } => format!("is not a game record: {reason}"),
                LogLine::CutOff { .. } => "is cut off".to_owned(),
            };
            log.damaged.push(DamagedLine {
                file: path.clone(),
                line: position.number,
                reason,
            });
        })?;
        log.file = Some(file);
        Ok(log)
    }
}

/// Raises the limit of open files: a thousand shards have a thousand logs. If that fails,
/// opening one log too many is reported.
fn allow_many_open_files() {
    if let Ok((_, most)) = getrlimit(Resource::RLIMIT_NOFILE) {
        let _ = setrlimit(Resource::RLIMIT_NOFILE, most, most);
    }
}

fn log_of(part: &Part) -> PathBuf {
    run_files::game_log(&part.folder)
}

fn unreadable(part: &Part, source: io::Error) -> MergeError {
    MergeError::Unreadable {
        folder: part.folder.display().to_string(),
        source,
    }
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = &self.positions;
        write!(
            f,
            "game {} ({} on seed {}) differs in {}: {}, line {}, and {}, line {}",
            self.game,
            self.agent,
            self.seed,
            self.differing,
            a.0.display(),
            a.1,
            b.0.display(),
            b.1
        )
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
