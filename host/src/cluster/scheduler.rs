//! What a batch system has to do for `host submit`.
//!
//! A new batch system is a folder beside `slurm` that implements [`Scheduler`], and a value
//! of the option `--engine`. Progress is read from the game logs of the shards, not from the
//! batch system: accounting is often switched off, and exit codes get lost.

use std::{
    io,
    path::Path,
    process::{Command, Stdio},
};

use super::job_array::JobArray;

/// A batch system that runs job arrays.
pub trait Scheduler {
    /// Checks that the commands of the batch system can be run here.
    ///
    /// # Errors
    /// When one is missing or fails.
    fn check(&self) -> Result<(), SchedulerError>;

    /// The script of a job array: one task per shard.
    fn script(&self, jobs: &JobArray) -> String;

    /// Submits some tasks of the script in a file; returns the number of the job.
    ///
    /// # Errors
    /// When the batch system rejects it.
    fn submit(&self, script: &Path, tasks: &[u32]) -> Result<String, SchedulerError>;

    /// How many tasks of these jobs have not ended.
    ///
    /// # Errors
    /// When the batch system cannot be asked, which may be temporary.
    fn unfinished_tasks(&self, jobs: &[String]) -> Result<UnfinishedTasks, SchedulerError>;

    /// The command with which a user cancels these jobs.
    fn cancel_command(&self, jobs: &[String]) -> String;
}

/// Why a batch system did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum SchedulerError {
    #[error("the command `{0}` was not found")]
    NoCommand(String),
    #[error("cannot start `{program}`: {source}")]
    CannotStart { program: String, source: io::Error },
    #[error("`{command}` failed: {message}")]
    Failed { command: String, message: String },
}

/// How many tasks of some jobs have not ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnfinishedTasks {
    pub n_running: u64,
    pub n_waiting: u64,
}

impl UnfinishedTasks {
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }
}

/// Runs a command of a batch system and returns its output.
pub(super) fn output_of(program: &str, arguments: &[&str]) -> Result<String, SchedulerError> {
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
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
