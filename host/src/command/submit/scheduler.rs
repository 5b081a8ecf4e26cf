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

    /// How many tasks a job array may have.
    fn largest_array(&self) -> u32;

    /// Submits some shards to the script in a file as a job; returns its number. The command
    /// holds the lock on a file until it has ended, whatever becomes of this process.
    ///
    /// # Errors
    /// When the batch system rejects it, or does not answer.
    fn submit(&self, script: &Path, job: &Piece<'_>, lock: File) -> BatchResult<String>;

    /// The numbers of the jobs with this name, those of all pieces.
    ///
    /// # Errors
    /// When the batch system cannot be asked.
    fn find_jobs(&self, name: &str) -> BatchResult<BTreeSet<String>>;

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

/// Shards that are submitted as one job array. Its tasks are numbered from 1, and a batch system
/// limits their numbers, so the shards after the first are counted from `offset`. The name of
/// the job says so.
pub(crate) struct Piece<'s> {
    pub(crate) name: String,
    pub(crate) offset: u32,
    pub(crate) shards: &'s [u32],
}

/// Between the name that all pieces have and the offset.
const OFFSET: char = '+';

impl<'s> Piece<'s> {
    /// Splits shards, in ascending order, into arrays of at most this many tasks.
    pub(crate) fn all(name: &str, shards: &'s [u32], largest: u32) -> impl Iterator<Item = Self> {
        let offset_of = move |shard: u32| (shard - 1) / largest * largest;
        let pieces = shards.chunk_by(move |a, b| offset_of(*a) == offset_of(*b));
        pieces.map(move |shards| {
            let offset = offset_of(shards[0]);
            let name = match offset {
                0 => name.to_owned(),
                _ => format!("{name}{OFFSET}{offset}"),
            };
            Self {
                name,
                offset,
                shards,
            }
        })
    }

    /// The offset of the job of this name.
    pub(crate) fn offset_of(name: &str) -> u32 {
        let offset = name.rsplit_once(OFFSET).map(|(_, offset)| offset.parse());
        offset.and_then(Result::ok).unwrap_or(0)
    }

    /// Whether the job `name` is a piece of what was submitted under another name.
    pub(crate) fn is_of(name: &str, submitted: &str) -> bool {
        let rest = name.strip_prefix(submitted);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(OFFSET))
    }
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
    /// The shards that run or wait.
    pub(crate) active: BTreeSet<u32>,
    /// The cancelled shards.
    pub(crate) cancelled: BTreeSet<u32>,
    /// All shards that the batch system knows, in whatever state.
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
