//! The description of a plugin, read in a worker because the host never loads plugins.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use plugin_api::PluginInfo;
use serde::{Deserialize, Serialize};

use crate::{
    tournament::{Sandbox, Tournament},
    worker::{
        Abi, Job, LibraryError, Lost, PluginFile, Task, WorkerOptions, WorkerProcess, WorkerReport,
        sandbox::{SandboxRules, report_missing_layer},
    },
};

/// How long a plugin may take to describe itself.
const PATIENCE: Duration = Duration::from_secs(10);

/// A plugin's description of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inspection {
    pub info: PluginInfo,
    pub abi: Abi,
}

/// Why a plugin has no usable description.
#[derive(Debug, thiserror::Error)]
pub enum InspectionError {
    #[error("{0}")]
    File(#[from] LibraryError),
    #[error("{0}")]
    Unusable(String),
    #[error("a worker could not be started: {0}")]
    NoWorker(#[from] std::io::Error),
    #[error("crashed while it was loaded: {0}")]
    Crashed(String),
    #[error("did not answer within {} s while it was loaded", PATIENCE.as_secs())]
    Silent,
    #[error("returned an invalid description: {0}")]
    BadInfo(String),
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
    let task = Task {
        plugin: plugin.clone(),
        sandbox: SandboxRules {
            mode: sandbox,
            memory: Tournament::DEFAULT_MEMORY,
            cpu: Some(PATIENCE),
            allow_read: Vec::new(),
            allow_read_sha256: None,
        },
        job: Job::Describe,
    };
    let mut worker = WorkerProcess::start(&task, WorkerOptions::default())?;
    // One deadline for all reports: a plugin could otherwise send reports for ever.
    let deadline = Instant::now() + PATIENCE;
    loop {
        match worker.report(deadline.saturating_duration_since(Instant::now())) {
            Ok(WorkerReport::Described { info, abi }) => {
                let info = PluginInfo::from_json(&info)
                    .map_err(|error| InspectionError::BadInfo(error.to_string()))?;
                return Ok(Inspection { info, abi });
            }
            Ok(WorkerReport::SandboxLacks(layer)) if sandbox == Sandbox::Required => {
                return Err(InspectionError::Unusable(format!(
                    "cannot be sandboxed on this machine, but `sandbox: required` is set: {layer}"
                )));
            }
            Ok(WorkerReport::SandboxLacks(layer)) => report_missing_layer(&layer),
            Ok(
                WorkerReport::Unusable(sentence)
                | WorkerReport::Refused(sentence)
                | WorkerReport::Panicked(sentence)
                | WorkerReport::Broken(sentence),
            ) => return Err(InspectionError::Unusable(sentence)),
            Ok(
                WorkerReport::Ready { .. } | WorkerReport::Message(_) | WorkerReport::Answered(_),
            ) => {
                return Err(InspectionError::BadInfo(
                    "an answer to a different request".to_owned(),
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
