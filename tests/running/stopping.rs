//! Tournaments with a stop rule: they continue until neighbours are separated.

use std::{fs, thread, time::Duration};

use crate::support::{TournamentTest, all_without_times};

/// Interim analyses at 20, 40 and 70 seeds. The first two agents play alike and are never
/// separated.
const NEVER_SETTLED: &str = "seeds: 1..5\nstop: {decided: 0.95, max_seeds: 70}\nagents:\n\
    - {plugin: greedy, name: one}\n- {plugin: greedy, name: two}\n- {plugin: random}\n";

const SETTLED: &str = "seeds: 11..15\nstop: {decided: 0.95, max_seeds: 200}\nagents:\n\
    - {plugin: greedy}\n- {plugin: random}\n";

#[test]
fn a_run_stops_at_the_first_interim_analysis_that_separates_neighbours() {
    let test = TournamentTest::new(SETTLED);
    let first = test.run(&[]).expect_code(0);
    let seeds: Vec<u64> = test.records().iter().map(|record| record.seed).collect();
    let n_seeds = seeds.len() as u64 / 2;
    assert!([20, 40, 80].contains(&n_seeds), "{n_seeds} seeds");
    assert_eq!((seeds[0], seeds[seeds.len() - 1]), (11, 10 + n_seeds));
    let settled = format!("settled after {n_seeds} seeds");
    assert!(first.stderr.contains(&settled), "{}", first.stderr);
    assert!(first.stdout.contains(&settled), "{}", first.stdout);
    assert!(
        first.stdout.contains("divided among 5 interim analyses"),
        "{}",
        first.stdout
    );

    let log = fs::read(test.log()).expect("a game log");
    let again = test.run(&[]).expect_code(0);
    assert!(again.stderr.contains(&settled), "{}", again.stderr);
    assert!(!again.stderr.contains("games to play"), "{}", again.stderr);
    assert_eq!(again.stdout, first.stdout);
    assert_eq!(fs::read(test.log()).expect("a game log"), log);
}

#[test]
fn pairs_not_separated_after_max_seeds_are_reported() {
    let test = TournamentTest::new(NEVER_SETTLED);
    let finished = test.run(&["--format", "json"]).expect_code(0);
    assert_eq!(test.records().len(), 3 * 70);
    assert!(
        finished
            .stderr
            .contains("interim analysis at 40 seeds: not yet separated: one and two"),
        "{}",
        finished.stderr
    );
    let report: serde_json::Value = serde_json::from_str(&finished.stdout).expect("JSON");
    assert_eq!(report["stop"]["state"], "open");
    assert_eq!(report["stop"]["seeds"], 70);
    assert_eq!(report["stop"]["open"][0]["b"], "two");
    assert_eq!(report["agents"][0]["games"], 70);
}

#[test]
fn the_records_do_not_depend_on_workers_or_kills() {
    let alone = TournamentTest::new(NEVER_SETTLED);
    alone.run(&["--workers", "1"]).expect_code(0);
    let test = TournamentTest::new(NEVER_SETTLED);
    for milliseconds in [10, 40, 90] {
        let mut child = test.start_and_wait_for_a_game(&["--workers", "2"]);
        thread::sleep(Duration::from_millis(milliseconds));
        child.kill().expect("the host can be killed");
        child.wait().expect("the host is reaped");
    }
    test.run(&["--workers", "2"]).expect_code(0);
    assert_eq!(
        all_without_times(alone.records()),
        all_without_times(test.records())
    );
}

#[test]
fn games_chosen_with_options_do_not_settle_the_ranking() {
    let test = TournamentTest::new(SETTLED);
    let finished = test.run(&["--seed", "12", "--seed", "99"]).expect_code(0);
    assert!(
        finished.stdout.contains("not finished"),
        "{}",
        finished.stdout
    );
    let seeds: Vec<u64> = test.records().iter().map(|record| record.seed).collect();
    assert_eq!(seeds, [12, 12, 99, 99]);
    test.run(&["--only", "greedy"]).expect_code(0);
    assert_eq!(test.records().len(), 4 + 19);
    test.run(&["--seed", "211"])
        .expect_error(2, "not one of the tournament's seeds (11..15, 16..210)");
    let finished = test.run(&[]).expect_code(0);
    assert!(
        finished.stdout.contains("settled after"),
        "{}",
        finished.stdout
    );
}
