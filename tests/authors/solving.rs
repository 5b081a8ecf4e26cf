//! `host solve`: reproduces the paper's table of deterministic 2048 with the real
//! plugin.

use std::{io::Read, process::Stdio};

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::support::{
    Finished, host,
    processes::{next_worker, send_to_child},
};

fn solve(arguments: &[&str]) -> Finished {
    Finished::of(host().arg("solve").args(arguments))
}

/// Figures from the paper: size, goal, number of solutions, fewest and most moves.
#[test]
fn the_papers_table_is_reproduced() {
    for (size, goal, solutions, fewest, most) in [
        ("2", "4", "6", 1, 2),
        ("2", "8", "48", 4, 5),
        ("2", "16", "168", 9, 9),
        ("3", "8", "21526", 4, 13),
        ("4", "8", "1104588", 4, 23),
    ] {
        let finished = solve(&["--size", size, "--goal", goal, "--format", "json"]).expect_code(0);
        let answer: Value = serde_json::from_str(&finished.stdout).expect("JSON");
        assert_eq!(answer["solutions"], solutions, "{size}×{size}, {goal}");
        assert_eq!(
            (&answer["min_moves"], &answer["max_moves"]),
            (&fewest.into(), &most.into())
        );
        assert_eq!(answer["complete"], true);
    }
}

#[test]
fn every_solution_is_listed_with_its_moves_and_its_last_board() {
    let list = solve(&["--size", "2", "--goal", "8", "--list", "--format", "csv"]).expect_code(0);
    let lines: Vec<&str> = list.stdout.lines().collect();
    assert_eq!(lines.len(), 1 + 48);
    assert!(lines[1..].iter().all(|line| line.contains('8')));
    let text = solve(&["--size", "3", "--goal", "8", "--list"])
        .expect_code(0)
        .stdout;
    assert!(
        text.contains("solutions   21526"),
        "the count is below the list"
    );
    assert_eq!(text.matches('→').count(), 21526);
}

#[test]
fn no_solution_is_a_valid_answer() {
    let finished = solve(&["--size", "2", "--goal", "32", "--format", "json"]).expect_code(0);
    let answer: Value = serde_json::from_str(&finished.stdout).expect("JSON");
    assert_eq!(
        (&answer["solutions"], &answer["complete"]),
        (&"0".into(), &true.into())
    );
}

#[test]
fn ctrl_c_prints_the_results_so_far() {
    let mut child = host()
        .args(["solve", "--size", "4", "--goal", "64", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the host starts");
    // The worker counts.
    next_worker(&child, &[]);
    send_to_child(&child, Signal::SIGINT);
    let mut text = String::new();
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_to_string(&mut text).expect("text");
    let code = child.wait().expect("the host ends").code();
    let answer: Value = serde_json::from_str(&text).expect("JSON");
    // Counting takes minutes, so the signal comes before the end.
    assert_eq!(answer["complete"], false);
    assert_eq!(code, Some(130));
}

#[test]
fn a_memory_limit_is_kept_and_reported() {
    let arguments = [
        "--size", "4", "--goal", "64", "--memory", "16MiB", "--format", "json",
    ];
    let finished = solve(&arguments).expect_code(0);
    let answer: Value = serde_json::from_str(&finished.stdout).expect("JSON");
    assert_eq!(answer["complete"], false);
    let reason = answer["incomplete_because"].as_str().expect("a reason");
    assert!(reason.contains("memory"), "{reason}");
    solve(&["--size", "2", "--goal", "8", "--memory", "1"])
        .expect_error(2, "--memory 1: not enough for a search");
}
