//! A game log that is open for reading, compressed or not.
//!
//! A log that has become large may be compressed with `zstd`, which makes it several times
//! smaller. It is read as it is, from its start; a reader that needs many lines in
//! another order unpacks it first.
//!
//! A log may come from a stranger, and a compressed one of a few kilobytes may unpack to
//! terabytes. So it is read no further than a log of its plan can go.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    os::unix::fs::{FileExt, MetadataExt},
    path::{Path, PathBuf},
};

use memchr::memchr;
use ruzstd::decoding::{
    BlockDecodingStrategy, FrameDecoder,
    errors::{FrameDecoderError, ReadFrameHeaderError},
};

use text::plugin_words::name_as_code;

use crate::{
    atomic_file::{self, replace_with},
    game_record::GameRecord,
    record_line::{LogLine, parse_line},
    run_files,
    run_plan::RunPlan,
    unlinked,
};

/// How far back a compressed log may refer; `zstd --long` needs it all.
const LONGEST_WINDOW: u64 = 1 << 27;
/// Room for a hundred usual lines.
const BUFFER: usize = 1 << 18;

/// A game of ten million moves is shorter. A log may come from a stranger, and a compressed
/// one of a few bytes may hold a line that fills the memory.
const LONGEST_LINE: usize = 64 << 20;

/// A log has one line per game. The host also reads lines that were written twice or damaged, so
/// that it can name each of them, but only up to these limits.
const LINES_PER_GAME: u64 = 10;
const FURTHER_LINES: u64 = 1000;

/// Lines are counted in 32 bits; no tournament has four billion games.
const MOST_LINES: u64 = u32::MAX as u64;

/// What a record holds besides its moves is shorter.
const LONGEST_REST: u64 = 1 << 16;

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
        self.followed_by(length_of(line))
    }

    /// The same for a line of this length.
    #[must_use]
    pub fn followed_by(self, length: u32) -> Self {
        Self {
            offset: self.end(),
            number: self.number.saturating_add(1),
            length,
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

impl LogIdentity {
    #[must_use]
    pub fn is_compressed(self) -> bool {
        self.compressed.is_some()
    }
}

/// The most lines and bytes of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogLimits {
    n_lines: u64,
    n_bytes: u64,
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
            Err(error) => Err(io::Error::new(
                error.kind(),
                format!(
                    "cannot read {}: {error}",
                    name_as_code(&path.to_string_lossy())
                ),
            )),
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

    /// Reads some lines, sorted by their position, each to its place in `bytes`. The log is read
    /// from front to back; only large gaps are left out.
    ///
    /// # Errors
    /// When it cannot be read, or has become shorter.
    pub fn lines_to(&self, lines: &[(LinePosition, usize)], bytes: &mut [u8]) -> io::Result<()> {
        let Some((first, _)) = lines.first() else {
            return Ok(());
        };
        let content_from = |offset| {
            let content = self.content_from(offset)?;
            io::Result::Ok(BufReader::with_capacity(BUFFER, content))
        };
        let (mut offset, mut content) = (first.offset, content_from(first.offset)?);
        for (position, place) in lines {
            let gap = position.offset - offset;
            if gap > BUFFER as u64 && !self.is_compressed {
                content = content_from(position.offset)?;
            } else {
                skip(&mut content, gap)?;
            }
            content.read_exact(&mut bytes[*place..*place + position.length as usize])?;
            offset = position.end();
        }
        Ok(())
    }

    /// Appends the content of a compressed log to a file, whose lines are read faster; returns
    /// where it begins there.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn unpack_into(&self, unpacked: &mut Self) -> io::Result<u64> {
        let start = unpacked.file.metadata()?.len();
        self.copy_to(&mut unpacked.file)?;
        Ok(start)
    }

    /// An empty log without a name in this folder, which disappears with this value.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn unnamed(folder: &Path) -> io::Result<Self> {
        let path = unnamed(folder);
        unlinked::create_anew(&path, 0o600)?;
        let file = unlinked::open_or_create(&path)?;
        std::fs::remove_file(&path)?;
        Ok(Self {
            file,
            is_compressed: false,
            limits: LogLimits::NONE,
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

impl LogLimits {
    /// For a log that this host has written.
    pub const NONE: Self = Self {
        n_lines: MOST_LINES,
        n_bytes: u64::MAX,
    };

    /// The limits of the log of a plan.
    #[must_use]
    pub fn of(plan: &RunPlan) -> Self {
        let n_games = plan.games().n_games();
        // The largest tile is at most 2^(cells + 1), the sum of all less than twice that, and
        // every move adds at least 2 to the sum.
        let n_cells = u32::try_from(plan.tournament.side.n_cells()).unwrap_or(u32::MAX);
        let most_moves = 1_u64.checked_shl(n_cells + 1).unwrap_or(u64::MAX);
        let most_moves = plan
            .tournament
            .max_moves
            .map_or(most_moves, |most| most.get().min(most_moves));
        let longest_record = most_moves
            .saturating_add(LONGEST_REST)
            .min(LONGEST_LINE as u64);
        Self {
            n_lines: n_games
                .saturating_mul(LINES_PER_GAME)
                .saturating_add(FURTHER_LINES)
                .min(MOST_LINES),
            n_bytes: n_games
                .saturating_mul(longest_record)
                .saturating_add(LONGEST_LINE as u64),
        }
    }

    /// Whether the line with this number, which ends after so many bytes, is within the limits.
    fn check(self, number: u64, n_bytes: u64) -> io::Result<()> {
        if number > self.n_lines {
            return Err(beyond(&format!("{} lines", self.n_lines)));
        }
        self.check_bytes(n_bytes)
    }

    fn check_bytes(self, n_bytes: u64) -> io::Result<()> {
        if n_bytes > self.n_bytes {
            return Err(beyond(&format!("{} MiB", self.n_bytes >> 20)));
        }
        Ok(())
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
        "line {line} is longer than {} MiB, so this is not a game log",
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

fn beyond(what: &str) -> io::Error {
    let sentence = format!(
        "the game log has more than {what}, more than a log of its plan can have: it is damaged, \
         and the rest was not read"
    );
    io::Error::new(io::ErrorKind::InvalidData, sentence)
}

/// Calls `visit` with the next line and returns its length: 0 at the end of the log, and `None` for
/// a line that is too long. Most lines are in the buffer of the reader as a whole and are not
/// copied; `begun` is empty and takes the beginning of others.
fn next_line(
    reader: &mut impl BufRead,
    begun: &mut Vec<u8>,
    unreadable: impl FnOnce(io::Error) -> io::Error,
    visit: impl FnOnce(&[u8]) -> io::Result<()>,
) -> io::Result<Option<usize>> {
    loop {
        let buffer = match reader.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(unreadable(error)),
            Ok(buffer) => buffer,
        };
        let end = memchr(b'\n', buffer).map(|place| place + 1);
        if let (Some(length), true) = (end, begun.is_empty()) {
            visit(&buffer[..length])?;
            reader.consume(length);
            return Ok(Some(length));
        }
        let n_more = end.unwrap_or(buffer.len());
        begun.extend_from_slice(&buffer[..n_more]);
        reader.consume(n_more);
        if begun.len() > LONGEST_LINE {
            return Ok(None);
        }
        if end.is_some() || n_more == 0 {
            if !begun.is_empty() {
                visit(begun)?;
            }
            return Ok(Some(begun.len()));
        }
    }
}

/// What a compressed log holds from this offset on.
fn compressed_from(file: &File, offset: u64) -> io::Result<Box<dyn Read + '_>> {
    let mut content = Frames::new(FileFrom::new(file, 0));
    skip(&mut content, offset)?;
    Ok(Box::new(content))
}

/// What Zstandard frames hold, one after the other: appending to a compressed file adds one.
struct Frames<R> {
    source: BufReader<R>,
    frame: FrameDecoder,
}

impl<R: Read> Frames<R> {
    fn new(source: R) -> Self {
        let mut frame = FrameDecoder::new();
        frame.set_max_window_size(LONGEST_WINDOW);
        Self {
            source: BufReader::new(source),
            frame,
        }
    }

    /// Begins the next frame. Those that hold no content, as parallel compressors add, are skipped.
    fn begin(&mut self) -> io::Result<()> {
        match self.frame.init(&mut self.source) {
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => skip(&mut self.source, length.into()),
            begun => begun.map_err(io::Error::other),
        }
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let n_read = self.frame.read(buffer)?;
            if n_read > 0 || buffer.is_empty() {
                return Ok(n_read);
            }
            if !self.frame.is_finished() {
                self.frame
                    .decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(io::Error::other)?;
                continue;
            }
            let stated = self.frame.get_checksum_from_data();
            if stated.is_some() && stated != self.frame.get_calculated_checksum() {
                return Err(io::Error::other("its checksum is wrong"));
            }
            if self.source.fill_buf()?.is_empty() {
                return Ok(0);
            }
            self.begin()?;
        }
    }
}

/// Reads over so many bytes.
fn skip(content: &mut impl Read, n_bytes: u64) -> io::Result<()> {
    let skipped = io::copy(&mut content.take(n_bytes), &mut io::sink())?;
    if skipped < n_bytes {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(())
}

/// Reads a file from an offset, wherever its own position is.
struct FileFrom<'f> {
    file: &'f File,
    offset: u64,
}

impl<'f> FileFrom<'f> {
    fn new(file: &'f File, offset: u64) -> Self {
        Self { file, offset }
    }
}

impl Read for FileFrom<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self.file.read_at(buffer, self.offset)?;
        self.offset += n_read as u64;
        Ok(n_read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruzstd::encoding::{CompressionLevel::Fastest, compress_to_vec};
    use std::fs;

    const FIXTURE: &str = include_str!("../../../../../tests/fixtures/three-seeds.jsonl");

    fn positions_and_records(log: &OpenLog) -> (Vec<LinePosition>, Vec<GameRecord>) {
        let (mut positions, mut records) = (Vec::new(), Vec::new());
        log.read(|position, line| {
            if let LogLine::Record(record) = line {
                positions.push(position);
                records.push(*record);
            }
        })
        .unwrap();
        (positions, records)
    }

    #[test]
    fn records_are_found_again_at_their_positions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        fs::write(&path, format!("garbage\n{FIXTURE}")).unwrap();
        let log = OpenLog::open(&path).unwrap().unwrap();
        let (mut positions, records) = positions_and_records(&log);
        assert!(positions.len() > 2);
        positions.reverse();
        assert_eq!(log.records_at(positions.clone()).unwrap(), records);
        fs::write(&path, "garbage\n").unwrap();
        assert_eq!(log.records_at(positions).unwrap(), []);
    }

    #[test]
    fn a_compressed_log_is_the_same_log() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let text = format!("garbage\n{FIXTURE}");
        fs::write(&path, &text).unwrap();
        let plain = positions_and_records(&OpenLog::open(&path).unwrap().unwrap());
        // Two frames, as appending to a compressed file makes them.
        let (first, second) = text.as_bytes().split_at(100);
        let frames = [first, second].map(|part| compress_to_vec(part, Fastest));
        let compressed = folder.path().join("games.jsonl.zst");
        fs::write(&compressed, frames.concat()).unwrap();
        fs::remove_file(&path).unwrap();
        let log = OpenLog::open(&path).unwrap().unwrap();
        assert_eq!(positions_and_records(&log), plain);
        let (positions, records) = plain;
        assert_eq!(log.records_at(positions.clone()).unwrap(), records);
        let mut unpacked = OpenLog::unnamed(folder.path()).unwrap();
        assert_eq!(log.unpack_into(&mut unpacked).unwrap(), 0);
        assert_eq!(unpacked.records_at(positions).unwrap(), records);
        let start = log.unpack_into(&mut unpacked).unwrap();
        assert_eq!(start, text.len() as u64);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);

        // A log that is cut off is not half a log.
        fs::write(&compressed, &frames.concat()[..frames[0].len() + 20]).unwrap();
        let cut_off = OpenLog::open(&path).unwrap().unwrap();
        let error = cut_off.read(|_, _| ()).unwrap_err().to_string();
        assert!(
            error.contains("games.jsonl.zst is cut off or damaged"),
            "{error}"
        );
        assert!(unpack(&path).is_err() && compressed.exists() && !path.exists());

        let mut flipped = frames.concat();
        *flipped.last_mut().unwrap() ^= 1;
        fs::write(&compressed, flipped).unwrap();
        let error = OpenLog::open(&path).unwrap().unwrap().read(|_, _| ());
        let error = error.unwrap_err().to_string();
        assert!(error.contains("its checksum is wrong"), "{error}");

        let endless = compress_to_vec(io::repeat(b'x').take(LONGEST_LINE as u64 + 1), Fastest);
        fs::write(&compressed, endless).unwrap();
        let error = OpenLog::open(&path).unwrap().unwrap().read(|_, _| ());
        let error = error.unwrap_err().to_string();
        assert!(error.contains("line 1 is longer than 64 MiB"), "{error}");

        fs::write(&compressed, frames.concat()).unwrap();
        assert!(unpack(&path).unwrap());
        assert!(!unpack(&path).unwrap(), "it is unpacked already");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        assert!(!compressed.exists());
    }

    #[test]
    fn a_log_is_read_no_further_than_its_limits() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        fs::write(&path, "12\n".repeat(100)).unwrap();
        let within = |n_lines, n_bytes| {
            let log = OpenLog::open(&path).unwrap().unwrap();
            log.within(LogLimits { n_lines, n_bytes })
        };
        let n_read = |log: OpenLog| {
            let mut n_read = 0;
            let result = log.read(|_, _| n_read += 1);
            (n_read, result.is_ok())
        };
        assert_eq!(n_read(within(100, 300)), (100, true));
        assert_eq!(n_read(within(99, 300)), (99, false));
        assert_eq!(n_read(within(100, 299)), (99, false));
        assert!(within(1, 300).copy_to(&mut io::sink()).is_ok());
        assert!(within(1, 299).copy_to(&mut io::sink()).is_err());
    }
}
