//! What others do to a run while it goes on: workers killed, plugins replaced.

use std::{
    fs,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use crate::support::{Finished, TournamentTest, all_without_times, program_folder};

/// Games that take about half a second each.
pub(crate) const SLOW: &str = "seeds: 1..2\nworkers: 1\nbudget: {nodes: 1}\nagents:\n\
    - {plugin: scripted, params: {burn_us: 4000}}\n";

/// The children of a process, of all its threads.
pub(crate) fn children_of(process: u32) -> Vec<i32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else {
        return Vec::new();
    };
    threads
        .filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("children")).ok())
        .flat_map(|text| {
            let numbers = text.split_whitespace().filter_map(|word| word.parse().ok());
            numbers.collect::<Vec<i32>>()
        })
        .collect()
}

/// Waits for a worker that is not one of the known ones, and lets it begin to play.
pub(crate) fn next_worker(run: &Child, known: &[i32]) -> i32 {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let new = children_of(run.id())
            .into_iter()
            .find(|worker| !known.contains(worker));
        if let Some(worker) = new {
            thread::sleep(Duration::from_millis(100));
            return worker;
        }
        assert!(Instant::now() < deadline, "no worker was started");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Waits until the games have begun: the plugin was looked at in a worker before.
pub(crate) fn wait_for_games(test: &TournamentTest) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !test.log().exists() {
        assert!(Instant::now() < deadline, "the run did not begin");
        thread::sleep(Duration::from_millis(2));
    }
}

fn finish(run: Child) -> Finished {
    Finished::from(run.wait_with_output().expect("the host ends"))
}

#[test]
fn a_worker_killed_once_from_outside_changes_no_record() {
    let undisturbed = TournamentTest::new(SLOW);
    undisturbed.run(&[]).expect_code(0);
    let test = TournamentTest::new(SLOW);
    let run = test.start(&[]);
    wait_for_games(&test);
    let worker = next_worker(&run, &[]);
    kill(Pid::from_raw(worker), Signal::SIGKILL).expect("the worker lives");
    finish(run).expect_code(0);
    assert_eq!(
        all_without_times(test.records()),
        all_without_times(undisturbed.records())
    );
}

#[test]
fn a_worker_killed_twice_from_outside_stops_the_run_with_a_sentence_and_nothing_is_lost() {
    let test = TournamentTest::new(SLOW);
    let run = test.start(&[]);
    wait_for_games(&test);
    let first = next_worker(&run, &[]);
    kill(Pid::from_raw(first), Signal::SIGKILL).expect("the worker lives");
    let second = next_worker(&run, &[first]);
    kill(Pid::from_raw(second), Signal::SIGKILL).expect("the worker lives");
    let finished = finish(run).expect_error(1, "was killed twice from outside (SIGKILL)");
    assert!(
        finished.stderr.contains("this goes on where it stopped"),
        "{}",
        finished.stderr
    );
    test.run(&[]).expect_code(0);
    assert_eq!(test.records().len(), 2);
}

#[test]
fn a_plugin_replaced_during_the_run_stops_it_and_no_game_is_taken_for_the_others() {
    let test = TournamentTest::new(SLOW);
    let plugin = test.path("libscripted.so");
    let original = program_folder().join("libscripted.so");
    fs::copy(&original, &plugin).expect("a copy beside the tournament file");
    let run = test.start(&[]);
    wait_for_games(&test);
    next_worker(&run, &[]);
    // What a linker does: another file under the same name.
    fs::copy(&original, test.path("new.so")).expect("another copy");
    fs::rename(test.path("new.so"), &plugin).expect("replaces the plugin");
    finish(run).expect_error(1, "was changed while the run was going on");
    assert!(test.records().is_empty());
    test.run(&[]).expect_code(0);
    assert_eq!(test.records().len(), 2);
}

#[test]
fn a_host_whose_file_is_replaced_plays_on() {
    let test = TournamentTest::new(SLOW);
    // Builds the plugins that are copied.
    drop(test.command(&[]));
    for file in ["host", "libscripted.so"] {
        fs::copy(program_folder().join(file), test.path(file)).expect("a copy");
    }
    let run = Command::new(test.path("host"))
        .current_dir(test.folder.path())
        .args(["run", "t.yaml"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the copy starts");
    wait_for_games(&test);
    fs::remove_file(test.path("host")).expect("it was copied");
    finish(run).expect_code(0);
    assert_eq!(test.records().len(), 2);
}
