//! A game log that is open for reading.

use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    os::unix::fs::{FileExt, MetadataExt},
    path::Path,
};

use super::log_line::{LogLine, parse_line};
use crate::run::{game_record::GameRecord, unlinked};

/// The position of a line in its log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinePosition {
    /// The number of the line, from 1.
    pub number: u64,
    /// The offset of its first byte.
    pub offset: u64,
    /// Its length in bytes, including the line feed.
    pub length: usize,
}

/// Identifies the file of a log: its device and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogIdentity {
    device: u64,
    inode: u64,
}

/// A log that is open for reading. It stays the same file when a resuming host replaces it.
#[derive(Debug)]
pub struct OpenLog {
    file: File,
}

impl OpenLog {
    /// Opens a log; `None` if it does not exist.
    ///
    /// # Errors
    /// When it exists and cannot be opened.
    pub fn open(path: &Path) -> io::Result<Option<Self>> {
        match unlinked::open(path) {
            Ok(file) => Ok(Some(Self { file })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Which file it is.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn identity(&self) -> io::Result<LogIdentity> {
        let metadata = self.file.metadata()?;
        Ok(LogIdentity {
            device: metadata.dev(),
            inode: metadata.ino(),
        })
    }

    /// Reads every line.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(&self, mut visit: impl FnMut(LinePosition, LogLine)) -> io::Result<()> {
        self.read_bytes(|position, bytes| {
            visit(position, parse_line(bytes));
            Ok(())
        })
    }

    /// Reads the bytes of every line.
    ///
    /// # Errors
    /// When it cannot be read, or `visit` fails.
    pub fn read_bytes(
        &self,
        visit: impl FnMut(LinePosition, &[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        self.read_after(LinePosition::default(), visit)
    }

    /// Reads the bytes of every line after the one at this position.
    ///
    /// # Errors
    /// When it cannot be read, or `visit` fails.
    pub fn read_after(
        &self,
        last: LinePosition,
        mut visit: impl FnMut(LinePosition, &[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut offset = last.offset + last.length as u64;
        let start = FileFrom {
            file: &self.file,
            offset,
        };
        let mut reader = BufReader::with_capacity(1 << 16, start);
        let mut bytes = Vec::new();
        for number in last.number + 1.. {
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
            visit(position, &bytes)?;
            offset += length as u64;
        }
        Ok(())
    }

    /// Reads the bytes of a line.
    ///
    /// # Errors
    /// When it cannot be read, or the log has become shorter.
    pub fn line_at(&self, position: LinePosition, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.resize(position.length, 0);
        self.file.read_exact_at(bytes, position.offset)
    }

    /// Reads the records at some positions. A position that no longer holds a record, because
    /// a resuming host has rewritten the log, is left out.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn records_at(
        &self,
        positions: impl IntoIterator<Item = LinePosition>,
    ) -> io::Result<Vec<GameRecord>> {
        let (mut records, mut bytes) = (Vec::new(), Vec::new());
        for position in positions {
            match self.line_at(position, &mut bytes) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => continue,
                result => result?,
            }
            if let LogLine::Record(record) = parse_line(&bytes) {
                records.push(*record);
            }
        }
        Ok(records)
    }
}

/// Reads a file from an offset, wherever its own position is.
struct FileFrom<'f> {
    file: &'f File,
    offset: u64,
}

impl io::Read for FileFrom<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self.file.read_at(buffer, self.offset)?;
        self.offset += n_read as u64;
        Ok(n_read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn records_are_found_again_at_their_positions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let fixture = include_str!("../../../../tests/fixtures/three-seeds.jsonl");
        fs::write(&path, format!("garbage\n{fixture}")).unwrap();
        let (mut positions, mut records) = (Vec::new(), Vec::new());
        let log = OpenLog::open(&path).unwrap().unwrap();
        log.read(|position, line| {
            if let LogLine::Record(record) = line {
                positions.push(position);
                records.push(*record);
            }
        })
        .unwrap();
        assert!(positions.len() > 2);
        assert_eq!(log.records_at(positions.clone()).unwrap(), records);
        fs::write(&path, "garbage\n").unwrap();
        assert_eq!(log.records_at(positions).unwrap(), []);
    }
}
