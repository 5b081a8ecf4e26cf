//! The game log: one record per line, appended when the game ends.
//!
//! All results are computed from the log. A host that is killed while writing leaves whole
//! lines and at most one line that is cut off; that line is dropped when the run resumes.

mod growing_log;
mod open_log;
mod record_filter;
mod sync_thread;

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use crate::{
    atomic_file::sync_folder_of, game_record::GameRecord, record_line::line_of, run_plan::RunPlan,
    unlinked,
};
use sync_thread::SyncThread;

pub use crate::record_line::LogLine;
pub use growing_log::{GrowingLog, NextLine};
pub use open_log::{LinePosition, LogLimits, OpenLog, unpack};
pub use record_filter::{LineNumbers, RecordFilter, Unfit};

/// Reads a log of this host line by line; `number` counts from 1. A missing file is an empty log.
///
/// # Errors
/// When the file cannot be read.
pub fn read(path: &Path, mut visit: impl FnMut(u64, LogLine)) -> io::Result<()> {
    match OpenLog::open(path)? {
        Some(log) => log.read(|position, line| visit(u64::from(position.number), line)),
        None => Ok(()),
    }
}

/// Reads the log of a run line by line, as far as a log of this plan can go.
///
/// # Errors
/// When the file cannot be read, or holds more than a log of the plan can.
pub fn read_run(
    folder: &Path,
    plan: &RunPlan,
    mut visit: impl FnMut(u64, LogLine),
) -> io::Result<()> {
    match OpenLog::of_run(folder, plan)? {
        Some(log) => log.read(|position, line| visit(u64::from(position.number), line)),
        None => Ok(()),
    }
}

/// Reads the records of a run that count, each with the label of its budget.
///
/// # Errors
/// When the file cannot be read, or holds more than a log of the plan can.
pub fn read_counted(
    folder: &Path,
    plan: &RunPlan,
    mut visit: impl FnMut(GameRecord),
) -> io::Result<()> {
    let mut filter = RecordFilter::of(plan);
    read_run(folder, plan, |_, line| {
        if let LogLine::Record(record) = line
            && filter.admit(&record).is_ok()
        {
            let budget = filter.label_of(record.game).map(str::to_owned);
            visit(GameRecord { budget, ..*record });
        }
    })
}

/// A game log that is open for appending. Records reach the disk at most a second later,
/// and before [`GameLog::sync`] returns.
#[derive(Debug)]
pub struct GameLog {
    path: PathBuf,
    file: File,
    sync_thread: SyncThread,
}

/// Why a record could not be written.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error(
        "cannot write to the game log `{}`: {source}; the games already in it are kept",
        path.display()
    )]
    Refused { path: PathBuf, source: io::Error },
    #[error("the game log `{}` was deleted while games were played", path.display())]
    Deleted { path: PathBuf },
}

impl LogError {
    fn new(path: &Path, source: io::Error) -> Self {
        let path = path.to_path_buf();
        if sync_thread::is_deletion(&source) {
            Self::Deleted { path }
        } else {
            Self::Refused { path, source }
        }
    }
}

impl GameLog {
    /// Opens a log for appending.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        let open = || -> io::Result<Self> {
            let file = unlinked::append(path)?;
            sync_folder_of(path)?;
            Ok(Self {
                path: path.to_path_buf(),
                sync_thread: SyncThread::start(file.try_clone()?)?,
                file,
            })
        };
        open().map_err(|source| LogError::new(path, source))
    }

    /// Sets a flag as soon as the log is deleted or the disk refuses a record: the games
    /// that are being played would be lost.
    pub fn stop_when_lost(&self, stop: Arc<AtomicBool>) {
        self.sync_thread.stop_when_lost(stop);
    }

    /// Appends a record. If the write fails, for example on a full disk, removes the partial
    /// line, so that the log holds whole records only.
    ///
    /// # Errors
    /// When it cannot be written, or the disk has refused an earlier record.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), LogError> {
        let error = |source| LogError::new(&self.path, source);
        let line = line_of(record).map_err(|source| error(source.into()))?;
        let length = self.file.metadata().map_err(error)?.len();
        self.file.write_all(&line).map_err(|source| {
            // If this fails too, a cut-off line stays, which the next start drops.
            let _ = self.file.set_len(length);
            error(source)
        })?;
        self.sync_thread.request().map_err(error)
    }

    /// Waits until every record has reached the disk.
    ///
    /// # Errors
    /// When the disk has refused one.
    pub fn sync(&self) -> Result<(), LogError> {
        let synced = self.sync_thread.sync_now();
        synced.map_err(|source| LogError::new(&self.path, source))
    }
}

/// Appends lines that were removed from a log to another file; they are on disk when this
/// returns. `lines` calls its argument with each of them, including its line feed.
///
/// # Errors
/// When they cannot be read or written.
pub fn set_aside(
    path: &Path,
    lines: impl FnOnce(&mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()>,
) -> io::Result<()> {
    let file = unlinked::append(path)?;
    let length = file.metadata()?.len();
    let write_all = || -> io::Result<()> {
        let mut writer = io::BufWriter::new(&file);
        lines(&mut |line| {
            writer.write_all(line)?;
            match line.last() {
                Some(b'\n') => Ok(()),
                _ => writer.write_all(b"\n"),
            }
        })?;
        writer.flush()?;
        file.sync_all()
    };
    write_all().inspect_err(|_| {
        // Half a line would spoil the next one. The lines are still in the log.
        let _ = file.set_len(length);
    })?;
    sync_folder_of(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn lines(bytes: &[u8]) -> Vec<(u64, &'static str)> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        fs::write(&path, bytes).unwrap();
        let mut lines = Vec::new();
        read(&path, |number, line| {
            let kind = match line {
                LogLine::Record(_) => "record",
                LogLine::Malformed { .. } => "malformed",
                LogLine::CutOff { .. } => "cut off",
            };
            lines.push((number, kind));
        })
        .unwrap();
        lines
    }

    #[test]
    fn garbage_is_malformed_and_a_line_without_its_end_is_cut_off() {
        assert_eq!(
            lines(b"{}\nnot json\n\xff\xfe\n{\"v\":1"),
            [
                (1, "malformed"),
                (2, "malformed"),
                (3, "malformed"),
                (4, "cut off")
            ]
        );
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn a_missing_log_is_empty() {
        let mut n_lines = 0;
        read(Path::new("/nowhere/games.jsonl"), |_, _| n_lines += 1).unwrap();
        assert_eq!(n_lines, 0);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(bytes: Vec<u8>) {
            lines(&bytes);
        }
    }
}
