//! The host's side of a worker: start, ask with a limit, kill and reap.

use std::{
    fs::File,
    io::{self, Read, Write},
    os::{
        fd::{AsFd, OwnedFd},
        unix::process::CommandExt,
    },
    path::Path,
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use nix::{
    fcntl::{FcntlArg, OFlag, fcntl},
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sched::{CpuSet, sched_setaffinity},
    sys::{
        signal::{Signal, kill, killpg},
        wait::{WaitPidFlag, WaitStatus, waitpid},
    },
    time::{ClockId, clock_getcpuclockid, clock_gettime},
    unistd::Pid,
};

use super::{
    launcher,
    lost::Lost,
    protocol::{LONGEST_TEXT, REPLY_SIZE, REQUEST_SIZE, Task, TurnReply, WorkerReport},
    stderr_tail::StderrTail,
};

/// How long the host waits at a stretch before it looks whether it should stop.
const PATIENCE: Duration = Duration::from_millis(100);
/// How long a worker whose pipe has closed may take to be gone.
const DEATH_THROES: Duration = Duration::from_millis(500);
/// How much of what a worker prints is taken at once.
const STDERR_PIECE: usize = 1 << 13;

/// How a worker is started.
#[derive(Clone, Copy, Debug, Default)]
pub struct WorkerOptions<'a> {
    /// The core it is bound to.
    pub core: Option<usize>,
    /// Whether people see what the agent prints.
    pub show_stderr: bool,
    /// Set when the run is to stop.
    pub stop: Option<&'a AtomicBool>,
    /// A program that is started as the worker; without it the launcher starts one.
    pub program: Option<&'a Path>,
}

/// A running worker. Dropping it kills its whole process group and reaps it.
pub struct WorkerProcess<'a> {
    /// The process that holds the agent, a child of this one.
    pid: Pid,
    input: File,
    output: File,
    stderr: Option<File>,
    is_reaped: bool,
    stderr_tail: StderrTail,
    cpu_clock: Option<ClockId>,
    options: WorkerOptions<'a>,
}

impl<'a> WorkerProcess<'a> {
    /// Starts a worker and tells it its task.
    ///
    /// # Errors
    /// When the system cannot start another process.
    pub fn start(task: &Task, options: WorkerOptions<'a>) -> io::Result<Self> {
        let (pid, [input, output, stderr]) = match options.program {
            Some(program) => spawn(program)?,
            None => launch(task)?,
        };
        for stream in [&input, &output, &stderr] {
            fcntl(stream, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        }
        let mut worker = Self {
            cpu_clock: clock_getcpuclockid(pid).ok(),
            pid,
            input,
            output,
            stderr: Some(stderr),
            is_reaped: false,
            stderr_tail: StderrTail::default(),
            options,
        };
        worker.pin();
        let text = serde_json::to_vec(task)?;
        let length = u32::try_from(text.len()).map_err(io::Error::other)?;
        // A worker that died already is found out by whoever waits for its report.
        let _ = worker.write(&[length.to_le_bytes().as_slice(), &text].concat());
        Ok(worker)
    }

    fn pin(&self) {
        let Some(core) = self.options.core else {
            return;
        };
        let mut cores = CpuSet::new();
        // A machine that does not let us choose the core runs the game all the same.
        let _ = cores
            .set(core)
            .and_then(|()| sched_setaffinity(self.pid, &cores));
    }

    /// Waits for what the worker says in JSON.
    ///
    /// # Errors
    /// When it says nothing sensible in time.
    pub fn report(&mut self, limit: Duration) -> Result<WorkerReport, Lost> {
        let deadline = Instant::now() + limit;
        let mut length = [0; 4];
        self.read(&mut length, deadline)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > LONGEST_TEXT {
            return Err(Lost::Garbage);
        }
        // The length is the worker's word: the room for it grows with what comes.
        let mut text = Vec::new();
        while text.len() < length {
            let start = text.len();
            text.resize(length.min(start + (1 << 16)), 0);
            self.read(&mut text[start..], deadline)?;
        }
        serde_json::from_slice(&text).map_err(|_| Lost::Garbage)
    }

    /// Waits until the worker has said something.
    ///
    /// # Errors
    /// When it has not within the limit, or never will.
    pub fn wait_for_output(&mut self, limit: Duration) -> Result<(), Lost> {
        self.wait(Instant::now() + limit)
    }

    /// Sends a turn and waits for the reply.
    ///
    /// # Errors
    /// When none comes in time.
    pub fn ask(&mut self, turn: &[u8; REQUEST_SIZE], limit: Duration) -> Result<TurnReply, Lost> {
        let deadline = Instant::now() + limit;
        self.write(turn).map_err(|_| self.death())?;
        let mut reply = [0; REPLY_SIZE];
        self.read(&mut reply, deadline)?;
        TurnReply::decode(&reply).ok_or(Lost::Garbage)
    }

    /// Tells an extension to end with what is known.
    pub fn stop_extension(&mut self) {
        // A worker that is gone is found out by whoever waits for its report.
        let _ = self.write(&[1]);
    }

    /// The CPU time of the whole worker, read from outside.
    #[must_use]
    pub fn cpu_time(&self) -> Option<Duration> {
        let time = clock_gettime(self.cpu_clock?).ok()?;
        Some(time.into())
    }

    /// How many threads it has.
    #[must_use]
    pub fn n_threads(&self) -> Option<u64> {
        let folder = std::fs::read_dir(format!("/proc/{}/task", self.pid)).ok()?;
        u64::try_from(folder.count()).ok()
    }

    /// How much memory it holds, in bytes.
    #[must_use]
    pub fn resident_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid)).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kibibytes * 1024)
    }

    /// The last lines of its standard error output.
    pub fn stderr_tail(&mut self) -> String {
        // What a pipe holds at most; an endless printer is cut off there.
        const PIECES: usize = (1 << 17) / STDERR_PIECE;
        for _ in 0..PIECES {
            if !self.drain_stderr() {
                break;
            }
        }
        self.stderr_tail.text()
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut rest = bytes;
        while !rest.is_empty() {
            match self.input.write(rest) {
                Ok(n_written) => rest = &rest[n_written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    // Only a long task fills the pipe of a worker that reads slowly.
                    let mut ready = [PollFd::new(self.input.as_fd(), PollFlags::POLLOUT)];
                    if poll(&mut ready, timeout(Duration::from_secs(10)))? == 0 {
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Fills the buffer, by a deadline, and meanwhile takes what the worker prints.
    fn read(&mut self, buffer: &mut [u8], deadline: Instant) -> Result<(), Lost> {
        let mut n_read = 0;
        while n_read < buffer.len() {
            self.wait(deadline)?;
            match self.output.read(&mut buffer[n_read..]) {
                Ok(0) => return Err(self.death()),
                Ok(n_more) => n_read += n_more,
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                    ) => {}
                Err(_) => return Err(self.death()),
            }
        }
        Ok(())
    }

    /// Waits until there is something to read.
    fn wait(&mut self, deadline: Instant) -> Result<(), Lost> {
        loop {
            if self
                .options
                .stop
                .is_some_and(|stop| stop.load(Ordering::Relaxed))
            {
                return Err(Lost::Stopped);
            }
            let left = deadline
                .checked_duration_since(Instant::now())
                .ok_or(Lost::Silent)?;
            let (has_output, has_stderr) = self.poll(left.min(PATIENCE));
            if has_stderr {
                self.drain_stderr();
            }
            if has_output {
                return Ok(());
            }
        }
    }

    /// Which of output and standard error have something to read.
    fn poll(&self, limit: Duration) -> (bool, bool) {
        let mut streams = vec![PollFd::new(self.output.as_fd(), PollFlags::POLLIN)];
        streams.extend(
            self.stderr
                .as_ref()
                .map(|stderr| PollFd::new(stderr.as_fd(), PollFlags::POLLIN)),
        );
        // An interrupted wait is one in which nothing came.
        let _ = poll(&mut streams, timeout(limit));
        let is_ready = |stream: &PollFd<'_>| stream.any().unwrap_or(false);
        (
            streams.first().is_some_and(is_ready),
            streams.get(1).is_some_and(is_ready),
        )
    }

    /// Takes a bounded piece of what the worker prints, so that an endless printer
    /// does not hold the host; says whether there was any.
    fn drain_stderr(&mut self) -> bool {
        let Some(stderr) = &mut self.stderr else {
            return false;
        };
        let mut buffer = [0; STDERR_PIECE];
        match stderr.read(&mut buffer) {
            Ok(0) => {
                self.stderr = None;
                false
            }
            Ok(n_read) => {
                self.stderr_tail.push(&buffer[..n_read]);
                if self.options.show_stderr {
                    let _ = io::stderr().write_all(&buffer[..n_read]);
                }
                true
            }
            Err(_) => false,
        }
    }

    /// Says how the worker ended, after its pipe was found closed.
    fn death(&mut self) -> Lost {
        let deadline = Instant::now() + DEATH_THROES;
        loop {
            self.drain_stderr();
            match waitpid(self.pid, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::StillAlive) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Ok(WaitStatus::StillAlive) | Err(_) => {
                    return Lost::Died("closed its connection to the host".to_owned());
                }
                Ok(status) => {
                    self.is_reaped = true;
                    return Lost::from_status(status);
                }
            }
        }
    }
}

impl Drop for WorkerProcess<'_> {
    fn drop(&mut self) {
        // SIGKILL cannot be caught; the group catches what the worker started.
        let _ = killpg(self.pid, Signal::SIGKILL);
        // Once it is reaped, its number may be that of another process.
        if !self.is_reaped {
            let _ = kill(self.pid, Signal::SIGKILL);
            let _ = waitpid(self.pid, None);
        }
    }
}

/// Starts another program as a worker.
fn spawn(program: &Path) -> io::Result<(Pid, [File; 3])> {
    let mut child = Command::new(program)
        .args(["worker", &std::process::id().to_string()])
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let missing = || io::Error::other("a stream of the worker is missing");
    let streams: [OwnedFd; 3] = [
        child.stdin.take().ok_or_else(missing)?.into(),
        child.stdout.take().ok_or_else(missing)?.into(),
        child.stderr.take().ok_or_else(missing)?.into(),
    ];
    let pid = i32::try_from(child.id()).map_err(io::Error::other)?;
    Ok((Pid::from_raw(pid), streams.map(File::from)))
}

/// Lets the launcher start a worker.
fn launch(task: &Task) -> io::Result<(Pid, [File; 3])> {
    let (its_input, input) = io::pipe()?;
    let (output, its_output) = io::pipe()?;
    let (stderr, its_stderr) = io::pipe()?;
    let theirs = [its_input.as_fd(), its_output.as_fd(), its_stderr.as_fd()];
    let pid = launcher::start(&task.plugin, &task.sandbox, theirs)?;
    let ours: [OwnedFd; 3] = [input.into(), output.into(), stderr.into()];
    Ok((pid, ours.map(File::from)))
}

fn timeout(limit: Duration) -> PollTimeout {
    // Rounded up: a wait of less than a millisecond must not become a busy loop.
    PollTimeout::try_from(limit.as_millis() + 1).unwrap_or(PollTimeout::MAX)
}
