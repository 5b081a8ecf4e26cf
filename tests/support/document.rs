//! The documents: their blocks of code and commands.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// The blocks of a document: what stands behind the back quotes, and the text.
pub(crate) fn blocks(document: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let text = lines.by_ref().take_while(|line| *line != "```");
            blocks.push((
                info,
                text.fold(String::new(), |text, line| text + line + "\n"),
            ));
        }
    }
    blocks
}

/// Commands in a folder, whose `bin` is searched for programs first.
pub(crate) fn shell(folder: &Path, commands: &str) -> Command {
    let mut shell = Command::new("sh");
    let path = std::env::var("PATH").unwrap_or_default();
    let own: PathBuf = folder.join("bin");
    shell
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", own.display()))
        .args(["-e", "-c", commands]);
    shell
}
