//! The program: parses the command line, runs the command and returns its exit code.

use std::{io::Write, process::ExitCode};

use clap::Parser;

use text::{printable::printable_lines, wrap::fitted};

use crate::command::{
    self,
    command_line::{Command, CommandLine},
    exit_code,
    terminal::stderr_width,
};

/// Runs the command that was typed.
#[must_use]
pub(crate) fn main() -> ExitCode {
    let arguments = CommandLine::parse().command;
    // A worker must be single-threaded when it enters the sandbox, so it comes first.
    if let Command::Worker { parent } = arguments {
        // Whatever the error, the host sees that the worker has ended.
        let _ = worker::child::run_alone(parent);
        return ExitCode::SUCCESS;
    }
    if let Command::Launcher { parent } = arguments {
        // Whatever the error, the host sees that the connection is closed.
        let _ = worker::run_launcher(parent);
        return ExitCode::SUCCESS;
    }
    worker::sandbox::tell_about_missing_layers(|layer| {
        // If stderr is closed, nobody reads the warning.
        let _ = writeln!(
            std::io::stderr(),
            "warning: the sandbox is incomplete on this machine: {layer}"
        );
    });
    match dispatch(arguments) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            // If stderr is closed, nobody reads the message.
            let sentence = printable_lines(&format!("error: {error}"));
            let _ = write!(
                std::io::stderr(),
                "{}",
                fitted(&sentence, "  ", stderr_width())
            );
            ExitCode::from(error.code)
        }
    }
}

fn dispatch(command: Command) -> command::CommandResult {
    command::allow_enough_descriptors()?;
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
        Command::Salt(arguments) => command::salt(&arguments),
        Command::Schema => command::schema(),
        Command::Completions { shell } => command::completions(shell),
        Command::Worker { .. } | Command::Launcher { .. } => Ok(exit_code::OK),
    }
}
