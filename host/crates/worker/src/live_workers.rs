//! How workers end, and which of them a shortage of memory is charged to.
//!
//! When memory runs out, the kernel kills a worker, and the victim may not be the culprit. So the
//! host blames a worker itself only if it held more than its part.

use std::{
    fs::{self, File},
    os::unix::fs::{FileExt, MetadataExt},
    sync::{
        OnceLock,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use memchr::{memchr, memmem};
use nix::{
    libc,
    sys::signal::{Signal, killpg},
    unistd::Pid,
};
use rustix::process::{WaitId, WaitIdOptions, waitid};

use super::{
    NoAnswer,
    sandbox::{self, ENDED_BY_SIGNAL, memory_of_this_machine},
};

/// How many workers of this host live.
static N_LIVE: AtomicU64 = AtomicU64::new(0);

/// A worker that lives.
#[derive(Debug)]
pub(super) struct LiveWorker {
    pid: Pid,
    /// How many processes this machine had killed for lack of memory at its start.
    n_killed_before: Option<u64>,
}

impl LiveWorker {
    pub(super) fn new(pid: Pid) -> Self {
        N_LIVE.fetch_add(1, Ordering::Relaxed);
        Self {
            pid,
            n_killed_before: n_killed_for_memory(),
        }
    }

    /// Reaps the worker if it has ended, and says what ended it. What is left of its process
    /// group is killed before: afterwards the number may be that of another process.
    pub(super) fn reap(&self) -> Option<NoAnswer> {
        if !has_ended(self.pid) {
            return None;
        }
        let _ = killpg(self.pid, Signal::SIGKILL);
        let Ok(Some((status, peak_memory))) = sandbox::reap(self.pid) else {
            return Some(NoAnswer::Died("ended its process".to_owned()));
        };
        Some(match cause_of_end(status) {
            NoAnswer::KilledFromOutside(signal) => {
                match self.shortage(peak_memory, N_LIVE.load(Ordering::Relaxed)) {
                    Some(sentence) => NoAnswer::Died(sentence),
                    None => NoAnswer::KilledFromOutside(signal),
                }
            }
            cause => cause,
        })
    }

    /// What to say if memory has run out since the start, and this worker held more than
    /// half of an equal share of it.
    fn shortage(&self, peak_memory: u64, n_workers: u64) -> Option<String> {
        let (before, now) = (self.n_killed_before?, n_killed_for_memory()?);
        let share = memory_of_this_machine()? / n_workers.max(1);
        (now > before && peak_memory > share / 2).then(|| {
            format!(
                "was killed for lack of memory: it held {} MiB, \
                 where {} MiB are available for each of the workers",
                peak_memory >> 20,
                share >> 20
            )
        })
    }
}

impl Drop for LiveWorker {
    fn drop(&mut self) {
        N_LIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How many threads a worker has: the folder of its threads has a link for each, and two of its
/// own.
pub(super) fn n_threads(worker: Pid) -> Option<u64> {
    let folder = fs::metadata(format!("/proc/{worker}/task")).ok()?;
    folder
        .nlink()
        .checked_sub(2)
        .filter(|&n_threads| n_threads > 0)
}

/// Whether a child has ended and waits to be reaped.
fn has_ended(child: Pid) -> bool {
    let Some(child) = rustix::process::Pid::from_raw(child.as_raw()) else {
        return false;
    };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(child), options), Ok(None))
}

/// What the status of a process that has ended says.
fn cause_of_end(status: i32) -> NoAnswer {
    let code = libc::WEXITSTATUS(status);
    let number = if libc::WIFSIGNALED(status) {
        libc::WTERMSIG(status)
    } else if code > ENDED_BY_SIGNAL && Signal::try_from(code - ENDED_BY_SIGNAL).is_ok() {
        code - ENDED_BY_SIGNAL
    } else {
        return NoAnswer::Died(format!("ended its process with exit code {code}"));
    };
    let Ok(signal) = Signal::try_from(number) else {
        return NoAnswer::Died(format!("crashed: real-time signal {number}"));
    };
    let name = signal.to_string();
    match signal {
        Signal::SIGKILL | Signal::SIGTERM | Signal::SIGINT | Signal::SIGHUP
            if libc::WIFSIGNALED(status) =>
        {
            NoAnswer::KilledFromOutside(name)
        }
        Signal::SIGSEGV => NoAnswer::Died(format!(
            "crashed: {name}, an invalid memory access, a stack overflow or, in a program, an abort"
        )),
        Signal::SIGABRT => NoAnswer::Died(format!("aborted: {name}")),
        Signal::SIGXCPU => {
            NoAnswer::Died(format!("was stopped for using too much CPU time: {name}"))
        }
        _ => NoAnswer::Died(format!("crashed: {name}")),
    }
}

/// How many processes of this machine were killed for lack of memory since it started.
///
/// The host reads it for every worker, and the kernel writes the text anew for every read. So the
/// file stays open, and a read asks for little more than the last one needed.
fn n_killed_for_memory() -> Option<u64> {
    static FILE: OnceLock<Option<File>> = OnceLock::new();
    static ENOUGH: AtomicUsize = AtomicUsize::new(usize::MAX);
    let file = FILE.get_or_init(|| File::open("/proc/vmstat").ok());
    let (count, n_needed) = killed_in(file.as_ref()?, ENOUGH.load(Ordering::Relaxed))?;
    // Numbers before it may grow by some digits until the next time.
    ENOUGH.store(n_needed + 64, Ordering::Relaxed);
    Some(count)
}

/// The count, and how many bytes had to be read.
fn killed_in(vmstat: &impl FileExt, enough: usize) -> Option<(u64, usize)> {
    const NAME: &[u8] = b"\noom_kill ";
    const PIECE: usize = 1 << 12;
    let mut bytes = [0; 4 * PIECE];
    let mut n_read = 0;
    loop {
        let piece_end = bytes.len().min(n_read + PIECE);
        let end = if n_read < enough {
            enough.min(piece_end)
        } else {
            piece_end
        };
        let n_more = vmstat
            .read_at(&mut bytes[n_read..end], n_read as u64)
            .ok()?;
        if n_more == 0 {
            return None;
        }
        n_read += n_more;
        let text = &bytes[..n_read];
        if let Some(line) = memmem::find(text, NAME)
            && let start = line + NAME.len()
            && let Some(length) = memchr(b'\n', &text[start..])
        {
            let number = str::from_utf8(&text[start..start + length]).ok()?;
            return Some((number.trim().parse().ok()?, start + length + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn every_end_of_a_process_has_a_name() {
        let died = |status| match cause_of_end(status) {
            NoAnswer::Died(sentence) => sentence,
            other => panic!("{other:?}"),
        };
        let exited = |code: i32| code << 8;
        assert_eq!(died(exited(3)), "ended its process with exit code 3");
        assert_eq!(died(exited(200)), "ended its process with exit code 200");
        assert_eq!(died(exited(128 + 6)), "aborted: SIGABRT");
        assert_eq!(died(libc::SIGFPE), "crashed: SIGFPE");
        assert_eq!(died(33), "crashed: real-time signal 33");
        let killed = NoAnswer::KilledFromOutside("SIGKILL".to_owned());
        assert_eq!(cause_of_end(libc::SIGKILL), killed);
        assert_eq!(died(exited(128 + 9)), "crashed: SIGKILL");
    }

    /// A file that gives a few bytes at a time.
    struct Slow(&'static [u8]);

    impl FileExt for Slow {
        fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
            let rest = self.0.get(usize::try_from(offset).unwrap()..);
            let piece = rest.unwrap_or_default().iter().take(5);
            Ok(buffer
                .iter_mut()
                .zip(piece)
                .map(|(to, from)| *to = *from)
                .count())
        }

        fn write_at(&self, _: &[u8], _: u64) -> io::Result<usize> {
            unreachable!("it is only read")
        }
    }

    #[test]
    fn the_count_of_kills_is_read() {
        let text = b"nr_free 12\noom_killer 9\noom_kill 70\nx 1\n";
        let length = text.len() - 4;
        for enough in [0, 20, 30, 35, length, usize::MAX] {
            assert_eq!(killed_in(&Slow(text), enough), Some((70, length)));
        }
        assert_eq!(killed_in(&Slow(b"x 1\noom_killer 9\n"), 9), None);
        assert_eq!(killed_in(&Slow(b""), 9), None);
        assert!(n_killed_for_memory().is_some());
        assert_eq!(n_killed_for_memory(), n_killed_for_memory());
    }

    #[test]
    fn threads_are_counted() {
        let this = Pid::this();
        let (wait, is_over) = std::sync::mpsc::channel::<()>();
        let listed = || fs::read_dir("/proc/self/task").unwrap().count();
        std::thread::scope(|scope| {
            scope.spawn(move || is_over.recv());
            // Other tests start and end threads meanwhile.
            let is_counted = (0..1000).any(|_| n_threads(this) == Some(listed() as u64));
            assert!(is_counted && listed() > 1);
            drop(wait);
        });
    }

    #[test]
    fn a_small_worker_is_not_to_blame() {
        let mut worker = LiveWorker::new(Pid::this());
        worker.n_killed_before = Some(0);
        assert_eq!(worker.shortage(1 << 10, 1), None);
    }
}
