//! The game log: one record per line, appended when the game ends.
//!
//! All results are computed from the log. A host that is killed while writing leaves whole
//! lines and at most one line that is cut off; that line is dropped when the run resumes.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Write},
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use crate::{
    run::{
        atomic_file::{replace_with, sync_folder_of},
        game_record::GameRecord,
        record_line::{is_whole, line_of},
        sync_thread::{self, SyncThread},
        unlinked,
    },
    text::{hex::is_hex, printable::printable},
    tournament::is_plain_name,
};

/// A line of a log.
#[derive(Clone, Debug, PartialEq)]
pub enum LogLine {
    Record(Box<GameRecord>),
    /// Not a record, and why.
    Malformed {
        text: String,
        reason: String,
    },
    /// No line feed at the end: the host was killed while it wrote the line.
    CutOff {
        text: String,
    },
}

/// Reads a log line by line; `number` counts from 1. A missing file is an empty log.
///
/// # Errors
/// When the file cannot be read.
pub fn read(path: &Path, mut visit: impl FnMut(u64, LogLine)) -> io::Result<()> {
    match open_existing(path)? {
        Some(file) => read_from(&file, |position, line| visit(position.number, line)),
        None => Ok(()),
    }
}

/// Opens a log for reading; `None` if it does not exist.
///
/// # Errors
/// When it exists and cannot be opened.
pub fn open_existing(path: &Path) -> io::Result<Option<File>> {
    match unlinked::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The position of a line in its log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinePosition {
    /// The number of the line, from 1.
    pub number: u64,
    /// The offset of its first byte.
    pub offset: u64,
    /// Its length in bytes, including the line feed.
    pub length: usize,
}

/// Reads an open log from its current position.
///
/// # Errors
/// When it cannot be read.
pub fn read_from(log: &File, mut visit: impl FnMut(LinePosition, LogLine)) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(1 << 16, log);
    let (mut bytes, mut offset) = (Vec::new(), 0);
    for number in 1.. {
        bytes.clear();
        let length = reader.read_until(b'\n', &mut bytes)?;
        if length == 0 {
            break;
        }
        let position = LinePosition {
            number,
            offset,
            length,
        };
        visit(position, parse_line(&bytes));
        offset += length as u64;
    }
    Ok(())
}

/// Parses the bytes of a line, including its line feed.
#[must_use]
pub fn parse_line(bytes: &[u8]) -> LogLine {
    let text = || {
        String::from_utf8_lossy(bytes)
            .trim_end_matches('\n')
            .to_owned()
    };
    if bytes.last() != Some(&b'\n') {
        return LogLine::CutOff { text: text() };
    }
    let is_whole = is_whole(bytes);
    match serde_json::from_slice::<GameRecord>(bytes) {
        Ok(GameRecord { v, .. }) if v != GameRecord::VERSION => LogLine::Malformed {
            text: text(),
            reason: format!("format version {v} is not supported by this host"),
        },
        Ok(record) if is_whole == Some(false) || (is_whole.is_none() && record.host.is_some()) => {
            LogLine::Malformed {
                text: text(),
                reason: "its checksum is wrong: it was changed or damaged".to_owned(),
            }
        }
        // Both become parts of file names.
        Ok(record) if !is_plain_name(&record.agent) => LogLine::Malformed {
            text: text(),
            reason: "its agent has no valid name".to_owned(),
        },
        Ok(record) if !is_hex(&record.fingerprint, GameRecord::FINGERPRINT_DIGITS) => {
            LogLine::Malformed {
                text: text(),
                reason: "its fingerprint does not have 16 hexadecimal digits".to_owned(),
            }
        }
        Ok(mut record) => {
            // The sentence is shown on terminals, and anybody may have edited the log.
            record.fault = record.fault.map(|fault| printable(&fault, usize::MAX));
            LogLine::Record(Box::new(record))
        }
        Err(error) => LogLine::Malformed {
            text: text(),
            reason: error.to_string(),
        },
    }
}

/// Reads the records at some positions of a log. A position that no longer holds a record,
/// because a resuming host has rewritten the log, is left out.
///
/// # Errors
/// When the file cannot be read.
pub fn read_at(
    path: &Path,
    positions: impl IntoIterator<Item = LinePosition>,
) -> io::Result<Vec<GameRecord>> {
    let mut records = Vec::new();
    let Some(file) = open_existing(path)? else {
        return Ok(records);
    };
    for position in positions {
        let mut bytes = vec![0; position.length];
        match file.read_exact_at(&mut bytes, position.offset) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => continue,
            result => result?,
        }
        if let LogLine::Record(record) = parse_line(&bytes) {
            records.push(*record);
        }
    }
    Ok(records)
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

    /// Appends a record. If the write fails, for example on a full disk, the partial line
    /// is removed, so that the log holds whole records only.
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

/// Replaces the content of a log by these records, in one step.
///
/// # Errors
/// When it cannot be written; the old content then stays.
pub fn rewrite<'r>(
    path: &Path,
    records: impl IntoIterator<Item = &'r GameRecord>,
) -> io::Result<()> {
    replace_with(path, |writer| {
        for record in records {
            writer.write_all(&line_of(record)?)?;
        }
        Ok(())
    })
}

/// Appends lines that were removed from a log to another file.
///
/// # Errors
/// When it cannot be written.
pub fn set_aside<'l>(path: &Path, lines: impl IntoIterator<Item = &'l str>) -> io::Result<()> {
    let mut text = String::new();
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    if text.is_empty() {
        return Ok(());
    }
    let mut file = unlinked::append(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    sync_folder_of(path)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

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
    fn a_record_is_read_again_and_every_flipped_bit_is_found() {
        let written = crate::run::example::record("a", 7, 1304);
        let line = line_of(&written).unwrap();
        assert_eq!(
            parse_line(&line),
            LogLine::Record(Box::new(written.clone()))
        );
        for bit in 0..8 * (line.len() - 1) {
            let mut damaged = line.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            // A bit of the key `check` changes nothing that counts.
            if let LogLine::Record(read) = parse_line(&damaged) {
                assert_eq!(*read, written, "bit {bit}");
            }
        }
    }

    #[test]
    fn a_missing_log_is_empty() {
        let mut n_lines = 0;
        read(Path::new("/nowhere/games.jsonl"), |_, _| n_lines += 1).unwrap();
        assert_eq!(n_lines, 0);
    }

    #[test]
    fn records_are_found_again_at_their_positions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let fixture = include_str!("../../../tests/fixtures/three-seeds.jsonl");
        fs::write(&path, format!("garbage\n{fixture}")).unwrap();
        let (mut positions, mut records) = (Vec::new(), Vec::new());
        read_from(&File::open(&path).unwrap(), |position, line| {
            if let LogLine::Record(record) = line {
                positions.push(position);
                records.push(*record);
            }
        })
        .unwrap();
        assert!(positions.len() > 2);
        assert_eq!(read_at(&path, positions.clone()).unwrap(), records);
        fs::write(&path, "garbage\n").unwrap();
        assert_eq!(read_at(&path, positions).unwrap(), []);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(bytes: Vec<u8>) {
            lines(&bytes);
        }
    }
}
