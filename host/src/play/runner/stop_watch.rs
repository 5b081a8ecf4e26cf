//! How long the runner waits for agents in this process after it was asked to stop.
//!
//! A worker is killed when a run stops. An agent inside the host cannot be: it has no further
//! turn, but nothing ends the turn it has. So the run waits a moment, then leaves it.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

/// How long a turn may go on. A person who presses Ctrl-C waits a second at most.
const PATIENCE: Duration = Duration::from_millis(500);

#[derive(Default)]
pub(super) struct StopWatch {
    asked: Option<Instant>,
}

impl StopWatch {
    /// Whether the run was asked to stop, and enough time has passed since.
    pub(super) fn is_patience_over(&mut self, stop: &AtomicBool) -> bool {
        stop.load(Ordering::Relaxed)
            && self.asked.get_or_insert_with(Instant::now).elapsed() >= PATIENCE
    }
}
