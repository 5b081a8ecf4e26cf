//! Workers and other processes that the host starts.

use std::{fs, process::Child, time::Duration};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use super::patience::wait_until;

/// The workers of a host: its children, of all its threads, except for the launcher.
/// Workers give themselves a name. A launcher that is just being started has that of the host.
pub(crate) fn workers_of(process: u32) -> Vec<i32> {
    children_of(process, "worker")
}

/// The children of a host, of all its threads, whose name begins so. A worker that has become
/// a program has the name of its interpreter.
pub(crate) fn children_of(process: u32, name: &str) -> Vec<i32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else {
        return Vec::new();
    };
    threads
        .filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("children")).ok())
        .flat_map(|text| {
            let numbers = text.split_whitespace().filter_map(|word| word.parse().ok());
            numbers.collect::<Vec<i32>>()
        })
        .filter(|child| {
            let found = fs::read_to_string(format!("/proc/{child}/comm"));
            found.is_ok_and(|found| found.starts_with(name))
        })
        .collect()
}

/// The CPU time of all threads of a process; nothing if it has ended.
fn cpu_time_of(process: i32) -> Option<Duration> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let nanoseconds = tasks.filter_map(|task| {
        let text = fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<u64>().ok()
    });
    Some(Duration::from_nanos(nanoseconds.sum()))
}

/// Waits for a worker that is not one of the known ones and plays. Inspecting or loading
/// a plugin takes a few milliseconds of CPU time, so a worker that has used more is in
/// its game.
#[track_caller]
pub(crate) fn next_worker(run: &Child, known: &[i32]) -> i32 {
    const LOADED_AFTER: Duration = Duration::from_millis(60);
    let mut found = None;
    wait_until("a worker that plays", || {
        found = workers_of(run.id())
            .into_iter()
            .filter(|worker| !known.contains(worker))
            .find(|worker| cpu_time_of(*worker).is_some_and(|used| used >= LOADED_AFTER));
        found.is_some()
    });
    found.expect("it was waited for")
}

/// Sends a signal to a process that is alive.
#[track_caller]
pub(crate) fn send(process: i32, signal: Signal) {
    kill(Pid::from_raw(process), signal).expect("the process is alive");
}

/// Sends a signal to a child of the test.
#[track_caller]
pub(crate) fn send_to_child(child: &Child, signal: Signal) {
    send(i32::try_from(child.id()).expect("a process number"), signal);
}
