//! Talks with an extension of a plugin, in a sandboxed worker.

use std::{
    ops::ControlFlow,
    path::Path,
    time::{Duration, Instant},
};

use crate::{
    tournament::Sandbox,
    worker::{
        Job, LibraryError, Lost, Report, Task, WorkerOptions, WorkerProcess, check_file,
        sandbox::SandboxRules,
    },
};

/// How long an extension may take to answer after it was told to stop.
const AFTER_STOP: Duration = Duration::from_secs(10);
/// How often the host asks whether it should stop while nothing comes.
const LOOK: Duration = Duration::from_millis(100);
/// What the process needs beside what the extension counts: code, stacks, the
/// allocator's reserve.
const OVERHEAD: u64 = 1 << 30;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    #[error("{0}")]
    File(#[from] LibraryError),
    #[error("a worker could not be started: {0}")]
    NoWorker(#[from] std::io::Error),
    #[error("{0}")]
    Refused(String),
    #[error("{0}; the worker is gone and with it what was known")]
    Died(String),
    #[error("did not stop when it was asked to")]
    DidNotStop,
}

/// A request to an extension.
#[derive(Clone, Debug)]
pub struct ExtensionCall<'a> {
    pub plugin: &'a Path,
    pub name: &'a str,
    pub request: String,
    /// What the extension is allowed to use, in bytes.
    pub memory: u64,
}

impl ExtensionCall<'_> {
    /// Makes the call. `receive` gets every message; `should_stop` is asked often,
    /// and once it says yes the extension is told to end with what is known.
    ///
    /// # Errors
    /// When no answer comes.
    pub fn make(
        &self,
        mut receive: impl FnMut(&str) -> ControlFlow<()>,
        should_stop: impl Fn() -> bool,
    ) -> Result<String, CallError> {
        let task = Task {
            plugin: check_file(self.plugin)?,
            sandbox: SandboxRules {
                mode: Sandbox::On,
                memory: self.memory.saturating_add(OVERHEAD),
                cpu: None,
                allow_read: Vec::new(),
            },
            job: Job::Extension {
                name: self.name.to_owned(),
                request: self.request.clone(),
            },
        };
        let mut worker = WorkerProcess::start(&task, WorkerOptions::default())?;
        let mut stopping_since: Option<Instant> = None;
        let mut has_had_enough = false;
        loop {
            if stopping_since.is_none() && (has_had_enough || should_stop()) {
                stopping_since = Some(Instant::now());
                worker.stop_extension();
            }
            match worker.wait_for_output(LOOK) {
                Err(Lost::Silent)
                    if stopping_since.is_some_and(|since| since.elapsed() > AFTER_STOP) =>
                {
                    return Err(CallError::DidNotStop);
                }
                Err(Lost::Silent) => continue,
                Err(lost) => return Err(died(lost)),
                Ok(()) => {}
            }
            match worker.report(AFTER_STOP).map_err(died)? {
                Report::Message(message) if stopping_since.is_none() => {
                    has_had_enough = receive(&message).is_break();
                }
                Report::Answered(answer) => return Ok(answer),
                // A message may have been sent before it learned that it should stop.
                Report::Message(_) | Report::SandboxLacks(_) => {}
                Report::Unusable(sentence)
                | Report::Refused(sentence)
                | Report::Panicked(sentence)
                | Report::Broken(sentence) => return Err(CallError::Refused(sentence)),
                Report::Ready { .. } | Report::Described { .. } => return Err(died(Lost::Garbage)),
            }
        }
    }
}

fn died(lost: Lost) -> CallError {
    match lost {
        Lost::Died(sentence) => CallError::Died(sentence),
        Lost::KilledFromOutside(signal) => {
            CallError::Died(format!("was killed from outside ({signal})"))
        }
        Lost::Garbage => CallError::Refused("sent something that is not understood".to_owned()),
        Lost::Silent | Lost::Stopped => CallError::DidNotStop,
    }
}
