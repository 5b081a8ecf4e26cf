//! What an agent cannot do in the sandbox, and can without it.

use std::{fs, os::unix::fs::MetadataExt};

use crate::support::{TournamentTest, built_agent::build_c, kinds::kinds, repository};

/// What became of an attempt, in the agent's own words.
fn attempt(test: &TournamentTest, kind: &str, sandbox: &str, more: &str) -> String {
    let yaml = format!(
        "seeds: 1..1\nsandbox: {sandbox}\nagents: [{{{kind}, params: {{on_move: 1, {more}}}}}]\n"
    );
    test.write("t.yaml", &yaml);
    test.run(&["--fresh"]).expect_code(0);
    let record = test.records().remove(0);
    record.fault.expect("the agent tells by panicking")
}

/// The attempt works without the sandbox and fails in it, for a library and for a program, with
/// one hint.
#[track_caller]
fn check(test: &TournamentTest, more: &str, reason: &str) {
    for kind in kinds("scripted") {
        let outside = attempt(test, &kind, "off", more);
        assert!(
            outside.ends_with("the attempt worked”"),
            "{more}: {outside}"
        );
        for sandbox in ["on", "required"] {
            let inside = attempt(test, &kind, sandbox, more);
            assert!(
                inside.contains(&format!("the attempt failed: {reason}")),
                "{kind} {more}: {inside}"
            );
            let n_hints = inside.matches("; this may be the sandbox: ").count();
            assert_eq!(n_hints, 1, "{kind} {more}: {inside}");
        }
    }
}

#[test]
fn files_of_the_system_and_of_others_cannot_be_read() {
    let test = TournamentTest::new("");
    check(&test, "attempt: read, path: /etc/passwd", "No such file");
    test.write("rival.weights", "secret");
    let rivals = test.path("rival.weights");
    let more = format!("attempt: read, path: {}", rivals.display());
    check(&test, &more, "No such file");
}

#[test]
fn ones_own_weights_can_be_read_where_the_file_allows_it() {
    let test = TournamentTest::new("");
    test.write("own.weights", "1 2 3");
    let yaml = format!(
        "seeds: 1..1\nagents:\n- plugin: scripted\n  params: {{on_move: 1, attempt: read, path: {0}}}\n  allow_read: [own.weights]\n\
         - plugin: scripted\n  name: rival\n  params: {{on_move: 1, attempt: read, path: {0}}}\n",
        test.path("own.weights").display()
    );
    test.write("t.yaml", &yaml);
    test.run(&[]).expect_code(0);
    let faults = test.records().into_iter().map(|record| record.fault);
    let faults: Vec<String> = faults.map(Option::unwrap_or_default).collect();
    assert!(faults[0].ends_with("the attempt worked”"), "{faults:?}");
    assert!(faults[1].contains("No such file"), "{faults:?}");
}

#[test]
fn nothing_can_be_written_into_the_run_folder() {
    let test = TournamentTest::new("");
    let games = test.path("runs/t/forged.jsonl");
    let more = format!("attempt: write, path: {}", games.display());
    let forged = || fs::read_to_string(&games).ok();
    for kind in kinds("scripted") {
        assert!(attempt(&test, &kind, "off", &more).ends_with("the attempt worked”"));
        assert_eq!(forged().as_deref(), Some("written by an agent"));
        fs::remove_file(&games).expect("the forged file");
        let inside = attempt(&test, &kind, "on", &more);
        assert!(inside.contains("the attempt failed: Operation not permitted"));
        assert_eq!(forged(), None);
    }
}

#[test]
fn there_is_no_network_and_no_other_process() {
    let test = TournamentTest::new("");
    let reason = "Operation not permitted";
    check(&test, "attempt: open-socket", reason);
    check(&test, "attempt: fork", reason);
    check(&test, "attempt: signal-parent", reason);
    if may_look_into_parent() {
        check(&test, "attempt: read-memory-of-parent", reason);
    } else {
        // The machine forbids it to every process, so the test can only try it in the sandbox.
        for kind in kinds("scripted") {
            let inside = attempt(&test, &kind, "on", "attempt: read-memory-of-parent");
            assert!(inside.contains("the attempt failed"), "{inside}");
        }
    }
}

/// Yama may forbid it to all but a process's own tracer; root is exempt.
fn may_look_into_parent() -> bool {
    let scope = fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope");
    let is_open = scope.map_or(true, |scope| scope.trim() == "0");
    let is_root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
    is_open || is_root
}

/// One game of the cheat in a mode, under a budget; its ending and its sentence.
fn cheat(mode: u32, budget: &str) -> (String, String) {
    let test = TournamentTest::new(&format!(
        "seeds: 1..1\nbudget: {budget}\nagents: [{{plugin: cheat, params: {{mode: {mode}}}}}]\n"
    ));
    let include = repository().join("plugin-api/include");
    let source = repository().join("tests/c-agents/cheat.c");
    build_c(test.folder.path(), "cc", &include, &source, "cheat");
    test.run(&[]).expect_code(0);
    let record = test.records().remove(0);
    let fault = record.fault.unwrap_or_default();
    (record.ending.name().to_owned(), fault)
}

#[test]
fn no_worker_dies_of_a_signal_that_seems_to_come_from_outside() {
    let (ending, fault) = cheat(1, "{per_move: 20ms}");
    assert_eq!(ending, "no-move-left", "{fault}");
}

#[test]
fn files_in_memory_are_no_way_around_the_memory_limit() {
    let (ending, fault) = cheat(2, "{per_move: 500ms}");
    assert_eq!(ending, "no-move-left", "{fault}");
}

#[test]
fn an_answer_behind_the_workers_back_is_charged_all_the_same() {
    let (ending, fault) = cheat(3, "{per_move: 10ms, bank: 10ms}");
    assert_eq!(ending, "overrun", "{fault}");
    assert!(fault.contains("on move 60"), "{fault}");
    let (ending, fault) = cheat(4, "{per_move: 1ms, bank: 100ms, clock: wall}");
    assert_eq!(ending, "overrun", "{fault}");
}
