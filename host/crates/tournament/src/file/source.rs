//! The text of a tournament file and its path.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

/// A file that was read: its text, and its path for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentSource {
    pub path: PathBuf,
    pub text: String,
}

/// Why a tournament file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("tournament file `{}` does not exist", path.display())]
    Missing { path: PathBuf },
    #[error("`{}` is a folder; name a tournament file in it", path.display())]
    Folder { path: PathBuf },
    #[error("cannot read tournament file `{}`", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error(
        "`{}` is larger than {} KiB and cannot be a tournament file",
        path.display(),
        TournamentSource::MAX_BYTES / 1024
    )]
    TooLarge { path: PathBuf },
    #[error(
        "{}:{line}:{column}: byte 0x{byte:02x} is not UTF-8; save the file as UTF-8",
        path.display()
    )]
    NotUtf8 {
        path: PathBuf,
        line: usize,
        column: usize,
        byte: u8,
    },
}

impl TournamentSource {
    /// No tournament needs more; a game log given by mistake is rejected here.
    const MAX_BYTES: u64 = 1 << 20;

    #[must_use]
    pub fn new(path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
        }
    }

    /// Reads the file.
    ///
    /// # Errors
    /// If it is missing, a folder, unreadable, too large or not UTF-8.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, SourceError> {
        let path = path.as_ref();
        let error = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => SourceError::Missing { path: path.into() },
            io::ErrorKind::IsADirectory => SourceError::Folder { path: path.into() },
            _ => SourceError::Unreadable {
                path: path.into(),
                source,
            },
        };
        let mut bytes = Vec::new();
        // Reading one byte more than allowed distinguishes a file that is too large
        // from one that just fits, even if the length is unknown, as with a pipe.
        File::open(path)
            .and_then(|file| file.take(Self::MAX_BYTES + 1).read_to_end(&mut bytes))
            .map_err(error)?;
        Self::from_bytes(path, bytes)
    }

    /// A source with these bytes as its text, without a byte order mark.
    ///
    /// # Errors
    /// If there are too many bytes or they are not UTF-8.
    pub fn from_bytes(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Result<Self, SourceError> {
        let path = path.into();
        if bytes.len() as u64 > Self::MAX_BYTES {
            return Err(SourceError::TooLarge { path });
        }
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let n_valid = error.utf8_error().valid_up_to();
                let bytes = error.into_bytes();
                let before = String::from_utf8_lossy(&bytes[..n_valid]);
                let line_start = before.rfind('\n').map_or(0, |index| index + 1);
                return Err(SourceError::NotUtf8 {
                    path,
                    line: before.matches('\n').count() + 1,
                    column: before[line_start..].chars().count() + 1,
                    byte: bytes[n_valid],
                });
            }
        };
        let text = match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.into(),
            None => text,
        };
        Ok(Self { path, text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unreadable_file_is_rejected_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let message = |name: &str, bytes: Option<&[u8]>| {
            let path = folder.path().join(name);
            if let Some(bytes) = bytes {
                std::fs::write(&path, bytes).unwrap();
            }
            let message = TournamentSource::read(&path).unwrap_err().to_string();
            message.replace(&folder.path().display().to_string(), "HERE")
        };
        assert_eq!(
            message("gone.yaml", None),
            "tournament file `HERE/gone.yaml` does not exist"
        );
        assert_eq!(
            message("", None),
            "`HERE/` is a folder; name a tournament file in it"
        );
        assert_eq!(
            message("latin1.yaml", Some(b"name: x\n# caf\xe9\n")),
            "HERE/latin1.yaml:2:6: byte 0xe9 is not UTF-8; save the file as UTF-8"
        );
        assert_eq!(
            message("log.yaml", Some(&vec![b' '; (1 << 20) + 1])),
            "`HERE/log.yaml` is larger than 1024 KiB and cannot be a tournament file"
        );
    }

    #[test]
    fn a_byte_order_mark_is_not_part_of_the_text() {
        let source = TournamentSource::from_bytes("x", b"\xef\xbb\xbfname: x".to_vec()).unwrap();
        assert_eq!(source.text, "name: x");
    }
}
