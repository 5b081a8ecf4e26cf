//! The rules of `docs/rules.md`, implemented a second time in Python from that page.

use std::process::Command;

use crate::support::{Finished, TournamentTest, host, interpreters::interpreter, repository};

/// The program that checks the Python rules; `None` without Python.
fn python_rules() -> Option<Command> {
    let mut python = Command::new(interpreter("python3")?);
    python
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .arg(repository().join("tests/rules/check_vectors.py"));
    Some(python)
}

#[test]
fn rules_in_python_pass_the_published_vectors() {
    let Some(mut python) = python_rules() else {
        return;
    };
    let vectors = repository().join("docs/vectors");
    let checked = Finished::of(python.arg("vectors").arg(vectors)).expect_code(0);
    for part in ["405 slides", "84 tiles", "5 spawns", "70 games", "16 perft"] {
        assert!(checked.stdout.contains(part), "{}", checked.stdout);
    }
}

#[test]
fn a_thousand_records_of_the_host_are_games_by_the_rules_in_python() {
    let Some(mut python) = python_rules() else {
        return;
    };
    python.arg("records");
    let salt = "0123456789abcdef".repeat(3);
    let settings = [
        "seeds: 1..300\nboard: 2",
        "seeds: [0..298, 9007199254740991]\nboard: 3\nfour: 0.5",
        &format!("seeds: 1..300\nsalt: {salt}"),
        "seeds: 1..100\nsalt: secret\nboard: 5\nfour: 0.2\ngoal: 64\nmax_moves: 100",
    ];
    let tests = settings.map(|settings| {
        let yaml = format!("name: t\nisolation: none\nagents: [{{plugin: random}}]\n{settings}");
        let test = TournamentTest::new(&yaml);
        test.run(&["--strict"]).expect_code(0);
        test
    });
    python.args(tests.iter().map(|test| test.path("runs/t")));
    let checked = Finished::of(&mut python).expect_code(0);
    assert_eq!(checked.stdout, "1000 games\n");
}

/// `host conform` with the Python rules as the environment, of which a fault breaks one.
fn conform(options: &[&str], fault: &[&str]) -> Option<Finished> {
    let environment = repository().join("tests/rules/environment.py");
    let mut host = host();
    host.env("PYTHONDONTWRITEBYTECODE", "1")
        .arg("conform")
        .args(options)
        .arg(interpreter("python3")?)
        .arg(environment)
        .args(fault);
    Some(Finished::of(&mut host))
}

#[test]
fn an_environment_with_the_rules_of_the_page_conforms() {
    for size in ["2", "4", "5"] {
        let Some(finished) = conform(&["--size", size], &[]) else {
            return;
        };
        let out = finished.expect_code(0).stdout;
        assert!(out.ends_with("\nconforms to 2048-v1\n"), "{out}");
    }
}

#[test]
fn the_first_rule_that_an_environment_breaks_is_named() {
    for (fault, rule, part) in [
        ("no-tile-on-full-board", "full-board", "and a new 2 or 4"),
        ("tile-after-illegal-move", "illegal-move", "the same board"),
        ("merge-twice", "merge-once", "expected  gain"),
        ("stops-at-2048", "any", "playing, this board"),
        ("corners-only", "new-cells", "χ² ="),
    ] {
        let Some(finished) = conform(&[], &[fault]) else {
            return;
        };
        let finished = finished.expect_error(4, &format!("first in `{rule}`"));
        assert!(
            finished.stdout.contains(part),
            "{fault}: {}",
            finished.stdout
        );
    }
}

#[test]
fn an_environment_that_does_not_answer_is_reported() {
    let check = |command: &[&str], code, part: &str| {
        let arguments = [&["conform"], command].concat();
        Finished::of(host().args(arguments)).expect_error(code, part);
    };
    check(&["true"], 4, "instead of answering `start 4`");
    check(
        &["cat"],
        4,
        "answered `start 4` with “start 4” instead of a board",
    );
    check(&["/no/such/program"], 2, "cannot start the environment");
}
