//! Programs that misbehave: each ends at most its own game, and the sentence says why.

use std::{fs, process::Command};

use run::game_record::GameRecord;

use crate::support::{
    TournamentTest,
    interpreters::{interpreter, put_programs},
    kinds::kinds,
    program_folder, repository,
};

/// The records of a tournament whose agents differ in one parameter, one game each. A good
/// agent plays as well.
fn play(test: &TournamentTest, agent: &str, parameter: &str, values: &[&str]) -> Vec<GameRecord> {
    let entry =
        |value: &&str| format!("- {{{agent}, name: {value}, params: {{{parameter}: {value}}}}}\n");
    let entries: String = values.iter().map(entry).collect();
    let yaml = format!(
        "seeds: 1..1\nsandbox: required\nmemory: 256MiB\nbudget: {{per_move: 50ms, setup: 4s}}\n\
         agents:\n- plugin: greedy\n{entries}"
    );
    test.write("t.yaml", &yaml);
    let finished = test.run(&["--fresh"]).expect_code(0);
    test.host(&["verify", "runs/t"]).expect_code(0);
    let records = test.records();
    assert_eq!(records[0].ending.name(), "no-move-left");
    for record in records.iter().filter(|record| record.fault.is_some()) {
        finished.expect_fault_of(record);
    }
    records[1..].to_vec()
}

#[track_caller]
fn check(records: &[GameRecord], expected: &[(&str, &str, &str)]) {
    for (agent, ending, sentence) in expected {
        let mut found = records.iter().filter(|record| record.agent == *agent);
        let record = found.next().expect("each agent has played");
        let fault = record.fault.as_deref().unwrap_or_default();
        assert_eq!(record.ending.name(), *ending, "{agent}: {fault}");
        assert!(fault.contains(sentence), "{agent}: {fault}");
    }
}

/// The misdeeds of the library that the other tests use, in a program.
#[test]
fn a_program_ends_its_own_game_by_what_ends_that_of_a_library() {
    let expected = [
        ("refuse-in-new", "refused", "the weights are missing"),
        ("panic-in-new", "refused", "panicked in `new`"),
        (
            "loop-in-new",
            "overrun",
            "used more than 4s of CPU before the first move",
        ),
        (
            "sleep-in-new",
            "hang",
            "slept for more than 250ms before the first move",
        ),
        (
            "illegal-move",
            "illegal-move",
            "which changes nothing on this board",
        ),
        (
            "panic",
            "panic",
            "reported an error: “panicked in `choose`: panicked on purpose”",
        ),
        ("abort", "crash", "SIG"),
        ("segfault", "crash", "SIGSEGV"),
        ("stack-overflow", "crash", "SIG"),
        ("exit", "crash", "exit code 0"),
        ("loop", "overrun", "had no time left on move 3"),
        ("sleep", "hang", "slept on move 3"),
        (
            "ignore-sigterm-and-loop",
            "overrun",
            "had no time left on move 3",
        ),
        ("take-memory", "crash", ""),
        (
            "print-to-stdout",
            "bad-answer",
            "wrote the line “0123456789 printed to stdout”",
        ),
        ("write-to-fd1", "bad-answer", "garbage on fd 1"),
        ("close-all-fds", "crash", ""),
        (
            "write-garbage-to-all-fds",
            "bad-answer",
            "print to standard error",
        ),
        ("flood-stderr-and-panic", "panic", "panicked on purpose"),
        ("start-threads", "no-move-left", ""),
        ("flood-stderr", "no-move-left", ""),
        ("change-signal-handlers", "no-move-left", ""),
        ("change-folder", "no-move-left", ""),
        ("kill-itself", "no-move-left", ""),
    ];
    let test = TournamentTest::new("");
    let [_, program] = kinds("scripted");
    let misdeeds = expected.map(|(misdeed, ..)| misdeed);
    check(&play(&test, &program, "misdeed", &misdeeds), &expected);
}

/// The same in Python, and what only a program can do: lines that the host did not ask for,
/// another submission in the same folder.
#[test]
fn a_python_program_that_breaks_a_rule_fails_and_its_line_is_named() {
    if interpreter("python3").is_none() {
        return;
    }
    let test = TournamentTest::new("");
    let source = repository().join("tests/program-agents/plays.py");
    fs::copy(source, test.path("plays.py")).expect("a program");
    test.write("rival.py", "print('a secret')\n");
    let expected = [
        (
            "raise",
            "crash",
            "exit code 1: “ValueError: raised on purpose (plays.py, line",
        ),
        (
            "print",
            "bad-answer",
            "wrote the line “thinking hard”, which is not a line of the protocol",
        ),
        ("twice", "bad-answer", "before it was asked"),
        // The next turn may have been sent by then, or not.
        ("twice-slowly", "bad-answer", "before it "),
        ("long", "bad-answer", "longer than 65,536 bytes"),
        ("flood", "bad-answer", "before it was asked"),
        ("exit", "crash", "exit code 0"),
        ("refuse", "refused", "the weights are missing"),
        ("loop", "overrun", "had no time left on move 3"),
        ("sleep", "hang", "slept on move 3"),
        ("fork", "crash", "(plays.py, line"),
        ("write", "crash", "(plays.py, line"),
        // The line is the author's, not one of Python's own module.
        (
            "connect",
            "crash",
            "Operation not permitted (plays.py, line 36)”; this may be the sandbox: ",
        ),
        ("read-rival", "crash", "FileNotFoundError"),
        ("execute", "crash", "FileNotFoundError"),
        ("memory", "crash", "MemoryError"),
    ];
    let values = expected.map(|(value, ..)| value);
    let records = play(&test, "plugin: ./plays.py", "what", &values);
    check(&records, &expected);
    // The whole trace is kept.
    let report = test.host(&["report", "runs/t"]).expect_code(0).stdout;
    assert!(
        report.contains("raise ValueError(\"raised on purpose\")"),
        "{report}"
    );
}

/// What is denied in Python is denied in every language, in the words of that language.
#[test]
fn programs_in_javascript_and_java_break_the_same_rules_in_vain() {
    let test = TournamentTest::new("");
    test.write("rival.py", "print('a secret')\n");
    let programs = put_programs(test.folder.path());
    for (name, denied, missing) in [
        ("plays.js", "EPERM", "ENOENT"),
        (
            "plays.jar",
            "Operation not permitted",
            "java.nio.file.NoSuchFileException: rival.py (Plays.java, line",
        ),
    ] {
        if programs.contains(&name) {
            let expected = [
                ("fork", "crash", denied),
                ("write", "crash", denied),
                ("connect", "crash", denied),
                ("read-rival", "crash", missing),
            ];
            let values = expected.map(|(value, ..)| value);
            let records = play(&test, &format!("plugin: ./{name}"), "what", &values);
            check(&records, &expected);
        }
    }
}

/// A file that a program can read is not one that it can execute.
#[test]
fn a_program_executes_nothing_but_its_interpreter() {
    let test = TournamentTest::new("");
    let library = program_folder().join("libscripted.so");
    for (kind, refusals) in kinds("scripted").iter().zip([
        ["Operation not permitted", "Operation not permitted"],
        ["No such file", "Permission denied"],
    ]) {
        let paths = ["/bin/true".to_owned(), library.display().to_string()];
        for (path, refusal) in paths.iter().zip(refusals) {
            let yaml = format!(
                "seeds: 1..1\nagents: [{{{kind}, params: {{on_move: 1, attempt: execute, path: {path}}}}}]\n"
            );
            test.write("t.yaml", &yaml);
            test.run(&["--fresh"]).expect_code(0);
            let fault = test.records().remove(0).fault.unwrap_or_default();
            assert!(fault.contains(refusal), "{path}: {fault}");
        }
    }
}

/// An echo program, to measure and to fuzz.
#[test]
fn a_program_in_c_plays_without_a_json_library() {
    let test = TournamentTest::new("seeds: 1..3\nagents: [{plugin: ./echo}]\n");
    let source = repository().join("tests/program-agents/echo.c");
    let compiled = Command::new("cc")
        .args(["-O2", "-Wall", "-Wextra", "-Werror", "-o"])
        .args([&test.path("echo"), &source])
        .status()
        .expect("a C compiler");
    assert!(compiled.success());
    test.run(&[]).expect_code(0);
    let records = test.records();
    assert_eq!(records.len(), 3);
    for record in records {
        assert_eq!(record.ending.name(), "no-move-left", "{:?}", record.fault);
    }
    test.host(&["verify", "runs/t", "--rerun", "--plugins", "."])
        .expect_code(0);
}
