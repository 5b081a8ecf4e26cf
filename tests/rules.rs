//! The rules of `docs/rules.md`, implemented a second time in Python from that page.

use std::process::Command;

use crate::support::{Finished, TournamentTest, interpreters::interpreter, repository};

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
