//! Reports the progress of a search to the host, and receives the request to stop.
//!
//! A message is converted to JSON, so progress is sent ten times per second, however
//! often it is offered; a stop is noticed within the same time.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use plugin_api::solve::{Solution, SolveMessage, SolveProgress};

const INTERVAL: Duration = Duration::from_millis(100);

pub(super) struct Reporter<'a> {
    send: &'a mut dyn FnMut(SolveMessage) -> ControlFlow<()>,
    last_sent: Instant,
    is_stopped: bool,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(send: &'a mut dyn FnMut(SolveMessage) -> ControlFlow<()>) -> Self {
        Self {
            send,
            last_sent: Instant::now(),
            is_stopped: false,
        }
    }

    /// Whether the host has asked to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    pub(super) fn solution(&mut self, solution: Solution) {
        self.send(SolveMessage::Solution(solution));
    }

    /// Sends progress if it is due.
    pub(super) fn progress(&mut self, progress: impl FnOnce() -> SolveProgress) {
        if self.last_sent.elapsed() >= INTERVAL {
            self.send(SolveMessage::Progress(progress()));
            self.last_sent = Instant::now();
        }
    }

    fn send(&mut self, message: SolveMessage) {
        if !self.is_stopped {
            self.is_stopped = (self.send)(message).is_break();
        }
    }
}
