//! Runs and plugins of version 1.1: they are reported, verified, resumed, merged and played as
//! that version did. `tests/fixtures/version-1.1/README.md` says what they are.

use std::{
    fs::{self, File},
    io::Read,
    path::Path,
    process::Command,
};

use ruzstd::decoding::StreamingDecoder;
use serde_json::Value;

use crate::support::{TournamentTest, repository};

/// Keys of `report --format json` that need not have the value of 1.1, or may be missing. A
/// change of a figure is a line of the changelog.
const MAY_CHANGE: [&str; 1] = [
    "again", // a command with the folder of the run
];

/// A run with `max_moves`, and the keys whose figures allow for early ends since then.
const CUT_SHORT: (&str, [&str; 9]) = (
    "three-budgets.",
    [
        "mean_low",
        "mean_high",
        "low",
        "high",
        "own_low",
        "own_high",
        "p_value",
        "p_adjusted",
        "difference",
    ],
);

/// Keys whose sentences may have other words, but not other numbers.
const PROSE: [&str; 3] = ["notes", "reason", "disqualified_because"];

/// Keys of records and reports that differ each time that a game is played.
const TIMES: [&str; 14] = [
    "setup_ms",
    "cpu_ms",
    "wall_ms",
    "stolen_us",
    "cpu_us_histogram",
    "cpu_us_by_empty",
    "move_us",
    "cpu_ms_per_move",
    "wall_ms_per_move",
    "move_us_median",
    "move_us_p99",
    "move_us_max",
    "move_us_by_empty",
    "nodes_per_cpu_ms",
];

/// Keys of a record that say which host wrote it.
const WRITER: [&str; 2] = ["host", "check"];

/// Runs whose agents are all in `plugins/` and `submissions/`.
const WITH_AGENTS: [&str; 6] = [
    "compressed",
    "disqualification",
    "private-seeds",
    "race",
    "secret-salt",
    "three-budgets",
];

/// A copy of the fixtures.
fn fixtures() -> TournamentTest {
    let test = TournamentTest::new("");
    let source = repository().join("tests/fixtures/version-1.1/.");
    let copied = Command::new("cp")
        .arg("-r")
        .args([&source, test.folder.path()])
        .status();
    assert!(copied.expect("cp runs").success());
    test
}

/// The names of the runs.
fn runs(test: &TournamentTest) -> Vec<String> {
    let entries = fs::read_dir(test.folder.path()).expect("a folder");
    let mut runs: Vec<String> = entries
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.path().join("plan.json").exists())
        .map(|entry| entry.file_name().into_string().expect("a name"))
        .collect();
    runs.sort();
    assert_eq!(runs.len(), 14, "{runs:?}");
    runs
}

/// The report of 1.1.
fn report_of_1_1(test: &TournamentTest, run: &str) -> Value {
    let file = test.path(&format!("reports/{run}.json"));
    serde_json::from_slice(&fs::read(file).expect("a report")).expect("JSON")
}

/// The report of this version.
fn report(test: &TournamentTest, run: &str) -> Value {
    let finished = test.host(&["report", run, "--format", "json"]);
    serde_json::from_str(&finished.expect_code(0).stdout).expect("JSON")
}

/// The words with digits, without punctuation.
fn figures(text: &str) -> Vec<&str> {
    text.split_whitespace()
        .map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric()))
        .filter(|word| word.contains(|sign: char| sign.is_ascii_digit()))
        .collect()
}

/// Compares every value of `old` with that of the same place in `new`, which may have more keys.
fn compare(place: &str, key: &str, old: &Value, new: &Value, differences: &mut Vec<String>) {
    let differs = match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let allows = |key: &str| place.starts_with(CUT_SHORT.0) && CUT_SHORT.1.contains(&key);
            let is_kept = |key: &str| !MAY_CHANGE.contains(&key) && !allows(key);
            for (key, old) in old.iter().filter(|(key, _)| is_kept(key)) {
                let place = format!("{place}.{key}");
                match new.get(key) {
                    Some(new) => compare(&place, key, old, new, differences),
                    None => differences.push(format!("{place}: {old} in 1.1, now missing")),
                }
            }
            false
        }
        // There may be more of them.
        (Value::Array(old), Value::Array(new)) if key == "notes" => {
            let text = |note: &Value| note.as_str().map(|note| figures(note).join(" "));
            let new: Vec<_> = new.iter().map(text).collect();
            !old.iter().all(|old| new.contains(&text(old)))
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (index, (old, new)) in old.iter().zip(new).enumerate() {
                let place = match old["name"].as_str() {
                    Some(name) => format!("{place}[{name}]"),
                    None => format!("{place}[{index}]"),
                };
                compare(&place, key, old, new, differences);
            }
            false
        }
        // A sum in another order may end in another digit.
        (Value::Number(old), Value::Number(new)) => {
            let (old, new) = (old.as_f64().expect("finite"), new.as_f64().expect("finite"));
            (old - new).abs() > 1e-9 * old.abs().max(new.abs())
        }
        (Value::String(old), Value::String(new)) if PROSE.contains(&key) => {
            figures(old) != figures(new)
        }
        _ => old != new,
    };
    if differs {
        differences.push(format!("{place}: {old} in 1.1, now {new}"));
    }
}

#[track_caller]
fn check_same(of: &str, old: &Value, new: &Value) {
    let mut differences = Vec::new();
    compare(of, "", old, new, &mut differences);
    assert!(differences.is_empty(), "\n{}\n", differences.join("\n"));
}

/// Expects of `verify` the exit code and the numbers of 1.1.
#[track_caller]
fn check_verified(test: &TournamentTest, run: &str, expected_of: &str) {
    let file = test.path(&format!("verified/{expected_of}.txt"));
    let expected = fs::read_to_string(file).expect("what 1.1 said");
    let finished = test.host(&["verify", run]);
    let code = finished.code.expect("no signal ended it");
    let said = format!("{}exit code {code}\n", finished.stdout);
    assert_eq!(
        figures(&said),
        figures(&expected),
        "{run}, in 1.1:\n{expected}\nnow:\n{said}{}",
        finished.stderr
    );
}

/// Removes keys at every depth.
fn without(keys: &[&str], mut value: Value) -> Value {
    match &mut value {
        Value::Object(entries) => {
            entries.retain(|key, _| !keys.contains(&&**key));
            let parts = entries.values_mut();
            parts.for_each(|part| *part = without(keys, part.take()));
        }
        Value::Array(parts) => parts
            .iter_mut()
            .for_each(|part| *part = without(keys, part.take())),
        _ => {}
    }
    value
}

/// The records of a log in plan order, without what differs from run to run.
fn games(log: &Path) -> Value {
    let text = fs::read_to_string(log).expect("a log");
    let records = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"));
    let mut records: Vec<Value> = records
        .map(|record| without(&WRITER, without(&TIMES, record)))
        .collect();
    records.sort_by_key(|record| record["game"].as_u64());
    records.into()
}

#[test]
fn reports_have_the_figures_of_1_1() {
    let test = fixtures();
    let mut differences = Vec::new();
    for run in runs(&test) {
        let (old, new) = (report_of_1_1(&test, &run), report(&test, &run));
        compare(&run, "", &old, &new, &mut differences);
    }
    assert!(differences.is_empty(), "\n{}\n", differences.join("\n"));
}

#[test]
fn records_are_verified_as_in_1_1() {
    let test = fixtures();
    for run in runs(&test) {
        check_verified(&test, &run, &run);
    }
}

#[test]
fn shards_are_merged_as_in_1_1() {
    let test = fixtures();
    let merge = ["merge", "shards-1-of-2", "shards-2-of-2", "--out", "merged"];
    test.host(&merge).expect_code(0);
    check_same(
        "merged",
        &report_of_1_1(&test, "merged"),
        &report(&test, "merged"),
    );
    check_verified(&test, "merged", "merged");
}

/// Runs a tournament of the fixtures with their plugins.
#[track_caller]
fn play(test: &TournamentTest, tournament: &str, folder: &str) {
    let file = format!("{tournament}.yaml");
    let arguments = ["run", &file, "--plugins", "plugins", "--out", folder];
    test.host(&arguments).expect_code(0);
}

#[test]
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    ignore = "the plugins of version 1.1 are for Linux on x86_64"
)]
fn a_run_that_was_killed_ends_with_the_records_of_one_that_was_not() {
    let test = fixtures();
    play(&test, "interrupted", "interrupted");
    check_same(
        "games",
        &games(&test.path("secret-salt/games.jsonl")),
        &games(&test.path("interrupted/games.jsonl")),
    );
    check_same(
        "report",
        &without(&TIMES, report_of_1_1(&test, "secret-salt")),
        &report(&test, "interrupted"),
    );
    check_verified(&test, "interrupted", "secret-salt");
}

/// Plugin files, parameters, rules, budgets and salts have the fingerprints of 1.1.
#[test]
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    ignore = "the plugins of version 1.1 are for Linux on x86_64"
)]
fn a_complete_run_has_no_game_left_to_play() {
    let test = fixtures();
    for run in WITH_AGENTS {
        let log = test.path(&format!("{run}/games.jsonl"));
        let before = fs::read(&log).unwrap_or_else(|_| {
            let packed = File::open(log.with_extension("jsonl.zst")).expect("a log");
            let mut content = Vec::new();
            let frame = StreamingDecoder::new(packed);
            let read = frame.expect("a frame").read_to_end(&mut content);
            read.expect("a compressed log");
            content
        });
        play(&test, run, run);
        let after = fs::read(&log).expect("a log");
        assert!(after == before, "{run}: records were added or set aside");
        assert!(!test.path(&format!("{run}/superseded.jsonl")).exists());
    }
}

#[test]
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    ignore = "the plugins of version 1.1 are for Linux on x86_64"
)]
fn plugins_of_1_1_play_the_games_that_were_recorded() {
    let test = fixtures();
    let listed = test.host(&["list", "--plugins", "plugins", "--format", "json"]);
    let listed: Value = serde_json::from_str(&listed.expect_code(0).stdout).expect("JSON");
    for (name, file, abi) in [
        ("greedy", "plugins/libgreedy.so", "rust"),
        ("corner", "plugins/libcorner.so", "c"),
    ] {
        let all = listed["plugins"].as_array().expect("plugins");
        let found = all.iter().find(|found| found["path"] == file);
        let found = found.unwrap_or_else(|| panic!("no {file} in {listed:#}"));
        assert_eq!(
            (&found["info"]["name"], &found["abi"]),
            (&name.into(), &abi.into())
        );
    }
    play(&test, "disqualification", "again");
    check_same(
        "again",
        &games(&test.path("disqualification/games.jsonl")),
        &games(&test.path("again/games.jsonl")),
    );
    for run in WITH_AGENTS {
        let folders = ["--plugins", "plugins", "--plugins", "submissions"];
        test.host(&[&["verify", run, "--rerun"], &folders[..]].concat())
            .expect_code(0);
    }
}
