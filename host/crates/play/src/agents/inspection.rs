//! The description of a plugin, read in a worker because the host never loads plugins.

use std::{error::Error, io, path::Path, time::Duration};

use nix::errno::Errno;
use plugin_api::PluginInfo;

use run::agent::{Inspection, cut_texts};
use text::{plugin_words::PluginWords, program};
use tournament::{Sandbox, Tournament};
use worker::{
    CannotBeShown, Description, Job, LibraryError, NoAnswer, Patience, PluginCall, PluginFailure,
    PluginFile, Task, Worker, WorkerOptions, description_advice, printed_error,
    sandbox::SandboxRules, sandbox_hint, telling_line,
};

/// The CPU time a plugin may use to describe itself.
const CPU_LIMIT: Duration = Duration::from_secs(10);
/// What the author of an unoptimised plugin should do.
pub const OPTIMISING_ADVICE: &str = "use `cargo build --release`, or `cc -O2`";

/// How long it may sleep meanwhile.
const SLEEP_LIMIT: Duration = Duration::from_secs(1);

/// Why a plugin has no usable description.
#[derive(Debug, thiserror::Error)]
pub enum InspectionError {
    #[error("{0}")]
    File(#[from] LibraryError),
    #[error("{0}")]
    Unusable(String),
    #[error("{}{hint}", .failure.sentence(PluginCall::Describe))]
    Failed {
        failure: PluginFailure,
        /// What to add if the sandbox may be the reason.
        hint: String,
    },
    #[error("a worker could not be started: {0}")]
    NoWorker(io::Error),
    #[error("{0}")]
    NotShown(CannotBeShown),
    #[error("failed to start: {0}")]
    Crashed(String),
    #[error(
        "ended without an answer to `arena 1`: a program must speak the text protocol \
         (docs/text-protocol.md); `{}` creates one that does",
        program::command("new NAME --lang python")
    )]
    NoProtocol,
    #[error("used more than {} s of CPU time while it was loaded", CPU_LIMIT.as_secs())]
    UsedUp,
    #[error("slept for more than {} s while it was loaded", SLEEP_LIMIT.as_secs())]
    Asleep,
    #[error(
        "gave no answer to `arena 1` and slept for more than {} s: read standard input line by line, \
         not to its end, and flush standard output after every line",
        SLEEP_LIMIT.as_secs()
    )]
    Silent,
    #[error("was killed twice while it was loaded: {0}")]
    Killed(String),
    #[error("its process was stopped by another process while it was loaded; try again")]
    Paused,
    #[error("returned an invalid description: {0}")]
    BadInfo(String),
}

impl From<io::Error> for InspectionError {
    fn from(error: io::Error) -> Self {
        match error.downcast() {
            Ok(reason) => Self::NotShown(reason),
            Err(error) => Self::NoWorker(error),
        }
    }
}

impl InspectionError {
    /// Whether the machine is the reason, not the plugin: it may pass.
    #[must_use]
    pub fn is_of_the_machine(&self) -> bool {
        match self {
            Self::NoWorker(_) | Self::Paused => true,
            Self::File(LibraryError::Unreadable(error)) => is_shortage(error),
            Self::File(LibraryError::Files(error)) => {
                let cause = error.source().and_then(|cause| cause.downcast_ref());
                cause.is_some_and(is_shortage)
            }
            Self::File(_)
            | Self::NotShown(_)
            | Self::Unusable(_)
            | Self::Failed { .. }
            | Self::Crashed(_)
            | Self::UsedUp
            | Self::Asleep
            | Self::Silent
            | Self::NoProtocol
            | Self::Killed(_)
            | Self::BadInfo(_) => false,
        }
    }
}

/// Whether the machine is out of descriptors, memory or processes.
fn is_shortage(error: &io::Error) -> bool {
    let code = error.raw_os_error().map(Errno::from_raw);
    matches!(
        code,
        Some(Errno::EMFILE | Errno::ENFILE | Errno::ENOMEM | Errno::EAGAIN)
    )
}

/// Loads a plugin in a worker and reads its description.
///
/// # Errors
/// If it cannot be used, with the reason; the caller names the file.
pub fn inspect(plugin: &Path, sandbox: Sandbox) -> Result<Inspection, InspectionError> {
    inspect_file(&PluginFile::seal(plugin)?, sandbox)
}

/// Opens a plugin that was sealed and asks what it is.
///
/// # Errors
/// As for [`inspect`].
pub fn inspect_file(plugin: &PluginFile, sandbox: Sandbox) -> Result<Inspection, InspectionError> {
    // Large files of many agents would otherwise lie in memory twice until the first game.
    let task = task_of(plugin.with_own_rooms()?, sandbox);
    // What kills a worker from outside may have passed: one more try.
    let inspection = match describe(&task) {
        Err(InspectionError::Killed(_)) => describe(&task),
        result => result,
    }?;
    plugin.note_compatible(inspection.abi);
    Ok(inspection)
}

fn task_of(plugin: PluginFile, sandbox: Sandbox) -> Task {
    Task {
        sandbox: SandboxRules {
            mode: sandbox,
            memory: Tournament::DEFAULT_MEMORY,
            allow_read: plugin.own_files(),
            allow_read_sha256: None,
        },
        plugin,
        job: Job::Describe,
    }
}

fn describe(task: &Task) -> Result<Inspection, InspectionError> {
    let mut worker = Worker::start(task, WorkerOptions::default())?;
    // One limit for all that it says.
    let mut patience = Patience::new(worker.cpu_time(), CPU_LIMIT, SLEEP_LIMIT);
    match worker.confine(&mut patience) {
        Ok(Some(layer)) if task.sandbox.mode == Sandbox::Required => {
            return Err(InspectionError::Unusable(format!(
                "cannot be sandboxed on this machine, but `sandbox: required` is set: {layer}"
            )));
        }
        Ok(_) => {}
        // The plugin is not open yet.
        Err(NoAnswer::Died(sentence)) => {
            let reason = io::Error::other(format!("the worker {sentence}"));
            return Err(InspectionError::NoWorker(reason));
        }
        Err(reason) => return Err(failed_inspection(reason, &mut worker, task)),
    }
    let is_program = task.plugin.program().is_some();
    let Description {
        info,
        abi,
        is_unoptimised,
    } = match worker.describe(&mut patience) {
        Ok(description) => description,
        Err(NoAnswer::Asleep) if is_program => return Err(InspectionError::Silent),
        Err(reason) => return Err(failed_inspection(reason, &mut worker, task)),
    };
    let mut info = PluginInfo::from_json(&info).map_err(|error| {
        // The error names keys and values, which are the plugin's.
        let error = PluginWords::from(error.to_string());
        InspectionError::BadInfo(if is_program {
            format!("{error}; {}", description_advice(&info))
        } else {
            error.to_string()
        })
    })?;
    info.unoptimised |= is_unoptimised;
    cut_texts(&mut info);
    Ok(Inspection { info, abi })
}

/// What it means that a plugin gave no description.
fn failed_inspection(reason: NoAnswer, worker: &mut Worker<'_>, task: &Task) -> InspectionError {
    match reason {
        NoAnswer::Failed(failure) => {
            let hint = failure.sandbox_hint(&task.plugin, &task.sandbox);
            InspectionError::Failed { failure, hint }
        }
        NoAnswer::Died(sentence) => {
            let words = death_in_words(sentence, worker, task);
            // A script that only defines its functions ends so.
            let said_nothing = words == "ended its process with exit code 0";
            if said_nothing && task.plugin.program().is_some() {
                InspectionError::NoProtocol
            } else {
                InspectionError::Crashed(words)
            }
        }
        NoAnswer::KilledFromOutside(signal) => InspectionError::Killed(signal),
        NoAnswer::Garbage => InspectionError::BadInfo("garbage".to_owned()),
        NoAnswer::UsedUp => InspectionError::UsedUp,
        NoAnswer::Asleep | NoAnswer::Unexplained => InspectionError::Asleep,
        NoAnswer::Paused | NoAnswer::Stopped => InspectionError::Paused,
    }
}

/// How a worker died, with what it printed last and what the sandbox may have to do with that.
pub(super) fn death_in_words(sentence: String, worker: &mut Worker<'_>, task: &Task) -> String {
    const LONGEST_WORDS: usize = 300;
    let printed = worker.stderr_tail();
    let line = || telling_line(&printed).map(str::to_owned);
    let Some(words) = printed_error(&printed).or_else(line) else {
        return sentence;
    };
    let hint = sandbox_hint(&words, &task.plugin, &task.sandbox);
    if task.plugin.program().is_some() {
        let words = PluginWords::cut(&words, LONGEST_WORDS);
        format!("{sentence}: {words}{hint}")
    } else {
        sentence + &hint
    }
}
