//! Plans that are damaged or deleted are rebuilt, and no game is played again.

use std::fs;

use crate::support::TournamentTest;

const YAML: &str =
    "board: 2\nsalt: secret\nseeds: 1..4\nagents: [{plugin: greedy}, {plugin: random}]\n";

const PLAN: &str = "runs/t/plan.json";

fn log_of(test: &TournamentTest) -> String {
    fs::read_to_string(test.log()).expect("a log")
}

/// What may become of a plan.
fn damages(plan: &[u8]) -> [Option<Vec<u8>>; 4] {
    let in_ranking = plan
        .windows(17)
        .position(|part| part == b"disqualify_after");
    let mut flipped = plan.to_vec();
    flipped[in_ranking.unwrap_or(plan.len() / 2) + 3] ^= 1;
    let half = plan[..plan.len() / 2].to_vec();
    [None, Some(flipped), Some(half), Some(Vec::new())]
}

#[test]
fn a_lost_plan_is_rebuilt_and_no_game_is_played_again() {
    let test = TournamentTest::new(YAML);
    for (arguments, n_records) in [(&["--seed", "2"][..], "2 records"), (&[], "8 records")] {
        test.run(arguments).expect_code(0);
        let (plan, log) = (fs::read(test.path(PLAN)).expect("a plan"), log_of(&test));
        for damage in damages(&plan) {
            match &damage {
                None => fs::remove_file(test.path(PLAN)).expect("a plan"),
                Some(bytes) => fs::write(test.path(PLAN), bytes).expect("a plan"),
            }
            let refused = test.host(&["report", "runs/t"]);
            assert_eq!(refused.stdout, "", "no ranking");
            let code = if damage.is_none() { 2 } else { 5 };
            refused.expect_error(code, "");
            let note = format!("was rebuilt from t.yaml, which fits {n_records}");
            test.run(arguments).expect_error(0, &note);
            assert_eq!(log_of(&test), log);
            let kept = fs::read(test.path("runs/t/plan.damaged.json")).ok();
            assert_eq!(kept, damage, "what was left of it is kept");
            // The speed of the machine is measured anew where games are played; here are none.
            let salt = |plan: &[u8]| {
                let plan: serde_json::Value = serde_json::from_slice(plan).expect("JSON");
                (plan["salt"].clone(), plan["salt_commitment"].clone())
            };
            let rebuilt = fs::read(test.path(PLAN)).expect("a plan");
            assert_eq!(salt(&rebuilt), salt(&plan));
            let _ = fs::remove_file(test.path("runs/t/plan.damaged.json"));
        }
    }
    test.host(&["verify", "runs/t", "--rerun"]).expect_code(0);
}

#[test]
fn a_plan_is_not_rebuilt_where_records_or_salt_do_not_fit() {
    let test = TournamentTest::new(YAML);
    test.run(&["--seed", "2"]).expect_code(0);
    let log = log_of(&test);
    let (plan, salt) = (test.path(PLAN), test.path("runs/t/salt"));
    fs::write(&plan, "{}").expect("a plan");
    test.write("t.yaml", &YAML.replace("board: 2", "board: 2\nfour: 0.2"));
    test.run(&[])
        .expect_error(5, "2 of 2 records were played with another tournament file");
    test.write("t.yaml", YAML);
    fs::rename(&salt, test.path("away")).expect("a salt");
    test.run(&[])
        .expect_error(5, "give the salt of the run with --salt-file");
    test.host(&["salt", "other"]).expect_code(0);
    test.run(&["--salt-file", "other"])
        .expect_error(5, "2 of 2 records were played with another");
    fs::remove_file(&plan).expect("a plan");
    test.run(&[])
        .expect_error(2, "has a game log but no plan.json");
    test.host(&["merge", "runs/t", "--out", "runs/t"])
        .expect_code(2);
    assert_eq!(log_of(&test), log);
    test.run(&["--salt-file", "away"]).expect_code(0);
    assert!(log_of(&test).starts_with(&log), "everything is as before");
    // A plan without its salt needs nothing but the salt.
    let test = TournamentTest::new(YAML);
    test.run(&["--seed", "2"]).expect_code(0);
    fs::rename(test.path("runs/t/salt"), test.path("away")).expect("a salt");
    test.run(&[]).expect_error(5, "cannot read the salt file");
    test.run(&["--salt-file", "away"])
        .expect_error(0, "which fits 2 records");
}

#[test]
fn the_plan_of_a_shard_is_rebuilt_as_that_of_the_same_shard() {
    let test = TournamentTest::new(&YAML.replace("salt: secret\n", ""));
    let folder = "runs/t.shards/1-of-2";
    test.run(&["--shard", "1/2"]).expect_code(0);
    fs::remove_file(test.path(folder).join("plan.json")).expect("a plan");
    test.run(&["--out", folder])
        .expect_error(2, "to rebuild it, add --shard 1/2");
    test.run(&["--out", folder, "--shard", "2/2"])
        .expect_error(1, "has games that are not of shard 2/2");
    test.run(&["--shard", "1/2"])
        .expect_error(0, "which fits 4 records");
}
