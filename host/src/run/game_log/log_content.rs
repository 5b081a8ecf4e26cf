//! The bytes of a log from an offset on, and the lines in them.

use std::{
    fs::File,
    io::{self, BufRead, Read},
    os::unix::fs::FileExt,
};

use memchr::memchr;

/// A game of ten million moves is shorter. A log may come from a stranger, and a compressed
/// one of a few bytes may hold a line that fills the memory.
pub(super) const LONGEST_LINE: usize = 64 << 20;

/// Calls `visit` with the next line and returns its length: 0 at the end of the log, and `None` for
/// a line that is too long. Most lines are in the buffer of the reader as a whole and are not
/// copied; `begun` is empty and takes the beginning of others.
pub(super) fn next_line(
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
pub(super) fn compressed_from(file: &File, offset: u64) -> io::Result<Box<dyn Read + '_>> {
    let mut content = zstd::Decoder::new(FileFrom::new(file, 0))?;
    skip(&mut content, offset)?;
    Ok(Box::new(content))
}

/// Reads over so many bytes.
pub(super) fn skip(content: &mut impl Read, n_bytes: u64) -> io::Result<()> {
    let skipped = io::copy(&mut content.take(n_bytes), &mut io::sink())?;
    if skipped < n_bytes {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(())
}

/// Reads a file from an offset, wherever its own position is.
pub(super) struct FileFrom<'f> {
    file: &'f File,
    offset: u64,
}

impl<'f> FileFrom<'f> {
    pub(super) fn new(file: &'f File, offset: u64) -> Self {
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
