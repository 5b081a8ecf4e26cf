//! What the kernel says about a worker, read from `/proc`.

use std::{fs, os::unix::fs::MetadataExt};

use nix::unistd::Pid;

/// What the threads of a worker do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerState {
    /// A thread runs, waits for a core, or waits for the machine (for a page, say).
    Busy,
    /// All threads wait for something that only the agent can have asked for.
    Asleep,
    /// It was stopped with a signal.
    Stopped,
}

/// The state of a worker; one that has ended is asleep.
pub(super) fn state(worker: Pid) -> WorkerState {
    let Ok(threads) = fs::read_dir(format!("/proc/{worker}/task")) else {
        return WorkerState::Asleep;
    };
    let mut worker_state = WorkerState::Asleep;
    for thread in threads.flatten() {
        let stat = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        match thread_state(&stat) {
            Some('R' | 'D') => return WorkerState::Busy,
            Some('T' | 't') => worker_state = WorkerState::Stopped,
            _ => {}
        }
    }
    worker_state
}

/// The letter after the name, which stands in parentheses and may contain some; see
/// `proc_pid_stat(5)`.
fn thread_state(stat: &str) -> Option<char> {
    stat.rsplit_once(") ")?.1.chars().next()
}

/// How many threads it has: the folder of its threads has a link for each, and two of its own.
pub(super) fn n_threads(worker: Pid) -> Option<u64> {
    let folder = fs::metadata(format!("/proc/{worker}/task")).ok()?;
    folder
        .nlink()
        .checked_sub(2)
        .filter(|&n_threads| n_threads > 0)
}

/// How much memory it holds, in bytes.
pub(super) fn resident_memory(worker: Pid) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{worker}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_comes_after_the_name_whatever_the_name_is() {
        assert_eq!(thread_state("7 (worker) S 1 7 7 0"), Some('S'));
        assert_eq!(thread_state("7 (a) R (b) T 1 7 7 0"), Some('T'));
        assert_eq!(thread_state(""), None);
    }

    #[test]
    fn this_process_is_busy() {
        let this = Pid::this();
        assert_eq!(state(this), WorkerState::Busy);
        let (wait, is_over) = std::sync::mpsc::channel::<()>();
        let listed = || fs::read_dir("/proc/self/task").unwrap().count();
        std::thread::scope(|scope| {
            scope.spawn(move || is_over.recv());
            // Other tests start and end threads meanwhile.
            let is_counted = (0..1000).any(|_| n_threads(this) == Some(listed() as u64));
            assert!(is_counted && listed() > 1);
            drop(wait);
        });
        assert!(resident_memory(this).unwrap() > 1 << 16);
    }
}
