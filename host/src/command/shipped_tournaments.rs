//! Tournaments that come with the program: `host run default` needs no path.

use std::{
    collections::BTreeSet,
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use text::listing::listed;

/// The file that a user means by a path or by the name of a shipped tournament. A file that does
/// not exist is kept, for the message about it.
pub(super) fn tournament_file(given: PathBuf) -> PathBuf {
    let is_name = is_name(&given) && !given.is_file();
    let file = given.with_added_extension("yaml");
    let mut shipped = folders().map(|folder| folder.join(&file));
    let shipped = shipped.find(|path| is_name && path.is_file());
    shipped.unwrap_or(given)
}

/// Their names, for the message about a name that is not one of theirs; begins with a separator.
pub(super) fn hint(given: &Path) -> String {
    if !is_name(given) {
        return String::new();
    }
    let files = folders().filter_map(|folder| fs::read_dir(folder).ok());
    let paths = files.flatten().filter_map(|file| Some(file.ok()?.path()));
    let names: BTreeSet<String> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "yaml"))
        .filter_map(|path| Some(path.file_stem().and_then(OsStr::to_str)?.to_owned()))
        .collect();
    if names.is_empty() {
        return String::new();
    }
    let names: Vec<String> = names.into_iter().collect();
    format!("; known by name: {}", listed(&names))
}

fn is_name(given: &Path) -> bool {
    given.components().count() == 1
}

/// In a clone, beside the program, and where packages install them.
fn folders() -> impl Iterator<Item = PathBuf> {
    let program = env::current_exe().ok();
    let beside_program = program.as_deref().and_then(Path::parent);
    let installed = beside_program.map(|folder| folder.join("../share/arena2048"));
    let folders = [
        Some(PathBuf::from(".")),
        beside_program.map(Path::to_path_buf),
        installed,
    ];
    let folders = folders.into_iter().flatten();
    folders.map(|folder| folder.join("tournaments"))
}
