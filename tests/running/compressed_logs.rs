//! Compressed logs, and run folders packed with `tar --zstd`.

use std::{fs, path::Path, process::Command};

use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use crate::support::{TournamentTest, all_without_times, records_of};

const YAML: &str = "board: 2\nseeds: 1..6\nworkers: 1\nagents:\n- {plugin: greedy}\n\
    - {plugin: scripted, params: {misdeed: panic, on_move: 3}}\n";

fn compress(run: &Path) {
    let log = run.join("games.jsonl");
    let text = fs::read(&log).expect("a log");
    let compressed = compress_to_vec(text.as_slice(), CompressionLevel::Fastest);
    fs::write(run.join("games.jsonl.zst"), compressed).expect("a folder");
    fs::remove_file(log).expect("a log");
}

/// The counts of the JSON report.
fn counts(test: &TournamentTest, run: &str) -> [u64; 3] {
    let report = test
        .host(&["report", run, "--format", "json"])
        .expect_code(0);
    let report: serde_json::Value = serde_json::from_str(&report.stdout).expect("JSON");
    let games = &report["games"];
    ["planned", "played", "missing"].map(|key| games[key].as_u64().expect("a number"))
}

#[test]
fn a_compressed_log_is_read_wherever_a_log_is_read() {
    let test = TournamentTest::new(YAML);
    test.run(&["--seed", "1", "--seed", "2"]).expect_code(0);
    assert_eq!(counts(&test, "runs/t"), [12, 4, 8]);
    let report = test.host(&["report", "runs/t"]).expect_code(0).stdout;
    let page = test
        .host(&["report", "runs/t", "--html", "-"])
        .expect_code(0);
    let run = test.path("runs/t");
    compress(&run);
    assert_eq!(
        test.host(&["report", "runs/t"]).expect_code(0).stdout,
        report
    );
    let same_page = test
        .host(&["report", "runs/t", "--html", "-"])
        .expect_code(0);
    assert!(same_page.stdout == page.stdout, "the replays are there too");
    test.host(&["verify", "runs/t"])
        .expect_error(5, "8 of 12 games are missing");
    let replay = ["replay", "runs/t", "--agent", "greedy", "--seed", "1"];
    test.host(&replay).expect_code(0);
    test.host(&["merge", "runs/t", "--out", "merged", "--partial"])
        .expect_code(0);
    assert_eq!(records_of(&test.path("merged/games.jsonl")).len(), 4);

    // A run that goes on needs its log as it was.
    test.run(&[]).expect_code(0);
    assert!(!run.join("games.jsonl.zst").exists());
    let records = test.records();
    test.run(&["--fresh"]).expect_code(0);
    assert_eq!(
        all_without_times(test.records()),
        all_without_times(records)
    );
    // Disqualified after three faults in a row: nothing is missing.
    assert_eq!(counts(&test, "runs/t"), [12, 9, 0]);
    compress(&run);
    let bytes = fs::read(run.join("games.jsonl.zst")).expect("bytes");
    fs::write(run.join("games.jsonl.zst"), &bytes[..bytes.len() / 2]).expect("a folder");
    test.host(&["verify", "runs/t"])
        .expect_error(5, "games.jsonl.zst is cut off or damaged");
    test.run(&[])
        .expect_error(1, "games.jsonl.zst is cut off or damaged");
    assert!(
        !run.join("games.jsonl").exists(),
        "no half of a log is left"
    );
}

/// What the documentation says instead of a command of its own. Passes where `tar` or `zstd` is
/// missing.
#[test]
fn a_run_that_was_packed_and_unpacked_with_tar_is_the_same_run() {
    let is_there = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if !is_there("tar") || !is_there("zstd") {
        return;
    }
    let test = TournamentTest::new(YAML);
    test.run(&[]).expect_code(0);
    let report = test.host(&["report", "runs/t"]).expect_code(0).stdout;
    let tar = |arguments: &[&str]| {
        let mut tar = Command::new("tar");
        tar.current_dir(test.folder.path()).args(arguments);
        assert!(tar.status().expect("tar runs").success(), "{arguments:?}");
    };
    tar(&["--zstd", "-cf", "t.tar.zst", "-C", "runs", "t"]);
    fs::create_dir(test.path("unpacked")).expect("a folder");
    tar(&["--zstd", "-xf", "t.tar.zst", "-C", "unpacked"]);
    let unpacked = test.host(&["report", "unpacked/t"]).expect_code(0).stdout;
    assert_eq!(
        unpacked.replace("unpacked/t", "runs/t"),
        report,
        "only the folder differs"
    );
    test.host(&["verify", "unpacked/t", "--rerun"])
        .expect_code(0);
    test.run(&["--out", "unpacked/t"])
        .expect_error(0, "0 games to play");
}

#[test]
fn a_compressed_log_beside_another_is_named_in_a_warning() {
    let test = TournamentTest::new("seeds: 1..2\nboard: 2\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    test.write("runs/t/games.jsonl.zst", "");
    for command in ["report", "verify"] {
        test.host(&[command, "runs/t"]).expect_error(
            0,
            "warning: `runs/t/games.jsonl.zst` is ignored because of `runs/t/games.jsonl`",
        );
    }
}
