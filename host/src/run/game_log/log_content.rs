//! The bytes of a log from an offset on.

use std::{
    fs::File,
    io::{self, Read},
    os::unix::fs::FileExt,
};

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
