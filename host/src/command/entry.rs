//! A tournament that may begin: its file is valid and its agents are entered.

use std::path::{Path, PathBuf};

use arena2048::{
    entrant::{Entrant, enter_agents},
    exit_code,
    plugin_finder::PluginFinder,
    tournament::Tournament,
    tournament_file::{Mistakes, TournamentSource, parse},
};

use super::CommandError;

pub(super) struct Entry {
    pub(super) tournament: Tournament,
    pub(super) entrants: Vec<Entrant>,
}

/// Reads a tournament file; `check` sees it before any plugin is looked at.
pub(super) fn enter(
    file: &Path,
    plugin_folders: &[PathBuf],
    check: impl FnOnce(&Tournament) -> Result<(), CommandError>,
) -> Result<Entry, CommandError> {
    let in_file = |error: anyhow::Error| CommandError::new(exit_code::TOURNAMENT_FILE, error);
    let source = TournamentSource::read(file).map_err(|error| in_file(error.into()))?;
    let tournament = parse(&source).map_err(|mistakes| in_file(mistakes.into()))?;
    check(&tournament)?;
    let file_folder = file.parent().map(folder_or_here);
    let finder = PluginFinder::new(plugin_folders, file_folder.as_deref());
    let entrants =
        enter_agents(&tournament, &finder, file_folder.as_deref()).map_err(|mistakes| {
            CommandError::new(exit_code::PLUGIN, Mistakes::new(&source, mistakes))
        })?;
    Ok(Entry {
        tournament,
        entrants,
    })
}

/// The folder of a path; that of a bare file name is the current one.
fn folder_or_here(folder: &Path) -> PathBuf {
    if folder.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        folder.to_path_buf()
    }
}
