//! What happens to a run from outside: workers killed, plugins and programs replaced.

use std::{
    fs,
    process::{Command, Stdio},
};

use arena2048::run::game_record::GameRecord;
use nix::sys::signal::Signal;

use crate::support::{
    Finished, TournamentTest, all_without_times,
    processes::{next_worker, send},
    program_folder,
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
    assert_eq!(
        all_without_times(test.records()),
        all_without_times(undisturbed.records())
    );
}

#[test]
fn a_worker_killed_twice_from_outside_stops_the_run_with_a_sentence_and_nothing_is_lost() {
    let test = TournamentTest::new(SLOW);
    let run = test.start(&[]);
    test.wait_for_games();
    let first = next_worker(&run, &[]);
    send(first, Signal::SIGKILL);
    let second = next_worker(&run, &[first]);
    send(second, Signal::SIGKILL);
    let finished =
        Finished::of_started(run).expect_error(1, "was killed twice from outside (SIGKILL)");
    assert!(
        finished.stderr.contains("resume with:"),
        "{}",
        finished.stderr
    );
    test.run(&[]).expect_code(0);
    assert_eq!(test.records().len(), 2);
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
    finished.expect_error(1, "was changed while the run was going on");
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
