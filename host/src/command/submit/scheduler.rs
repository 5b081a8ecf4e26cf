//! What a batch system has to do for `host submit`.
//!
//! A new batch system is a folder beside `slurm` that implements [`Scheduler`], and a value
//! of the option `--engine`. Progress is read from the game logs of the shards, not from the
//! batch system: accounting is often switched off, and exit codes get lost.

use std::{
    collections::BTreeSet,
    fs::File,
    io,
    path::Path,
    process::{Command, Stdio},
};

use super::job_array::JobArray;

/// A batch system that runs job arrays.
pub(crate) trait Scheduler {
    /// Checks that the commands of the batch system can be run here.
    ///
    /// # Errors
    /// When one is missing or fails.
    fn check(&self) -> BatchResult<()>;

    /// The script of a job array: one task per shard.
    fn script(&self, jobs: &JobArray) -> String;

    /// Submits some tasks of the script in a file as a job of this name; returns its number.
    /// The command holds the lock on a file until it has ended, whatever becomes of this
    /// process.
    ///
    /// # Errors
    /// When the batch system rejects it, or does not answer.
    fn submit(&self, script: &Path, tasks: &[u32], name: &str, lock: File) -> BatchResult<String>;

    /// The number of the job with this name, if it is known.
    ///
    /// # Errors
    /// When the batch system cannot be asked.
    fn find_job(&self, name: &str) -> BatchResult<Option<String>>;

    /// The tasks of these jobs.
    ///
    /// # Errors
    /// When the batch system cannot be asked, which may be temporary.
    fn tasks(&self, jobs: &[String]) -> BatchResult<TaskStates>;

    /// Cancels the tasks of these jobs that have not started.
    ///
    /// # Errors
    /// When the batch system rejects it.
    fn cancel_waiting(&self, jobs: &[String]) -> BatchResult<()>;

    /// The command with which a user cancels these jobs.
    fn cancel_command(&self, jobs: &[String]) -> String;
}

/// What a batch system answers.
pub(crate) type BatchResult<T> = Result<T, SchedulerError>;

/// Why a batch system did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SchedulerError {
    #[error("the command `{0}` was not found")]
    NoCommand(String),
    #[error("cannot start `{program}`: {source}")]
    CannotStart { program: String, source: io::Error },
    #[error("`{command}` failed: {message}")]
    Failed { command: String, message: String },
}

/// The tasks of some jobs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TaskStates {
    pub(crate) n_running: u64,
    pub(crate) n_waiting: u64,
    /// The cancelled tasks, with the number of their job.
    pub(crate) cancelled: BTreeSet<(String, u32)>,
    /// All tasks that the batch system knows, in whatever state.
    pub(crate) known: BTreeSet<u32>,
}

impl TaskStates {
    /// Whether no task runs or waits.
    #[must_use]
    pub(crate) fn have_ended(&self) -> bool {
        self.n_running + self.n_waiting == 0
    }
}

/// Runs a command of a batch system and returns its output.
pub(super) fn output_of(program: &str, arguments: &[&str]) -> BatchResult<String> {
    output_with(program, arguments, Stdio::null())
}

/// The same, with this as its input.
pub(super) fn output_with(program: &str, arguments: &[&str], input: Stdio) -> BatchResult<String> {
    let output = Command::new(program)
        .args(arguments)
        .stdin(input)
        .output()
        .map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => SchedulerError::NoCommand(program.to_owned()),
            _ => SchedulerError::CannotStart {
                program: program.to_owned(),
                source,
            },
        })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    let message = match stderr.trim() {
        "" => output.status.to_string(),
        text => text.to_owned(),
    };
    Err(SchedulerError::Failed {
        command: format!("{program} {}", arguments.join(" ")),
        message,
    })
}
