//! Claims about what a plugin can do besides playing.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use super::{
    candidate::{Candidate, MEMORY},
    verdict::Verdict,
};
use crate::extension_call::{CallError, ExtensionCall};

/// How long an extension may think about a request that says nothing.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) fn answers_its_extensions(candidate: &Candidate<'_>) -> Verdict {
    const UNKNOWN: &str = "no-such-extension/1";
    let names = &candidate.info.extensions;
    for name in names {
        match call(candidate, name) {
            // A request without content may well be refused.
            Ok(_) => {}
            Err(CallError::Refused(sentence)) if !says_it_is_unknown(&sentence) => {}
            Err(CallError::Refused(_)) => {
                return Verdict::failed(format!(
                    "names the extension `{name}`, but says that it has none of this name"
                ));
            }
            Err(error) => {
                return Verdict::failed(format!(
                    "asked for `{name}` with an empty request: {error}"
                ));
            }
        }
    }
    match call(candidate, UNKNOWN) {
        Err(CallError::Refused(sentence)) if says_it_is_unknown(&sentence) => {
            Verdict::passed(if names.is_empty() {
                "it has none".to_owned()
            } else {
                names.join(", ")
            })
        }
        Ok(_) | Err(CallError::Refused(_)) => Verdict::failed(format!(
            "answers `{UNKNOWN}`, which does not exist; return `None` or AGENT2048_UNKNOWN"
        )),
        Err(error) => Verdict::failed(format!("asked for an unknown extension: {error}")),
    }
}

fn call(candidate: &Candidate<'_>, name: &str) -> Result<String, CallError> {
    let start = Instant::now();
    let call = ExtensionCall {
        plugin: &candidate.path,
        name,
        request: "{}".to_owned(),
        memory: MEMORY,
    };
    call.make(|_| ControlFlow::Continue(()), || start.elapsed() > PATIENCE)
}

/// The words with which the host reports an extension that a plugin does not know.
fn says_it_is_unknown(sentence: &str) -> bool {
    sentence.starts_with("the plugin has no extension")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_extension_is_told_from_a_refused_request() {
        let unknown = plugin_api::Failure::UnknownExtension("x/1".to_owned());
        assert!(says_it_is_unknown(&unknown.to_string()));
        let refused = plugin_api::Failure::Refused("the request lacks `size`".to_owned());
        assert!(!says_it_is_unknown(&refused.to_string()));
    }
}
