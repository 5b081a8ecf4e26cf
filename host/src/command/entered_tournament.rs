//! A tournament that is ready to be played: its file is valid and its agents are found.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use play::agents::{
    entering::{self, EnteredTournament, EntryError},
    plugin_finder::PluginFinder,
};
use tournament::file::{Diagnostics, TournamentSource};

use super::{CommandError, exit_code};

/// Reads a tournament file and its plugins, and reports the errors of both together.
pub(super) fn enter(
    file: &Path,
    plugin_folders: &[PathBuf],
) -> Result<EnteredTournament, CommandError> {
    let in_file = exit_code::TOURNAMENT_FILE;
    let source = TournamentSource::read(file).map_err(|error| CommandError::new(in_file, error))?;
    let folder = file.parent().map(folder_or_here);
    let finder = PluginFinder::new(plugin_folders, folder.as_deref());
    let (code, found) = match entering::enter(&source, &finder, folder.as_deref()) {
        Ok(entered) => return Ok(entered),
        Err(EntryError::Machine(message)) => {
            return Err(CommandError::new(exit_code::UNEXPECTED, anyhow!(message)));
        }
        Err(EntryError::File(found)) => (in_file, found),
        Err(EntryError::Plugins(found)) => (exit_code::PLUGIN, found),
    };
    Err(CommandError::new(code, Diagnostics::new(&source, found)))
}

/// A folder as it can be opened; the parent of a bare file name is the current folder.
fn folder_or_here(folder: &Path) -> PathBuf {
    if folder.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        folder.to_path_buf()
    }
}
