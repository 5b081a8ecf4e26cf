//! Claims about extensions: what a plugin can do besides playing.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use super::{candidate::Candidate, verdict::ClaimVerdict};
use crate::{
    agents::extension_call::{CallError, ExtensionCall},
    text::plugin_words::name_as_code,
    tournament::Tournament,
};

/// How long an extension may take to answer an empty request.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) fn answers_its_extensions(candidate: &Candidate<'_>) -> ClaimVerdict {
    const UNKNOWN: &str = "no-such-extension/1";
    let names = &candidate.info.extensions;
    for name in names {
        match call(candidate, name) {
            Err(CallError::UnknownExtension(_)) => {
                return ClaimVerdict::failed(format!(
                    "declares the extension {}, but answers that it is unknown",
                    name_as_code(name)
                ));
            }
            // Rejecting an empty request is allowed.
            Ok(_) | Err(CallError::Failed(_)) => {}
            Err(error) => {
                return ClaimVerdict::failed(format!(
                    "called {} with an empty request: {error}",
                    name_as_code(name)
                ));
            }
        }
    }
    match call(candidate, UNKNOWN) {
        Err(CallError::UnknownExtension(_)) => ClaimVerdict::passed(if names.is_empty() {
            "it has none".to_owned()
        } else {
            let names: Vec<String> = names.iter().map(|name| name_as_code(name)).collect();
            names.join(", ")
        }),
        Ok(_) | Err(CallError::Failed(_)) => ClaimVerdict::failed(format!(
            "answers the unknown extension `{UNKNOWN}`; return `None` or AGENT2048_UNKNOWN"
        )),
        Err(error) => ClaimVerdict::failed(format!("called an unknown extension: {error}")),
    }
}

fn call(candidate: &Candidate<'_>, name: &str) -> Result<String, CallError> {
    let start = Instant::now();
    let call = ExtensionCall {
        plugin: candidate.plugin.path(),
        name,
        request: "{}".to_owned(),
        memory: Tournament::DEFAULT_MEMORY,
    };
    call.make(|_| ControlFlow::Continue(()), || start.elapsed() > PATIENCE)
}
