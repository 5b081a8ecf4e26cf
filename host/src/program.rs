//! The program, whichever name it was started by: parse, run, exit code.

use std::{io::Write, process::ExitCode};

use clap::Parser;

use crate::{
    command,
    command_line::{Command, CommandLine},
    exit_code, worker,
};

/// Runs what was typed.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = CommandLine::parse().command;
    // A worker needs no runtime, and must be single-threaded when it gives up rights.
    if let Command::Worker { parent } = arguments {
        // Whatever goes wrong here, the host sees a worker that is gone.
        let _ = worker::child::run(parent);
        return ExitCode::SUCCESS;
    }
    match dispatch(arguments) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            // Nobody is left to be told when the standard error output is closed.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(error.code)
        }
    }
}

fn dispatch(command: Command) -> command::CommandResult {
    match command {
        Command::Run(arguments) => command::run(&arguments),
        Command::List(arguments) => command::list(&arguments),
        Command::Check(arguments) => command::check(&arguments),
        Command::New(arguments) => command::new(&arguments),
        Command::Verify(arguments) => command::verify(&arguments),
        Command::Merge(arguments) => command::merge(&arguments),
        Command::Report(arguments) => command::report(&arguments),
        Command::Replay(arguments) => command::replay(&arguments),
        Command::Serve(arguments) => command::serve(&arguments),
        Command::Solve(arguments) => command::solve(&arguments),
        Command::Submit(arguments) => command::submit(&arguments),
        Command::Schema => command::schema(),
        Command::Completions { shell } => command::completions(shell),
        Command::Worker { .. } => Ok(exit_code::OK),
    }
}
