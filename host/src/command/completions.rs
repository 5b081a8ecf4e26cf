//! `host completions`: a script for a shell.

use std::io;

use arena2048::exit_code;
use clap::CommandFactory;

use super::CommandResult;
use crate::command_line::CommandLine;

#[expect(clippy::unnecessary_wraps, reason = "all commands have one shape")]
pub(crate) fn completions(shell: clap_complete::Shell) -> CommandResult {
    clap_complete::generate(
        shell,
        &mut CommandLine::command(),
        "host",
        &mut io::stdout(),
    );
    Ok(exit_code::OK)
}
