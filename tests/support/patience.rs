//! Patience with a busy machine: waiting for events, with a bound that only a hanging
//! program reaches, and repeating what noise can spoil.
//!
//! No verdict depends on how fast the machine is: a test waits for an event, and gives
//! up only after minutes.

use std::{
    thread,
    time::{Duration, Instant},
};

/// After this time a program counts as hanging, on a busy machine too.
pub(crate) const PATIENCE: Duration = Duration::from_mins(5);

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
        thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

/// For games that are judged by CPU time, where a busy machine charges microseconds too much
/// or too little and delivers signals late. Noise spoils a game now and then; what is wrong
/// is wrong in all three.
#[track_caller]
pub(crate) fn holds_in_one_of_three(mut game: impl FnMut() -> Result<(), String>) {
    let mut failures = Vec::new();
    for _ in 0..3 {
        match game() {
            Ok(()) => return,
            Err(failure) => failures.push(failure),
        }
    }
    panic!("in none of three games: {failures:#?}");
}
