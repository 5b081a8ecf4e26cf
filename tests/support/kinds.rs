//! Agents of both kinds: a library, and the same library as a program.

use std::path::Path;

use super::program::program_folder;

/// What stands in a tournament file for a plugin that was built with the others.
pub(crate) fn kinds(plugin: &str) -> [String; 2] {
    let library = program_folder().join(format!("lib{plugin}.so"));
    [format!("plugin: {plugin}"), as_program(&library)]
}

/// What stands in a tournament file for a library that plays as a program.
pub(crate) fn as_program(library: &Path) -> String {
    let adapter = program_folder().join("examples/library_program");
    format!("program: [{}, {}]", adapter.display(), library.display())
}
