//! How a command ended.

use std::process::{Child, Command, Output};

use run::game_record::GameRecord;

/// Exit code and output of a command.
#[derive(Debug)]
pub(crate) struct Finished {
    /// `None` where a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Finished {
    /// Runs a command to its end.
    pub(crate) fn of(command: &mut Command) -> Self {
        Self::from(command.output().expect("the host starts"))
    }

    /// Waits for a command that was started before.
    pub(crate) fn of_started(child: Child) -> Self {
        Self::from(child.wait_with_output().expect("the host ends"))
    }

    #[track_caller]
    pub(crate) fn expect_code(self, code: i32) -> Self {
        assert_eq!(
            self.code,
            Some(code),
            "stdout:\n{}\nstderr:\n{}",
            self.stdout,
            self.stderr
        );
        self
    }

    /// Expects an exit code and a part of stderr, and that nothing panicked.
    #[track_caller]
    pub(crate) fn expect_error(self, code: i32, part: &str) -> Self {
        let finished = self.expect_code(code);
        assert!(
            finished.stderr.contains(part),
            "expected {part:?} in:\n{}",
            finished.stderr
        );
        assert!(
            !finished.stderr.contains("panicked at"),
            "{}",
            finished.stderr
        );
        finished
    }

    /// Expects that a run named the fault of this game when the game ended.
    #[track_caller]
    pub(crate) fn expect_fault_of(&self, record: &GameRecord) {
        let fault = record.fault.as_deref().expect("a fault");
        let beginning = format!("fault: {} on seed {}", record.agent, record.seed);
        let names_it = |line: &str| line.starts_with(&beginning) && line.contains(fault);
        assert!(self.stderr.lines().any(names_it), "{}", self.stderr);
    }
}

impl From<Output> for Finished {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}
