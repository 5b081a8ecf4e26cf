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

/// What the paper prints, with its first solutions: number, moves, last board.
#[test]
fn the_papers_five_outputs_come_out() {
    /// The moves of a solution and its last board.
    type Printed = (&'static str, &'static str);
    /// Size, goal, initial board, number of solutions, moves, first solutions.
    type Output<'t> = ([&'static str; 5], &'t [Printed]);
    let first: [Printed; 6] = [
        ("left", "4 2 / 0 0"),
        ("down up", "4 2 / 2 0"),
        ("down left", "2 2 / 4 0"),
        ("down down", "2 0 / 4 2"),
        ("down right", "2 2 / 0 4"),
        ("right", "2 4 / 0 0"),
    ];
    let second: [Printed; 7] = [
        ("left down up left up", "8 4 / 2 0"),
        ("left down up left down", "2 0 / 8 4"),
        ("left down up down left", "4 2 / 8 0"),
        // The paper prints `2 4 / 0 0` here, a board without the goal.
        ("left down up down right", "2 4 / 0 8"),
        ("left down right left up", "8 4 / 2 0"),
        ("left down right left down", "2 0 / 8 4"),
        ("left down right down left", "4 2 / 8 0"),
    ];
    let third: [Printed; 6] = [
        ("left down up left up right right up left", "16 2 / 4 0"),
        ("left down up left up right right up right", "2 16 / 0 4"),
        ("left down up left down right right down left", "4 2 / 16 0"),
        // The paper prints `4 4 / 0 16` here.
        (
            "left down up left down right right down right",
            "2 4 / 0 16",
        ),
        ("left down up down left down up left up", "16 4 / 2 0"),
        ("left down up down left down up left down", "2 0 / 16 4"),
    ];
    let outputs: [Output; 5] = [
        (["2", "4", "2 2 . .", "6", "1 to 2"], &first),
        (["2", "8", "2 2 . .", "48", "4 to 5"], &second),
        (["2", "16", "2 2 . .", "168", "9 to 9"], &third),
        (["3", "8", "2 2 . . . . . . .", "21526", "4 to 13"], &[]),
        (
            [
                "4",
                "8",
                "2 2 . . . . . . . . . . . . . .",
                "1104588",
                "4 to 23",
            ],
            &[],
        ),
    ];
    for ([size, goal, initial, solutions, moves], printed) in outputs {
        let list: &[&str] = if printed.is_empty() { &[] } else { &["--list"] };
        let text = solve(&[&["--size", size, "--goal", goal], list].concat())
            .expect_code(0)
            .stdout;
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text_words = words(&text);
        assert!(
            text_words.contains(&words(&format!("initial {initial}"))),
            "{text}"
        );
        assert!(
            text_words.contains(&format!("solutions {solutions} moves {moves} nodes ")),
            "{text}"
        );
        assert!(text_words.contains(" time "), "{text}");
        let mut lines = text.lines().filter(|line| line.contains('→')).map(words);
        for (number, (path, board)) in (1..).zip(printed) {
            let n_moves = path.split(' ').count();
            let plural = if n_moves == 1 { "" } else { "s" };
            let expected = format!("{number} {n_moves} move{plural}: {path} → {board}");
            assert_eq!(lines.next(), Some(expected));
        }
        if !printed.is_empty() {
            let n_lines = text.lines().filter(|line| line.contains('→')).count();
            assert_eq!(n_lines.to_string(), solutions);
        }
    }
}

/// The trace of the paper's section IV, and its figure 11.
#[test]
fn the_search_is_traced_and_its_tree_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tree.svg");
    let file = file.to_str().expect("a path");
    let arguments = ["--size", "2", "--goal", "4", "--trace", "--tree", file];
    let trace = solve(&arguments).expect_code(0).stdout;
    let steps = [
        "try up: the board does not change, node killed",
        "try left: goal, solution 1",
        "try down: no goal yet, node expanded",
        "try right: goal, solution 5",
        "back to node 1",
        "try right: goal, solution 6",
        "9 nodes visited, 2 expanded, 6 solutions, 1 killed",
    ];
    let places = steps.map(|step| {
        trace
            .find(step)
            .unwrap_or_else(|| panic!("{step}: {trace}"))
    });
    assert!(places.is_sorted(), "{trace}");
    let svg = std::fs::read_to_string(file).expect("a drawing");
    assert!(svg.contains("<svg"), "{svg}");
    solve(&["--size", "2", "--goal", "4", "--tree", "tree"]).expect_error(2, "says no format");
}

/// The tree of the paper's figure 11, and what its bounding function saves.
#[test]
fn nodes_are_counted_with_and_without_pruning() {
    let text = solve(&["--size", "2", "--goal", "4", "--no-prune"])
        .expect_code(0)
        .stdout;
    assert!(
        text.contains("nodes       9 generated, 2 expanded, 1 killed"),
        "{text}"
    );
    assert!(
        text.contains("no pruning  13 generated, 1.4 times as many"),
        "{text}"
    );
}

#[test]
fn boards_and_goals_make_a_table() {
    let arguments = ["--size", "2,3", "--goal", "4,8"];
    let table = |more: &[&str]| solve(&[&arguments, more].concat()).expect_code(0).stdout;
    let text = table(&[]);
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(rows.len(), 2 + 4, "{text}");
    assert_eq!(rows[3][..5], ["2×2", "8", "48", "4", "5"], "{text}");
    assert_eq!(rows[5][..5], ["3×3", "8", "21526", "4", "13"], "{text}");
    let csv = table(&["--format", "csv"]);
    let cells: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(cells[0].last(), Some(&"seconds"));
    assert_eq!(
        cells[1][..10],
        ["2", "4", "6", "1", "2", "2", "true", "9", "2", "1"]
    );
    let json: Value = serde_json::from_str(&table(&["--format", "json"])).expect("JSON");
    assert_eq!(
        (&json[0]["nodes"], &json[3]["solutions"]),
        (&"9".into(), &"21526".into())
    );
    assert!(
        table(&["--format", "markdown"])
            .lines()
            .nth(1)
            .expect("a line")
            .starts_with("|-")
    );
    solve(&[&arguments[..], &["--list"]].concat()).expect_error(2, "one board and one goal");
}

#[test]
fn the_order_of_moves_is_that_of_the_paper_or_as_given() {
    let first = |order: &[&str]| {
        let arguments = ["--size", "2", "--goal", "4", "--list", "--format", "csv"];
        let printed = solve(&[&arguments, order].concat()).expect_code(0).stdout;
        printed.lines().nth(1).expect("a solution").to_owned()
    };
    assert_eq!(first(&[]), "1,1,L,4 2 / 0 0");
    assert_eq!(first(&["--order", "RDLU"]), "1,1,R,2 4 / 0 0");
    solve(&["--size", "2", "--goal", "4", "--order", "RDL"])
        .expect_error(4, "each of U, L, D and R once");
}

#[test]
fn a_search_ends_at_its_time_limit() {
    let arguments = ["--size", "4", "--goal", "64", "--limit", "100ms"];
    let text = solve(&arguments).expect_code(0).stdout;
    assert!(text.contains("at least"), "{text}");
    assert!(text.contains("incomplete"), "{text}");
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
