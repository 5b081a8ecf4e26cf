//! A tournament played in shards.

use std::fs;

use run::run_plan::RunPlan;

use crate::support::{TournamentTest, records_of};

/// The third agent faults in every game and is disqualified on one machine.
const THREE_AGENTS: &str = "seeds: 1..10\nagents:\n- plugin: random\n- plugin: greedy\n\
    - plugin: scripted\n  params: {misdeed: illegal-move, on_move: 20}\n";

/// Plays all shards of a tournament, each in its own folder.
pub(crate) fn play_shards(test: &TournamentTest, n_shards: u32, more: &[&str]) {
    for number in 1..=n_shards {
        let shard = format!("{number}/{n_shards}");
        let mut arguments = vec!["--shard", &shard];
        arguments.extend(more);
        let finished = test.run(&arguments).expect_code(0);
        assert!(
            finished.stdout.is_empty(),
            "a shard prints no ranking: {}",
            finished.stdout
        );
        assert!(
            finished
                .stderr
                .contains(&format!("shard {shard} is complete")),
            "{}",
            finished.stderr
        );
    }
}

#[test]
fn shards_play_every_game_once_and_disqualify_no_agent() {
    let test = TournamentTest::new(THREE_AGENTS);
    play_shards(&test, 4, &[]);
    let mut games = Vec::new();
    for number in 1..=4 {
        let folder = test.path(&format!("runs/t.shards/{number}-of-4"));
        let own: Vec<u64> = records_of(&folder.join("games.jsonl"))
            .iter()
            .map(|record| record.game)
            .collect();
        assert!((7..=8).contains(&own.len()), "{own:?}");
        games.extend(own);
        let plan = RunPlan::read(&folder).expect("a plan");
        assert_eq!(
            plan.shard.map(|shard| shard.to_string()),
            Some(format!("{number}/4"))
        );
    }
    games.sort_unstable();
    assert_eq!(games, (0..30).collect::<Vec<u64>>());
    let report = test
        .host(&["report", "runs/t.shards/3-of-4"])
        .expect_code(0);
    assert!(
        report.stdout.contains("only the games of shard 3/4"),
        "{}",
        report.stdout
    );
    test.host(&["verify", "runs/t.shards/3-of-4", "--rerun"])
        .expect_code(0);
}

#[test]
fn a_shard_is_resumed_but_not_as_a_different_shard() {
    let test = TournamentTest::new(THREE_AGENTS);
    test.run(&["--shard", "2/3", "--only", "greedy"])
        .expect_code(0);
    let resumed = test.run(&["--shard", "2/3"]).expect_code(0);
    assert!(
        resumed.stderr.contains("already played"),
        "{}",
        resumed.stderr
    );
    let folder = ["--out", "runs/t.shards/2-of-3"];
    let as_another = |shard: &[&str]| test.run(&[shard, &folder].concat());
    as_another(&["--shard", "1/3"]).expect_error(2, "contains shard 2/3, not shard 1/3");
    as_another(&["--shard", "2/4"]).expect_error(2, "contains shard 2/3, not shard 2/4");
    as_another(&[]).expect_error(2, "contains shard 2/3, not a whole run");
    as_another(&["--shard", "1/3", "--fresh"]).expect_code(0);
    test.run(&["--seed", "1"]).expect_code(0);
    test.run(&["--shard", "1/2", "--out", "runs/t"])
        .expect_error(2, "contains a whole run, not shard 1/2");
}

#[test]
fn an_invalid_shard_is_rejected() {
    let test = TournamentTest::new(THREE_AGENTS);
    for text in ["0/8", "9/8", "8", "a/b", "1/0"] {
        test.run(&["--shard", text])
            .expect_error(2, "is not a shard; use I/N, for example 3/8");
    }
}

#[test]
fn strict_applies_to_the_faults_of_a_shard() {
    let test = TournamentTest::new(THREE_AGENTS);
    test.run(&["--shard", "1/4", "--strict"]).expect_code(6);
}

/// A timeout disqualifies in the whole run, of which a shard knows nothing.
#[test]
fn a_shard_is_complete_when_its_host_has_played_all_of_its_games() {
    let test = TournamentTest::new(
        "seeds: 1..4\nbudget: {hang: 300ms}\nagents:\n- {plugin: scripted, params: {misdeed: loop}}\n",
    );
    let shard = ["--shard", "1/2"];
    let verify = || test.host(&["verify", "runs/t.shards/1-of-2"]);
    test.run(&[&shard[..], &["--seed", "1"]].concat())
        .expect_code(0);
    verify().expect_error(5, "1 of 2 games are missing");
    test.run(&shard).expect_code(0);
    verify().expect_code(0);
}

#[test]
fn shards_need_a_shared_secret_salt() {
    let test = TournamentTest::new("salt: secret\nseeds: 1..2\nagents: [{plugin: greedy}]\n");
    test.run(&["--shard", "1/2"])
        .expect_error(2, "all shards need the same salt: pass it with --salt-file");
    test.run(&["--shard", "1/2", "--salt-file", "salt"])
        .expect_error(2, "cannot read the salt file `salt`");
    test.write("salt", "5ec3e7\n");
    let error = test
        .run(&["--shard", "1/2", "--salt-file", "salt"])
        .expect_error(2, "must contain 48 hexadecimal digits");
    assert!(!error.stderr.contains("5ec3e7"), "{}", error.stderr);
    let salt = "000102030405060708090a0b0c0d0e0f1011121314151617";
    test.write("salt", &format!("{salt}\n"));
    play_shards(&test, 2, &["--salt-file", "salt"]);
    for number in 1..=2 {
        let folder = test.path(&format!("runs/t.shards/{number}-of-2"));
        let plan = RunPlan::read(&folder).expect("a plan");
        assert_eq!(plan.salt.to_string(), salt);
    }
    fs::write(test.path("t.yaml"), "agents: [{plugin: greedy}]\n").expect("a file");
    test.run(&["--salt-file", "salt"])
        .expect_error(2, "the option needs `salt: secret`");
}

#[test]
fn the_printed_merge_command_matches_the_folder_of_the_shard() {
    let test = TournamentTest::new("seeds: 1..2\nagents: [{plugin: greedy}]\n");
    let closing = |out: &[&str]| test.run(&[&["--shard", "1/2"], out].concat()).stderr;
    assert!(closing(&[]).contains("host merge runs/t.shards/*-of-2 --out runs/t"));
    assert!(closing(&["--out", "1-of-2"]).contains("host merge *-of-2 --out runs/t"));
    let other = closing(&["--out", "my part"]);
    assert!(other.contains("merge this folder and those of the other shards with"));
    // The command begins with the program as it was called.
    let called = env!("CARGO_BIN_EXE_host");
    assert!(
        other.contains(&format!("`{called} merge FOLDERS --out runs/t`")),
        "{other}"
    );
    let chosen = closing(&["--out", "some", "--only", "greedy"]);
    assert!(
        chosen.contains("the same command without --only and --seed plays the others"),
        "{chosen}"
    );
}
