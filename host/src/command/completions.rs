//! `host completions`: a script for a shell.

use std::{env, io, path::Path};

use arena2048::exit_code;
use clap::CommandFactory;

use super::CommandResult;
use crate::command_line::CommandLine;

#[expect(clippy::unnecessary_wraps, reason = "all commands have one shape")]
pub(crate) fn completions(shell: clap_complete::Shell) -> CommandResult {
    // It is installed under two names; the script is for the one that was typed.
    let typed = env::args().next().unwrap_or_default();
    let name = Path::new(&typed).file_name().map_or_else(
        || "host".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    );
    clap_complete::generate(shell, &mut CommandLine::command(), name, &mut io::stdout());
    Ok(exit_code::OK)
}
