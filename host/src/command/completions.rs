//! `host completions`: a completion script for a shell.

use std::{env, io, path::Path};

use crate::command::{command_line::CommandLine, exit_code};
use clap::CommandFactory;

use super::CommandResult;

#[expect(
    clippy::unnecessary_wraps,
    reason = "all commands have the same signature"
)]
pub(crate) fn completions(shell: clap_complete::Shell) -> CommandResult {
    // The program may be linked under another name; the script is for the one that was typed.
    let typed = env::args().next().unwrap_or_default();
    let name = Path::new(&typed).file_name().map_or_else(
        || "host".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    );
    clap_complete::generate(shell, &mut CommandLine::command(), name, &mut io::stdout());
    Ok(exit_code::OK)
}
