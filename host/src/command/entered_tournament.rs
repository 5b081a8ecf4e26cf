//! A tournament that is ready to be played: its file is valid and its agents are found.

use std::{
    mem,
    path::{Path, PathBuf},
};

use play::agents::{
    entering::{EnteredAgents, EntryError, enter_agents},
    plugin_finder::PluginFinder,
    tournament_entries::TournamentEntries,
};
use tournament::{
    Tournament,
    file::{Diagnostics, TournamentSource, read_what_is_there},
};

use crate::command::exit_code;

use anyhow::anyhow;

use super::CommandError;

pub(super) struct EnteredTournament {
    pub(super) entered: EnteredAgents,
    /// Files of folders that are neither played nor left out: they belong to a plugin.
    pub(super) beside: Vec<String>,
}

/// Reads a tournament file and its plugins, and reports the errors of both together. `check`
/// is called before any plugin is opened.
pub(super) fn enter(
    file: &Path,
    plugin_folders: &[PathBuf],
    check: impl FnOnce(&Tournament) -> Result<(), CommandError>,
) -> Result<EnteredTournament, CommandError> {
    let in_file = |error: anyhow::Error| CommandError::new(exit_code::TOURNAMENT_FILE, error);
    let source = TournamentSource::read(file).map_err(|error| in_file(error.into()))?;
    let mut diagnostics = Vec::new();
    let read = read_what_is_there(&source, &mut diagnostics);
    let Some(read) = read else {
        return Err(in_file(anyhow!(Diagnostics::new(&source, diagnostics))));
    };
    let file_folder = file.parent().map(folder_or_here);
    let finder = PluginFinder::new(plugin_folders, file_folder.as_deref());
    let is_valid = diagnostics.is_empty();
    let entered = match TournamentEntries::of(&read, file_folder.as_deref()) {
        Err(found) => Err(EntryError::Invalid(found)),
        Ok(mut entries) => {
            // What the command line selects makes sense only if the file does.
            if is_valid {
                check(&entries.tournament)?;
            }
            let beside = mem::take(&mut entries.beside);
            let entered = enter_agents(entries, &finder, file_folder.as_deref());
            entered.map(|entered| EnteredTournament { entered, beside })
        }
    };
    match entered {
        Ok(entered) if is_valid => return Ok(entered),
        Err(EntryError::Machine(message)) if is_valid => {
            return Err(CommandError::new(exit_code::UNEXPECTED, anyhow!(message)));
        }
        Err(EntryError::Invalid(found)) => diagnostics.extend(found),
        Ok(_) | Err(EntryError::Machine(_)) => {}
    }
    let code = if is_valid {
        exit_code::PLUGIN
    } else {
        exit_code::TOURNAMENT_FILE
    };
    Err(CommandError::new(
        code,
        Diagnostics::new(&source, diagnostics),
    ))
}

/// A folder as it can be opened; the parent of a bare file name is the current folder.
fn folder_or_here(folder: &Path) -> PathBuf {
    if folder.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        folder.to_path_buf()
    }
}
