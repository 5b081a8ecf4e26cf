//! The subcommands, one per file except the short ones, and what several of them share.

mod ask;
mod asked;
mod check;
mod chosen_games;
pub(crate) mod command_line;
mod conform;
mod converter;
mod explain;
mod interruption;
mod list;
mod merge;
mod new;
mod option_values;
mod replay;
mod report;
mod run;
mod serve;
mod shipped_tournaments;
mod solve;
mod standard_output;
mod submit;
mod verify;

use std::{
    env, fs,
    io::{self, IsTerminal, Write},
    os::fd::AsFd,
    path::{Path, PathBuf},
};

use ::run::{
    plan_error::PlanError, run_files, run_folder::FolderError, run_folder::rebuilding,
    salt_commitment::SaltCommitment, salt_file,
};
use anyhow::anyhow;
use play::agents::{
    entering::{self, EnteredTournament, EntryError},
    plugin_finder::PluginFinder,
};
use plugin_api::Salt;
use rustix::termios::tcgetwinsize;
use text::{label::coloured, plugin_words::name_as_code, program, shell_word::quoted};
use tournament::file::{Diagnostics, SourceError, TournamentSource, json_schema};

pub(crate) use ask::ask;
pub(crate) use check::check;
pub(crate) use conform::conform;
pub(crate) use explain::explain;
pub(crate) use list::list;
pub(crate) use merge::merge;
pub(crate) use new::new;
pub(crate) use replay::replay;
pub(crate) use report::report;
pub(crate) use run::run;
pub(crate) use serve::serve;
pub(crate) use solve::solve;
pub(crate) use standard_output::StandardOutput;
pub(crate) use submit::submit;
pub(crate) use verify::verify;

/// The exit codes of `host`: few, stable, and listed in `host --help`.
pub(crate) mod exit_code {
    /// Success.
    pub(crate) const OK: u8 = 0;
    /// An unexpected error: a full disk, a worker that cannot be started.
    pub(crate) const UNEXPECTED: u8 = 1;
    /// The command line is invalid. (`clap` uses the same code.)
    pub(crate) const USAGE: u8 = 2;
    /// The tournament file is missing or invalid.
    pub(crate) const TOURNAMENT_FILE: u8 = 3;
    /// A plugin is missing, unusable, rejects its parameters, or failed its check, as an
    /// environment may.
    pub(crate) const PLUGIN: u8 = 4;
    /// A run is damaged or incomplete, or runs cannot be merged: they differ, or games are
    /// missing.
    pub(crate) const VERIFICATION: u8 = 5;
    /// An agent committed a fault, and `--strict` was given.
    pub(crate) const FAULTS: u8 = 6;
    /// Plugin files, parameters, rules or seeds have changed, and records no longer match;
    /// trying again does not help.
    pub(crate) const CHANGED: u8 = 7;
    /// After these exit codes of `run`, the same command would fail in the same way.
    pub(crate) const LASTING: [u8; 5] = [USAGE, TOURNAMENT_FILE, PLUGIN, VERIFICATION, CHANGED];
    /// Interrupted; `run` and `submit` print the command that resumes.
    pub(crate) const INTERRUPTED: u8 = 130;
}

/// Why a command failed, and its exit code.
#[derive(Debug, thiserror::Error)]
#[error("{}", sentence(error))]
pub(crate) struct CommandError {
    pub(crate) code: u8,
    error: anyhow::Error,
}

impl CommandError {
    pub(crate) fn new(code: u8, error: impl Into<anyhow::Error>) -> Self {
        Self {
            code,
            error: error.into(),
        }
    }
}

/// An error with its causes, except those that its own text already contains.
fn sentence(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

impl From<std::io::Error> for CommandError {
    fn from(error: std::io::Error) -> Self {
        Self::new(exit_code::UNEXPECTED, error)
    }
}

/// A folder that cannot take the run.
impl From<FolderError> for CommandError {
    fn from(error: FolderError) -> Self {
        let code = match error {
            FolderError::NoPlan(_) | FolderError::NoLocks { .. } => exit_code::USAGE,
            FolderError::Plan(ref error) if error.is_damage() => exit_code::VERIFICATION,
            _ => exit_code::UNEXPECTED,
        };
        Self::new(code, error)
    }
}

/// A plan that cannot be read: a damaged run, or a wrong folder.
impl From<PlanError> for CommandError {
    fn from(error: PlanError) -> Self {
        if error.is_damage() {
            return Self::new(
                exit_code::VERIFICATION,
                anyhow!("{error}; {}", rebuilding()),
            );
        }
        Self::new(exit_code::USAGE, error)
    }
}

/// The exit code of a command, or why it failed.
pub(crate) type CommandResult = Result<u8, CommandError>;

/// The command that was typed, for the user to paste, without `--fresh`, which would start the
/// run anew.
fn resuming_command() -> String {
    let words = std::env::args().filter(|word| word != "--fresh");
    let words: Vec<String> = words.map(|word| quoted(&word)).collect();
    words.join(" ")
}

/// The most lines of a log that a warning lists.
const MOST_LINES: usize = 20;

/// A board in one line, with this between its rows.
fn board_line(rows: &[Vec<u64>], between: &str) -> String {
    let rows: Vec<String> = rows
        .iter()
        .map(|row| row.iter().map(u64::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    rows.join(between)
}

/// Prints a result.
fn print(content: &[u8]) -> io::Result<()> {
    let mut out = StandardOutput::default();
    out.write_all(content)?;
    // The last line may lack a line feed.
    out.flush()
}

/// The columns of standard output; `None` for a file or pipe.
fn stdout_width() -> Option<usize> {
    io::stdout().is_terminal().then(|| columns(io::stdout()))
}

/// A message for standard error, with its label in colour on a terminal that shows colours.
pub(crate) fn with_colours(message: &str) -> String {
    let has_colours = io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none();
    if has_colours {
        coloured(message)
    } else {
        message.to_owned()
    }
}

/// The columns of standard error; `None` for a file or pipe.
pub(crate) fn stderr_width() -> Option<usize> {
    io::stderr().is_terminal().then(|| columns(io::stderr()))
}

/// The width of a terminal. Libraries assume 80 columns where the number of rows is unknown, so
/// the system is asked.
fn columns(terminal: impl AsFd) -> usize {
    const DEFAULT_COLUMNS: usize = 80;
    match tcgetwinsize(terminal) {
        Ok(size) if size.ws_col > 0 => size.ws_col.into(),
        _ => DEFAULT_COLUMNS,
    }
}

/// Reads a tournament file and its plugins, and reports the errors of both together.
fn enter(file: &Path, plugin_folders: &[PathBuf]) -> Result<EnteredTournament, CommandError> {
    let in_file = exit_code::TOURNAMENT_FILE;
    let source = TournamentSource::read(file).map_err(|error| match error {
        SourceError::Missing { .. } => {
            let hint = shipped_tournaments::hint(file);
            CommandError::new(in_file, anyhow!("{error}{hint}"))
        }
        error => CommandError::new(in_file, error),
    })?;
    let folder = file.parent().map(folder_or_here);
    let finder = PluginFinder::new(plugin_folders, folder.as_deref());
    let (code, found) = match entering::enter_each_value(&source, &finder, folder.as_deref()) {
        Ok(entered) => return Ok(entered),
        Err(EntryError::Machine(message)) => {
            return Err(CommandError::new(exit_code::UNEXPECTED, anyhow!(message)));
        }
        Err(EntryError::File(found)) => (in_file, found),
        Err(EntryError::Plugins(found)) => (exit_code::PLUGIN, found),
    };
    Err(CommandError::new(code, Diagnostics::new(&source, found)))
}

/// A folder as it can be opened; the parent of a bare file name is the current folder.
fn folder_or_here(folder: &Path) -> PathBuf {
    if folder.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        folder.to_path_buf()
    }
}

/// Warns where a run has both a log and a compressed one, which is not read.
fn warn_of_two_logs(run: &Path) {
    let log = run_files::game_log(run);
    let compressed = run_files::compressed(&log);
    if log.exists() && compressed.exists() {
        // If stderr is closed, the warning is lost.
        let _ = writeln!(
            io::stderr(),
            "warning: {} is ignored because of {}; remove or rename one of them",
            name_as_code(&compressed.to_string_lossy()),
            name_as_code(&log.to_string_lossy())
        );
    }
}

/// Creates the folder of a file that the user named, unless it exists.
fn create_folder_of(file: &Path) -> io::Result<()> {
    file.parent().map_or(Ok(()), fs::create_dir_all)
}

/// `host salt`: creates the file with a secret salt and prints the commitment to it.
pub(crate) fn salt(file: &Path) -> CommandResult {
    salt_file::create(file).map_err(|error| {
        let message = format!("cannot write the salt file `{}`: {error}", file.display());
        CommandError::new(exit_code::UNEXPECTED, anyhow!(message))
    })?;
    let salt = shared_salt(file)?;
    writeln!(StandardOutput::default(), "{}", SaltCommitment::to(&salt))?;
    if io::stdout().is_terminal() {
        // If stderr is closed, the message is lost.
        let _ = writeln!(
            io::stderr(),
            "this is the commitment: publish it before the games, and keep `{}` secret until they \
             have been played",
            file.display()
        );
    }
    Ok(exit_code::OK)
}

/// Reads the salt from a file that the user named.
fn shared_salt(file: &Path) -> Result<Salt, CommandError> {
    salt_file::read_given(file).map_err(|error| CommandError::new(exit_code::USAGE, error))
}

/// `host schema`: the JSON Schema of the tournament file.
pub(crate) fn schema() -> CommandResult {
    let schema = serde_json::to_string_pretty(&json_schema()).map_err(io::Error::from)?;
    writeln!(StandardOutput::default(), "{schema}")?;
    Ok(exit_code::OK)
}

/// `host completions`: a completion script for a shell.
pub(crate) fn completions(
    shell: clap_complete::Shell,
    command_line: &mut clap::Command,
) -> CommandResult {
    // The generator would panic if a write failed.
    let mut script = Vec::new();
    clap_complete::generate(shell, command_line, program::name(), &mut script);
    print(&script)?;
    Ok(exit_code::OK)
}
