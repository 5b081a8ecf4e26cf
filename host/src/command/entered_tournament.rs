//! A tournament that is ready to be played: its file is valid and its agents are found.

use std::{
    mem,
    path::{Path, PathBuf},
};

use crate::{
    agents::{
        entering::{EnteredAgents, EntryError, enter_agents},
        plugin_finder::PluginFinder,
        tournament_entries::TournamentEntries,
    },
    command::exit_code,
    tournament::{
        Tournament,
        file::{Diagnostics, TournamentSource, parse},
    },
};

use anyhow::anyhow;

use super::CommandError;

pub(super) struct EnteredTournament {
    pub(super) entered: EnteredAgents,
    /// Files of folders that are neither played nor left out: they belong to a plugin.
    pub(super) beside: Vec<String>,
}

/// Reads a tournament file and its plugins. `check` is called before any plugin is opened.
pub(super) fn enter(
    file: &Path,
    plugin_folders: &[PathBuf],
    check: impl FnOnce(&Tournament) -> Result<(), CommandError>,
) -> Result<EnteredTournament, CommandError> {
    let in_file = |error: anyhow::Error| CommandError::new(exit_code::TOURNAMENT_FILE, error);
    let source = TournamentSource::read(file).map_err(|error| in_file(error.into()))?;
    let tournament = parse(&source).map_err(|diagnostics| in_file(diagnostics.into()))?;
    let file_folder = file.parent().map(folder_or_here);
    let invalid =
        |diagnostics| CommandError::new(exit_code::PLUGIN, Diagnostics::new(&source, diagnostics));
    let mut entries =
        TournamentEntries::of(&tournament, file_folder.as_deref()).map_err(invalid)?;
    check(&entries.tournament)?;
    let beside = mem::take(&mut entries.beside);
    let finder = PluginFinder::new(plugin_folders, file_folder.as_deref());
    let entered = enter_agents(entries, &finder, file_folder.as_deref());
    let entered = entered.map_err(|error| match error {
        EntryError::Invalid(diagnostics) => invalid(diagnostics),
        EntryError::Machine(message) => CommandError::new(exit_code::UNEXPECTED, anyhow!(message)),
    })?;
    Ok(EnteredTournament { entered, beside })
}

/// A folder as it can be opened; the parent of a bare file name is the current folder.
fn folder_or_here(folder: &Path) -> PathBuf {
    if folder.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        folder.to_path_buf()
    }
}
