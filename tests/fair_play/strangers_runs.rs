//! Run folders of strangers: no link is followed, no path or setting in them is obeyed.

use std::{fs, os::unix::fs::symlink, path::Path, process::Command};

use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use crate::support::{
    Finished, TournamentTest, built_agent::build_c, host, repository, write_records,
};

const YAML: &str = "board: 3\nseeds: 1..2\nagents: [{plugin: greedy}, {plugin: random}]\n";

fn played() -> TournamentTest {
    let test = TournamentTest::new(YAML);
    test.run(&[]).expect_code(0);
    test
}

/// Every command that reads a run folder refuses it, and none panics or works for ever.
#[track_caller]
fn check_refused(change: impl FnOnce(&mut serde_json::Value), sentence: &str) {
    let test = played();
    test.change_plan(change);
    for arguments in [
        &["verify", "runs/t"][..],
        &["verify", "runs/t", "--rerun"],
        &["report", "runs/t"],
        &["replay", "runs/t", "--agent", "greedy", "--seed", "1"],
        &["merge", "runs/t", "--out", "elsewhere"],
    ] {
        test.host(arguments).expect_error(5, sentence);
    }
}

#[test]
fn a_plan_is_checked_like_a_tournament_file() {
    check_refused(
        |plan| plan["tournament"]["seeds"] = "0..9007199254740991".into(),
        "more than the limit of 100,000,000",
    );
    check_refused(
        |plan| drop(plan["entrants"].as_array_mut().map(Vec::pop)),
        "2 agents, but `entrants` has 1",
    );
    check_refused(
        |plan| plan["tournament"]["budget"] = serde_json::json!([]),
        "no budgets",
    );
    check_refused(
        |plan| plan["entrants"][0]["sha256"] = "/../../../x".into(),
        "`entrants` has an invalid SHA-256",
    );
    check_refused(
        |plan| plan["tournament"]["name"] = "/tmp/x".into(),
        "is not a valid name",
    );
    check_refused(
        |plan| plan["entrants"][1]["name"] = "other".into(),
        "in the place of agent",
    );
}

/// A list of the missing games would not fit into the memory.
#[test]
fn a_hundred_million_missing_games_are_counted() {
    let test = played();
    test.change_plan(|plan| {
        plan["tournament"]["seeds"] = "1..50000000".into();
    });
    test.write("runs/t/games.jsonl", "");
    for arguments in [
        &["verify", "runs/t"][..],
        &["merge", "runs/t", "--out", "elsewhere"],
    ] {
        let mut limited = Command::new("sh");
        limited
            .args(["-c", "ulimit -v 600000; exec \"$@\"", "sh"])
            .arg(host().get_program())
            .args(arguments)
            .current_dir(test.folder.path());
        let counted = Finished::of(&mut limited).expect_code(5).stderr;
        assert!(counted.contains("100000000"), "{counted}");
    }
}

#[test]
fn a_fingerprint_is_no_path() {
    let test = played();
    test.write("secret.txt", "a secret line");
    let log = fs::read_to_string(test.log()).expect("a log");
    let mut record: serde_json::Value =
        serde_json::from_str(log.lines().next().expect("a line")).expect("a record");
    record["ending"] = "crash".into();
    record["fault"] = "crashed".into();
    record["fingerprint"] = "/../../../../secret".into();
    // As hosts up to 1.0.0 wrote it, without a checksum.
    for key in ["host", "check"] {
        record.as_object_mut().expect("an object").remove(key);
    }
    fs::write(test.log(), format!("{record}\n")).expect("a log");
    fs::create_dir_all(test.path("runs/t/stderr/greedy-seed-1-")).expect("a folder");
    let reported = test.host(&["report", "runs/t"]);
    assert!(
        !reported.stdout.contains("a secret line"),
        "{}",
        reported.stdout
    );
    let verified = test.host(&["verify", "runs/t"]).expect_code(5);
    assert!(
        verified.stdout.contains("fingerprint"),
        "{}",
        verified.stdout
    );
}

/// The log of a plan of four games has at most a thousand lines more than ten for each.
#[test]
fn a_log_that_unpacks_to_more_than_its_plan_can_fill_is_not_read_to_its_end() {
    let test = played();
    let record = fs::read_to_string(test.log()).expect("a log");
    let record = record.lines().next().expect("a record").to_owned() + "\n";
    fs::remove_file(test.log()).expect("a log");
    for line in ["{\"v\":1}\n", "\n", &record] {
        let bomb = line.repeat(3_000_000 / line.len());
        let bomb = compress_to_vec(bomb.as_bytes(), CompressionLevel::Fastest);
        assert!(bomb.len() < 15_000, "{} bytes", bomb.len());
        fs::write(test.path("runs/t/games.jsonl.zst"), bomb).expect("a log");
        for arguments in [
            &["verify", "runs/t"][..],
            &["verify", "runs/t", "--sample", "3"],
            &["report", "runs/t"],
            &["replay", "runs/t", "--agent", "greedy", "--seed", "1"],
            &["merge", "runs/t", "--out", "merged"],
        ] {
            let finished = test.host(arguments);
            let shown = format!("{arguments:?}: {}{}", finished.stdout, finished.stderr);
            assert!(shown.contains("more than 1040 lines"), "{shown}");
            assert!(finished.stdout.len() < 10_000, "{shown}");
            assert_ne!(finished.code, Some(0), "{shown}");
        }
    }
}

/// The names of files in a run folder, where a stranger could put links.
const NAMES: [&str; 8] = [
    "lock",
    "plan.json",
    "plan.json.4294967295.new",
    "games.jsonl",
    "superseded.jsonl",
    "damaged.jsonl",
    "report.html",
    "salt",
];

#[test]
fn no_link_in_a_run_folder_is_followed() {
    for name in NAMES {
        let test = played();
        test.write("precious", "precious and secret");
        let link = test.path(&format!("runs/t/{name}"));
        let _ = fs::remove_file(&link);
        symlink(test.path("precious"), &link).expect("a link");
        // Something to set aside, and something to play.
        if name != "games.jsonl" {
            let mut records = test.records();
            records[0].agent = "stranger".to_owned();
            write_records(&test.log(), &records);
            let log = fs::read_to_string(test.log()).expect("a log");
            fs::write(test.log(), format!("garbage\n{log}")).expect("a log");
        }
        for arguments in [
            &["run", "t.yaml"][..],
            &["verify", "runs/t"],
            &["report", "runs/t"],
            &["merge", "runs/t", "--out", "merged"],
            &["merge", "runs/t", "--partial", "--out", "runs/t"],
        ] {
            let finished = test.host(arguments);
            let shown = finished.stdout + &finished.stderr;
            assert!(!shown.contains("precious and secret"), "{name}: {shown}");
            assert!(!shown.contains("panicked"), "{name}: {shown}");
        }
        let kept = fs::read_to_string(test.path("precious")).expect("it is still there");
        assert_eq!(kept, "precious and secret", "{name}");
    }
}

#[test]
fn no_link_in_the_stderr_folder_is_followed() {
    let yaml = "seeds: 1..1\nagents: [{plugin: scripted, params: {misdeed: panic, on_move: 3}}]\n";
    let test = TournamentTest::new(yaml);
    test.run(&[]).expect_code(0);
    let stderr = test.path("runs/t/stderr");
    let file = fs::read_dir(&stderr)
        .expect("a folder")
        .next()
        .expect("a file")
        .expect("an entry")
        .path();
    test.write("precious", "precious and secret");
    let links_to = |target: &Path, link: &Path| {
        let _ = fs::remove_file(link);
        symlink(target, link).expect("a link");
    };
    // The file is a link, then the folder is one.
    links_to(&test.path("precious"), &file);
    let reported = test.host(&["report", "runs/t"]).expect_code(0);
    assert!(!reported.stdout.contains("precious"), "{}", reported.stdout);
    fs::remove_file(test.log()).expect("a log");
    test.run(&[]).expect_code(0);
    let kept = fs::read_to_string(test.path("precious")).expect("it is still there");
    assert_eq!(kept, "precious and secret");
    fs::remove_dir_all(&stderr).expect("a folder");
    fs::create_dir(test.path("elsewhere")).expect("a folder");
    symlink(test.path("elsewhere"), &stderr).expect("a link");
    fs::remove_file(test.log()).expect("a log");
    let warned = test.run(&[]).expect_code(0).stderr;
    assert!(
        warned.contains("cannot write the stderr of scripted"),
        "{warned}"
    );
    let n_files = fs::read_dir(test.path("elsewhere"))
        .expect("a folder")
        .count();
    assert_eq!(n_files, 0, "nothing was written through the link");
}

/// A plugin that leaves a file behind when it is opened outside of a sandbox.
const LEAVER: &str = r#"
#include "agent2048.h"
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void when_opened(void) {
    FILE *file = fopen(LEFT, "w");
    if (file != NULL) fclose(file);
}
static void *create(const agent2048_host *host, const char *params, const char *setup,
                    char *error, size_t error_size) {
    (void)host, (void)params, (void)setup, (void)error, (void)error_size;
    return malloc(1);
}
static int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn,
                  agent2048_choice *choice) {
    (void)agent, (void)board, (void)turn, (void)choice;
    return AGENT2048_ERROR;
}
const agent2048_entry_v1 agent2048_entry = {
    sizeof(agent2048_entry_v1), AGENT2048_MAJOR, AGENT2048_MINOR, 0,
    "{\"name\": \"leaver\", \"version\": \"1\"}", create, free, choose, NULL,
};
"#;

#[test]
fn a_plan_opens_no_plugin_without_a_sandbox_and_none_by_its_path() {
    let test = played();
    let left = test.path("left-behind");
    let source = format!("#define LEFT \"{}\"\n{LEAVER}", left.display());
    test.write("leaver.c", &source);
    fs::create_dir(test.path("mail")).expect("a folder");
    let include = repository().join("plugin-api/include");
    let library = build_c(
        &test.path("mail"),
        "cc",
        &include,
        &test.path("leaver.c"),
        "leaver",
    );
    let hash = sha256(&library);
    let obey = |plan: &mut serde_json::Value, hash: &str| {
        plan["tournament"]["isolation"] = "none".into();
        plan["tournament"]["sandbox"] = "off".into();
        plan["tournament"]["agents"][0]["plugin"] = "./mail/libleaver.so".into();
        plan["entrants"][0]["path"] = "mail/libleaver.so".into();
        plan["entrants"][0]["sha256"] = hash.into();
    };
    // The records have to fit the plan, or no game would be played again.
    let fit = |test: &TournamentTest| {
        use run::{game_record::GameRecord, run_plan::RunPlan};
        let plan = RunPlan::read(&test.path("runs/t")).expect("a plan");
        let fingerprint =
            plan.agents[0].fingerprint(&plan.tournament, &plan.tournament.budgets[0], &plan.salt);
        let records: Vec<GameRecord> = test
            .records()
            .into_iter()
            .map(|record| match record.agent.as_str() {
                "greedy" => GameRecord {
                    fingerprint: fingerprint.clone(),
                    ..record
                },
                _ => record,
            })
            .collect();
        write_records(&test.log(), &records);
    };
    test.change_plan(|plan| obey(plan, &hash));
    fit(&test);
    test.host(&["verify", "runs/t", "--rerun"])
        .expect_error(4, "--plugins");
    assert!(!left.exists(), "the plugin of the plan was opened");
    // With the folder it is played, in a sandbox.
    let arguments = ["verify", "runs/t", "--rerun", "--plugins", "mail"];
    let played = test.host(&arguments).expect_code(5);
    assert!(
        played.stdout.contains("played again, greedy on seed 1"),
        "{}",
        played.stdout
    );
    assert!(
        !left.exists(),
        "the plugin was opened outside of the sandbox"
    );
    // A file with another hash is not opened at all.
    test.change_plan(|plan| obey(plan, &"0".repeat(64)));
    fit(&test);
    test.host(&arguments)
        .expect_error(4, "is not the file that played");
    assert!(
        !left.exists(),
        "the plugin was opened outside of the sandbox"
    );
}

fn sha256(file: &Path) -> String {
    let output = std::process::Command::new("sha256sum")
        .arg(file)
        .output()
        .expect("sha256sum runs");
    let text = String::from_utf8(output.stdout).expect("text");
    text.split(' ').next().expect("a word").to_owned()
}

/// A plan may let an agent read anything; the user who plays it again decides.
#[test]
fn files_of_a_plan_are_read_only_if_the_user_names_them() {
    let test =
        TournamentTest::new("seeds: 1..1\nagents: [{plugin: greedy, allow_read: [weights]}]\n");
    test.write("weights", "1 2 3");
    test.run(&[]).expect_code(0);
    let again = |options: &[&str]| test.host(&[&["verify", "runs/t", "--rerun"], options].concat());
    let refused = again(&[]).expect_code(4);
    assert!(
        refused
            .stderr
            .contains("allow it with --allow-read weights"),
        "{}",
        refused.stderr
    );
    again(&["--allow-read", "weights"]).expect_code(0);
    test.write("weights", "4 5 6");
    let changed = again(&["--allow-read", "weights"]);
    assert_ne!(changed.code, Some(0), "{}", changed.stdout);
}
