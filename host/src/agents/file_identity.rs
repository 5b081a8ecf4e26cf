//! Detects whether a file has changed since it was inspected.
//!
//! Compares inode and change time, not the contents: the check runs after every game,
//! and every write or replacement changes one of the two.

use std::{fs, io, os::unix::fs::MetadataExt, path::Path};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileIdentity {
    device: u64,
    inode: u64,
    size: u64,
    changed: (i64, i64),
}

impl FileIdentity {
    /// # Errors
    /// If the file does not exist.
    pub fn of(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        Ok(Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.len(),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    /// Whether the path still leads to this file, unchanged.
    #[must_use]
    pub fn is_still_at(&self, path: &Path) -> bool {
        Self::of(path).is_ok_and(|now| now == *self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_and_replacing_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plugin.so");
        fs::write(&path, "one").unwrap();
        let first = FileIdentity::of(&path).unwrap();
        assert!(first.is_still_at(&path));
        // A copy of the same size and content is a different file.
        let other = folder.path().join("other.so");
        fs::write(&other, "one").unwrap();
        fs::rename(&other, &path).unwrap();
        assert!(!first.is_still_at(&path));
        let second = FileIdentity::of(&path).unwrap();
        fs::write(&path, "three").unwrap();
        assert!(!second.is_still_at(&path));
        fs::remove_file(&path).unwrap();
        assert!(!second.is_still_at(&path));
    }
}
