//! The program `host`: parses the command line, runs the command and returns its exit code.

mod command;

use std::{
    io::Write,
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::anyhow;
use clap::{CommandFactory, FromArgMatches};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use signal_hook::{consts::SIGXFSZ, flag};

use text::{printable::printable_lines, program, wrap::fitted};

use crate::command::{
    CommandError, CommandResult,
    command_line::{Command, CommandLine},
    exit_code, stderr_width, with_colours,
};

fn main() -> ExitCode {
    program::remember_name();
    let arguments = CommandLine::from_arg_matches(&named_command_line().get_matches());
    let arguments = arguments.unwrap_or_else(|error| error.exit()).command;
    // A worker must be single-threaded when it enters the sandbox, so it comes first.
    if let Command::Worker { parent } = arguments {
        // The host learns of any error from the end of the worker.
        let _ = worker::child::run_alone(parent);
        return ExitCode::SUCCESS;
    }
    if let Command::Launcher { parent } = arguments {
        // The host learns of any error from the closed connection.
        let _ = worker::run_launcher(parent);
        return ExitCode::SUCCESS;
    }
    let file_limit = FileLimit::watch();
    worker::sandbox::announce_missing_layers(|layer| {
        // If stderr is closed, the warning is lost.
        let _ = writeln!(
            std::io::stderr(),
            "warning: the sandbox is incomplete on this machine: {layer}"
        );
    });
    match dispatch(arguments) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            // If stderr is closed, the message is lost.
            let reason = file_limit.reason().unwrap_or_default();
            let sentence = printable_lines(&format!("error: {error}{reason}"));
            let _ = write!(
                std::io::stderr(),
                "{}",
                with_colours(&fitted(&sentence, "  ", stderr_width()))
            );
            ExitCode::from(error.code)
        }
    }
}

/// The command line, with help under the name that was typed.
fn named_command_line() -> clap::Command {
    CommandLine::command().name(program::name())
}

fn dispatch(command: Command) -> CommandResult {
    allow_enough_open_files()?;
    match command {
        Command::Run(arguments) => command::run(&arguments),
        Command::List(arguments) => command::list(&arguments),
        Command::Check(arguments) => command::check(&arguments),
        Command::Conform(arguments) => command::conform(&arguments),
        Command::New(arguments) => command::new(&arguments),
        Command::Verify(arguments) => command::verify(&arguments),
        Command::Merge(arguments) => command::merge(&arguments),
        Command::Report(arguments) => command::report(&arguments),
        Command::Replay(arguments) => command::replay(&arguments),
        Command::Serve(arguments) => command::serve(&arguments),
        Command::Ask(arguments) => command::ask(&arguments),
        Command::Explain(arguments) => command::explain(&arguments),
        Command::Solve(arguments) => command::solve(&arguments),
        Command::Submit(arguments) => command::submit(&arguments),
        Command::Salt(arguments) => command::salt(&arguments.file),
        Command::Schema => command::schema(),
        Command::Completions { shell } => command::completions(shell, &mut named_command_line()),
        Command::Worker { .. } | Command::Launcher { .. } => Ok(exit_code::OK),
    }
}

/// The limit of the size of files. Beyond it a write fails, and the signal says why; without a
/// handler it would end the program without a word. Programs that this one starts have the usual
/// behaviour again.
struct FileLimit(Arc<AtomicBool>);

impl FileLimit {
    fn watch() -> Self {
        let is_reached = Arc::new(AtomicBool::new(false));
        // The system refuses no handler of a signal that exists.
        let _ = flag::register(SIGXFSZ, Arc::clone(&is_reached));
        Self(is_reached)
    }

    /// The last line of a message, if a file would have become too large.
    fn reason(&self) -> Option<String> {
        let (bytes, _) = getrlimit(Resource::RLIMIT_FSIZE).ok()?;
        self.0.load(Ordering::Relaxed).then(|| {
            format!(
                "\na file may have {} KiB at most here; raise the limit, for example with `ulimit -f \
                 unlimited`",
                bytes / 1024
            )
        })
    }
}

/// Raises the limit of open files if it is low and the system allows it.
///
/// With too small a limit a plugin could not be opened, and the error would blame the plugin.
fn allow_enough_open_files() -> Result<(), CommandError> {
    /// What a worker may have open, and what the host itself needs.
    const NEEDED: u64 = 256;
    /// Enough for many workers and connections.
    const WANTED: u64 = 4096;
    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else {
        return Ok(());
    };
    let raised = soft.max(WANTED.min(hard));
    if raised > soft {
        // A program may always raise its soft limit to the hard one.
        let _ = setrlimit(Resource::RLIMIT_NOFILE, raised, hard);
    }
    if raised < NEEDED {
        let message = format!(
            "only {raised} files may be open at once, and the host needs {NEEDED}; raise the \
             limit, for example with `ulimit -n 1024`"
        );
        return Err(CommandError::new(exit_code::UNEXPECTED, anyhow!(message)));
    }
    Ok(())
}
