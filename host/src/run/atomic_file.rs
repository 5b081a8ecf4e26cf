//! Replaces a file in one step: a reader finds the old content or the whole new one.
//!
//! The new content is written to a file beside the old one, which is then renamed over it.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// Large enough that a merged log is written in few system calls.
const BUFFER_SIZE: usize = 1 << 18;

/// When the new content reaches the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Before the rename: a power failure leaves the old content or the new one.
    Synced,
    /// Whenever the system writes it: enough for what can be computed again.
    Buffered,
}

/// Replaces the content of a file.
///
/// # Errors
/// When it cannot be written. The old content then stays.
pub fn replace(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    replace_with(path, Durability::Buffered, |writer| {
        writer.write_all(content.as_ref())
    })
}

/// Replaces the content of a file by what `write` writes.
///
/// # Errors
/// When it cannot be written. The old content then stays.
pub fn replace_with(
    path: &Path,
    durability: Durability,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let new = path_of_new(path);
    let replaced = write_new(&new, durability, write).and_then(|()| fs::rename(&new, path));
    if replaced.is_err() {
        // The error matters, not what is left of the attempt.
        let _ = fs::remove_file(&new);
    }
    replaced
}

fn write_new(
    new: &Path,
    durability: Durability,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let mut writer = BufWriter::with_capacity(BUFFER_SIZE, File::create(new)?);
    write(&mut writer)?;
    let file = writer
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    match durability {
        Durability::Synced => file.sync_all(),
        Durability::Buffered => Ok(()),
    }
}

/// `NAME.new`, in the same folder: a rename does not cross file systems.
fn path_of_new(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".new");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_content_stays_when_writing_fails() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        replace(&path, "old").unwrap();
        let failed = replace_with(&path, Durability::Synced, |writer| {
            writer.write_all(b"half of the new")?;
            Err(io::Error::other("the disk is full"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        replace(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        let files = fs::read_dir(folder.path()).unwrap();
        assert_eq!(files.count(), 1, "nothing is left beside the file");
    }
}
