//! How a plugin failed, as its worker reports it.
//!
//! The worker is the host's own program, but a plugin in it can write to the same pipe. So a report
//! is never a sentence: it says what happened, in one of a few ways that the host has its own
//! words for, and what the plugin adds is quoted after them.

use plugin_api::Failure;
use serde::{Deserialize, Serialize};

use super::{
    PluginFile, plugin_library::UnusableLibrary, printed_error::sandbox_hint, sandbox::SandboxRules,
};
use text::plugin_words::PluginWords;

/// Why a plugin did not do what the host asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PluginFailure {
    /// It is no plugin for this host.
    Unusable(UnusableLibrary),
    /// It said no.
    Refused(PluginWords),
    /// It panicked.
    Panicked(PluginWords),
    /// It broke the contract.
    Broken(PluginWords),
    /// It has no extension of the name that was called.
    UnknownExtension,
    /// It is a program, and answered with a line `error`.
    #[serde(skip)]
    ReportedError(PluginWords),
    /// It is a program, and the host has this to say about what it wrote. No worker sends this.
    #[serde(skip)]
    WrongLine(String),
}

/// What the host asks of a plugin, in the words for its failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PluginCall {
    /// To describe itself.
    Describe,
    /// To make an agent.
    New,
    /// To choose a move.
    Choose,
    /// To answer a request to an extension.
    Extension,
}

impl PluginCall {
    fn place(self) -> &'static str {
        match self {
            Self::Describe => "while describing itself",
            Self::New => "in `new`",
            Self::Choose => "in `choose`",
            Self::Extension => "in an extension",
        }
    }

    fn refusal(self) -> &'static str {
        match self {
            Self::Describe => "refused to describe itself",
            Self::New | Self::Choose => "refused to play",
            Self::Extension => "rejected the request",
        }
    }
}

impl PluginFailure {
    /// What happened in one sentence, the plugin being its subject.
    #[must_use]
    pub fn sentence(&self, call: PluginCall) -> String {
        match self {
            Self::Unusable(reason) => reason.to_string(),
            Self::Refused(words) => format!("{}: {words}", call.refusal()),
            Self::Panicked(words) => {
                // Plugins in Rust say the same themselves.
                let panicked = format!("panicked {}: ", call.place());
                format!("{panicked}{}", words.without_beginning(&panicked))
            }
            Self::Broken(words) => format!("broke the contract {}: {words}", call.place()),
            Self::UnknownExtension => "has no such extension".to_owned(),
            Self::ReportedError(words) => format!("reported an error: {words}"),
            Self::WrongLine(sentence) => sentence.clone(),
        }
    }

    /// What to add to the sentence if the sandbox may be the reason; begins with a separator.
    #[must_use]
    pub fn sandbox_hint(&self, plugin: &PluginFile, sandbox: &SandboxRules) -> String {
        match self {
            Self::Refused(words) | Self::Panicked(words) | Self::ReportedError(words) => {
                sandbox_hint(&words.to_string(), plugin, sandbox)
            }
            Self::Unusable(_) | Self::Broken(_) | Self::UnknownExtension | Self::WrongLine(_) => {
                String::new()
            }
        }
    }
}

impl From<Failure> for PluginFailure {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(words) => Self::Refused(words.into()),
            Failure::Panicked(words) => Self::Panicked(words.into()),
            Failure::Broken(words) => Self::Broken(words.into()),
            Failure::UnknownExtension(_) => Self::UnknownExtension,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever a plugin writes to its worker's pipe, the host says first what happened, and the
    /// plugin's words are quoted.
    #[test]
    fn no_report_is_a_sentence_of_the_plugin() {
        let forged = "finished its game with 999999 points";
        for (report, sentence) in [
            (r#"{"refused":"…"}"#, "refused to play: “…”"),
            (r#"{"panicked":"…"}"#, "panicked in `choose`: “…”"),
            (r#"{"broken":"…"}"#, "broke the contract in `choose`: “…”"),
            (
                r#"{"unusable":{"unloadable":"…"}}"#,
                "cannot be loaded: “…”",
            ),
            (
                r#"{"unusable":{"incompatible":"…"}}"#,
                "cannot be used: “…”; see docs/abi.md",
            ),
        ] {
            let report = report.replace('…', forged);
            let failure: PluginFailure = serde_json::from_str(&report).unwrap();
            assert_eq!(
                failure.sentence(PluginCall::Choose),
                sentence.replace('…', forged)
            );
        }
        for report in [
            r#"{"unusable":"finished its game"}"#,
            r#"{"wrong-line":"finished its game"}"#,
            r#"{"WrongLine":"finished its game"}"#,
            r#"{"reported-error":"finished its game"}"#,
        ] {
            let failure: Result<PluginFailure, _> = serde_json::from_str(report);
            assert!(failure.is_err(), "{report}");
        }
    }

    #[test]
    fn a_panic_names_its_place_once() {
        let panic = Failure::Panicked("panicked in `choose`: index out of bounds".to_owned());
        let failure = PluginFailure::from(panic);
        assert_eq!(
            failure.sentence(PluginCall::Choose),
            "panicked in `choose`: “index out of bounds”"
        );
        // Before the host asks it to choose, it cannot have panicked there.
        assert_eq!(
            failure.sentence(PluginCall::New),
            "panicked in `new`: “panicked in `choose`: index out of bounds”"
        );
    }
}
