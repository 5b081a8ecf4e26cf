//! Claims about extensions: what a plugin can do besides playing.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use super::{candidate::Candidate, verdict::ClaimVerdict};
use crate::{
    agents::extension_call::{CallError, ExtensionCall},
    tournament::Tournament,
};

/// How long an extension may take to answer an empty request.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) fn answers_its_extensions(candidate: &Candidate<'_>) -> ClaimVerdict {
    const UNKNOWN: &str = "no-such-extension/1";
    let names = &candidate.info.extensions;
    for name in names {
        match call(candidate, name) {
            // Rejecting an empty request is allowed.
            Ok(_) => {}
            Err(CallError::Refused(sentence)) if !says_it_is_unknown(&sentence) => {}
            Err(CallError::Refused(_)) => {
                return ClaimVerdict::failed(format!(
                    "declares the extension `{name}`, but answers that it is unknown"
                ));
            }
            Err(error) => {
                return ClaimVerdict::failed(format!(
                    "called `{name}` with an empty request: {error}"
                ));
            }
        }
    }
    match call(candidate, UNKNOWN) {
        Err(CallError::Refused(sentence)) if says_it_is_unknown(&sentence) => {
            ClaimVerdict::passed(if names.is_empty() {
                "it has none".to_owned()
            } else {
                names.join(", ")
            })
        }
        Ok(_) | Err(CallError::Refused(_)) => ClaimVerdict::failed(format!(
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

/// The message with which the host reports an extension that a plugin does not have.
fn says_it_is_unknown(sentence: &str) -> bool {
    sentence.starts_with("the plugin has no extension")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_extension_differs_from_a_rejected_request() {
        let unknown = plugin_api::Failure::UnknownExtension("x/1".to_owned());
        assert!(says_it_is_unknown(&unknown.to_string()));
        let refused = plugin_api::Failure::Refused("the request lacks `size`".to_owned());
        assert!(!says_it_is_unknown(&refused.to_string()));
    }
}
