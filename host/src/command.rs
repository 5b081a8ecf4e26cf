//! The subcommands, one a file: each reads what it needs, calls the library and
//! prints.

mod check;
mod completions;
mod entry;
mod list;
mod merge;
mod new;
mod replay;
mod report;
mod run;
mod run_keeper;
mod run_progress;
mod run_shard;
mod run_stages;
mod schema;
mod serve;
mod solve;
mod submit;
mod submit_progress;
mod typed_command;
mod verify;

pub(crate) use check::check;
pub(crate) use completions::completions;
pub(crate) use list::list;
pub(crate) use merge::merge;
pub(crate) use new::new;
pub(crate) use replay::replay;
pub(crate) use report::report;
pub(crate) use run::run;
pub(crate) use schema::schema;
pub(crate) use serve::serve;
pub(crate) use solve::solve;
pub(crate) use submit::submit;
pub(crate) use verify::verify;

/// Why a command failed, with the exit code that says so.
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

/// An error with its causes, as far as it does not name them itself.
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
        Self::new(arena2048::exit_code::UNEXPECTED, error)
    }
}

/// What a command returns: the exit code.
pub(crate) type CommandResult = Result<u8, CommandError>;
