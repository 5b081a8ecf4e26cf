//! The game log: one record a line, appended and flushed game by game.
//!
//! It is the only hand-over from playing to measuring. A host that is killed at any
//! byte leaves whole lines and at most one cut-off tail, which is dropped when the
//! run goes on.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
};

use crate::{game_record::GameRecord, printable::printable};

/// A line of a log.
#[derive(Clone, Debug, PartialEq)]
pub enum LogLine {
    Record(Box<GameRecord>),
    /// Not a record, and why.
    Malformed {
        text: String,
        reason: String,
    },
    /// No line feed at the end: the host was killed in mid-write.
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
        Some(file) => read_from(&file, |place, line| visit(place.number, line)),
        None => Ok(()),
    }
}

/// A log to read from; `None` where there is none.
///
/// # Errors
/// When it is there and cannot be opened.
pub fn open_existing(path: &Path) -> io::Result<Option<File>> {
    match fs::metadata(path) {
        // A named pipe would wait for a writer for ever.
        Ok(metadata) if !metadata.is_file() => Err(io::Error::other("it is no file")),
        Ok(_) => File::open(path).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Where a line stands in its log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// From 1 on.
    pub number: u64,
    /// Its first byte.
    pub offset: u64,
    /// In bytes, with its line feed.
    pub length: usize,
}

/// Reads a log that is open, from where it stands.
///
/// # Errors
/// When it cannot be read.
pub fn read_from(log: &File, mut visit: impl FnMut(Place, LogLine)) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(1 << 16, log);
    let (mut bytes, mut offset) = (Vec::new(), 0);
    for number in 1.. {
        bytes.clear();
        let length = reader.read_until(b'\n', &mut bytes)?;
        if length == 0 {
            break;
        }
        let place = Place {
            number,
            offset,
            length,
        };
        visit(place, parse_line(&bytes));
        offset += length as u64;
    }
    Ok(())
}

/// A line from its bytes, line feed included.
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
    match serde_json::from_slice::<GameRecord>(bytes) {
        Ok(GameRecord { v, .. }) if v != GameRecord::VERSION => LogLine::Malformed {
            text: text(),
            reason: format!("version {v} of the format is not known here"),
        },
        Ok(mut record) => {
            // Whoever wrote the log, its sentences end on terminals.
            record.fault = record.fault.map(|fault| printable(&fault, usize::MAX));
            LogLine::Record(Box::new(record))
        }
        Err(error) => LogLine::Malformed {
            text: text(),
            reason: error.to_string(),
        },
    }
}

/// Reads the records of some games. Of the others only the number is looked at, so that
/// a few games of a large log are found quickly.
///
/// # Errors
/// When the file cannot be read.
pub fn read_games(path: &Path, is_wanted: impl Fn(u64) -> bool) -> io::Result<Vec<GameRecord>> {
    let (mut bytes, mut records) = (Vec::new(), Vec::new());
    let Some(file) = open_existing(path)? else {
        return Ok(records);
    };
    let mut reader = BufReader::with_capacity(1 << 16, file);
    while reader.read_until(b'\n', &mut bytes)? > 0 {
        if number_at_start(&bytes).is_none_or(&is_wanted)
            && let LogLine::Record(record) = parse_line(&bytes)
            && is_wanted(record.game)
        {
            records.push(*record);
        }
        bytes.clear();
    }
    Ok(records)
}

/// The game's number, where a line begins as we write it.
fn number_at_start(line: &[u8]) -> Option<u64> {
    let rest = line.strip_prefix(br#"{"v":1,"game":"#)?;
    let end = rest.iter().position(|byte| !byte.is_ascii_digit())?;
    str::from_utf8(&rest[..end]).ok()?.parse().ok()
}

/// A log that is written to.
#[derive(Debug)]
pub struct GameLog {
    path: PathBuf,
    file: File,
}

/// Why a record could not be kept.
#[derive(Debug, thiserror::Error)]
#[error("the game log `{}` cannot be written: {source}; what is in it is kept", path.display())]
pub struct LogError {
    path: PathBuf,
    source: io::Error,
}

impl GameLog {
    /// Opens a log to append to it.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        let open = || OpenOptions::new().create(true).append(true).open(path);
        let file = open().map_err(|source| LogError {
            path: path.to_path_buf(),
            source,
        })?;
        Ok(Self {
            path: path.to_path_buf(),
            file,
        })
    }

    /// Appends a record. When the disk is full, what was written of the line is
    /// taken back, so that the log holds whole records only.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), LogError> {
        let error = |source| LogError {
            path: self.path.clone(),
            source,
        };
        let mut line = serde_json::to_vec(record).map_err(|source| error(source.into()))?;
        line.push(b'\n');
        let length = self.file.metadata().map_err(error)?.len();
        self.file.write_all(&line).map_err(|source| {
            // Failing this too leaves a cut-off tail, which the next start drops.
            let _ = self.file.set_len(length);
            error(source)
        })
    }
}

/// Replaces a log by these lines in one step: either the old file is there or the
/// whole new one.
///
/// # Errors
/// When it cannot be written; the old file then stays.
pub fn rewrite(path: &Path, records: &[GameRecord]) -> io::Result<()> {
    let new = path.with_extension("jsonl.new");
    let mut file = io::BufWriter::new(File::create(&new)?);
    for record in records {
        serde_json::to_writer(&mut file, record)?;
        file.write_all(b"\n")?;
    }
    file.into_inner()
        .map_err(io::IntoInnerError::into_error)?
        .sync_all()?;
    fs::rename(&new, path)
}

/// Appends lines to a file beside the log that keeps what was taken out of it.
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
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
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
    fn garbage_and_a_cut_off_tail_are_told_apart() {
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
    fn a_log_that_is_not_there_is_empty() {
        let mut n_lines = 0;
        read(Path::new("/nowhere/games.jsonl"), |_, _| n_lines += 1).unwrap();
        assert_eq!(n_lines, 0);
    }

    #[test]
    fn a_few_games_are_found_however_their_lines_begin() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let fixture = include_str!("../../tests/fixtures/three-seeds.jsonl");
        let spaced = fixture.replace("{\"v\":1,", "{ \"v\": 1, ");
        fs::write(&path, format!("{fixture}garbage\n{spaced}")).unwrap();
        let found = read_games(&path, |game| game == 2).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0], found[1]);
        assert_eq!(number_at_start(fixture.as_bytes()), Some(0));
        assert_eq!(number_at_start(b"{\"v\":1,\"game\":"), None);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(bytes: Vec<u8>) {
            lines(&bytes);
        }
    }
}
