//! A game log that is open for reading, compressed or not.
//!
//! A log that has become large may be compressed with `zstd`, which makes it several times
//! smaller. It is read as it is, from its start: whoever needs many lines in another order
//! unpacks it first.

use std::{
    fs::File,
    io::{self, BufReader, Read, Write},
    os::unix::fs::{FileExt, MetadataExt},
    path::{Path, PathBuf},
};

use super::{
    log_content::{FileFrom, LONGEST_LINE, compressed_from, next_line, skip},
    log_limits::LogLimits,
    log_line::{LogLine, parse_line},
};
use crate::run::{
    atomic_file::{self, replace_with},
    game_record::GameRecord,
    run_files,
    run_plan::RunPlan,
    unlinked,
};

/// Room for a hundred usual lines.
const BUFFER: usize = 1 << 18;

/// The position of a line in its log. A run has one for each of its games, so it is small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinePosition {
    /// The offset of its first byte, in a log that is not compressed.
    pub offset: u64,
    /// The number of the line, from 1.
    pub number: u32,
    /// Its length in bytes, including the line feed.
    pub length: u32,
}

impl LinePosition {
    /// The offset of the line after it.
    #[must_use]
    pub fn end(self) -> u64 {
        self.offset + u64::from(self.length)
    }

    /// The position of a line that follows this one.
    #[must_use]
    pub fn next(self, line: &[u8]) -> Self {
        Self {
            offset: self.end(),
            number: self.number.saturating_add(1),
            length: length_of(line),
        }
    }
}

/// The length of a line or of a part of one.
pub(super) fn length_of(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).expect("longer lines are not read")
}

/// Identifies the file of a log: its device and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogIdentity {
    device: u64,
    inode: u64,
    /// Length and time of the last change of a compressed log, which does not grow.
    compressed: Option<(u64, i64, i64)>,
}

/// A log that is open for reading. It stays the same file when a resuming host replaces it.
#[derive(Debug)]
pub struct OpenLog {
    file: File,
    is_compressed: bool,
    limits: LogLimits,
}

impl OpenLog {
    /// Opens the log of a run, which may be a stranger's; `None` if there is none.
    ///
    /// # Errors
    /// When it exists and cannot be opened.
    pub fn of_run(folder: &Path, plan: &RunPlan) -> io::Result<Option<Self>> {
        let log = Self::open(&run_files::game_log(folder))?;
        Ok(log.map(|log| log.within(LogLimits::of(plan))))
    }

    /// The same log, read no further than these limits.
    #[must_use]
    pub fn within(self, limits: LogLimits) -> Self {
        Self { limits, ..self }
    }

    /// Opens a log, or its compressed form if there is no other; `None` if there is neither.
    ///
    /// # Errors
    /// When it exists and cannot be opened.
    pub fn open(path: &Path) -> io::Result<Option<Self>> {
        if let Some(log) = Self::open_plain(path)? {
            return Ok(Some(log));
        }
        let compressed = Self::open_plain(&run_files::compressed(path))?;
        Ok(compressed.map(|log| Self {
            is_compressed: true,
            ..log
        }))
    }

    /// Opens a log that is not compressed; `None` if it does not exist.
    ///
    /// # Errors
    /// When it exists and cannot be opened.
    pub fn open_plain(path: &Path) -> io::Result<Option<Self>> {
        match unlinked::open(path) {
            Ok(file) => Ok(Some(Self {
                file,
                is_compressed: false,
                limits: LogLimits::NONE,
            })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    #[must_use]
    pub fn is_compressed(&self) -> bool {
        self.is_compressed
    }

    /// Which file it is.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn identity(&self) -> io::Result<LogIdentity> {
        let file = self.file.metadata()?;
        let state = (file.len(), file.mtime(), file.mtime_nsec());
        Ok(LogIdentity {
            device: file.dev(),
            inode: file.ino(),
            compressed: self.is_compressed.then_some(state),
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
        let mut last = last;
        let mut reader = BufReader::with_capacity(BUFFER, self.content_from(last.end())?);
        let mut begun = Vec::new();
        loop {
            begun.clear();
            let n_lines = u64::from(last.number);
            let mut position = last;
            let unreadable = |error| self.explained(error, n_lines);
            let length = next_line(&mut reader, &mut begun, unreadable, |bytes| {
                position = last.next(bytes);
                self.limits.check(n_lines + 1, position.end())?;
                visit(position, bytes)
            })?;
            match length {
                None => return Err(too_long(n_lines + 1)),
                Some(0) => return Ok(()),
                Some(_) => last = position,
            }
        }
    }

    /// Reads the bytes of a line. In a compressed log, all lines before it are read too.
    ///
    /// # Errors
    /// When it cannot be read, or the log has become shorter.
    pub fn line_at(&self, position: LinePosition, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.resize(position.length as usize, 0);
        if self.is_compressed {
            self.content_from(position.offset)?.read_exact(bytes)
        } else {
            self.file.read_exact_at(bytes, position.offset)
        }
    }

    /// Reads the records at some positions, in the order of the log. A position that no
    /// longer holds a record, because a resuming host has rewritten the log, is left out.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn records_at(
        &self,
        positions: impl IntoIterator<Item = LinePosition>,
    ) -> io::Result<Vec<GameRecord>> {
        let mut positions: Vec<LinePosition> = positions.into_iter().collect();
        positions.sort_unstable_by_key(|position| position.offset);
        let (mut records, mut bytes) = (Vec::new(), Vec::new());
        let (mut content, mut offset) = (self.content_from(0)?, 0);
        for position in positions {
            let read = if self.is_compressed {
                // One pass for all of them.
                skip(&mut content, position.offset - offset).and_then(|()| {
                    offset = position.end();
                    bytes.resize(position.length as usize, 0);
                    content.read_exact(&mut bytes)
                })
            } else {
                self.line_at(position, &mut bytes)
            };
            match read {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => continue,
                result => result?,
            }
            if let LogLine::Record(record) = parse_line(&bytes) {
                records.push(*record);
            }
        }
        Ok(records)
    }

    /// The same log in a form whose lines can be read in any order. A compressed log is
    /// unpacked into a file in this folder that has no name, so that it ends with this value.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn in_any_order(self, folder: &Path) -> io::Result<Self> {
        if !self.is_compressed {
            return Ok(self);
        }
        let path = unnamed(folder);
        unlinked::create_anew(&path, 0o600)?;
        let mut file = unlinked::open_or_create(&path)?;
        std::fs::remove_file(&path)?;
        self.copy_to(&mut file)?;
        Ok(Self {
            file,
            is_compressed: false,
            ..self
        })
    }

    /// Writes the content of the log, not compressed.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn copy_to(&self, writer: &mut impl Write) -> io::Result<()> {
        let mut content = self.content_from(0)?;
        let mut buffer = vec![0; 1 << 16];
        let mut n_bytes = 0;
        loop {
            let read = content.read(&mut buffer);
            match read.map_err(|error| damaged(&error))? {
                0 => return Ok(()),
                n_read => {
                    n_bytes += n_read as u64;
                    self.limits.check_bytes(n_bytes)?;
                    writer.write_all(&buffer[..n_read])?;
                }
            }
        }
    }

    /// What is in the log from this offset on.
    fn content_from(&self, offset: u64) -> io::Result<Box<dyn Read + '_>> {
        if self.is_compressed {
            compressed_from(&self.file, offset)
        } else {
            Ok(Box::new(FileFrom::new(&self.file, offset)))
        }
    }

    fn explained(&self, error: io::Error, n_lines: u64) -> io::Error {
        if !self.is_compressed {
            return error;
        }
        let sentence = damaged(&error);
        io::Error::new(
            sentence.kind(),
            format!("{sentence} (lines before that: {n_lines})"),
        )
    }
}

fn damaged(error: &io::Error) -> io::Error {
    let name = run_files::compressed(Path::new(run_files::GAME_LOG));
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("{} is cut off or damaged: {error}", name.display()),
    )
}

fn too_long(line: u64) -> io::Error {
    let sentence = format!(
        "line {line} is longer than {} MiB, so that this is not a game log",
        LONGEST_LINE >> 20
    );
    io::Error::new(io::ErrorKind::InvalidData, sentence)
}

/// Unpacks a compressed log beside it, unless it is unpacked already, and removes the
/// compressed one; says whether there was one to unpack.
///
/// # Errors
/// When it cannot be read or written. The compressed log then stays.
pub fn unpack(path: &Path) -> io::Result<bool> {
    match OpenLog::open(path)? {
        Some(log) if log.is_compressed => {
            replace_with(path, |writer| log.copy_to(writer))?;
            atomic_file::remove(&run_files::compressed(path))?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

fn unnamed(folder: &Path) -> PathBuf {
    let mut number = 0;
    loop {
        let path = folder.join(format!(".unpacked.{}.{number}", std::process::id()));
        if std::fs::symlink_metadata(&path).is_err() {
            return path;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests;
