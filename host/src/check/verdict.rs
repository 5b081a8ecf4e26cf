//! What became of a claim.

use crate::player::Fault;

/// How a claim came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Passed,
    /// A tournament would suffer from it, or the contract is broken.
    Failed,
    /// It plays, but somebody will be surprised.
    Warned,
    /// It could not be tried, or does not apply.
    Skipped,
}

impl Outcome {
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

/// An outcome and a sentence about it; the plugin is its subject.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Verdict {
    pub outcome: Outcome,
    pub detail: String,
}

impl Verdict {
    pub(super) fn passed(detail: impl Into<String>) -> Self {
        Self::new(Outcome::Passed, detail)
    }

    pub(super) fn failed(detail: impl Into<String>) -> Self {
        Self::new(Outcome::Failed, detail)
    }

    pub(super) fn warned(detail: impl Into<String>) -> Self {
        Self::new(Outcome::Warned, detail)
    }

    pub(super) fn skipped(detail: impl Into<String>) -> Self {
        Self::new(Outcome::Skipped, detail)
    }

    fn new(outcome: Outcome, detail: impl Into<String>) -> Self {
        Self {
            outcome,
            detail: detail.into(),
        }
    }

    /// The verdict on an agent that did something wrong, with its last line.
    pub(super) fn from_fault(fault: &Fault) -> Self {
        const LONGEST: usize = 200;
        let mut detail = fault.sentence.clone();
        if let Some(line) = fault
            .last_words
            .lines()
            .rfind(|line| !line.trim().is_empty())
        {
            let line: String = line.trim().chars().take(LONGEST).collect();
            detail = format!("{detail}; the last it printed: {line}");
        }
        Self::failed(detail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_record::Ending;

    #[test]
    fn a_fault_shows_the_last_line_that_was_printed() {
        let fault = Fault {
            last_words: "one\nterminate called\n\n".to_owned(),
            ..Fault::new(Ending::Crash, "aborted: SIGABRT")
        };
        assert_eq!(
            Verdict::from_fault(&fault),
            Verdict::failed("aborted: SIGABRT; the last it printed: terminate called")
        );
    }
}
