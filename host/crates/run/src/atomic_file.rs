//! Replaces a file in one step: a reader finds the old content or the whole new one,
//! even after a power cut.
//!
//! The new content is written to a file beside the old one and reaches the disk before the
//! file is renamed over the old one. Then the folder, which holds the name, reaches the disk
//! too: when a function of this module returns, the new content stays.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process,
};

use super::unlinked;

/// Large enough that a merged log is written in few system calls.
const BUFFER_SIZE: usize = 1 << 18;

/// The end of the name of a file that is being written.
const NEW: &str = ".new";

/// Permissions that the user's umask restricts.
const USUAL_MODE: u32 = 0o666;
/// Permissions of a file that only its owner can read.
const PRIVATE_MODE: u32 = 0o600;

/// Replaces the content of a file.
///
/// # Errors
/// When it cannot be written. The old content then stays.
pub fn replace(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    replace_with(path, |writer| writer.write_all(content.as_ref()))
}

/// Replaces the content of a file that only its owner can read.
///
/// # Errors
/// When it cannot be written. The old content then stays.
pub fn replace_private(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    replace_in_mode(path, PRIVATE_MODE, |writer| {
        writer.write_all(content.as_ref())
    })
}

/// Replaces the content of a file by what `write` writes.
///
/// # Errors
/// When it cannot be written. The old content then stays.
pub fn replace_with(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    replace_in_mode(path, USUAL_MODE, write)
}

/// Removes a file if there is one. It does not come back after a power cut.
///
/// # Errors
/// When that fails.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Ok(()) => sync_folder_of(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Renames a file within its folder.
///
/// # Errors
/// When that fails.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    sync_folder_of(to)
}

/// Creates a folder and its parents, unless they exist.
///
/// # Errors
/// When that fails.
pub fn create_folders(path: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = path
        .ancestors()
        .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
        .collect();
    fs::create_dir_all(path)?;
    missing.into_iter().rev().try_for_each(sync_folder_of)
}

/// Makes the names in the folder of a file reach the disk.
///
/// # Errors
/// When the disk refuses.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match File::open(folder)?.sync_all() {
        // Some network file systems know no such thing for folders.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        result => result,
    }
}

fn replace_in_mode(
    path: &Path,
    mode: u32,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    // Renaming would put a file in the place of a device such as /dev/null.
    if let Ok(old) = fs::symlink_metadata(path)
        && !old.is_file()
        && !old.is_symlink()
    {
        return Err(io::Error::other("it exists and is not a regular file"));
    }
    let new = path_of_new(path);
    let replaced = write_new(&new, mode, write).and_then(|()| rename(&new, path));
    if replaced.is_err() {
        // The error matters, not what is left of the attempt.
        let _ = fs::remove_file(&new);
    }
    replaced
}

fn write_new(
    new: &Path,
    mode: u32,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let file = unlinked::create_anew(new, mode)?;
    let mut writer = BufWriter::with_capacity(BUFFER_SIZE, file);
    write(&mut writer)?;
    let file = writer
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    file.sync_all()
}

/// `NAME.PROCESS.new`, in the same folder: a rename does not cross file systems. Two hosts without
/// locks may write the same file at the same moment.
fn path_of_new(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(format!(".{}{NEW}", process::id()));
    name.into()
}

/// Removes what processes that were killed have left of their attempts in a folder.
///
/// # Errors
/// When the folder cannot be read, or a file cannot be removed.
pub fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| {
            let (_, process) = name.strip_suffix(NEW)?.rsplit_once('.')?;
            process.parse::<u32>().ok()
        });
        if process.is_some_and(|process| !Path::new(&format!("/proc/{process}")).exists()) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_content_stays_when_writing_fails() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        replace(&path, "old").unwrap();
        let failed = replace_with(&path, |writer| {
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

    #[test]
    fn what_a_killed_process_has_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let own = path_of_new(&folder.path().join("plan.json"));
        // No process has a number as high.
        let of_killed = folder.path().join("games.jsonl.4294967295.new");
        for file in [&own, &of_killed] {
            fs::write(file, "half").unwrap();
        }
        remove_unfinished(folder.path()).unwrap();
        assert!(own.exists() && !of_killed.exists());
    }

    #[test]
    fn nothing_but_a_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let failed = replace(&pipe, "new").unwrap_err();
        assert_eq!(failed.to_string(), "it exists and is not a regular file");
        assert!(!fs::symlink_metadata(&pipe).unwrap().is_file());
    }
}
