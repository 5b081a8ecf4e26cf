//! The workers of this host that live now, so that a shortage can be charged to its cause.
//!
//! When memory runs out, the kernel kills a worker; when threads run out, no worker can be
//! started. In both cases somebody else may suffer than who took too much. A worker that
//! is killed for lack of memory while it holds more than its part is to blame itself. And
//! when no process can be started, the worker with the most threads is ended.

use std::{
    fs, io,
    sync::{Mutex, MutexGuard, PoisonError},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use super::{
    lost::Lost,
    sandbox::{self, memory_of_this_machine},
    worker_state::n_threads,
};

/// Fewer threads than this never keep a machine from starting a process.
const MANY_THREADS: u64 = 64;

/// Workers that have not been reaped, each with the reason for which it was ended.
static LIVE: Mutex<Vec<(Pid, Option<String>)>> = Mutex::new(Vec::new());

/// A worker on the list.
#[derive(Debug)]
pub(super) struct LiveWorker {
    pid: Pid,
    /// How many processes this machine had killed for lack of memory at its start.
    n_killed_before: Option<u64>,
}

impl LiveWorker {
    pub(super) fn new(pid: Pid) -> Self {
        live().push((pid, None));
        Self {
            pid,
            n_killed_before: n_killed_for_memory(),
        }
    }

    /// Ends the worker with the most threads, if that has many.
    pub(super) fn end_the_one_with_most_threads() {
        let mut live = live();
        let by_threads = live
            .iter_mut()
            .filter_map(|(pid, reason)| Some((n_threads(*pid)?, *pid, reason)));
        if let Some((n_threads, pid, reason)) = by_threads.max_by_key(|(n_threads, ..)| *n_threads)
            && n_threads >= MANY_THREADS
        {
            *reason = Some(format!(
                "held {n_threads} threads when the system could not start another process"
            ));
            // It is on the list, so it has not been reaped, and the number is its own.
            let _ = kill(pid, Signal::SIGKILL);
        }
    }

    /// Reaps the worker if it has ended, and says what ended it.
    pub(super) fn reap(&self) -> io::Result<Option<Lost>> {
        // Under the lock: once it is reaped, its number may be that of another process.
        let mut live = live();
        let Some((status, peak_memory)) = sandbox::reap(self.pid)? else {
            return Ok(None);
        };
        let n_workers = live.len().max(1) as u64;
        let place = live.iter().position(|(pid, _)| *pid == self.pid);
        let reason = place.and_then(|place| live.swap_remove(place).1);
        Ok(Some(match (Lost::from_status(status), reason) {
            (Lost::KilledFromOutside(_), Some(reason)) => Lost::Died(reason),
            (Lost::KilledFromOutside(signal), None) => {
                match self.shortage(peak_memory, n_workers) {
                    Some(sentence) => Lost::Died(sentence),
                    None => Lost::KilledFromOutside(signal),
                }
            }
            (lost, _) => lost,
        }))
    }

    /// What to say if memory has run out since the start, and this worker held more than
    /// half of an equal share of it.
    fn shortage(&self, peak_memory: u64, n_workers: u64) -> Option<String> {
        let (before, now) = (self.n_killed_before?, n_killed_for_memory()?);
        let share = memory_of_this_machine()? / n_workers;
        (now > before && peak_memory > share / 2).then(|| {
            format!(
                "was killed for lack of memory: it held {} MiB, \
                 where {} MiB are available for each of the workers",
                peak_memory >> 20,
                share >> 20
            )
        })
    }

    /// Takes the worker off the list, before somebody else reaps it.
    pub(super) fn forget(&self) {
        live().retain(|(pid, _)| *pid != self.pid);
    }
}

/// The list stays whole even if a thread died while holding it.
fn live() -> MutexGuard<'static, Vec<(Pid, Option<String>)>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many processes of this machine were killed for lack of memory since it started.
fn n_killed_for_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/vmstat").ok()?;
    killed_in(&text)
}

fn killed_in(vmstat: &str) -> Option<u64> {
    let number = vmstat
        .lines()
        .find_map(|line| line.strip_prefix("oom_kill "))?;
    number.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_of_kills_is_read() {
        assert_eq!(killed_in("oom_killer 9\noom_kill 7\nx 1\n"), Some(7));
        assert_eq!(killed_in(""), None);
    }

    #[test]
    fn a_small_worker_is_not_to_blame() {
        let worker = LiveWorker {
            pid: Pid::this(),
            n_killed_before: Some(0),
        };
        assert_eq!(worker.shortage(1 << 10, 1), None);
    }
}
