//! What happens to a run from outside: workers killed or stopped, plugins and programs replaced.

use std::{
    fs,
    process::{Command, Stdio},
    time::Duration,
};

use nix::sys::signal::Signal;
use run::game_record::{GameRecord, Retry, RetryReason};

use crate::support::{
    Finished, TournamentTest, all_without_times,
    built_agent::build_c,
    processes::{next_worker, send, send_to_child},
    program_folder, repository,
};

/// Games that take about half a second of CPU time each.
pub(crate) const SLOW: &str = "seeds: 1..2\nworkers: 1\nbudget: {nodes: 1}\nagents:\n\
    - {plugin: scripted, params: {burn_us: 4000}}\n";

#[test]
fn a_worker_killed_once_from_outside_changes_no_record() {
    let undisturbed = TournamentTest::new(SLOW);
    undisturbed.run(&[]).expect_code(0);
    let test = TournamentTest::new(SLOW);
    let run = test.start(&[]);
    test.wait_for_games();
    let worker = next_worker(&run, &[]);
    send(worker, Signal::SIGKILL);
    Finished::of_started(run).expect_code(0);
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
        all_without_times(undisturbed.records())
    );
}

#[test]
fn a_second_kill_of_one_game_is_the_agents_crash_and_the_run_goes_on() {
    let test = TournamentTest::new(SLOW);
    let run = test.start(&[]);
    test.wait_for_games();
    let first = next_worker(&run, &[]);
    send(first, Signal::SIGKILL);
    let second = next_worker(&run, &[first]);
    send(second, Signal::SIGKILL);
    Finished::of_started(run).expect_code(0);
    let records = test.records();
    assert_eq!(records.len(), 2);
    assert_eq!(records[0].ending.name(), "crash");
    assert_eq!(
        records[0].fault.as_deref(),
        Some("was killed twice by SIGKILL")
    );
    assert!(records[0].n_moves > 0, "the game stands as it was");
    assert_eq!(records[0].retries.len(), 1);
    assert_eq!(records[1].ending.name(), "no-move-left");
    test.host(&["verify", "runs/t"]).expect_code(0);
}

#[test]
fn a_worker_that_is_stopped_plays_its_game_again() {
    let undisturbed = TournamentTest::new(SLOW);
    undisturbed.run(&[]).expect_code(0);
    let test = TournamentTest::new(SLOW);
    let run = test.start(&[]);
    test.wait_for_games();
    let worker = next_worker(&run, &[]);
    send(worker, Signal::SIGSTOP);
    Finished::of_started(run).expect_code(0);
    let records = test.records();
    let reasons: Vec<RetryReason> = records
        .iter()
        .flat_map(|record| record.retries.iter().map(|retry| retry.reason))
        .collect();
    assert_eq!(reasons, [RetryReason::Paused]);
    assert_eq!(
        all_without_times(records),
        all_without_times(undisturbed.records())
    );
}

/// As `scontrol suspend` and Ctrl-Z do: everything stops, and goes on later.
#[test]
fn a_suspended_run_goes_on_and_nobody_is_blamed() {
    const CLOCKS: &str = "seeds: 1..2\nworkers: 1\n\
        budget: [{nodes: 1}, {per_move: 5ms}, {per_move: 100ms, clock: wall, bank: 2s}]\nagents:\n\
        - {plugin: scripted, params: {burn_us: 3000}}\n";
    let test = TournamentTest::new(CLOCKS);
    let run = test.start(&[]);
    test.wait_for_games();
    let mut known = Vec::new();
    for _ in 0..3 {
        let worker = next_worker(&run, &known);
        known.push(worker);
        send_to_child(&run, Signal::SIGSTOP);
        send(worker, Signal::SIGSTOP);
        // Longer than any limit of a turn.
        std::thread::sleep(Duration::from_secs(4));
        send(worker, Signal::SIGCONT);
        send_to_child(&run, Signal::SIGCONT);
    }
    Finished::of_started(run).expect_code(0);
    for record in test.records() {
        assert_eq!(record.ending.name(), "no-move-left", "{:?}", record.fault);
    }
}

#[test]
fn an_inspection_that_is_killed_once_is_made_again() {
    let test = TournamentTest::new("seeds: 1..1\nagents: [{plugin: slow_to_open}]\n");
    let include = repository().join("plugin-api/include");
    let source = repository().join("tests/c-agents/slow_to_open.c");
    build_c(test.folder.path(), "cc", &include, &source, "slow_to_open");
    let run = test.start(&["--plugins", "."]);
    // The first worker of a run tells what the plugin is.
    send(next_worker(&run, &[]), Signal::SIGKILL);
    Finished::of_started(run).expect_code(0);
    assert_eq!(test.records().len(), 1);
}

/// Plays games of half a second and meanwhile puts another plugin in the place of the
/// folder that holds the first one.
fn replace_folder_during_run(sandbox: &str) -> (TournamentTest, Finished) {
    let test = TournamentTest::new(&format!(
        "seeds: 1..2\nworkers: 1\nbudget: {{nodes: 1}}\nsandbox: {sandbox}\nagents:\n\
         - {{plugin: ./agents/agent.so, name: scripted, params: {{burn_us: 4000}}}}\n"
    ));
    // Builds the plugins that are copied.
    drop(test.command(&[]));
    for (folder, plugin) in [("agents", "libscripted.so"), ("other", "libgreedy.so")] {
        fs::create_dir(test.path(folder)).expect("a folder");
        let target = test.path(folder).join("agent.so");
        fs::copy(program_folder().join(plugin), target).expect("a copy");
    }
    let run = test.start(&[]);
    test.wait_for_games();
    next_worker(&run, &[]);
    fs::rename(test.path("agents"), test.path("old")).expect("it was made above");
    fs::rename(test.path("other"), test.path("agents")).expect("it was made above");
    let finished = Finished::of_started(run);
    (test, finished)
}

#[test]
fn a_plugin_replaced_during_the_run_changes_no_game_of_it() {
    let undisturbed = TournamentTest::new(SLOW);
    undisturbed.run(&[]).expect_code(0);
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
    assert_eq!(with_moves(records), with_moves(undisturbed.records()));
}

#[test]
fn a_plugin_replaced_where_there_is_no_sandbox_stops_the_run() {
    let (test, finished) = replace_folder_during_run("off");
    finished.expect_error(7, "was changed while the run was going on");
    assert!(test.records().is_empty());
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
    test.wait_for_games();
    fs::remove_file(test.path("host")).expect("it was copied");
    Finished::of_started(run).expect_code(0);
    assert_eq!(test.records().len(), 2);
}
