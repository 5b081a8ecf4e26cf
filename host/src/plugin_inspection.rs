//! What a plugin says of itself, asked in a worker: the host loads no plugin.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use plugin_api::PluginInfo;
use serde::{Deserialize, Serialize};

use crate::{
    tournament::Sandbox,
    worker::{
        Abi, Job, LibraryError, Lost, Report, Task, WorkerOptions, WorkerProcess, check_file,
        sandbox::SandboxRules,
    },
};

/// How long a plugin may take to say what it is.
const PATIENCE: Duration = Duration::from_secs(10);
/// How much memory it may use for that.
const MEMORY: u64 = 4 << 30;

/// A plugin's own words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inspection {
    pub info: PluginInfo,
    pub abi: Abi,
}

/// Why a plugin says nothing usable of itself.
#[derive(Debug, thiserror::Error)]
pub enum InspectionError {
    #[error("{0}")]
    File(#[from] LibraryError),
    #[error("{0}")]
    Unusable(String),
    #[error("a worker could not be started: {0}")]
    NoWorker(#[from] std::io::Error),
    #[error("crashed while it was opened: {0}")]
    Crashed(String),
    #[error("did not answer within {} s while it was opened", PATIENCE.as_secs())]
    Silent,
    #[error("describes itself in a way that is not understood: {0}")]
    BadInfo(String),
}

/// Opens a plugin in a worker and asks what it is.
///
/// # Errors
/// When it cannot be used, with the reason; the caller names the file.
pub fn inspect(plugin: &Path, sandbox: Sandbox) -> Result<Inspection, InspectionError> {
    let plugin = check_file(plugin)?;
    let task = Task {
        plugin,
        sandbox: SandboxRules {
            mode: sandbox,
            memory: MEMORY,
            cpu: Some(PATIENCE),
            allow_read: Vec::new(),
        },
        job: Job::Describe,
    };
    let mut worker = WorkerProcess::start(&task, WorkerOptions::default())?;
    // One limit for all it says, or it could go on talking for ever.
    let deadline = Instant::now() + PATIENCE;
    loop {
        match worker.report(deadline.saturating_duration_since(Instant::now())) {
            Ok(Report::Described { info, abi }) => {
                let info = PluginInfo::from_json(&info)
                    .map_err(|error| InspectionError::BadInfo(error.to_string()))?;
                return Ok(Inspection { info, abi });
            }
            Ok(Report::SandboxLacks(layer)) if sandbox == Sandbox::Required => {
                return Err(InspectionError::Unusable(format!(
                    "cannot be sandboxed here, which `sandbox: required` asks for: {layer}"
                )));
            }
            Ok(Report::SandboxLacks(_)) => {}
            Ok(
                Report::Unusable(sentence)
                | Report::Refused(sentence)
                | Report::Panicked(sentence)
                | Report::Broken(sentence),
            ) => return Err(InspectionError::Unusable(sentence)),
            Ok(Report::Ready { .. } | Report::Message(_) | Report::Answered(_)) => {
                return Err(InspectionError::BadInfo(
                    "an answer to another question".to_owned(),
                ));
            }
            Err(Lost::Died(sentence) | Lost::KilledFromOutside(sentence)) => {
                return Err(InspectionError::Crashed(sentence));
            }
            Err(Lost::Garbage) => return Err(InspectionError::BadInfo("garbage".to_owned())),
            Err(Lost::Silent | Lost::Stopped) => return Err(InspectionError::Silent),
        }
    }
}
