//! Patience with a busy machine: waiting for events, with a bound that only a hanging
//! program reaches.
//!
//! No verdict depends on how fast the machine is: a test waits for an event, and gives
//! up only after minutes.

use std::{
    thread,
    time::{Duration, Instant},
};

/// After this time a program counts as hanging, on a busy machine too.
pub(crate) const PATIENCE: Duration = Duration::from_mins(5);

/// How often a test looks whether something has happened.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Waits until something is true; panics if it does not happen.
#[track_caller]
pub(crate) fn wait_until(what: &str, is_so: impl FnMut() -> bool) {
    if let Err(error) = try_wait_until(what, is_so) {
        panic!("{error}");
    }
}

/// Waits until something is true, or says that it did not happen.
pub(crate) fn try_wait_until(what: &str, mut is_so: impl FnMut() -> bool) -> Result<(), String> {
    let start = Instant::now();
    while !is_so() {
        if start.elapsed() > PATIENCE {
            return Err(format!("waited {PATIENCE:?} for {what}"));
        }
        thread::sleep(LOOK_EVERY);
    }
    Ok(())
}
