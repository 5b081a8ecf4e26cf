//! The salt of a run: secret until the run has ended, and committed to from the start.

use std::{fs, os::unix::fs::PermissionsExt, process::Command};

use nix::sys::signal::Signal;

use crate::{
    support::{Finished, TournamentTest, processes::send_to_child, repository},
    web::served_page::ServedPage,
};

const YAML: &str =
    "board: 3\nsalt: secret\nseeds: 1..4\nagents: [{plugin: greedy}, {plugin: random}]\n";

fn salt_in(test: &TournamentTest, folder: &str) -> String {
    let file = test.path(&format!("{folder}/salt"));
    let mode = fs::metadata(&file)
        .expect("a salt file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600, "only its owner can read the salt");
    let digits = fs::read_to_string(file).expect("a salt");
    digits.trim().to_owned()
}

fn plan_of(test: &TournamentTest, folder: &str) -> String {
    fs::read_to_string(test.path(&format!("{folder}/plan.json"))).expect("a plan")
}

/// The commitment that `host run` prints before the games.
fn commitment_in(finished: &Finished) -> String {
    let line = finished
        .stderr
        .lines()
        .find(|line| line.contains("commitment to it: "));
    let line = line.unwrap_or_else(|| panic!("no commitment in:\n{}", finished.stderr));
    line.rsplit(' ').next().expect("a word").to_owned()
}

/// Every file of a run except the salt file, and everything that commands print.
#[track_caller]
fn check_hidden(test: &TournamentTest, folder: &str, salt: &str) {
    test.host(&["report", folder, "--html", "page.html"])
        .expect_code(0);
    let mut texts = vec![fs::read_to_string(test.path("page.html")).expect("a page")];
    for arguments in [
        &["report", folder][..],
        &["report", folder, "--format", "json"],
        &["verify", folder],
    ] {
        let finished = test.host(arguments);
        let is_read = finished.code == Some(0) || finished.stderr.contains("incomplete");
        assert!(is_read, "{arguments:?}: {}", finished.stderr);
        texts.extend([finished.stdout, finished.stderr]);
    }
    let page = ServedPage::start(test.folder.path(), &[folder]);
    texts.push(page.get("/api/runs").body);
    for entry in fs::read_dir(test.path(folder)).expect("a folder").flatten() {
        if entry.file_name() != "salt" && entry.path().is_file() {
            texts.push(fs::read_to_string(entry.path()).expect("text"));
        }
    }
    for text in texts {
        assert!(!text.contains(salt), "the salt is in:\n{text}");
    }
}

#[test]
fn a_salt_is_hidden_until_the_run_has_ended_and_published_then() {
    let test = TournamentTest::new(YAML);
    let begun = test.run(&["--seed", "2"]).expect_code(0);
    let (salt, commitment) = (salt_in(&test, "runs/t"), commitment_in(&begun));
    assert!(plan_of(&test, "runs/t").contains(&commitment));
    check_hidden(&test, "runs/t", &salt);
    let arguments = ["replay", "runs/t", "--agent", "greedy", "--seed", "2"];
    test.host(&arguments).expect_code(0);
    let first = test.records();

    let ended = test.run(&[]).expect_code(0);
    assert_eq!(commitment_in(&ended), commitment);
    assert!(plan_of(&test, "runs/t").contains(&salt));
    for record in first {
        assert!(
            test.records().contains(&record),
            "played with the same salt"
        );
    }
    for arguments in [
        &["verify", "runs/t", "--rerun"][..],
        &["verify", "runs/t", "--commitment", &commitment],
        &["report", "runs/t"],
        &arguments,
    ] {
        test.host(arguments).expect_code(0);
    }
    let other = commitment.replace(|digit| digit != '0', "1");
    test.host(&["verify", "runs/t", "--commitment", &other])
        .expect_error(5, "not played with the salt that was committed to");
    test.host(&["verify", "runs/t", "--commitment", "abc"])
        .expect_error(2, "64 hexadecimal digits");
    // A plan whose salt does not fit its commitment is a lie.
    let plan = plan_of(&test, "runs/t");
    test.change_plan(|plan| plan["salt_commitment"] = other.into());
    test.host(&["verify", "runs/t"])
        .expect_error(5, "not the one that the run was committed to");
    test.write("runs/t/plan.json", &plan);
    test.write("t.yaml", &YAML.replace("1..4", "1..5"));
    test.run(&[]).expect_error(0, "its salt was published");
}

#[test]
fn a_salt_that_cannot_be_published_is_not_forgotten() {
    let test = TournamentTest::new(YAML);
    let library = test.path("read_only_later.so");
    let status = Command::new("cc")
        .args(["-Wall", "-Werror", "-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg("-DLOG=\"runs/t/games.jsonl\"")
        .arg(repository().join("tests/c-agents/read_only_later.c"))
        .arg("-ldl")
        .status();
    assert!(status.expect("a compiler runs").success(), "it compiles");
    let ended = Finished::of(test.command(&[]).env("LD_PRELOAD", &library));
    let ended = ended.expect_error(1, "all games are played and kept, but the salt cannot be");
    let advice = "give the command again when the folder can be written";
    assert!(ended.stderr.contains(advice), "{}", ended.stderr);
    let (salt, records) = (salt_in(&test, "runs/t"), test.records());
    assert_eq!(records.len(), 8);
    assert!(!plan_of(&test, "runs/t").contains(&salt));
    test.run(&[]).expect_error(0, "its salt is now in");
    assert!(plan_of(&test, "runs/t").contains(&salt));
    assert_eq!(test.records(), records, "no game was played again");
}

#[test]
fn an_interrupted_run_keeps_its_secret() {
    let yaml = "salt: secret\nseeds: 1..4000\nagents: [{plugin: expectimax}]\n";
    let test = TournamentTest::new(yaml);
    let run = test.start_and_wait_for_games(1, &["--workers", "1"]);
    let salt = salt_in(&test, "runs/t");
    assert!(!plan_of(&test, "runs/t").contains(&salt));
    send_to_child(&run, Signal::SIGINT);
    Finished::of_started(run).expect_code(130);
    assert!(!plan_of(&test, "runs/t").contains(&salt));
    check_hidden(&test, "runs/t", &salt);
}

#[test]
fn shards_keep_the_secret_and_their_merge_publishes_it() {
    let test = TournamentTest::new(YAML);
    let commitment = test.host(&["salt", "our.salt"]).expect_code(0).stdout;
    let again = test.host(&["salt", "our.salt"]).expect_code(0).stdout;
    assert_eq!(commitment, again, "an existing salt stays");
    let salt = fs::read_to_string(test.path("our.salt")).expect("a salt");
    let salt = salt.trim();
    for shard in ["1/2", "2/2"] {
        test.run(&["--shard", shard, "--salt-file", "our.salt"])
            .expect_code(0);
    }
    assert_eq!(salt_in(&test, "runs/t.shards/1-of-2"), salt);
    check_hidden(&test, "runs/t.shards/1-of-2", salt);
    let parts = ["runs/t.shards/1-of-2", "runs/t.shards/2-of-2"];
    test.host(&["merge", parts[0], "--partial", "--out", "half"])
        .expect_code(0);
    check_hidden(&test, "half", salt);
    test.host(&["merge", parts[0], parts[1], "--out", "whole"])
        .expect_code(0);
    assert!(plan_of(&test, "whole").contains(salt));
    let arguments = ["verify", "whole", "--commitment", commitment.trim()];
    let verified = test.host(&arguments).expect_code(0);
    assert!(
        verified.stdout.contains(commitment.trim()),
        "{}",
        verified.stdout
    );
}

#[test]
fn a_run_without_its_salt_says_so() {
    let test = TournamentTest::new(YAML);
    test.run(&["--seed", "2"]).expect_code(0);
    fs::remove_file(test.path("runs/t/salt")).expect("a salt");
    for command in ["verify", "report"] {
        test.host(&[command, "runs/t"])
            .expect_error(2, "the run has not ended, so its salt is in this file");
    }
}

/// A teacher waits for late submissions, and then presses arrow-up for the next contest.
#[test]
fn a_salt_can_be_held_back_and_one_that_was_published_is_named() {
    let test = TournamentTest::new(YAML);
    test.host(&["salt", "contest.salt"]).expect_code(0);
    let salt = fs::read_to_string(test.path("contest.salt")).expect("a salt");
    let run = |more: &[&str]| {
        let arguments = [&["--salt-file", "contest.salt"], more].concat();
        test.run(&arguments).expect_code(0).stderr
    };
    let held = run(&["--hold-salt"]);
    assert!(held.contains("its salt stays secret"), "{held}");
    assert!(!plan_of(&test, "runs/t").contains(salt.trim()));
    let published = run(&[]);
    assert!(plan_of(&test, "runs/t").contains(salt.trim()));
    let warning = "was published in runs/t/plan.json";
    assert!(!published.contains(warning), "{published}");
    for more in [&["--out", "runs/week-2"][..], &["--fresh"]] {
        let next = run(more);
        assert!(next.contains(warning), "{more:?}: {next}");
    }
}
