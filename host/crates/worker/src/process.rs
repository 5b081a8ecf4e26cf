//! The host's side of a worker: start, ask with a limit, kill and reap.

mod read_alarm;
mod worker_output;

use std::{
    fs::File,
    hash::{BuildHasher, RandomState},
    io::{self, Write},
    os::fd::AsFd,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use nix::{
    errno::Errno,
    fcntl::{FcntlArg, OFlag, fcntl},
    poll::{PollFd, PollFlags, ppoll},
    sys::{
        signal::{Signal, kill, killpg},
        wait::waitpid,
    },
    time::{ClockId, clock_getcpuclockid, clock_gettime},
    unistd::Pid,
};

use super::{
    live_workers::LiveWorker,
    lost::Lost,
    patience::{Look, Patience},
    protocol::{IncomingReply, LONGEST_TEXT, REQUEST_SIZE, Task, TurnReply, WorkerReport},
    worker_start::{launch, spawn},
    worker_state::{self, WorkerState},
};
use worker_output::WorkerOutput;

/// How long the host waits at a stretch before it looks whether it should stop.
const LONGEST_WAIT: Duration = Duration::from_millis(100);
/// How long a worker whose pipe has closed may take to be gone.
const DEATH_THROES: Duration = Duration::from_millis(500);

/// How a worker is started.
#[derive(Clone, Copy, Debug, Default)]
pub struct WorkerOptions<'a> {
    /// The core it is bound to.
    pub core: Option<usize>,
    /// What begins every line that the agent prints, if people see them.
    pub stderr_label: Option<&'a str>,
    /// Set when the run is to stop.
    pub stop: Option<&'a AtomicBool>,
    /// A program that is started as the worker; without it the launcher starts one.
    pub program: Option<&'a Path>,
}

/// A running worker. Dropping it kills its whole process group and reaps it.
pub struct WorkerProcess<'a> {
    /// The process that holds the agent, a child of this one.
    pid: Pid,
    live: LiveWorker,
    input: File,
    output: WorkerOutput,
    is_reaped: bool,
    cpu_clock: ClockId,
    token_keys: RandomState,
    n_tokens: u64,
    options: WorkerOptions<'a>,
}

impl<'a> WorkerProcess<'a> {
    /// Starts a worker and tells it its task.
    ///
    /// # Errors
    /// When the system cannot start another process.
    pub fn start(task: &Task, options: WorkerOptions<'a>) -> io::Result<Self> {
        let started = match options.program {
            Some(program) => spawn(program, options.core),
            None => launch(task, options.core),
        };
        if started
            .as_ref()
            .is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
        {
            LiveWorker::end_the_one_with_most_threads();
        }
        let (pid, [input, output, stderr]) = started?;
        let live = LiveWorker::new(pid);
        fcntl(&input, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        let mut worker = Self {
            cpu_clock: clock_getcpuclockid(pid)?,
            pid,
            live,
            input,
            output: WorkerOutput::new(output, stderr, options.stderr_label)?,
            is_reaped: false,
            token_keys: RandomState::new(),
            n_tokens: 0,
            options,
        };
        let text = serde_json::to_vec(&Task {
            plugin: task.plugin.with_memory(),
            ..task.clone()
        })?;
        let length = u32::try_from(text.len()).map_err(io::Error::other)?;
        // A worker that died already is found out by whoever waits for its report.
        let _ = worker.write(&[length.to_le_bytes().as_slice(), &text].concat());
        Ok(worker)
    }

    /// Waits for what the worker says in JSON.
    ///
    /// # Errors
    /// When it says nothing sensible in time.
    pub fn report(&mut self, patience: &mut Patience) -> Result<WorkerReport, Lost> {
        let mut length = [0; 4];
        self.read(&mut length, &mut 0, patience)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > LONGEST_TEXT {
            return Err(Lost::Garbage);
        }
        self.output.expect_rest();
        // The length is the worker's word: the room for it grows with what comes.
        let mut text = Vec::new();
        while text.len() < length {
            let start = text.len();
            text.resize(length.min(start + (1 << 16)), 0);
            self.read(&mut text[start..], &mut 0, patience)?;
        }
        serde_json::from_slice(&text).map_err(|_| Lost::Garbage)
    }

    /// Waits for a while, and says whether the worker has said something.
    ///
    /// # Errors
    /// When the run is to stop.
    pub fn has_output_within(&mut self, limit: Duration) -> Result<bool, Lost> {
        if self.is_to_stop() {
            return Err(Lost::Stopped);
        }
        Ok(self.output.wait(limit.min(LONGEST_WAIT)))
    }

    /// A number for a turn that nobody can know before the turn has come.
    #[must_use]
    pub fn new_token(&mut self) -> u64 {
        self.n_tokens += 1;
        self.token_keys.hash_one(self.n_tokens)
    }

    /// Sends a turn, or another frame of its size.
    ///
    /// # Errors
    /// When the worker is gone.
    pub fn send(&mut self, frame: &[u8; REQUEST_SIZE]) -> Result<(), Lost> {
        self.write(frame).map_err(|_| self.death())
    }

    /// Waits for the reply to a turn; what has come before an error stays in `incoming`.
    ///
    /// # Errors
    /// When the worker's time is up, it is gone, or this is not a reply to that turn.
    pub fn receive(
        &mut self,
        token: u64,
        incoming: &mut IncomingReply,
        patience: &mut Patience,
    ) -> Result<TurnReply, Lost> {
        self.read(&mut incoming.bytes, &mut incoming.n_read, patience)?;
        let reply = TurnReply::decode(&incoming.bytes).filter(|reply| reply.token == token);
        reply.ok_or(Lost::Garbage)
    }

    /// Tells an extension to end with what is known.
    pub fn stop_extension(&mut self) {
        // A worker that is gone is found out by whoever waits for its report.
        let _ = self.write(&[1]);
    }

    /// The CPU time of the whole worker, all threads together, read from outside.
    #[must_use]
    pub fn cpu_time(&self) -> Duration {
        // The clock is there until the worker is reaped; what it showed then is lost.
        clock_gettime(self.cpu_clock).map_or(Duration::ZERO, Duration::from)
    }

    /// Whether one of its threads runs or waits for a core.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        worker_state::state(self.pid) == WorkerState::Busy
    }

    /// How many threads it has.
    #[must_use]
    pub fn n_threads(&self) -> Option<u64> {
        worker_state::n_threads(self.pid)
    }

    /// How much memory it holds, in bytes.
    #[must_use]
    pub fn resident_memory(&self) -> Option<u64> {
        worker_state::resident_memory(self.pid)
    }

    /// The last lines of its standard error output.
    pub fn stderr_tail(&mut self) -> String {
        self.output.printed_tail()
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.output.expect_answer();
        let mut rest = bytes;
        while !rest.is_empty() {
            match self.input.write(rest) {
                Ok(n_written) => rest = &rest[n_written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    // Only a long task fills the pipe of a worker that reads slowly.
                    let mut ready = [PollFd::new(self.input.as_fd(), PollFlags::POLLOUT)];
                    match ppoll(&mut ready, Some(Duration::from_secs(10).into()), None) {
                        Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
                        // The alarm of a read ends other calls too.
                        Ok(_) | Err(Errno::EINTR) => {}
                        Err(error) => return Err(error.into()),
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// How many bytes that were written to it the worker has not read.
    pub(super) fn n_unread(&self) -> usize {
        rustix::io::ioctl_fionread(&self.input)
            .ok()
            .and_then(|n_unread| usize::try_from(n_unread).ok())
            .unwrap_or(0)
    }

    /// Writes what fits, without waiting; whether it arrives does not matter.
    pub(super) fn write_now(&mut self, bytes: &[u8]) {
        let _ = self.input.write(bytes);
    }

    /// Fills the buffer from a position on, and meanwhile takes what the worker prints.
    fn read(
        &mut self,
        buffer: &mut [u8],
        n_read: &mut usize,
        patience: &mut Patience,
    ) -> Result<(), Lost> {
        while *n_read < buffer.len() {
            let (n_more, look) = self.read_some(&mut buffer[*n_read..], patience)?;
            *n_read += n_more;
            if let Some(look) = look
                && *n_read < buffer.len()
            {
                patience.judge(look)?;
            }
        }
        Ok(())
    }

    /// Waits for a while and reads what there is; with it comes what was seen of the worker
    /// if a look was due.
    pub(super) fn read_some(
        &mut self,
        buffer: &mut [u8],
        patience: &Patience,
    ) -> Result<(usize, Option<Look>), Lost> {
        // First the look, then the pipe, then the verdict: a worker that has answered
        // while the host itself waited for a core waits as well, and looks asleep.
        let (limit, look) = match patience.until_next_look() {
            Some(left) => (left.min(LONGEST_WAIT), None),
            None => (
                Duration::ZERO,
                Some(Look {
                    at: Instant::now(),
                    cpu: self.cpu_time(),
                    state: worker_state::state(self.pid),
                }),
            ),
        };
        if look.is_none() && self.is_to_stop() {
            return Err(Lost::Stopped);
        }
        Ok((self.read_within(limit, buffer)?, look))
    }

    /// Reads what there is, without waiting.
    pub(super) fn read_now(&mut self, buffer: &mut [u8]) -> Result<usize, Lost> {
        self.read_within(Duration::ZERO, buffer)
    }

    fn read_within(&mut self, limit: Duration, buffer: &mut [u8]) -> Result<usize, Lost> {
        match self.output.read_within(limit, buffer) {
            Ok(None) => Ok(0),
            Ok(Some(n_read)) if n_read > 0 => Ok(n_read),
            Ok(Some(_)) | Err(_) => Err(self.death()),
        }
    }

    fn is_to_stop(&self) -> bool {
        let stop = self.options.stop;
        stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Says how the worker ended, after its pipe was found closed.
    pub(super) fn death(&mut self) -> Lost {
        let deadline = Instant::now() + DEATH_THROES;
        loop {
            self.output.drain_prints();
            match self.live.reap() {
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Ok(None) | Err(_) => {
                    return Lost::Died("closed its connection to the host".to_owned());
                }
                Ok(Some(lost)) => {
                    self.is_reaped = true;
                    return lost;
                }
            }
        }
    }
}

impl Drop for WorkerProcess<'_> {
    fn drop(&mut self) {
        self.live.forget();
        // SIGKILL cannot be caught; the group catches what the worker started.
        let _ = killpg(self.pid, Signal::SIGKILL);
        // Once it is reaped, its number may be that of another process.
        if !self.is_reaped {
            let _ = kill(self.pid, Signal::SIGKILL);
            while waitpid(self.pid, None) == Err(Errno::EINTR) {}
        }
    }
}
