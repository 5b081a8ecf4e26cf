//! Tournaments with a stop rule: agents race until their places are settled.

use std::fs;

use crate::support::{TournamentTest, all_without_times};

/// The first two agents play alike and are never separated; the third is far behind.
const NEVER_SETTLED: &str = "seeds: 1..5\nstop: {decided: 0.95, max_seeds: 70}\nagents:\n\
    - {plugin: greedy, name: one}\n- {plugin: greedy, name: two}\n- {plugin: random}\n";

const SETTLED: &str = "seeds: 11..15\nstop: {decided: 0.95, max_seeds: 200}\nagents:\n\
    - {plugin: greedy}\n- {plugin: random}\n";

#[test]
fn a_run_stops_at_the_first_look_that_decides_all_pairs() {
    let test = TournamentTest::new(SETTLED);
    let first = test.run(&[]).expect_code(0);
    let seeds: Vec<u64> = test.records().iter().map(|record| record.seed).collect();
    let n_seeds = seeds.len() as u64 / 2;
    assert!((10..200).contains(&n_seeds), "{n_seeds} seeds");
    assert_eq!((seeds[0], seeds[seeds.len() - 1]), (11, 10 + n_seeds));
    let settled = format!("settled after {n_seeds} seeds");
    assert!(first.stderr.contains(&settled), "{}", first.stderr);
    assert!(first.stdout.contains(&settled), "{}", first.stdout);
    assert!(
        first.stdout.contains("hold at any number of seeds"),
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
fn an_agent_whose_place_is_settled_stops_and_the_others_play_to_the_end() {
    let test = TournamentTest::new(NEVER_SETTLED);
    let finished = test.run(&["--format", "json"]).expect_code(0);
    let n_games = |name: &str| test.records().iter().filter(|r| r.agent == name).count();
    assert_eq!((n_games("one"), n_games("two")), (70, 70));
    let n_random = n_games("random");
    assert!((10..70).contains(&n_random), "{n_random}");
    let line = format!("after {n_random} seeds: the place of random is settled");
    assert!(finished.stderr.contains(&line), "{}", finished.stderr);
    let report: serde_json::Value = serde_json::from_str(&finished.stdout).expect("JSON");
    assert_eq!(report["stop"]["state"], "open");
    assert_eq!(report["stop"]["seeds"], 70);
    assert_eq!(report["stop"]["open"][0]["b"], "two");
    assert_eq!(report["agents"][0]["games"], 70);
    assert_eq!(report["agents"][0]["same_games_as"][0], "two");
    let pairs = report["pairs"].as_array().expect("pairs");
    for pair in pairs {
        let excludes_zero = pair["low"].as_f64() > Some(0.0) || pair["high"].as_f64() < Some(0.0);
        assert_eq!(pair["better"].is_string(), excludes_zero, "{pair}");
    }
}

#[test]
fn agents_that_are_equal_within_the_margin_stop_early() {
    let yaml = NEVER_SETTLED.replace("70}", "70, equal_within: 10%}");
    let test = TournamentTest::new(&yaml);
    let finished = test.run(&[]).expect_code(0);
    assert!(test.records().len() < 2 * 70, "{}", test.records().len());
    assert!(
        finished
            .stdout
            .contains("one and two are practically equal"),
        "{}",
        finished.stdout
    );
}

#[test]
fn the_records_do_not_depend_on_workers_or_kills() {
    let alone = TournamentTest::new(NEVER_SETTLED);
    alone.run(&["--workers", "1"]).expect_code(0);
    let test = TournamentTest::new(NEVER_SETTLED);
    for n_games in [1, 10, 25] {
        let mut child = test.start_and_wait_for_games(n_games, &["--workers", "2"]);
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
    assert_eq!(test.records().len(), 4 + 9);
    test.run(&["--seed", "211"])
        .expect_error(2, "not one of the tournament's seeds (11..15, 16..210)");
    let finished = test.run(&[]).expect_code(0);
    assert!(
        finished.stdout.contains("settled after"),
        "{}",
        finished.stdout
    );
}

/// They decide nothing, so the race is over without them.
#[test]
fn games_on_private_seeds_are_played_when_the_race_is_over() {
    let test = TournamentTest::new(
        "salt: 000102030405060708090a0b0c0d0e0f1011121314151617\nseeds: 1..3\nprivate_seeds: 2\n\
         stop: {decided: 0.95, max_seeds: 10}\nagents: [{plugin: greedy}, {plugin: random}]\n",
    );
    let seeds: Vec<String> = (1..=10).map(|seed| seed.to_string()).collect();
    let chosen: Vec<&str> = seeds.iter().flat_map(|seed| ["--seed", seed]).collect();
    test.run(&chosen).expect_code(0);
    let verify = || test.host(&["verify", "runs/t"]);
    verify().expect_error(5, "4 of 24 games are missing");
    let told = test.run(&[]).expect_code(0).stderr;
    assert!(
        told.contains("4 games to play, 20 already played"),
        "{told}"
    );
    verify().expect_code(0);
    let again = test.run(&[]).expect_code(0).stderr;
    assert!(!again.contains("games to play"), "{again}");
}
