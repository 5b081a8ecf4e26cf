//! What shows that a run can be believed: the control's twin, and the salt.

use crate::support::TournamentTest;

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
            .contains("control: random and its twin cannot be told apart"),
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
    test.run(&[])
        .expect_error(3, "its twin would be named `random-twin`");
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
fn who_looks_up_the_future_shines_on_open_tiles_and_is_ordinary_under_a_salt() {
    let (looker, greedy, report) = scores_under("none");
    assert!(looker > 3 * greedy, "{looker} against {greedy}");
    assert!(report.contains("note: open tiles"), "{report}");
    let (looker, greedy, report) = scores_under("secret");
    assert!(looker < 2 * greedy, "{looker} against {greedy}");
    assert!(!report.contains("open tiles"), "{report}");
}
