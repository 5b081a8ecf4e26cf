//! Opening a path that may be anything, and hashing what it holds: only a regular file is opened,
//! and opening never waits, as it would for a pipe.

use std::{
    fs::{File, OpenOptions},
    io,
    os::unix::fs::{FileExt, OpenOptionsExt},
    path::Path,
};

use nix::libc::{O_NOFOLLOW, O_NONBLOCK};
use sha2::{Digest, Sha256};

use text::hex::hex;

/// Opens a file that is no link, to be read.
///
/// # Errors
/// When it cannot be read, or is something else.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open_regular_with(path, OpenOptions::new().read(true))
}

/// Opens a file that is no link, with these options.
///
/// # Errors
/// As for [`open_regular`].
pub fn open_regular_with(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    regular(options.custom_flags(O_NONBLOCK | O_NOFOLLOW).open(path)?)
}

/// Opens a file to be read; links are followed.
///
/// # Errors
/// As for [`open_regular`].
pub(super) fn open_regular_behind_links(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    regular(options.read(true).custom_flags(O_NONBLOCK).open(path)?)
}

/// Passes on a regular file.
///
/// # Errors
/// When it is something else.
pub fn regular(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::other("it is not a regular file"))
    }
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
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn only_files_are_opened_and_a_pipe_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "1").unwrap();
        symlink("file", at("link")).unwrap();
        nix::unistd::mkfifo(&at("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert!(open_regular(&at("file")).is_ok());
        assert!(open_regular(&at("link")).is_err());
        assert!(open_regular_behind_links(&at("link")).is_ok());
        for other in [at("pipe"), folder.path().to_path_buf(), "/dev/zero".into()] {
            assert!(open_regular(&other).is_err(), "{other:?}");
            assert!(open_regular_behind_links(&other).is_err(), "{other:?}");
        }
    }
}
