//! Files of a run folder, opened without following links.
//!
//! A run folder may come from a stranger. A link in it could make the host show a file of
//! this machine or write over one, so every file in a run folder is opened here. The
//! folder itself may be a link: its name was typed by the user.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read},
    os::{
        fd::OwnedFd,
        unix::fs::{DirBuilderExt, OpenOptionsExt},
    },
    path::Path,
};

use rustix::{
    fs::{Mode, OFlags, openat},
    io::Errno,
};

use text::plugin_words::name_as_code;
use worker::{open_regular_with, regular};

/// Opens a file for reading.
///
/// # Errors
/// When it does not exist, is a link or not a regular file, or cannot be read.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(path, OpenOptions::new().read(true))
}

/// Reads a whole file of at most this many bytes.
///
/// # Errors
/// As for [`open`], and when it is longer.
pub fn read(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    read_all(&open(path)?, most_bytes)
}

/// Opens a file for appending, and creates it if needed.
///
/// # Errors
/// When it is a link or not a regular file, or cannot be written.
pub fn append(path: &Path) -> io::Result<File> {
    open_with(path, OpenOptions::new().append(true).create(true))
}

/// Opens a file for reading and writing without changing it, and creates it if needed.
///
/// # Errors
/// As for [`append`].
pub fn open_or_create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    open_with(
        path,
        options.read(true).write(true).create(true).truncate(false),
    )
}

/// Creates a file with these permissions; what had its name before is removed.
///
/// # Errors
/// When that fails.
pub fn create_anew(path: &Path, mode: u32) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => (),
    }
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(path)
}

/// A folder inside a run folder, held open: a link put in its place later has no effect.
#[derive(Debug)]
pub struct InnerFolder(OwnedFd);

impl InnerFolder {
    /// Opens a folder.
    ///
    /// # Errors
    /// When it does not exist, is a link, or cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = rustix::fs::open(path, flags, Mode::empty()).map_err(explained)?;
        Ok(Self(folder))
    }

    /// Opens a folder, and creates it if needed.
    ///
    /// # Errors
    /// As for [`InnerFolder::open`].
    pub fn open_or_create(path: &Path) -> io::Result<Self> {
        match fs::DirBuilder::new().mode(0o777).create(path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => Self::open(path),
        }
    }

    /// Reads the beginning of a file, up to this many bytes.
    ///
    /// # Errors
    /// As for [`open`].
    pub fn read_beginning(&self, name: &str, most_bytes: u64) -> io::Result<Vec<u8>> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = openat(&self.0, name, flags, Mode::empty()).map_err(explained)?;
        let file = regular(File::from(file))?;
        let mut bytes = Vec::new();
        file.take(most_bytes).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Replaces a file by this content.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, name: &str, content: &[u8]) -> io::Result<()> {
        match rustix::fs::unlinkat(&self.0, name, rustix::fs::AtFlags::empty()) {
            Err(error) if error != Errno::NOENT => return Err(error.into()),
            _ => (),
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let file = openat(&self.0, name, flags, Mode::from_raw_mode(0o666)).map_err(explained)?;
        io::Write::write_all(&mut File::from(file), content)
    }
}

fn open_with(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    open_regular_with(path, options).map_err(|error| match error.raw_os_error() {
        Some(code) if is_of_link(code) => io::Error::other(format!(
            "{} is a link; links in a run folder are not followed",
            name_as_code(&path.to_string_lossy())
        )),
        Some(code) => explained_code(code),
        None => error,
    })
}

fn read_all(file: &File, most_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most_bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most_bytes {
        let message = format!("it is longer than {} MiB", most_bytes >> 20);
        return Err(io::Error::other(message));
    }
    Ok(bytes)
}

fn explained(error: Errno) -> io::Error {
    explained_code(error.raw_os_error())
}

/// The kernel calls a link that must not be followed "too many levels of links".
fn is_of_link(code: i32) -> bool {
    matches!(Errno::from_raw_os_error(code), Errno::LOOP | Errno::MLINK)
}

/// A link in the place of a folder is "not a directory" to the kernel.
fn explained_code(code: i32) -> io::Error {
    match Errno::from_raw_os_error(code) {
        _ if is_of_link(code) => {
            io::Error::other("it is a link; links in a run folder are not followed")
        }
        Errno::NOTDIR => io::Error::other("it is not a folder, or a link to one"),
        _ => io::Error::from_raw_os_error(code),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn no_link_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("target"), "precious").unwrap();
        symlink(path("target"), path("link")).unwrap();
        for error in [
            open(&path("link")).unwrap_err(),
            append(&path("link")).unwrap_err(),
            open_or_create(&path("link")).unwrap_err(),
        ] {
            assert!(error.to_string().contains("is a link; links"), "{error}");
        }
        create_anew(&path("link"), 0o600).unwrap();
        assert!(fs::symlink_metadata(path("link")).unwrap().is_file());
        assert_eq!(fs::read_to_string(path("target")).unwrap(), "precious");
        assert!(open(folder.path()).is_err(), "a folder is no file");
        assert_eq!(read(&path("target"), 8).unwrap(), b"precious");
        assert!(read(&path("target"), 7).is_err());
    }

    #[test]
    fn no_link_is_followed_in_or_instead_of_an_inner_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("elsewhere")).unwrap();
        fs::write(path("elsewhere/file"), "precious").unwrap();
        symlink(path("elsewhere"), path("inner")).unwrap();
        assert!(InnerFolder::open_or_create(&path("inner")).is_err());
        let inner = InnerFolder::open_or_create(&path("real")).unwrap();
        symlink(path("elsewhere/file"), path("real/file")).unwrap();
        assert!(inner.read_beginning("file", 100).is_err());
        inner.write("file", b"own").unwrap();
        assert_eq!(inner.read_beginning("file", 2).unwrap(), b"ow");
        let kept = fs::read_to_string(path("elsewhere/file")).unwrap();
        assert_eq!(kept, "precious");
    }
}
