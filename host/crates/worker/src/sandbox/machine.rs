//! What this machine has for workers: memory and threads.

use std::{
    fs,
    path::{Path, PathBuf},
};

use nix::sys::resource::{Resource, getrlimit};
use text::number_text::counted;
use tournament::SMALLEST_MEMORY;

/// How much memory this process and its children can use: that of the machine, or less
/// where a control group limits it.
pub(crate) fn memory_of_this_machine() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| total(&text));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    (groups.lines())
        .filter_map(|line| {
            let limit = |folder: &Path, file: &str| number_in(&folder.join(file));
            let of_groups = groups_of(line, "memory")?.filter_map(|folder| {
                limit(&folder, "memory.max").or_else(|| limit(&folder, "memory.limit_in_bytes"))
            });
            of_groups.min()
        })
        .chain(machine)
        .min()
}

/// How many bytes of agents' files a launcher keeps between their games.
pub(crate) const KEPT_FILES: u64 = 64 << 20;

/// The most threads of a worker.
pub(crate) const MOST_THREADS: u64 = 256;

/// How many threads each of so many workers may have, so that one with all of its own keeps no
/// other from starting, and none from having as many.
#[must_use]
pub fn threads_for_each(n_workers: usize) -> u64 {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let in_groups = (groups.lines())
        .filter_map(|line| groups_of(line, "pids"))
        .flatten()
        .filter_map(|folder| {
            let limit = number_in(&folder.join("pids.max"))?;
            Some(limit.saturating_sub(number_in(&folder.join("pids.current"))?))
        });
    let others = fs::read_to_string("/proc/loadavg")
        .ok()
        .and_then(|text| n_tasks(&text))
        .unwrap_or(0);
    let of_user = getrlimit(Resource::RLIMIT_NPROC).map_or(u64::MAX, |(soft, _)| soft);
    let of_machine = number_in(Path::new("/proc/sys/kernel/pid_max")).unwrap_or(u64::MAX);
    let elsewhere = [of_user, of_machine].map(|limit| limit.saturating_sub(others));
    let free = in_groups.chain(elsewhere).min().unwrap_or(u64::MAX);
    share_of_threads(free, n_workers as u64)
}

fn share_of_threads(free: u64, n_workers: u64) -> u64 {
    /// Fewer would not do for an interpreter.
    const FEWEST: u64 = 16;
    /// What the host needs beside every worker: the thread that asks it, its launcher and the
    /// thread that started that, and a worker that is just ending.
    const BESIDE: u64 = 4;
    const FOR_THE_HOST: u64 = 8;
    let share = free.saturating_sub(FOR_THE_HOST) / n_workers.max(1);
    share.saturating_sub(BESIDE).clamp(FEWEST, MOST_THREADS)
}

/// How many processes and threads there are; see `proc_loadavg(5)`.
fn n_tasks(loadavg: &str) -> Option<u64> {
    let (_, total) = loadavg.split_whitespace().nth(3)?.split_once('/')?;
    total.parse().ok()
}

fn number_in(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

/// A sentence when so many workers may fill more memory than there is beside what is kept.
#[must_use]
pub fn memory_shortage(per_worker: u64, n_workers: usize, kept: u64) -> Option<String> {
    let available = memory_of_this_machine()?.saturating_sub(kept);
    shortage(per_worker, n_workers, available)
}

/// How much memory is kept for the files of agents that do not play at the moment: the copies that
/// were hashed, and those in rooms.
#[must_use]
pub fn kept_memory(files: u64, n_workers: usize) -> u64 {
    let in_rooms = files.min(KEPT_FILES).saturating_mul(n_workers as u64);
    files.saturating_add(in_rooms)
}

fn shortage(per_worker: u64, n_workers: usize, available: u64) -> Option<String> {
    let n_workers = n_workers as u64;
    if per_worker.saturating_mul(n_workers) <= available {
        return None;
    }
    let shown = |bytes: u64| {
        if bytes < 1 << 30 {
            return format!("{} MiB", bytes >> 20);
        }
        let tenths = bytes / ((1 << 30) / 10);
        format!("{}.{} GiB", tenths / 10, tenths % 10)
    };
    let memory = |n_workers: u64| {
        let share = available / n_workers;
        (share >= SMALLEST_MEMORY).then(|| format!("`memory: {}MiB`", share >> 20))
    };
    let fewer = Some(available / per_worker.max(1)).filter(|n_fitting| *n_fitting > 0);
    let fewer = fewer.map(|n_fitting| format!("`--workers {n_fitting}`"));
    let ways_out = match (fewer, memory(n_workers), memory(1)) {
        (Some(fewer), Some(memory), _) => format!("use {fewer} or {memory}"),
        (Some(way), None, _) | (None, Some(way), _) => format!("use {way}"),
        (None, None, Some(memory)) => format!("use `--workers 1` and {memory}"),
        (None, None, None) => format!(
            "a worker needs at least {}, so the machine, container or control group needs more \
             memory",
            shown(SMALLEST_MEMORY)
        ),
    };
    Some(format!(
        "{} may fill {} each, but only {} are available; {ways_out}",
        counted(n_workers, "worker"),
        shown(per_worker),
        shown(available)
    ))
}

/// The line `MemTotal` of `/proc/meminfo`, in bytes.
fn total(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// The folders of a control group and of those above it, if it has this controller. A line of
/// `/proc/self/cgroup` is `0::PATH` for version 2, and `NUMBER:CONTROLLERS:PATH` for version 1.
fn groups_of(line: &str, controller: &str) -> Option<impl Iterator<Item = PathBuf>> {
    let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
    let root = Path::new("/sys/fs/cgroup");
    let root = match controllers {
        "" => root.to_owned(),
        _ if controllers == controller => root.join(controller),
        _ => return None,
    };
    let groups = Path::new(path).ancestors();
    Some(groups.map(move |group| root.join(group.strip_prefix("/").unwrap_or(group))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortage_names_only_ways_out_that_help() {
        let (mib, gib) = (1 << 20, 1 << 30);
        let check = |per_worker, n_workers, available, sentence: &str| {
            let found = shortage(per_worker, n_workers, available);
            assert_eq!(found.as_deref(), Some(sentence));
        };
        assert_eq!(shortage(4 * gib, 2, 8 * gib), None);
        check(
            4 * gib,
            4,
            8 * gib,
            "4 workers may fill 4.0 GiB each, but only 8.0 GiB are available; use `--workers 2` or \
             `memory: 2048MiB`",
        );
        check(
            4 * gib,
            1,
            gib,
            "1 worker may fill 4.0 GiB each, but only 1.0 GiB are available; use `memory: 1024MiB`",
        );
        check(
            4 * gib,
            4,
            100 * mib,
            "4 workers may fill 4.0 GiB each, but only 100 MiB are available; use `--workers 1` and \
             `memory: 100MiB`",
        );
        check(
            4 * gib,
            1,
            60 * mib,
            "1 worker may fill 4.0 GiB each, but only 60 MiB are available; a worker needs at least \
             64 MiB, so the machine, container or control group needs more memory",
        );
    }

    #[test]
    fn the_memory_of_the_machine_is_read() {
        assert_eq!(
            total("MemTotal:       24684100 kB\nMemFree: 1 kB\n"),
            Some(24_684_100 << 10)
        );
        assert!(memory_of_this_machine().unwrap() > 1 << 20);
        assert!(groups_of("3:cpuset:/", "memory").is_none());
        let groups: Vec<_> = groups_of("0::/a/b", "pids").unwrap().collect();
        let root = Path::new("/sys/fs/cgroup");
        assert_eq!(groups, [root.join("a/b"), root.join("a"), root.join("")]);
        assert!(
            groups_of("8:pids:/", "pids")
                .unwrap()
                .eq([root.join("pids/")])
        );
    }

    #[test]
    fn workers_share_the_threads_that_are_left() {
        assert_eq!(share_of_threads(u64::MAX, 2), 256);
        assert_eq!(share_of_threads(250, 2), 117);
        assert_eq!(share_of_threads(66, 2), 25);
        assert_eq!(share_of_threads(3, 2), 16);
        assert_eq!(n_tasks("0.20 0.18 0.12 1/80 11206"), Some(80));
        assert!((16..=256).contains(&threads_for_each(2)));
    }
}
