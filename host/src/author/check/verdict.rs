//! The result of testing a claim.

use crate::play::player::{Fault, PlayerError};

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
pub(super) type ClaimResult = Result<ClaimVerdict, PlayerError>;

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
        const LONGEST: usize = 200;
        let mut detail = fault.sentence.clone();
        if let Some(line) = fault
            .stderr_tail
            .lines()
            .rfind(|line| !line.trim().is_empty())
        {
            let line: String = line.trim().chars().take(LONGEST).collect();
            detail = format!("{detail}; its last output was: {line}");
        }
        Self::failed(detail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::game_record::Ending;

    #[test]
    fn a_fault_shows_the_last_line_that_was_printed() {
        let fault = Fault {
            stderr_tail: "one\nterminate called\n\n".to_owned(),
            ..Fault::new(Ending::Crash, "aborted: SIGABRT")
        };
        assert_eq!(
            ClaimVerdict::from_fault(&fault),
            ClaimVerdict::failed("aborted: SIGABRT; its last output was: terminate called")
        );
    }
}
