//! The file with a secret salt: in a run folder until the run has ended, or made
//! beforehand for `--salt-file`.
//!
//! Only its owner can read it. The salt is 48 hexadecimal digits on one line.

use std::{
    collections::BTreeSet,
    fs, io,
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};
use text::program;

use plugin_api::Salt;

use super::{atomic_file, unlinked};

/// Why there is no salt in a file.
#[derive(Debug, thiserror::Error)]
pub enum SaltFileError {
    #[error("cannot read the salt file `{}`: {source}", file.display())]
    Unreadable { file: PathBuf, source: io::Error },
    // The text is not shown: it is a secret, even if it was mistyped.
    #[error(
        "the salt file `{}` must contain 48 hexadecimal digits and nothing else", file.display()
    )]
    NoSalt { file: PathBuf },
    #[error(
        "the salt in `{}` is easy to guess; let `{}` create the file", file.display(), program::command("salt")
    )]
    Guessable { file: PathBuf },
}

/// A salt of 24 random bytes has fewer different ones once in 10^20 draws.
const FEWEST_DIFFERENT_BYTES: usize = 10;
const LONGEST_FILE: u64 = 1 << 10;

/// Reads the salt in a file that the user named; it may be a link.
///
/// # Errors
/// When there is none, or one that can be guessed.
pub fn read_given(file: &Path) -> Result<Salt, SaltFileError> {
    let salt = parse(file, fs::read(file))?;
    let different: BTreeSet<u8> = salt.as_bytes().iter().copied().collect();
    if different.len() < FEWEST_DIFFERENT_BYTES {
        return Err(SaltFileError::Guessable {
            file: file.to_path_buf(),
        });
    }
    Ok(salt)
}

/// Reads the salt file in a run folder.
///
/// # Errors
/// When there is none.
pub fn read(file: &Path) -> Result<Salt, SaltFileError> {
    parse(file, unlinked::read(file, LONGEST_FILE))
}

/// Writes the salt file of a run folder, in one step.
///
/// # Errors
/// When it cannot be written.
pub fn write(file: &Path, salt: &Salt) -> io::Result<()> {
    atomic_file::replace_private(file, format!("{salt}\n"))
}

/// Writes a new random salt, unless the file exists.
///
/// # Errors
/// When it cannot be written.
pub fn create(file: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    match options.open(file) {
        Ok(mut new) => {
            writeln!(new, "{}", draw())?;
            new.sync_all()?;
            atomic_file::sync_folder_of(file)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Draws a random salt.
#[must_use]
pub fn draw() -> Salt {
    let mut bytes = [0; Salt::N_BYTES];
    rand::Rng::fill_bytes(&mut rand::make_rng::<rand::rngs::StdRng>(), &mut bytes);
    Salt::from_bytes(bytes)
}

fn parse(file: &Path, bytes: io::Result<Vec<u8>>) -> Result<Salt, SaltFileError> {
    let bytes = bytes.map_err(|source| SaltFileError::Unreadable {
        file: file.to_path_buf(),
        source,
    })?;
    let text = std::str::from_utf8(&bytes).unwrap_or_default();
    Salt::from_hex(text.trim()).map_err(|_| SaltFileError::NoSalt {
        file: file.to_path_buf(),
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn only_the_owner_can_read_a_salt_that_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let (new, kept) = (folder.path().join("new"), folder.path().join("kept"));
        create(&new).unwrap();
        let salt = read_given(&new).unwrap();
        create(&new).unwrap();
        assert_eq!(read(&new).unwrap(), salt, "an existing salt stays");
        write(&kept, &salt).unwrap();
        assert_eq!(read(&kept).unwrap(), salt);
        for file in [new, kept] {
            let mode = fs::metadata(file).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn a_salt_that_can_be_guessed_is_rejected_and_never_shown() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("salt");
        for text in ["0".repeat(48), "00ff".repeat(12), "abcd".to_owned()] {
            fs::write(&file, &text).unwrap();
            let error = read_given(&file).unwrap_err().to_string();
            assert!(!error.contains(&text), "{error}");
        }
    }
}
