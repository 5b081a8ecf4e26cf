//! Where the records of all parts stand in their logs.

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
    game_log::{self, LogLine},
    game_record::GameRecord,
    run_folder::Numbering,
    run_report::figures_of,
};

/// A line that holds the record of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinePlace {
    pub(super) game: u64,
    /// Index into the parts.
    pub(super) part: usize,
    /// From 1 on.
    pub(super) line: u64,
    pub(super) offset: u64,
    /// With its line feed.
    pub(super) length: usize,
    pub(super) is_fault: bool,
    /// Index into the figures of its part.
    pub(super) figures: usize,
}

/// A line that is no record of the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedLine {
    pub file: PathBuf,
    pub line: u64,
    pub reason: String,
}

/// Two records of one game that differ in more than times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    game: u64,
    agent: String,
    seed: u64,
    differing: String,
    places: [(PathBuf, u64); 2],
}

/// All records, each game once, in the order of the plan.
#[derive(Debug)]
pub(super) struct LineIndex {
    /// The logs, kept open: a host that goes on may replace one meanwhile.
    pub(super) files: Vec<Option<File>>,
    pub(super) lines: Vec<LinePlace>,
    pub(super) damaged: Vec<DamagedLine>,
    pub(super) figures: Figures,
}

/// The records of all parts as far as tables need them.
#[derive(Debug, Default)]
pub(super) struct Figures(Vec<Vec<GameRecord>>);

impl Figures {
    pub(super) fn of(&self, place: &LinePlace) -> &GameRecord {
        &self.0[place.part][place.figures]
    }

    /// Those of some lines, in their order.
    pub(super) fn take(mut self, places: &[LinePlace]) -> Vec<GameRecord> {
        let mut all: Vec<Vec<Option<GameRecord>>> = Vec::new();
        for part in self.0.drain(..) {
            all.push(part.into_iter().map(Some).collect());
        }
        let taken = places
            .iter()
            .filter_map(|place| all[place.part][place.figures].take());
        taken.collect()
    }
}

/// What one log holds.
#[derive(Default)]
struct OneLog {
    file: Option<File>,
    lines: Vec<LinePlace>,
    damaged: Vec<DamagedLine>,
    figures: Vec<GameRecord>,
}

impl LineIndex {
    /// Reads all logs, as many at once as there are cores.
    pub(super) fn read(parts: &[Part]) -> Result<Self, MergeError> {
        let_many_files_be_open();
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
        // Stable: of equal records the one of the first part is kept.
        index.lines.sort_by_key(|place| place.game);
        index.drop_repetitions(parts)?;
        Ok(index)
    }

    /// Keeps one record of each game.
    fn drop_repetitions(&mut self, parts: &[Part]) -> Result<(), MergeError> {
        let mut contradictions = Vec::new();
        for pair in self.lines.windows(2) {
            if pair[0].game == pair[1].game {
                let places = [pair[0], pair[1]];
                contradictions.extend(self.compare(parts, places)?);
            }
        }
        if !contradictions.is_empty() {
            return Err(MergeError::Contradictions(contradictions));
        }
        self.lines.dedup_by_key(|place| place.game);
        Ok(())
    }

    fn compare(
        &self,
        parts: &[Part],
        places: [LinePlace; 2],
    ) -> Result<Option<Contradiction>, MergeError> {
        let [a, b] = places.map(|place| self.record(parts, &place));
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
            places: places.map(|place| (log_of(&parts[place.part]), place.line)),
        }))
    }

    fn record(&self, parts: &[Part], place: &LinePlace) -> Result<GameRecord, MergeError> {
        let read = || {
            let mut bytes = vec![0; place.length];
            let file = self.files[place.part].as_ref();
            let file = file.expect("a line was read from this file");
            file.read_exact_at(&mut bytes, place.offset)?;
            match game_log::parse_line(&bytes) {
                LogLine::Record(record) => Ok(*record),
                LogLine::Malformed { .. } | LogLine::CutOff { .. } => {
                    Err(io::Error::other("it was changed while it was read"))
                }
            }
        };
        read().map_err(|source| unreadable(&parts[place.part], source))
    }
}

impl OneLog {
    fn read(index: usize, part: &Part) -> io::Result<Self> {
        let path = log_of(part);
        let Some(file) = game_log::open_existing(&path)? else {
            return Ok(Self::default());
        };
        let numbering = Numbering::new(&part.plan);
        let luck = part.plan.report_input().luck;
        let mut log = Self::default();
        game_log::read_from(&file, |place, line| {
            let reason = match line {
                LogLine::Record(record) if numbering.number_of(&record) == Some(record.game) => {
                    log.lines.push(LinePlace {
                        game: record.game,
                        part: index,
                        line: place.number,
                        offset: place.offset,
                        length: place.length,
                        is_fault: record.ending.is_fault(),
                        figures: log.figures.len(),
                    });
                    log.figures.push(figures_of(*record, luck));
                    return;
                }
                LogLine::Record(_) => "is no game of this plan".to_owned(),
                LogLine::Malformed { reason, .. } => format!("is no game record: {reason}"),
                LogLine::CutOff { .. } => "is cut off".to_owned(),
            };
            log.damaged.push(DamagedLine {
                file: path.clone(),
                line: place.number,
                reason,
            });
        })?;
        log.file = Some(file);
        Ok(log)
    }
}

/// A thousand shards have a thousand logs; the usual limit is about that. Where it
/// cannot be raised, opening one too many says so.
fn let_many_files_be_open() {
    if let Ok((_, most)) = getrlimit(Resource::RLIMIT_NOFILE) {
        let _ = setrlimit(Resource::RLIMIT_NOFILE, most, most);
    }
}

fn log_of(part: &Part) -> PathBuf {
    part.folder.join("games.jsonl")
}

fn unreadable(part: &Part, source: io::Error) -> MergeError {
    MergeError::Unreadable {
        folder: part.folder.display().to_string(),
        source,
    }
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = &self.places;
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
