//! Calls an extension of a plugin, in a sandboxed worker.

use std::{
    ops::ControlFlow,
    path::PathBuf,
    time::{Duration, Instant},
};

use tournament::Sandbox;
use worker::{
    Job, NoAnswer, Patience, PluginCall, PluginFailure, PluginFile, Task, Worker, WorkerOptions,
    WorkerReport, sandbox::SandboxRules,
};

use super::inspection::death_in_words;

/// How long an extension may take to answer after the host tells it to stop.
const AFTER_STOP: Duration = Duration::from_secs(10);
/// The interval at which `should_stop` is polled while no message arrives.
const LOOK: Duration = Duration::from_millis(100);
/// Memory that the process needs in addition to what the extension counts: code,
/// stacks, the allocator's reserve.
const OVERHEAD: u64 = 1 << 30;

/// Why an extension call returned no answer.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    #[error("a worker could not be started: {0}")]
    NoWorker(#[from] std::io::Error),
    #[error("has no extension `{0}`")]
    UnknownExtension(String),
    #[error("{}", .0.sentence(PluginCall::Extension))]
    Failed(PluginFailure),
    #[error("sent an invalid message")]
    Garbage,
    #[error("{0}")]
    Died(String),
    #[error("did not answer in time")]
    TooSlow,
    #[error("did not stop when told to")]
    DidNotStop,
}

/// A request to an extension.
#[derive(Clone, Debug)]
pub struct ExtensionCall<'a> {
    pub plugin: &'a PluginFile,
    pub name: &'a str,
    pub request: String,
    /// How much memory the extension may use, in bytes.
    pub memory: u64,
    /// What the plugin may read besides its own file.
    pub allow_read: &'a [PathBuf],
}

impl ExtensionCall<'_> {
    /// Makes the call. `receive` gets every message. The host polls `should_stop`; once it
    /// returns true, the host tells the extension to stop and to answer with what it has found so
    /// far.
    ///
    /// # Errors
    /// If there is no answer.
    pub fn make(
        &self,
        mut receive: impl FnMut(&str) -> ControlFlow<()>,
        should_stop: impl Fn() -> bool,
    ) -> Result<String, CallError> {
        let task = Task {
            plugin: self.plugin.clone(),
            sandbox: SandboxRules {
                mode: Sandbox::On,
                memory: self.memory.saturating_add(OVERHEAD),
                allow_read: self.allow_read.to_vec(),
                allow_read_sha256: None,
            },
            job: Job::Extension {
                name: self.name.to_owned(),
                request: self.request.clone(),
            },
        };
        let mut worker = Worker::start(&task, WorkerOptions::default())?;
        let mut stopping_since: Option<Instant> = None;
        let mut has_had_enough = false;
        let mut patience = Patience::new(worker.cpu_time(), AFTER_STOP, AFTER_STOP);
        let called = worker
            .confine(&mut patience)
            .and_then(|_| worker.call_extension(&mut patience));
        called.map_err(|reason| self.no_answer(reason, &mut worker, &task))?;
        loop {
            if stopping_since.is_none() && (has_had_enough || should_stop()) {
                stopping_since = Some(Instant::now());
                worker.stop_extension();
            }
            if stopping_since.is_some_and(|since| since.elapsed() > AFTER_STOP) {
                return Err(CallError::DidNotStop);
            }
            let has_output = worker.has_output_within(LOOK);
            if !has_output.map_err(|reason| self.no_answer(reason, &mut worker, &task))? {
                continue;
            }
            let mut patience = Patience::new(worker.cpu_time(), AFTER_STOP, AFTER_STOP);
            let report = worker.extension_report(&mut patience);
            match report.map_err(|reason| self.no_answer(reason, &mut worker, &task))? {
                WorkerReport::Message(message) if stopping_since.is_none() => {
                    has_had_enough = receive(&message).is_break();
                }
                WorkerReport::Answered(answer) => return Ok(answer),
                // The extension may have sent a message before it received the stop.
                WorkerReport::Message(_) => {}
                WorkerReport::Failed(failure) => {
                    let reason = NoAnswer::Failed(failure);
                    return Err(self.no_answer(reason, &mut worker, &task));
                }
                WorkerReport::Confined { .. }
                | WorkerReport::Unfit(_)
                | WorkerReport::Ready
                | WorkerReport::Described { .. } => return Err(CallError::Garbage),
            }
        }
    }

    fn no_answer(&self, reason: NoAnswer, worker: &mut Worker<'_>, task: &Task) -> CallError {
        match reason {
            NoAnswer::Failed(PluginFailure::UnknownExtension) => {
                CallError::UnknownExtension(self.name.to_owned())
            }
            NoAnswer::Died(sentence) => CallError::Died(death_in_words(sentence, worker, task)),
            NoAnswer::KilledFromOutside(signal) => {
                CallError::Died(format!("was killed by another process ({signal})"))
            }
            NoAnswer::Garbage => CallError::Garbage,
            NoAnswer::Failed(failure) => CallError::Failed(failure),
            NoAnswer::Unexplained
            | NoAnswer::UsedUp
            | NoAnswer::Asleep
            | NoAnswer::Paused
            | NoAnswer::Stopped => CallError::TooSlow,
        }
    }
}
