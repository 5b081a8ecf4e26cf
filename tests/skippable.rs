//! Tests that need a program which may be missing: each is then counted as ignored and
//! names what to install.
//!
//! The standard harness cannot ignore a test at run time. `libtest-mimic` can, and it
//! understands the same arguments.

use std::{
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError},
};

use libtest_mimic::{Arguments, Completion, Trial};

/// What the tests of one program share.
pub(crate) struct Stage<S> {
    /// What is missing on this machine, if anything.
    pub(crate) missing: Option<String>,
    /// What else is missing for the test of this name.
    pub(crate) missing_for: fn(&str) -> Option<String>,
    /// Starts what the tests need. Called once, by the first test; a failure fails the
    /// tests.
    pub(crate) start: fn() -> Result<S, String>,
}

/// Runs the tests that the command line names, one after the other.
pub(crate) fn run<S, T>(stage: Stage<S>, tests: Vec<(&'static str, T)>, test: fn(&S, T)) -> ExitCode
where
    S: Send + 'static,
    T: Send + 'static,
{
    let mut arguments = Arguments::from_args();
    // They share one browser or one cluster.
    arguments.test_threads = Some(1);
    let stage = Arc::new((stage, Mutex::new(None)));
    let trials = tests.into_iter().map(|(name, content)| {
        let stage = Arc::clone(&stage);
        Trial::ignorable_test(name, move || {
            let (stage, started) = &*stage;
            let missing = stage.missing.clone();
            if let Some(reason) = missing.or_else(|| (stage.missing_for)(name)) {
                return Ok(Completion::ignored_with(reason));
            }
            // A test that failed while it held the lock leaves the stage usable.
            let mut started = started.lock().unwrap_or_else(PoisonError::into_inner);
            let started = started.get_or_insert_with(stage.start).as_ref()?;
            test(started, content);
            Ok(Completion::Completed)
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}
