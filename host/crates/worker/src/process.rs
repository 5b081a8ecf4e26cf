//! The process of a worker and the pipes to it: start, write, read with a limit, kill and reap.

use std::{
    fs::{self, File},
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

use memchr::memrchr;
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
    launcher::{self, Place, Started, bind_to_core},
    live_workers::{LiveWorker, n_threads},
    patience::{NoAnswer, Observation, Patience, WorkerState},
    protocol::Task,
    sandbox::SandboxRules,
    stderr::StderrTail,
};

/// How long the host waits at a stretch before it looks whether it should stop.
const LONGEST_WAIT: Duration = Duration::from_millis(100);
/// How long to wait for the exit status after the pipe has closed.
const DEATH_THROES: Duration = Duration::from_millis(500);
/// The longest and the shortest time between two looks at the memory of a worker.
const MEMORY_LOOKS: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(2)];
/// Faster than this, in bytes per millisecond, no worker fills memory.
const FASTEST_FILLING: u64 = 4 << 20;
/// What a worker may hold beyond its limit: a stack, page tables, code that it makes. The kernel
/// counts none of it when it allocates.
const UNCOUNTED_MEMORY: u64 = 32 << 20;
/// Lines of `/proc/PID/status`: memory that belongs to the worker alone, whatever it may do with
/// that memory now.
const HELD_MEMORY: [&str; 3] = ["RssAnon:", "VmSwap:", "VmPTE:"];
/// How long a worker may leave the host's words unread before the host takes it for gone.
const LONGEST_WRITE: Duration = Duration::from_secs(10);

/// How much of what a worker says or prints the host reads at once.
const PIECE: usize = 1 << 12;
/// How much of what a worker prints the pipe holds.
const STDERR_CAPACITY: i32 = 1 << 20;

/// How to start a worker.
#[derive(Clone, Copy, Debug, Default)]
pub struct WorkerOptions<'a> {
    /// The core it is bound to.
    pub core: Option<usize>,
    /// Where it plays in a run.
    pub place: Option<Place>,
    /// What begins every line that the agent prints, if people see them.
    pub stderr_label: Option<&'a str>,
    /// Set when the run is to stop.
    pub stop: Option<&'a AtomicBool>,
    /// Whether the host wants the notes of the agent.
    pub notes: bool,
    /// A program that is started as the worker; without it the launcher starts one.
    pub program: Option<&'a Path>,
}

/// A running worker. Dropping it kills its whole process group and reaps it.
pub(super) struct WorkerProcess<'a> {
    /// The process that holds the agent, a child of this one.
    pid: Pid,
    live: LiveWorker,
    cpu_clock: ClockId,
    is_reaped: bool,
    stop: Option<&'a AtomicBool>,
    /// The most memory that the agent may fill, in bytes.
    memory: u64,
    memory_limit: Option<MemoryLimit>,
    /// What the host says.
    input: File,
    /// What the worker answers.
    output: File,
    /// What the worker has sent and the host has not taken yet.
    received: Vec<u8>,
    /// What the worker prints, until it closes that stream.
    prints: Option<File>,
    tail: StderrTail,
}

/// How much memory a worker may hold.
#[derive(Clone, Copy)]
struct MemoryLimit {
    /// What the worker held before there was an agent, if it still holds that.
    own: u64,
    /// When to look whether it holds more.
    next_look: Instant,
}

impl<'a> WorkerProcess<'a> {
    /// Starts a worker and tells it its task.
    pub(super) fn start(task: &Task, options: WorkerOptions<'a>) -> io::Result<Self> {
        let rules = &task.sandbox;
        let Started {
            pid,
            streams: [input, output, prints],
            memory,
        } = match options.program {
            Some(program) => spawn(program, options.core, rules.memory)?,
            None => launcher::start(&task.plugin, rules, options.core, options.place)?,
        };
        let live = LiveWorker::new(pid);
        fcntl(&input, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        fcntl(&prints, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        // An agent that prints much must not wait for a host that has no core. Where the
        // system grants no more, the pipe stays as it is.
        let _ = fcntl(&prints, FcntlArg::F_SETPIPE_SZ(STDERR_CAPACITY));
        let mut process = Self {
            cpu_clock: clock_getcpuclockid(pid)?,
            pid,
            live,
            is_reaped: false,
            stop: options.stop,
            memory,
            memory_limit: None,
            input,
            output,
            received: Vec::new(),
            prints: Some(prints),
            tail: StderrTail::shown_as(options.stderr_label),
        };
        let text = serde_json::to_vec(&Task {
            plugin: task.plugin.with_memory(),
            sandbox: SandboxRules {
                memory,
                ..rules.clone()
            },
            ..task.clone()
        })?;
        let length = u32::try_from(text.len()).map_err(io::Error::other)?;
        // If the worker has died already, waiting for its report shows that.
        let _ = process.try_write(&[length.to_le_bytes().as_slice(), &text].concat());
        Ok(process)
    }

    /// The CPU time of the whole worker, all threads together, read from outside.
    pub(super) fn cpu_time(&self) -> Duration {
        // The clock is there until the worker is reaped; what it showed then is lost.
        clock_gettime(self.cpu_clock).map_or(Duration::ZERO, Duration::from)
    }

    /// What its threads do; one that has ended is asleep.
    pub(super) fn state(&self) -> WorkerState {
        let mut worker_state = WorkerState::Asleep;
        let threads = match fs::read_dir(format!("/proc/{}/task", self.pid)) {
            Ok(threads) => threads,
            Err(error) => return state_without(&error),
        };
        for thread in threads.flatten() {
            let state = match fs::read(thread.path().join("stat")) {
                Ok(stat) => thread_state(&stat),
                Err(error) => state_without(&error),
            };
            match state {
                WorkerState::Busy => return WorkerState::Busy,
                WorkerState::Stopped => worker_state = WorkerState::Stopped,
                WorkerState::Asleep => {}
            }
        }
        worker_state
    }

    pub(super) fn n_threads(&self) -> Option<u64> {
        n_threads(self.pid)
    }

    /// How much memory it holds, in bytes, with the files that it has mapped.
    pub(super) fn resident_memory(&self) -> Option<u64> {
        self.sizes(&["VmRSS:"])
    }

    /// Lets the agent hold no more memory from now on; what the worker itself holds does not count.
    ///
    /// The kernel's limit does not suffice: it counts memory while that can be written, so an agent
    /// could fill a piece and protect it, again and again.
    pub(super) fn limit_memory(&mut self, keeps_own: bool) {
        let own = self.sizes(&HELD_MEMORY).filter(|_| keeps_own).unwrap_or(0);
        let next_look = Instant::now();
        self.memory_limit = Some(MemoryLimit { own, next_look });
    }

    /// Looks at the memory it holds, if it could have filled too much since the last look; returns
    /// how long the next one has time.
    fn check_memory(&mut self) -> Result<Duration, NoAnswer> {
        let [longest, shortest] = MEMORY_LOOKS;
        let Some(mut limit) = self.memory_limit else {
            return Ok(longest);
        };
        let now = Instant::now();
        let left = limit.next_look.saturating_duration_since(now);
        if !left.is_zero() {
            return Ok(left);
        }
        let held = self
            .sizes(&HELD_MEMORY)
            .unwrap_or(0)
            .saturating_sub(limit.own);
        let most = self.memory.saturating_add(UNCOUNTED_MEMORY);
        let Some(left) = most.checked_sub(held) else {
            return Err(NoAnswer::Died(format!(
                "held {} MiB of memory; its `memory` leaves {} MiB beside its files",
                held >> 20,
                self.memory >> 20
            )));
        };
        let wait = Duration::from_millis(left / FASTEST_FILLING).clamp(shortest, longest);
        limit.next_look = now + wait;
        self.memory_limit = Some(limit);
        Ok(wait)
    }

    /// The sum of some lines of its status, in bytes.
    fn sizes(&self, names: &[&str]) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid)).ok()?;
        let lines = status.lines().filter_map(|line| {
            let name = names.iter().find(|name| line.starts_with(**name))?;
            line[name.len()..]
                .trim()
                .strip_suffix("kB")?
                .trim()
                .parse::<u64>()
                .ok()
        });
        Some(lines.sum::<u64>() * 1024)
    }

    /// Writes all of a message.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), NoAnswer> {
        self.try_write(bytes).map_err(|_| self.death())
    }

    fn try_write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut rest = bytes;
        while !rest.is_empty() {
            match self.input.write(rest) {
                Ok(n_written) => rest = &rest[n_written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    // Only a long task fills the pipe of a worker that reads slowly.
                    let mut ready = [PollFd::new(self.input.as_fd(), PollFlags::POLLOUT)];
                    match ppoll(&mut ready, Some(LONGEST_WRITE.into()), None) {
                        Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
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

    /// Writes what fits, without waiting; whether it arrives does not matter.
    pub(super) fn write_now(&mut self, bytes: &[u8]) {
        let _ = self.input.write(bytes);
    }

    /// How many bytes that were written to it the worker has not read.
    pub(super) fn n_unread(&self) -> usize {
        rustix::io::ioctl_fionread(&self.input)
            .ok()
            .and_then(|n_unread| usize::try_from(n_unread).ok())
            .unwrap_or(0)
    }

    /// What the worker has sent and the host has not taken yet; take from its beginning.
    pub(super) fn received(&mut self) -> &mut Vec<u8> {
        &mut self.received
    }

    /// Waits until enough has come from the worker. What has come before an error stays, so
    /// the wait can go on.
    pub(super) fn receive(
        &mut self,
        patience: &mut Patience,
        mut is_enough: impl FnMut(&[u8]) -> bool,
    ) -> Result<(), NoAnswer> {
        while !is_enough(&self.received) {
            // First the look, then the pipe, then the verdict: a worker that has answered
            // while the host itself waited for a core waits as well, and looks asleep.
            let Some(left) = patience.until_next_look() else {
                let seen = Observation {
                    at: patience.now(),
                    cpu: self.cpu_time(),
                    state: self.state(),
                };
                self.read_within(Duration::ZERO)?;
                // A worker that writes its answer in small pieces is judged as well.
                if !is_enough(&self.received) {
                    patience.judge(seen)?;
                }
                continue;
            };
            if self.is_to_stop() {
                return Err(NoAnswer::Stopped);
            }
            let until_memory = self.check_memory()?;
            self.read_within(left.min(LONGEST_WAIT).min(until_memory))?;
        }
        Ok(())
    }

    /// Reads what has come, without waiting.
    pub(super) fn receive_now(&mut self) -> Result<(), NoAnswer> {
        self.read_within(Duration::ZERO)
    }

    /// Waits for a while, and says whether the worker has said something.
    pub(super) fn has_output_within(&mut self, limit: Duration) -> Result<bool, NoAnswer> {
        if self.is_to_stop() {
            return Err(NoAnswer::Stopped);
        }
        let until_memory = self.check_memory()?;
        Ok(!self.received.is_empty() || self.wait(limit.min(LONGEST_WAIT).min(until_memory)))
    }

    /// Waits for the worker for no longer than this, and reads what it has said.
    fn read_within(&mut self, limit: Duration) -> Result<(), NoAnswer> {
        // Nothing else reads this pipe: if something has come, the read does not wait.
        if !self.wait(limit) {
            return Ok(());
        }
        let mut piece = [0; PIECE];
        match self.output.read(&mut piece) {
            Ok(n_read) if n_read > 0 => {
                self.received.extend_from_slice(&piece[..n_read]);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(()),
            // The end of the pipe.
            Ok(_) | Err(_) => Err(self.death()),
        }
    }

    /// Waits until the worker has said something, and says whether it has. Meanwhile takes
    /// what it prints.
    fn wait(&mut self, limit: Duration) -> bool {
        let prints = self.prints.as_ref();
        let mut streams = [&self.output, prints.unwrap_or(&self.output)]
            .map(|stream| PollFd::new(stream.as_fd(), PollFlags::POLLIN));
        let n_streams = if prints.is_some() { 2 } else { 1 };
        // An interrupted wait is one in which nothing came.
        let _ = ppoll(&mut streams[..n_streams], Some(limit.into()), None);
        let [has_output, has_print] = streams.map(|stream| stream.any().unwrap_or(false));
        if n_streams == 2 && has_print {
            self.drain_prints();
        }
        has_output
    }

    /// Takes a bounded piece of what the worker prints, so that an endless printer does not
    /// hold the host; says whether there was any.
    fn drain_prints(&mut self) -> bool {
        let Some(prints) = &mut self.prints else {
            return false;
        };
        let mut piece = [0; 2 * PIECE];
        match prints.read(&mut piece) {
            Ok(0) => {
                self.prints = None;
                false
            }
            Ok(n_read) => {
                self.tail.push(&piece[..n_read]);
                true
            }
            Err(_) => false,
        }
    }

    /// The last lines that the worker has printed.
    pub(super) fn stderr_tail(&mut self) -> String {
        // What a pipe holds at most; an endless printer is cut off there.
        const PIECES: usize = STDERR_CAPACITY as usize / (2 * PIECE) + 1;
        for _ in 0..PIECES {
            if !self.drain_prints() {
                break;
            }
        }
        self.tail.text()
    }

    fn is_to_stop(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// How the worker ended, after its pipe was found closed.
    fn death(&mut self) -> NoAnswer {
        let deadline = Instant::now() + DEATH_THROES;
        loop {
            self.drain_prints();
            match self.live.reap() {
                None if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                None => {
                    return NoAnswer::Died("closed its connection to the host".to_owned());
                }
                Some(reason) => {
                    self.is_reaped = true;
                    return reason;
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
            while waitpid(self.pid, None) == Err(Errno::EINTR) {}
        }
    }
}

/// Starts another program as a worker, bound to a core.
fn spawn(program: &Path, core: Option<usize>, memory: u64) -> io::Result<Started> {
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
    let pid = Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
    if let Some(core) = core {
        bind_to_core(pid, core);
    }
    Ok(Started {
        pid,
        streams: streams.map(File::from),
        memory,
    })
}

/// What to think of a thread whose state cannot be read: it has ended, or the host itself lacks
/// something, which is not held against the agent.
fn state_without(error: &io::Error) -> WorkerState {
    match error.raw_os_error().map(Errno::from_raw) {
        Some(Errno::ENOENT | Errno::ESRCH) => WorkerState::Asleep,
        _ => WorkerState::Busy,
    }
}

/// By the letter after the name, which stands in parentheses and may hold any bytes; see
/// `proc_pid_stat(5)`.
fn thread_state(stat: &[u8]) -> WorkerState {
    let letter = memrchr(b')', stat).and_then(|end| stat.get(end + 2));
    match letter {
        Some(b'R' | b'D') => WorkerState::Busy,
        Some(b'T' | b't') => WorkerState::Stopped,
        _ => WorkerState::Asleep,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_comes_after_the_name_whatever_bytes_the_name_has() {
        assert_eq!(thread_state(b"7 (worker) S 1 7 7 0"), WorkerState::Asleep);
        assert_eq!(thread_state(b"7 (a) R (b) T 1 7 7 0"), WorkerState::Stopped);
        // The kernel cuts names at 15 bytes, also inside a letter.
        assert_eq!(
            thread_state(b"7 (Schl\xc3\xbcssel-T\xc3\xbc\xc3) R 1 7 7 0"),
            WorkerState::Busy
        );
        assert_eq!(thread_state(b""), WorkerState::Asleep);
    }

    #[test]
    fn what_the_host_cannot_read_is_not_held_against_the_agent() {
        let of = |error: Errno| state_without(&error.into());
        assert_eq!(of(Errno::ENOENT), WorkerState::Asleep);
        assert_eq!(of(Errno::ESRCH), WorkerState::Asleep);
        assert_eq!(of(Errno::EMFILE), WorkerState::Busy);
    }
}
