//! Files that a plugin names and that lie beside it.

use std::{fs, os::unix::fs::symlink};

use crate::support::{Finished, TournamentTest, built_agent::build_c, host, repository};

const TOURNAMENT: &str =
    "seeds: 1..2\nsandbox: required\nagents: [{plugin: reader}, {plugin: random}]\n";

/// A tournament of an agent with a file beside its plugin.
fn reader(weights: &str) -> TournamentTest {
    let test = TournamentTest::new(TOURNAMENT);
    let include = repository().join("plugin-api/include");
    let source = repository().join("tests/c-agents/reader.c");
    build_c(test.folder.path(), "cc", &include, &source, "reader");
    test.write("reader.weights", weights);
    test
}

#[test]
fn a_file_beside_the_plugin_is_read_and_is_part_of_the_fingerprint() {
    let test = reader("2310");
    test.run(&[]).expect_code(0);
    let before = test.records();
    assert!(before.iter().all(|record| record.fault.is_none()));
    test.write("reader.weights", "0123");
    let finished = test.run(&[]).expect_code(0);
    assert!(
        finished.stderr.contains("2 games to play"),
        "{}",
        finished.stderr
    );
    let after = test.records();
    for (old, new) in before.iter().zip(&after) {
        let is_reader = old.agent == "reader";
        assert_eq!(old.fingerprint != new.fingerprint, is_reader);
        assert_eq!(old.moves != new.moves, is_reader);
    }
    Finished::of(
        host()
            .args(["verify", "--rerun", "runs/t", "--plugins", "."])
            .current_dir(test.folder.path()),
    )
    .expect_code(0);
}

#[test]
fn a_plugin_with_its_file_passes_the_check_and_fails_it_without() {
    let test = reader("2310");
    let check = || {
        let mut command = host();
        command
            .args(["check", "./libreader.so"])
            .current_dir(test.folder.path());
        Finished::of(&mut command)
    };
    check().expect_code(0);
    fs::remove_file(test.path("reader.weights")).expect("it was written");
    let finished = check().expect_code(4);
    assert!(
        finished.stdout.contains("needs the file"),
        "{}",
        finished.stdout
    );
}

#[test]
fn a_missing_file_and_a_link_are_errors_before_the_first_game() {
    let test = reader("2310");
    fs::remove_file(test.path("reader.weights")).expect("it was written");
    test.run(&[])
        .expect_error(4, "reader.weights`: No such file");
    symlink("/etc/passwd", test.path("reader.weights")).expect("a link");
    test.run(&[])
        .expect_error(4, "which is not a file but a link");
}

/// A program that plays and names a file.
fn naming(file: &str) -> String {
    format!(
        r#"import json, sys
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "end":
        break
    move = "move " + json.loads(rest)["legal"][0] if word == "turn" else "ready"
    print(move if word != "arena" else 'agent {{"name":"x","files":["{file}"]}}', flush=True)
"#
    )
}

#[test]
fn a_rival_of_the_same_name_excludes_no_submission_whatever_it_names() {
    let test = reader("2310");
    test.write("t.yaml", "seeds: 1..1\nagents: [{folder: submissions}]\n");
    fs::create_dir(test.path("submissions")).expect("a folder");
    for file in ["libreader.so", "reader.weights"] {
        fs::rename(test.path(file), test.path("submissions").join(file)).expect("it was built");
    }
    for (named, is_shared) in [("reader.other", false), ("reader.weights", true)] {
        test.write("submissions/reader.other", "");
        test.write("submissions/reader.py", &naming(named));
        let run = test.run(&["--fresh"]).expect_code(0);
        let note = "`libreader.so` and `reader.py` name the file `reader.weights`";
        assert_eq!(run.stderr.contains(note), is_shared, "{}", run.stderr);
        let records = test.records();
        let agents: Vec<&str> = records.iter().map(|record| &*record.agent).collect();
        assert_eq!(agents, ["libreader.so", "reader.py"]);
        assert!(records.iter().all(|record| record.fault.is_none()));
    }
}

#[test]
fn submissions_that_are_the_same_file_are_pointed_out() {
    let test = TournamentTest::new("seeds: 1..1\nagents: [{folder: submissions}]\n");
    fs::create_dir(test.path("submissions")).expect("a folder");
    for file in ["anna.py", "bert.py"] {
        let code = naming("").replace(r#"[""]"#, "[]");
        test.write(&format!("submissions/{file}"), &code);
    }
    let run = test.run(&[]).expect_code(0);
    let note = "note: `anna.py` and `bert.py` are the same file";
    assert!(run.stderr.contains(note), "{}", run.stderr);
}
