//! A plugin's file as it is played: a sealed private copy.
//!
//! The copy lies in memory and nobody can change it, not even this process. It is what is
//! checked, hashed and played, so a file that is exchanged later changes no game.

use std::{
    fs::File,
    io,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    sync::Arc,
};

use nix::{
    fcntl::{FcntlArg, SealFlag, fcntl},
    sys::memfd::{MFdFlags, memfd_create},
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    launcher::Rooms,
    plugin_library::{LibraryError, check_elf, check_kind},
};
use crate::text::hex::hex;

/// Where a plugin lies and, in the host, the copy that is played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PluginFile {
    path: PathBuf,
    #[serde(skip)]
    sealed: Option<Arc<SealedCopy>>,
}

/// A copy in memory, and the rooms that workers of this plugin live in.
#[derive(Debug)]
pub(super) struct SealedCopy {
    pub(super) content: File,
    pub(super) rooms: Rooms,
}

impl PluginFile {
    /// Copies a plugin's file and checks the copy.
    ///
    /// # Errors
    /// When the file cannot be a plugin.
    pub fn seal(path: &Path) -> Result<Self, LibraryError> {
        let path = check_kind(path)?;
        let content = sealed_copy(&path)?;
        check_elf(&content)?;
        Ok(Self {
            path,
            sealed: Some(Arc::new(SealedCopy {
                content,
                rooms: Rooms::default(),
            })),
        })
    }

    /// A plugin that is opened where it lies.
    #[must_use]
    pub fn unsealed(path: PathBuf) -> Self {
        Self { path, sealed: None }
    }

    /// Where the plugin lies, absolute.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn sealed(&self) -> Option<&SealedCopy> {
        self.sealed.as_deref()
    }

    /// SHA-256 of what is played, in hexadecimal digits.
    ///
    /// # Errors
    /// When the file was not sealed and cannot be read.
    pub fn sha256(&self) -> io::Result<String> {
        match &self.sealed {
            Some(sealed) => sha256_of(&sealed.content),
            None => sha256_of(&File::open(&self.path)?),
        }
    }
}

/// Two plugin files are the same when they lie at the same place and are played from the
/// same copy.
impl PartialEq for PluginFile {
    fn eq(&self, other: &Self) -> bool {
        let is_same_copy = match (&self.sealed, &other.sealed) {
            (Some(one), Some(two)) => Arc::ptr_eq(one, two),
            (None, None) => true,
            _ => false,
        };
        self.path == other.path && is_same_copy
    }
}

fn sealed_copy(path: &Path) -> io::Result<File> {
    let mut copy = File::from(memfd_create(
        "plugin",
        MFdFlags::MFD_CLOEXEC | MFdFlags::MFD_ALLOW_SEALING,
    )?);
    io::copy(&mut File::open(path)?, &mut copy)?;
    let seals = SealFlag::F_SEAL_WRITE
        | SealFlag::F_SEAL_SHRINK
        | SealFlag::F_SEAL_GROW
        | SealFlag::F_SEAL_SEAL;
    fcntl(&copy, FcntlArg::F_ADD_SEALS(seals))?;
    Ok(copy)
}

/// SHA-256 of a whole file, in hexadecimal digits.
///
/// # Errors
/// When it cannot be read.
pub(super) fn sha256_of(file: &File) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    let mut position = 0;
    loop {
        let n_read = file.read_at(&mut buffer, position)?;
        if n_read == 0 {
            return Ok(hex(&hasher.finalize()));
        }
        hasher.update(&buffer[..n_read]);
        position += n_read as u64;
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_played_stays_what_was_hashed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("libx.so");
        fs::copy(std::env::current_exe().unwrap(), &path).unwrap();
        let file = PluginFile::seal(&path).unwrap();
        let hash = file.sha256().unwrap();
        assert_eq!(hash, PluginFile::unsealed(path.clone()).sha256().unwrap());
        fs::write(&path, "something else").unwrap();
        assert_eq!(file.sha256().unwrap(), hash);
        let copy = &file.sealed().unwrap().content;
        assert!(copy.write_at(b"x", 0).is_err());
        assert!(copy.set_len(0).is_err());
    }
}
