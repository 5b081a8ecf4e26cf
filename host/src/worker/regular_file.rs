//! Opening a path of which nobody knows what it is: only a regular file is opened, and
//! opening never waits, as it would for a pipe.

use std::{
    fs::{File, OpenOptions},
    io,
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use nix::libc::{O_NOFOLLOW, O_NONBLOCK};

/// Opens a file that is no link, to be read.
///
/// # Errors
/// When it cannot be read, or is something else.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open(path, O_NOFOLLOW)
}

/// The same for a path whose links may be followed.
///
/// # Errors
/// As for [`open_regular`].
pub(super) fn open_regular_behind_links(path: &Path) -> io::Result<File> {
    open(path, 0)
}

fn open(path: &Path, more_flags: i32) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let file = options
        .read(true)
        .custom_flags(O_NONBLOCK | more_flags)
        .open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::other("is not a file"))
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
