//! What happens to a run from outside: workers killed or stopped, plugins and programs replaced.

use std::{
    fs,
    process::{Command, Stdio},
};

use nix::sys::signal::Signal;
use run::game_record::{GameRecord, Retry, RetryReason};

use crate::support::{
    Finished, TournamentTest, all_without_times,
    processes::{WAITS, finish, send, waiting_worker},
    program_folder,
};

/// The records of [`WAITS`], played without a disturbance.
fn undisturbed_records() -> Vec<GameRecord> {
    let test = TournamentTest::new(WAITS);
    finish(test.start(&[])).expect_code(0);
    test.records()
}

#[test]
fn a_worker_killed_once_from_outside_changes_no_record() {
    let test = TournamentTest::new(WAITS);
    let run = test.start(&[]);
    send(waiting_worker(&run, &[]), Signal::SIGKILL);
    finish(run).expect_code(0);
    let records = test.records();
    let retries: Vec<&Retry> = records.iter().flat_map(|record| &record.retries).collect();
    assert_eq!(retries.len(), 1, "{retries:?}");
    assert_eq!(retries[0].reason, RetryReason::Killed);
    assert_eq!(retries[0].detail, "SIGKILL");
    let report = test.host(&["report", "runs/t"]).expect_code(0).stdout;
    assert!(
        report.contains("1 game was played again: scripted on seed"),
        "{report}"
    );
    assert_eq!(
        all_without_times(records),
        all_without_times(undisturbed_records())
    );
}

#[test]
fn a_second_kill_of_one_game_is_the_agents_crash_and_the_run_goes_on() {
    let test = TournamentTest::new(WAITS);
    let run = test.start(&[]);
    let first = waiting_worker(&run, &[]);
    send(first, Signal::SIGKILL);
    send(waiting_worker(&run, &[first]), Signal::SIGKILL);
    finish(run).expect_code(0);
    let records = test.records();
    assert_eq!(records.len(), 2);
    assert_eq!(records[0].ending.name(), "crash");
    assert_eq!(
        records[0].fault.as_deref(),
        Some("was killed twice by SIGKILL")
    );
    assert_eq!(records[0].n_moves, 2, "the game stands as it was");
    assert_eq!(records[0].retries.len(), 1);
    assert_eq!(records[1].ending.name(), "no-move-left");
    test.host(&["verify", "runs/t"]).expect_code(0);
}

#[test]
fn a_worker_that_is_stopped_plays_its_game_again() {
    let test = TournamentTest::new(WAITS);
    let run = test.start(&[]);
    send(waiting_worker(&run, &[]), Signal::SIGSTOP);
    finish(run).expect_code(0);
    let records = test.records();
    let reasons: Vec<RetryReason> = records
        .iter()
        .flat_map(|record| record.retries.iter().map(|retry| retry.reason))
        .collect();
    assert_eq!(reasons, [RetryReason::Paused]);
    assert_eq!(
        all_without_times(records),
        all_without_times(undisturbed_records())
    );
}

/// Puts another plugin in the place of the folder that holds the first one, while the first of
/// two games is played.
fn replace_folder_during_run(sandbox: &str) -> (TournamentTest, Finished) {
    let test = TournamentTest::new(&format!(
        "seeds: 1..2\nworkers: 1\nbudget: {{nodes: 1, sleep: 1h}}\nsandbox: {sandbox}\nagents:\n\
         - {{plugin: ./agents/agent.so, name: scripted, params: {{wait_on_move: 3}}}}\n"
    ));
    // Builds the plugins that are copied.
    drop(test.command(&[]));
    for (folder, plugin) in [("agents", "libscripted.so"), ("other", "libgreedy.so")] {
        fs::create_dir(test.path(folder)).expect("a folder");
        let target = test.path(folder).join("agent.so");
        fs::copy(program_folder().join(plugin), target).expect("a copy");
    }
    let run = test.start(&[]);
    waiting_worker(&run, &[]);
    fs::rename(test.path("agents"), test.path("old")).expect("it was made above");
    fs::rename(test.path("other"), test.path("agents")).expect("it was made above");
    (test, finish(run))
}

#[test]
fn a_plugin_replaced_during_the_run_changes_no_game_of_it() {
    let (test, finished) = replace_folder_during_run("on");
    finished.expect_code(0);
    let with_moves = |records: Vec<GameRecord>| {
        let moves = records
            .into_iter()
            .map(|record| (record.score, record.moves));
        moves.collect::<Vec<_>>()
    };
    let records = test.records();
    assert_eq!(records[0].fingerprint, records[1].fingerprint);
    assert_eq!(with_moves(records), with_moves(undisturbed_records()));
}

#[test]
fn a_plugin_replaced_where_there_is_no_sandbox_stops_the_run() {
    let (test, finished) = replace_folder_during_run("off");
    finished.expect_error(7, "was changed while the run was going on");
    assert!(test.records().is_empty());
}

#[test]
fn a_host_whose_file_is_replaced_plays_on() {
    let test = TournamentTest::new(WAITS);
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
    waiting_worker(&run, &[]);
    fs::remove_file(test.path("host")).expect("it was copied");
    finish(run).expect_code(0);
    assert_eq!(test.records().len(), 2);
}
