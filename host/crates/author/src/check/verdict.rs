//! The result of testing a claim.

use play::player::{Fault, NoMove};
use text::plugin_words::PluginWords;
use worker::telling_line;

/// Whether a claim passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimOutcome {
    Passed,
    /// The plugin breaks the contract or would harm a tournament.
    Failed,
    /// The plugin plays, but may surprise its users.
    Warned,
    /// The claim could not be tested or does not apply.
    Skipped,
}

impl ClaimOutcome {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Warned => "warned",
            Self::Skipped => "skipped",
        }
    }
}

/// An outcome and a detail; the plugin is the subject of the detail.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ClaimVerdict {
    pub outcome: ClaimOutcome,
    pub detail: String,
}

/// The verdict of a test that plays. A fault of the agent becomes a failure.
pub(super) type ClaimResult = Result<ClaimVerdict, NoMove>;

impl ClaimVerdict {
    pub(super) fn passed(detail: impl Into<String>) -> Self {
        Self::new(ClaimOutcome::Passed, detail)
    }

    pub(super) fn failed(detail: impl Into<String>) -> Self {
        Self::new(ClaimOutcome::Failed, detail)
    }

    pub(super) fn warned(detail: impl Into<String>) -> Self {
        Self::new(ClaimOutcome::Warned, detail)
    }

    pub(super) fn skipped(detail: impl Into<String>) -> Self {
        Self::new(ClaimOutcome::Skipped, detail)
    }

    fn new(outcome: ClaimOutcome, detail: impl Into<String>) -> Self {
        Self {
            outcome,
            detail: detail.into(),
        }
    }

    /// The verdict on an agent that caused a fault, with the last line that it printed.
    pub(super) fn from_fault(fault: &Fault) -> Self {
        const MOST_CHARACTERS: usize = 200;
        let mut detail = fault.sentence.clone();
        let line =
            telling_line(&fault.stderr_tail).map(|line| PluginWords::cut(line, MOST_CHARACTERS));
        if let Some(line) = line.filter(|line| !line.are_in(&detail)) {
            detail = format!("{detail}; its last output was: {line}");
        }
        Self::failed(detail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use run::game_record::Ending;

    #[test]
    fn a_fault_shows_the_last_line_that_tells_something_new() {
        let verdict = |sentence: &str, stderr: &str| {
            ClaimVerdict::from_fault(&Fault {
                stderr_tail: stderr.to_owned(),
                ..Fault::new(Ending::Crash, sentence)
            })
        };
        assert_eq!(
            verdict("aborted: SIGABRT", "one\ndouble free\n\n"),
            ClaimVerdict::failed("aborted: SIGABRT; its last output was: “double free”")
        );
        let panic = "thread 'main' panicked at src/lib.rs:7:5:\nout of ideas\n\
                     note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n";
        assert_eq!(
            verdict("panicked in `choose`: out of ideas", panic),
            ClaimVerdict::failed("panicked in `choose`: out of ideas")
        );
    }
}
