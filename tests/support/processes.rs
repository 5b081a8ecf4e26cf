//! Workers and other processes that the host starts.

use std::{fs, process::Child, thread, time::Duration};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use super::{
    finished::Finished,
    patience::{LOOK_EVERY, wait_until},
};

/// Two games, in each of which the agent waits on its third move for the test.
pub(crate) const WAITS: &str = "seeds: 1..2\nworkers: 1\nbudget: {nodes: 1, sleep: 1h}\nagents:\n\
    - {plugin: scripted, params: {wait_on_move: 3}}\n";

/// The name of a worker whose agent waits for SIGUSR1; see `tests/scripted-agent`.
pub(crate) const NAME_WHILE_WAITING: &str = "worker waits";

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

fn waiting_workers(process: u32) -> Vec<i32> {
    children_of(process, NAME_WHILE_WAITING)
}

/// Waits for a worker that is not one of the known ones, and whose agent waits.
#[track_caller]
pub(crate) fn waiting_worker(run: &Child, known: &[i32]) -> i32 {
    let mut found = None;
    wait_until("a worker whose agent waits", || {
        found = waiting_workers(run.id())
            .into_iter()
            .find(|worker| !known.contains(worker));
        found.is_some()
    });
    found.expect("it was waited for")
}

/// Tells an agent that waits, or will wait, to go on.
#[track_caller]
pub(crate) fn tell_to_go_on(worker: i32) {
    send(worker, Signal::SIGUSR1);
}

/// Lets a run go on to its end: tells every waiting agent to go on.
pub(crate) fn finish(run: Child) -> Finished {
    let process = run.id();
    thread::scope(|scope| {
        let ending = scope.spawn(|| Finished::of_started(run));
        while !ending.is_finished() {
            for worker in waiting_workers(process) {
                // It may have ended a moment ago.
                let _ = kill(Pid::from_raw(worker), Signal::SIGUSR1);
            }
            thread::sleep(LOOK_EVERY);
        }
        ending.join().expect("the run ends")
    })
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
