//! What a worker writes: its answers, and what it prints.

use std::{
    fs::File,
    io::{self, Read},
    os::fd::AsFd,
    time::Duration,
};

use nix::{
    fcntl::{FcntlArg, OFlag, fcntl},
    poll::{PollFd, PollFlags, ppoll},
};

use super::read_alarm;
use crate::stderr_tail::StderrTail;

/// How much of what a worker prints the pipe holds.
const STDERR_ROOM: i32 = 1 << 20;
/// How much of what a worker prints is taken at once.
const STDERR_PIECE: usize = 1 << 13;
/// Every so many turns the host looks whether the worker prints something.
const LOOK_FOR_PRINTS_EVERY: u32 = 16;

/// The host's ends of the two pipes.
pub(super) struct WorkerOutput {
    answers: File,
    prints: Option<File>,
    tail: StderrTail,
    /// Whether somebody wants to see at once what is printed, or it prints at all: then
    /// both pipes are watched.
    is_watched: bool,
    /// Questions so far.
    n_asked: u32,
    /// Whether the host has not waited for the answer to the last question yet.
    is_fresh: bool,
}

impl WorkerOutput {
    /// The two pipes; `label` begins every printed line, if people see them.
    pub(super) fn new(answers: File, prints: File, label: Option<&str>) -> io::Result<Self> {
        fcntl(&prints, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        // An agent that prints much must not wait for a host that has no core. Where the
        // system grants no more room, the pipe stays as it is.
        let _ = fcntl(&prints, FcntlArg::F_SETPIPE_SZ(STDERR_ROOM));
        Ok(Self {
            answers,
            prints: Some(prints),
            tail: StderrTail::shown_as(label),
            is_watched: label.is_some(),
            n_asked: 0,
            is_fresh: false,
        })
    }

    /// The worker was asked something.
    pub(super) fn expect_answer(&mut self) {
        self.n_asked = self.n_asked.wrapping_add(1);
        self.is_fresh = true;
    }

    /// A part of the answer has come, and the rest of it is on its way.
    pub(super) fn expect_rest(&mut self) {
        self.is_fresh = true;
    }

    /// Waits for an answer for no longer than this and reads it; nothing if none has come.
    /// An answer of no bytes is the end of the pipe.
    ///
    /// # Errors
    /// When the pipe cannot be read.
    pub(super) fn read_within(
        &mut self,
        limit: Duration,
        buffer: &mut [u8],
    ) -> io::Result<Option<usize>> {
        if self.may_wait_in_read(limit) {
            return match self.answers.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
                result => result.map(Some),
            };
        }
        if !self.wait(limit) {
            return Ok(None);
        }
        // There is something, and nobody else reads it: this does not wait.
        match self.answers.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
            result => result.map(Some),
        }
    }

    /// Once per question, and while a look at the worker is not due before the alarm: what
    /// comes next is watched closely.
    fn may_wait_in_read(&mut self, limit: Duration) -> bool {
        let is_fresh = std::mem::take(&mut self.is_fresh);
        is_fresh
            && !self.is_watched
            && !self.n_asked.is_multiple_of(LOOK_FOR_PRINTS_EVERY)
            && limit > read_alarm::PERIOD
            && read_alarm::set()
    }

    /// Waits until there is an answer, and says whether there is. Meanwhile takes what the
    /// worker prints.
    pub(super) fn wait(&mut self, limit: Duration) -> bool {
        let prints = self.prints.as_ref();
        let mut streams = [&self.answers, prints.unwrap_or(&self.answers)]
            .map(|stream| PollFd::new(stream.as_fd(), PollFlags::POLLIN));
        let n_streams = if prints.is_some() { 2 } else { 1 };
        // An interrupted wait is one in which nothing came.
        let _ = ppoll(&mut streams[..n_streams], Some(limit.into()), None);
        let [has_answer, has_print] = streams.map(|stream| stream.any().unwrap_or(false));
        if n_streams == 2 && has_print {
            self.drain_prints();
        }
        has_answer
    }

    /// Takes a bounded piece of what the worker prints, so that an endless printer does not
    /// hold the host; says whether there was any.
    pub(super) fn drain_prints(&mut self) -> bool {
        let Some(prints) = &mut self.prints else {
            return false;
        };
        let mut buffer = [0; STDERR_PIECE];
        match prints.read(&mut buffer) {
            Ok(0) => {
                self.prints = None;
                false
            }
            Ok(n_read) => {
                self.is_watched = true;
                self.tail.push(&buffer[..n_read]);
                true
            }
            Err(_) => false,
        }
    }

    /// The last lines that the worker has printed.
    pub(super) fn printed_tail(&mut self) -> String {
        // What a pipe holds at most; an endless printer is cut off there.
        const PIECES: usize = STDERR_ROOM as usize / STDERR_PIECE + 1;
        for _ in 0..PIECES {
            if !self.drain_prints() {
                break;
            }
        }
        self.tail.text()
    }
}

impl Drop for WorkerOutput {
    fn drop(&mut self) {
        read_alarm::unset();
    }
}
