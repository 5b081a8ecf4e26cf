//! Agents that misbehave: each ends at most its own game.

use run::game_record::GameRecord;

use crate::support::{Finished, TournamentTest, built_agent::build_c, repository};

/// A budget with short timeouts, for agents that never answer. They are CPU times.
const IMPATIENT: &str = "budget: {setup: 500ms, hang: 2s}\n";

/// One game of an agent that misbehaves, and one of a good one.
fn play(misdeed: &str, more: &str) -> (GameRecord, GameRecord, Finished) {
    let yaml = format!(
        "seeds: 1..1\n{more}agents:\n- plugin: greedy\n- plugin: scripted\n  params: {{misdeed: {misdeed}}}\n"
    );
    let test = TournamentTest::new(&yaml);
    let finished = test.run(&[]).expect_code(0);
    test.host(&["verify", "runs/t"]).expect_code(0);
    let records = test.records();
    (records[0].clone(), records[1].clone(), finished)
}

/// Expects that a misdeed ends its own game in this way, and no other game.
#[track_caller]
fn check(misdeed: &str, ending: &str, sentence: &str) {
    check_with("", misdeed, ending, sentence);
}

/// The same for an agent that never answers.
#[track_caller]
fn check_timeout(misdeed: &str, ending: &str, sentence: &str) {
    check_with(IMPATIENT, misdeed, ending, sentence);
}

#[track_caller]
fn check_with(budget: &str, misdeed: &str, ending: &str, sentence: &str) {
    let (good, bad, finished) = play(misdeed, budget);
    assert_eq!(good.ending.name(), "no-move-left");
    assert_eq!(bad.ending.name(), ending, "{:?}", bad.fault);
    let fault = bad.fault.as_deref().expect("the fault has its sentence");
    assert!(fault.contains(sentence), "{fault}");
    finished.expect_fault_of(&bad);
}

#[test]
fn refusing_ends_the_game_before_it_starts() {
    check(
        "refuse-in-new",
        "refused",
        "refused to play: “the weights are missing”",
    );
}

#[test]
fn panics_are_caught_wherever_they_happen() {
    check(
        "panic-in-new",
        "panic",
        "panicked in `new`: “panicked on purpose in new”",
    );
    check(
        "panic",
        "panic",
        "panicked in `choose`: “panicked on purpose”",
    );
    check("panic-with-a-bomb", "panic", "panicked in `choose`");
}

#[test]
fn a_crash_is_named_by_its_signal() {
    check("abort", "crash", "SIGABRT");
    check("segfault", "crash", "SIGSEGV");
    check("stack-overflow", "crash", "SIGABRT");
}

#[test]
fn leaving_is_a_crash() {
    check("exit", "crash", "exit code 0");
    check("close-all-fds", "crash", "");
}

#[test]
fn endless_work_is_ended() {
    let no_answer = "gave no answer within 2s of CPU time on move 3";
    check_timeout("loop", "hang", no_answer);
    check_timeout("ignore-sigterm-and-loop", "hang", no_answer);
    check_timeout(
        "sleep",
        "hang",
        "slept on move 3; in all, it has slept for more than 250ms",
    );
    check_timeout(
        "loop-in-new",
        "overrun",
        "used more than 500ms of CPU before the first move",
    );
    check_timeout(
        "sleep-in-new",
        "hang",
        "slept for more than 250ms before the first move",
    );
}

#[test]
fn an_illegal_move_ends_the_game_on_the_board_before_it() {
    let (_, bad, _) = play("illegal-move", "");
    assert_eq!(bad.ending.name(), "illegal-move");
    let fault = bad.fault.expect("a sentence");
    let expected = format!("on move {}, which changes nothing", bad.n_moves + 1);
    assert!(fault.contains(&expected), "{fault}");
}

#[test]
fn taking_all_memory_ends_ones_own_game() {
    check("take-memory", "crash", "SIGABRT");
}

#[test]
fn an_agent_that_kills_itself_stops_no_run_even_without_a_sandbox() {
    let (good, bad, _) = play("kill-itself", "sandbox: off\n");
    assert_eq!(good.ending.name(), "no-move-left");
    assert_eq!(bad.ending.name(), "crash");
    assert_eq!(bad.fault.as_deref(), Some("was killed twice by SIGKILL"));
}

#[test]
fn garbage_on_the_pipe_is_a_bad_answer_or_a_crash() {
    let (good, bad, _) = play("write-garbage-to-all-fds", "");
    assert_eq!(good.ending.name(), "no-move-left");
    assert!(bad.ending.is_fault());
}

/// What an agent may do without harm: its game goes on as if nothing had happened.
#[test]
fn what_hurts_no_agent_changes_nothing() {
    let (_, undisturbed, _) = play("none", "");
    for misdeed in [
        "print-to-stdout",
        "write-to-fd1",
        "flood-stderr",
        "start-threads",
        "change-signal-handlers",
        "change-folder",
        "change-locale",
        "change-rounding",
        "panic-in-drop",
        "kill-itself",
    ] {
        let (_, record, _) = play(misdeed, "");
        assert_eq!(
            record.ending.name(),
            "no-move-left",
            "{misdeed}: {:?}",
            record.fault
        );
        assert_eq!(record.moves, undisturbed.moves, "{misdeed}");
    }
}

#[test]
fn a_fault_is_reported_with_its_board_its_stderr_tail_and_the_way_to_see_it_again() {
    let test = TournamentTest::new(
        "seeds: 7..7\nsalt: secret\nagents:\n- plugin: greedy\n\
         - {plugin: scripted, params: {misdeed: flood-stderr-and-panic}}\n",
    );
    test.run(&[]).expect_code(0);
    // The salt decides which of the two agents plays first.
    let record = test
        .records()
        .into_iter()
        .find(|record| record.agent == "scripted")
        .expect("a record of the agent");
    let report = test.host(&["report", "runs/t"]).expect_code(0).stdout;
    let expected = "scripted on seed 7, after 2 moves: panicked in `choose`: “panicked on purpose”";
    let lines: Vec<&str> = report
        .lines()
        .skip_while(|line| *line != expected)
        .skip(1)
        .collect();
    let board: Vec<Vec<u64>> = lines[..4]
        .iter()
        .map(|line| {
            let cells = line.split_whitespace();
            cells.map(|cell| cell.parse().unwrap_or(0)).collect()
        })
        .collect();
    assert_eq!(board, record.board);
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("  | ") && line.contains("panicked on purpose")),
        "{report}"
    );
    let program = env!("CARGO_BIN_EXE_host");
    let command = lines
        .iter()
        .find_map(|line| line.strip_prefix(&format!("  reproduce with: {program} ")))
        .expect("a command");
    let words: Vec<&str> = command.split_whitespace().collect();
    let again = test.host(&words).expect_code(0);
    assert!(
        again
            .stdout
            .starts_with("scripted on seed 7 ended after 2 moves: panic: "),
        "{}",
        again.stdout
    );
    assert!(again.stderr.contains("panicked on purpose"));
}

#[test]
fn a_panic_while_dropping_hurts_no_agent_even_inside_the_host() {
    let (good, bad, _) = play("panic-in-drop", "isolation: none\n");
    assert_eq!(good.ending.name(), "no-move-left");
    assert_eq!(bad.ending.name(), "no-move-left");
}

#[test]
fn a_plugin_that_crashes_while_it_is_opened_is_named_before_the_first_game() {
    let test = TournamentTest::new("agents: [{plugin: greedy}, {plugin: crash_on_load}]\n");
    let include = repository().join("plugin-api/include");
    let source = repository().join("tests/c-agents/crash_on_load.c");
    build_c(test.folder.path(), "cc", &include, &source, "crash_on_load");
    let finished = test.run(&[]).expect_error(4, "SIGSEGV");
    assert!(
        finished.stderr.contains("crash_on_load"),
        "{}",
        finished.stderr
    );
    let list = test.host(&["list", "--plugins", "."]).expect_code(0);
    assert!(list.stdout.contains("SIGSEGV"), "{}", list.stdout);
}

#[test]
fn what_an_agent_starts_ends_with_its_game() {
    let test = TournamentTest::new("");
    let file = test.path("child");
    let yaml = format!(
        "seeds: 1..1\nsandbox: off\nagents:\n- plugin: scripted\n  params: {{attempt: fork-and-stay, path: {}}}\n",
        file.display()
    );
    test.write("t.yaml", &yaml);
    test.run(&[]).expect_code(0);
    let child = std::fs::read_to_string(file).expect("the child was started");
    // The process that adopted it may not have reaped it yet.
    let state = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
    assert!(state.is_empty() || state.contains(") Z "), "{state}");
}
