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
use sync_thread::{Refusal, SyncThread};

pub use crate::record_line::LogLine;
pub use growing_log::{GrowingLog, NextLine};
pub use open_log::{LinePosition, LogIdentity, LogLimits, OpenLog, unpack};
pub use record_filter::{LineNumbers, RecordFilter, Unfit};
pub use sync_thread::Loss;

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
    /// How long the file is if no other program writes to it.
    length: u64,
    /// Whether other hosts may append to it.
    is_shared: bool,
    sync_thread: SyncThread,
}

/// Why a record could not be written, or is no longer there.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error(
        "cannot write to the game log `{}`: {source}; the games already in it are kept",
        path.display()
    )]
    Refused { path: PathBuf, source: io::Error },
    #[error(
        "the game log `{}` {loss}; if you have the file, put it back; the games that it lacks are \
         played again",
        path.display()
    )]
    Lost { path: PathBuf, loss: Loss },
}

impl LogError {
    fn refused(path: &Path, source: io::Error) -> Self {
        let path = path.to_path_buf();
        Self::Refused { path, source }
    }

    fn new(path: &Path, refusal: Refusal) -> Self {
        match refusal {
            Refusal::Disk(kind, sentence) => Self::refused(path, io::Error::new(kind, sentence)),
            Refusal::Lost(loss) => Self::Lost {
                path: path.to_path_buf(),
                loss,
            },
        }
    }
}

impl GameLog {
    /// Opens a log for appending. No other program may write to it meanwhile.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        let open = || -> io::Result<Self> {
            let file = unlinked::append(path)?;
            sync_folder_of(path)?;
            let length = file.metadata()?.len();
            Ok(Self {
                path: path.to_path_buf(),
                sync_thread: SyncThread::start(path.to_path_buf(), file.try_clone()?, length)?,
                file,
                length,
                is_shared: false,
            })
        };
        open().map_err(|source| LogError::refused(path, source))
    }

    /// The same log, to which other hosts may append.
    #[must_use]
    pub fn shared(self) -> Self {
        Self {
            is_shared: true,
            ..self
        }
    }

    /// Sets a flag as soon as the log is lost or the disk refuses a record: the games
    /// that are being played would be lost.
    pub fn stop_when_lost(&self, stop: Arc<AtomicBool>) {
        self.sync_thread.stop_when_lost(stop);
    }

    /// Appends a record. If the write fails, for example on a full disk, removes the partial
    /// line, so that the log holds whole records only.
    ///
    /// # Errors
    /// When it cannot be written, the disk has refused an earlier record, or another program
    /// has changed the log.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), LogError> {
        let error = |source| LogError::refused(&self.path, source);
        let line = line_of(record).map_err(|source| error(source.into()))?;
        let length = self.checked_length()?;
        self.file.write_all(&line).map_err(|source| {
            // If this fails too, a cut-off line stays, which the next start drops.
            let _ = self.file.set_len(length);
            error(source)
        })?;
        self.length = length + line.len() as u64;
        let requested = self.sync_thread.request(self.length);
        requested.map_err(|refusal| LogError::new(&self.path, refusal))
    }

    /// Waits until every record has reached the disk, and makes sure that they are all there.
    ///
    /// # Errors
    /// When the disk has refused one, or another program has changed the log.
    pub fn sync(&self) -> Result<(), LogError> {
        let synced = self.sync_thread.sync_now();
        synced.map_err(|refusal| LogError::new(&self.path, refusal))?;
        self.checked_length().map(drop)
    }

    /// The length of the file, if it is the one that this host has left.
    fn checked_length(&self) -> Result<u64, LogError> {
        let file = self.file.metadata();
        let n_bytes = file
            .map_err(|source| LogError::refused(&self.path, source))?
            .len();
        let expected = self.length;
        if n_bytes == expected || (self.is_shared && n_bytes > expected) {
            return Ok(n_bytes);
        }
        let loss = Loss::Changed { n_bytes, expected };
        Err(LogError::new(&self.path, Refusal::Lost(loss)))
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
