//! Whether the memory that workers may fill exists.

use std::{fs, path::Path};

/// How much memory this process and its children can use: that of the machine, or less
/// where a control group limits it.
pub(crate) fn memory_of_this_machine() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| total(&text));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    groups
        .lines()
        .filter_map(limit_of_group)
        .chain(machine)
        .min()
}

/// A sentence when so many workers may fill more memory than there is.
#[must_use]
pub fn memory_shortage(per_worker: u64, n_workers: usize) -> Option<String> {
    shortage(per_worker, n_workers, memory_of_this_machine()?)
}

fn shortage(per_worker: u64, n_workers: usize, available: u64) -> Option<String> {
    let n_workers = n_workers as u64;
    if per_worker.saturating_mul(n_workers) <= available {
        return None;
    }
    let gibibytes = |bytes: u64| {
        let tenths = bytes / ((1 << 30) / 10);
        format!("{}.{} GiB", tenths / 10, tenths % 10)
    };
    let n_fitting = (available / per_worker.max(1)).max(1);
    let share = available / n_workers / (1 << 20);
    Some(format!(
        "{n_workers} workers may fill {} each, but only {} are available; \
         use `--workers {n_fitting}` or `memory: {share}MiB`",
        gibibytes(per_worker),
        gibibytes(available)
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

/// The least limit of a control group and of those above it. A line of `/proc/self/cgroup`
/// is `0::PATH` for version 2, and `NUMBER:CONTROLLERS:PATH` for version 1.
fn limit_of_group(line: &str) -> Option<u64> {
    let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
    let (root, file) = match controllers {
        "" => ("/sys/fs/cgroup", "memory.max"),
        "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
        _ => return None,
    };
    Path::new(path)
        .ancestors()
        .map(|group| Path::new(root).join(group.strip_prefix("/").unwrap_or(group)))
        .filter_map(|folder| {
            fs::read_to_string(folder.join(file))
                .ok()?
                .trim()
                .parse()
                .ok()
        })
        .min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortage_names_two_ways_out() {
        let gib = 1 << 30;
        assert_eq!(shortage(4 * gib, 2, 8 * gib), None);
        assert_eq!(
            shortage(4 * gib, 4, 8 * gib).unwrap(),
            "4 workers may fill 4.0 GiB each, but only 8.0 GiB are available; \
             use `--workers 2` or `memory: 2048MiB`"
        );
    }

    #[test]
    fn the_memory_of_the_machine_is_read() {
        assert_eq!(
            total("MemTotal:       24684100 kB\nMemFree: 1 kB\n"),
            Some(24_684_100 << 10)
        );
        assert!(memory_of_this_machine().unwrap() > 1 << 20);
        assert_eq!(limit_of_group("3:cpuset:/"), None);
    }
}
