//! What the files of a program are, before any of them is hashed, copied or executed.
//!
//! They come from strangers and are copied into memory, so their number, their size and the
//! length of their paths have limits, and the host opens only regular files.

use std::{
    fs::{self, Metadata},
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use super::regular_file::open_regular;
use text::{number_text::count, plugin_words::name_as_code, printable::printable};

/// The most bytes that a plugin's file may have, or all files of a program together. They are
/// copied into memory.
pub(super) const LARGEST: u64 = 1 << 30;
/// The most files and folders in a folder.
const MOST_FILES: u64 = 10_000;
/// The most bytes in an absolute path. The kernel takes 4,095, and in a room it gets longer.
const LONGEST_PATH: u64 = 2048;

/// What was found in files that can be used.
#[derive(Debug, Default)]
pub struct SubmissionFiles {
    /// Whether the host copies the files. Only then their kinds, sizes and paths are limited.
    is_copied: bool,
    n_files: u64,
    n_bytes: u64,
    /// A symbolic link, by which a submission could choose any file.
    pub symbolic_link: Option<String>,
    /// Files with more than one name, of which another may belong to another user.
    pub with_several_names: Vec<PathBuf>,
}

/// Why files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SubmissionError {
    #[error("contains {}, which cannot be read: {source}", name_as_code(name))]
    Unreadable { name: String, source: io::Error },
    #[error("contains {}, which is a pipe, socket or device", name_as_code(.0))]
    NotAFile(String),
    #[error("contains more than {} files and folders", count(MOST_FILES))]
    TooMany,
    #[error("contains more than {} MiB", LARGEST >> 20)]
    TooLarge,
    #[error("contains a path of more than {} bytes, {}", count(LONGEST_PATH), name_as_code(.0))]
    LongPath(String),
}

impl SubmissionFiles {
    /// Collects what is known of files and folders with everything in them.
    ///
    /// # Errors
    /// When they cannot be copied.
    pub fn of(paths: &[PathBuf]) -> Result<Self, SubmissionError> {
        let mut found = Self {
            is_copied: true,
            ..Self::default()
        };
        for path in paths {
            found.add(path, path)?;
        }
        Ok(found)
    }

    /// Collects what is known of the folder of a library, which is not copied.
    ///
    /// # Errors
    /// When it contains too many files.
    pub fn beside_library(folder: &Path) -> Result<Self, SubmissionError> {
        let mut found = Self::default();
        found.add(folder, folder)?;
        Ok(found)
    }

    fn add(&mut self, top: &Path, path: &Path) -> Result<(), SubmissionError> {
        self.n_files += 1;
        if self.n_files > MOST_FILES {
            return Err(SubmissionError::TooMany);
        }
        if self.is_copied && path.as_os_str().len() as u64 > LONGEST_PATH {
            return Err(SubmissionError::LongPath(name_in(top, path)));
        }
        let unreadable = |source| SubmissionError::Unreadable {
            name: name_in(top, path),
            source,
        };
        let data = fs::symlink_metadata(path).map_err(unreadable)?;
        if data.is_dir() {
            for entry in fs::read_dir(path).map_err(unreadable)? {
                self.add(top, &entry.map_err(unreadable)?.path())?;
            }
        } else if data.is_symlink() {
            self.symbolic_link.get_or_insert_with(|| name_in(top, path));
        } else if data.is_file() {
            if has_several_names(&data) {
                self.with_several_names.push(path.to_path_buf());
            }
            if self.is_copied {
                open_regular(path).map_err(unreadable)?;
                // Holes count: a copy has none.
                self.n_bytes = self.n_bytes.saturating_add(data.len());
            }
            if self.n_bytes > LARGEST {
                return Err(SubmissionError::TooLarge);
            }
        } else if self.is_copied {
            return Err(SubmissionError::NotAFile(name_in(top, path)));
        }
        Ok(())
    }
}

/// Whether a file has more than one name: a hard link.
#[must_use]
pub fn has_several_names(file: &Metadata) -> bool {
    file.is_file() && file.nlink() > 1
}

/// A path within what was handed in, short enough for a sentence.
fn name_in(top: &Path, path: &Path) -> String {
    const LONGEST: usize = 80;
    let name = match path.strip_prefix(top) {
        Ok(name) if !name.as_os_str().is_empty() => name,
        _ => path.file_name().map_or(path, Path::new),
    };
    printable(&name.to_string_lossy(), LONGEST)
}

#[cfg(test)]
mod tests {
    use std::{fs::File, os::unix::fs::symlink};

    use super::*;

    fn sentence(folder: &Path) -> String {
        let found = SubmissionFiles::of(&[folder.to_path_buf()]);
        found.unwrap_err().to_string()
    }

    #[test]
    fn files_that_cannot_be_copied_are_named_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("data")).unwrap();
        fs::write(at("data/a"), "1").unwrap();
        symlink("/etc/passwd", at("data/b")).unwrap();
        let found = SubmissionFiles::of(&[folder.path().to_path_buf()]).unwrap();
        assert_eq!(found.symbolic_link.as_deref(), Some("data/b"));
        assert!(found.with_several_names.is_empty());
        fs::hard_link(at("data/a"), at("c")).unwrap();
        let found = SubmissionFiles::of(&[folder.path().to_path_buf()]).unwrap();
        assert_eq!(found.with_several_names.len(), 2);

        nix::unistd::mkfifo(&at("p\u{1b}[2J"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        let expected = "contains `p [2J`, which is a pipe, socket or device";
        assert_eq!(sentence(folder.path()), expected);
        fs::remove_file(at("p\u{1b}[2J")).unwrap();

        // A hole takes no room on the disk, but it would in memory.
        let sparse = File::create(at("sparse")).unwrap();
        sparse.set_len(LARGEST).unwrap();
        assert_eq!(sentence(folder.path()), "contains more than 1024 MiB");
        sparse.set_len(900 << 30).unwrap();
        assert_eq!(sentence(folder.path()), "contains more than 1024 MiB");
        fs::remove_file(at("sparse")).unwrap();

        let deep = (0..9).fold(at("deep"), |path, _| path.join("d".repeat(250)));
        fs::create_dir_all(deep).unwrap();
        let found = sentence(folder.path());
        assert!(found.starts_with("contains a path of more than 2,048 bytes, `deep/ddd"));
        assert!(found.len() < 200, "{found}");
        fs::remove_dir_all(at("deep")).unwrap();

        for number in 0..MOST_FILES {
            File::create(at(&number.to_string())).unwrap();
        }
        let expected = "contains more than 10,000 files and folders";
        assert_eq!(sentence(folder.path()), expected);
    }
}
