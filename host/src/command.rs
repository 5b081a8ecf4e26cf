//! The subcommands, one per file: each reads its input, calls the library and prints.
//!
//! The command line enters; text on the terminal and an exit code leave.
//!
//! Imports `text`, `tournament`, `worker`, `agents`, `run`, `play`, `statistics`, `report`,
//! `cluster`, `author`, `serve`.

mod check;
mod chosen_games;
mod command_line;
mod completions;
mod descriptors;
mod entered_tournament;
mod exit_code;
mod interruption;
mod list;
mod merge;
mod new;
mod output_format;
pub(crate) mod program;
mod replay;
mod report;
mod resuming_command;
mod run;
mod salt;
mod schema;
mod serve;
mod solve;
mod submit;
mod terminal;
mod verify;

pub(crate) use check::check;
pub(crate) use completions::completions;
use descriptors::allow_enough_descriptors;
pub(crate) use list::list;
pub(crate) use merge::merge;
pub(crate) use new::new;
pub(crate) use replay::replay;
pub(crate) use report::report;
pub(crate) use run::run;
pub(crate) use salt::salt;
use salt::shared_salt;
pub(crate) use schema::schema;
pub(crate) use serve::serve;
pub(crate) use solve::solve;
pub(crate) use submit::submit;
pub(crate) use verify::verify;

use ::run::plan_error::PlanError;

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
        Self::new(crate::command::exit_code::UNEXPECTED, error)
    }
}

/// A plan that cannot be read: a damaged run, or a wrong folder.
impl From<PlanError> for CommandError {
    fn from(error: PlanError) -> Self {
        let code = if error.is_damage() {
            exit_code::VERIFICATION
        } else {
            exit_code::USAGE
        };
        Self::new(code, error)
    }
}

/// The exit code of a command, or why it failed.
pub(crate) type CommandResult = Result<u8, CommandError>;
