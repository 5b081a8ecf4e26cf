//! What shows that a run can be believed: the control, the salt, and private seeds.

use std::fs;

use crate::support::{TournamentTest, attack::build_hostile};

#[test]
fn the_control_plays_twice_under_two_random_seeds_and_is_ranked_once() {
    let test = TournamentTest::new(
        "seeds: 1..40\nboard: 3\ncontrol: random\nagents:\n- plugin: random\n- plugin: greedy\n",
    );
    let finished = test.run(&[]).expect_code(0);
    let records = test.records();
    assert_eq!(records.len(), 120);
    let moves = |agent: &str| -> Vec<&str> {
        let games = records.iter().filter(|record| record.agent == agent);
        games.map(|record| record.moves.as_str()).collect()
    };
    assert_ne!(moves("random"), moves("random-twin"));
    assert!(
        finished
            .stdout
            .contains("control: random and its second entry cannot be distinguished"),
        "{}",
        finished.stdout
    );
    let twin = finished
        .stdout
        .lines()
        .find(|line| line.contains("random-twin"))
        .expect("a row");
    assert!(twin.starts_with('–'), "{twin}");
    test.host(&["verify", "runs/t", "--rerun"]).expect_code(0);
}

#[test]
fn a_twins_name_must_be_free() {
    let test = TournamentTest::new(
        "control: random\nagents: [{plugin: random}, {plugin: greedy, name: random-twin}]\n",
    );
    test.run(&[]).expect_error(
        3,
        "the control's second series would be named `random-twin`",
    );
}

/// Mean scores of the agent that knows public seeds and of an honest one.
fn scores_under(salt: &str) -> (u64, u64, String) {
    let test = TournamentTest::new(&format!(
        "seeds: 1..3\nsalt: {salt}\nmax_moves: 1200\nagents:\n- plugin: future_looker\n- plugin: greedy\n"
    ));
    let finished = test.run(&[]).expect_code(0);
    let total = |agent: &str| {
        let records = test.records().into_iter();
        let games = records.filter(|record| record.agent == agent);
        games.map(|record| record.score).sum()
    };
    (total("future_looker"), total("greedy"), finished.stdout)
}

#[test]
fn an_agent_that_looks_up_the_future_shines_on_open_tiles_and_is_ordinary_under_a_salt() {
    let (looker, greedy, report) = scores_under("none");
    assert!(looker > 3 * greedy, "{looker} against {greedy}");
    assert!(report.contains("note: predictable tiles"), "{report}");
    let (looker, greedy, report) = scores_under("secret");
    assert!(looker < 2 * greedy, "{looker} against {greedy}");
    assert!(!report.contains("predictable tiles"), "{report}");
}

/// A run of two agents on 30 shared and 30 private seeds each; the first knows the tiles of
/// the seeds up to `last_seed`.
fn run_with_private_seeds(last_seed: u64) -> (TournamentTest, String) {
    let salt = "5a".repeat(24);
    let test = TournamentTest::new(&format!(
        "seeds: 1..30\nsalt: {salt}\nprivate_seeds: 30\nmax_moves: 250\nagents:\n\
         - plugin: future_looker\n  params: {{ salt: \"{salt}\", last_seed: {last_seed} }}\n\
         - plugin: greedy\n"
    ));
    let finished = test.run(&[]).expect_code(0);
    (test, finished.stdout)
}

#[test]
fn an_oracle_that_knows_shared_seeds_is_caught_by_private_ones() {
    let (test, report) = run_with_private_seeds(30);
    assert!(
        report.contains("THIS RUN IS SUSPECT: scores are higher on shared seeds than on private ones for future_looker ("),
        "{report}"
    );
    assert!(!report.contains("greedy (mean"), "{report}");
    let json = test
        .host(&["report", "runs/t", "--format", "json"])
        .expect_code(0);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    for agent in json["agents"].as_array().expect("agents") {
        let p_value = agent["private_seeds"]["p_value"]
            .as_f64()
            .expect("a p-value");
        assert_eq!(agent["name"] == "future_looker", p_value < 0.01, "{agent}");
        assert_eq!(agent["games"], 30, "private games are not ranked");
    }
    // Every private seed belongs to one agent.
    let records = test.records();
    let players = |seed| records.iter().filter(|record| record.seed == seed).count();
    assert!((1..=30).all(|seed| players(seed) == 2));
    assert!((31..=90).all(|seed| players(seed) == 1));
    test.host(&["verify", "runs/t"]).expect_code(0);
}

#[test]
fn honest_agents_pass_the_test_of_private_seeds() {
    let (_, report) = run_with_private_seeds(0);
    assert!(
        report.contains("private seeds: no agent scores significantly higher on shared seeds"),
        "{report}"
    );
}

/// A channel that was planted: a folder without a sandbox. No partner has played a private seed.
#[test]
fn a_pair_that_talks_is_caught_by_private_seeds() {
    let report_with_marks_in = |folder: &str| {
        let test = TournamentTest::new("");
        build_hostile(&test, "accomplice");
        let marks = test.path("marks");
        fs::create_dir(&marks).expect("a folder");
        let (salt, marks) = ("5a".repeat(24), marks.display());
        test.write(
            "t.yaml",
            &format!(
                "seeds: 1..30\nsalt: {salt}\nprivate_seeds: 30\nmax_moves: 150\nworkers: 1\nsandbox: off\nagents:\n\
                 - {{plugin: accomplice, name: scout, params: {{scouts: 1, folder: {marks}}}}}\n\
                 - {{plugin: accomplice, name: player, params: {{folder: {marks}{folder}}}}}\n"
            ),
        );
        test.run(&[]).expect_code(0).stdout
    };
    let report = report_with_marks_in("");
    let suspicion =
        "THIS RUN IS SUSPECT: scores are higher on shared seeds than on private ones for player (";
    assert!(report.contains(suspicion), "{report}");
    let report = report_with_marks_in("/none");
    assert!(!report.contains("SUSPECT"), "{report}");
}

#[test]
fn private_seeds_need_a_salt() {
    let test = TournamentTest::new("private_seeds: 5\nagents: [{plugin: greedy}]\n");
    test.run(&[])
        .expect_error(3, "without a salt anyone can compute the tiles");
}

/// The order within a seed is not that of the file, and differs from seed to seed.
#[test]
fn a_salt_shuffles_the_order_of_the_agents() {
    let test = TournamentTest::new(
        "seeds: 1..20\nboard: 2\nsalt: secret\nworkers: 1\nagents:\n- plugin: greedy\n- plugin: random\n- {plugin: greedy, name: g2}\n",
    );
    test.run(&[]).expect_code(0);
    let records = test.records();
    let orders: std::collections::BTreeSet<Vec<&str>> = records
        .chunks(3)
        .map(|seed| seed.iter().map(|record| record.agent.as_str()).collect())
        .collect();
    assert!(orders.len() >= 3, "{orders:?}");
    let numbers: Vec<u64> = records.iter().map(|record| record.game).collect();
    assert_eq!(numbers, (0..60).collect::<Vec<_>>());
}
