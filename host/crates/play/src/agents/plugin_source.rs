//! Where the plugin of an agent comes from: a file or folder, or a command.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use super::plugin_finder::{NotFound, PluginFinder};
use run::agent::AgentProgram;
use tournament::AgentEntry;
use worker::{LibraryError, PluginFile};

/// What an entry of a tournament names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum PluginSource {
    Path(PathBuf),
    /// A file in a folder that was handed in as a whole.
    InOwnFolder(PathBuf),
    /// Words, and the folder to which they are relative.
    Command(Vec<String>, PathBuf),
}

impl PluginSource {
    /// What an entry names; paths are relative to a folder.
    pub(super) fn of(
        entry: &AgentEntry,
        finder: &PluginFinder,
        folder: Option<&Path>,
    ) -> Result<Self, NotFound> {
        if !entry.program.is_empty() {
            let folder = absolute(folder.unwrap_or(Path::new("")));
            return Ok(Self::Command(entry.program.clone(), folder));
        }
        let path = finder.find(&entry.plugin, folder)?;
        let is_whole_folder = entry.submission.as_ref().is_some_and(|submission| {
            let parent = path.parent().and_then(Path::file_name);
            parent.is_some_and(|parent| parent == submission.as_str())
                && path
                    .file_name()
                    .is_some_and(|name| name != submission.as_str())
        });
        Ok(if is_whole_folder {
            Self::InOwnFolder(path)
        } else {
            Self::Path(path)
        })
    }

    /// Copies what is played.
    pub(super) fn seal(&self) -> Result<PluginFile, LibraryError> {
        match self {
            Self::Path(path) => PluginFile::seal(path),
            Self::InOwnFolder(path) => PluginFile::seal(path)?.showing_its_folder(),
            Self::Command(words, folder) => PluginFile::seal_command(words, folder),
        }
    }

    /// The file that is played.
    pub(super) fn main_file(&self) -> Result<PathBuf, LibraryError> {
        match self {
            Self::Path(path) | Self::InOwnFolder(path) if !path.is_dir() => Ok(path.clone()),
            _ => Ok(self.seal()?.path().to_path_buf()),
        }
    }

    /// The part of an agent's description that is known from the tournament file.
    pub(super) fn as_program(&self) -> AgentProgram {
        let (command, folder) = match self {
            Self::Path(_) | Self::InOwnFolder(_) => (Vec::new(), None),
            Self::Command(words, folder) => (words.clone(), Some(folder.clone())),
        };
        AgentProgram {
            runtime: String::new(),
            command,
            folder,
        }
    }
}

impl fmt::Display for PluginSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) | Self::InOwnFolder(path) => path.display().fmt(f),
            Self::Command(words, _) => f.write_str(&words.join(" ")),
        }
    }
}

/// A folder as an absolute path, if it exists.
fn absolute(folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    folder
        .canonicalize()
        .unwrap_or_else(|_| folder.to_path_buf())
}
