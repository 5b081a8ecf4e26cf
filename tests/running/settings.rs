//! Every key of the tournament file and every option of `host run` has an effect.
//!
//! The keys come from the JSON Schema and the options from `host run --help`, so a new
//! one without a case here fails. A case plays a tournament with two values of a setting and
//! compares what is observed: not the plan, which stores a setting whether it is used or not.

mod key_cases;
mod observations;

use std::{collections::BTreeSet, fs, thread};

use run::run_folder::RunFolder;
use serde_json::Value;

use crate::support::{Finished, TournamentTest, program_folder};
use key_cases::{KeyCase, ONE_GAME, key_cases};
use observations::{
    code, files, games_at_a_time, is_pinned, n_records, results, says_games, shows_salt,
    shows_stderr, stdout, writes_events,
};

/// What is compared between two values of a setting.
type Observe = fn(&TournamentTest, &Finished) -> Value;

/// A tournament run with two lists of options.
struct OptionCase {
    option: &'static str,
    tournament: &'static str,
    arguments: [&'static [&'static str]; 2],
    observe: Observe,
}

const FAULTY: &str =
    "seeds: 1..1\nagents: [{plugin: scripted, params: {misdeed: flood-stderr-and-panic}}]\n";
const TWO_BY_TWO: &str = "seeds: 1..2\nagents: [{plugin: greedy}, {plugin: random}]\n";
/// More records than are set aside without a word.
const TWELVE_GAMES: &str = "board: 2\nseeds: 1..12\nagents: [{plugin: greedy}]\n";
const SECRET: &str = "salt: secret\nseeds: 1..1\nagents: [{plugin: greedy}]\n";

fn option_cases() -> Vec<OptionCase> {
    let case = |option, tournament, first, second, observe| OptionCase {
        option,
        tournament,
        arguments: [first, second],
        observe,
    };
    vec![
        case("--out", ONE_GAME, &[], &["--out", "elsewhere"], files),
        case(
            "--workers",
            TWO_BY_TWO,
            &["--workers", "1"],
            &["--workers", "2"],
            games_at_a_time,
        ),
        case(
            "--shard",
            TWO_BY_TWO,
            &["--out", "runs/t"],
            &["--out", "runs/t", "--shard", "1/2"],
            n_records,
        ),
        case(
            "--shard-index",
            TWO_BY_TWO,
            &["--out", "runs/t"],
            &["--out", "runs/t", "--shard-index", "0", "--shards", "2"],
            n_records,
        ),
        case(
            "--shards",
            TWO_BY_TWO,
            &["--out", "runs/t", "--shard-index", "0", "--shards", "2"],
            &["--out", "runs/t", "--shard-index", "0", "--shards", "4"],
            n_records,
        ),
        case(
            "--salt-file",
            SECRET,
            &["--salt-file", "a"],
            &["--salt-file", "b"],
            results,
        ),
        case("--hold-salt", SECRET, &[], &["--hold-salt"], shows_salt),
        case("--only", TWO_BY_TWO, &[], &["--only", "greedy"], n_records),
        case("--seed", TWO_BY_TWO, &[], &["--seed", "2"], n_records),
        case(
            "--show-stderr",
            FAULTY,
            &[],
            &["--show-stderr"],
            shows_stderr,
        ),
        case("--fresh", ONE_GAME, &[], &["--fresh"], files),
        case("--strict", FAULTY, &[], &["--strict"], code),
        case(
            "--plugins",
            "seeds: 1..1\nagents: [{plugin: copied}]\n",
            &[],
            &["--plugins", "more"],
            code,
        ),
        case(
            "--format",
            ONE_GAME,
            &["--format", "json"],
            &["--format", "markdown"],
            stdout,
        ),
        case(
            "--events",
            ONE_GAME,
            &[],
            &["--events", "elsewhere"],
            writes_events,
        ),
        case("--verbose", ONE_GAME, &[], &["--verbose"], says_games),
        case("--supersede", TWELVE_GAMES, &[], &["--supersede"], code),
        case("--no-pin", TWO_BY_TWO, &[], &["--no-pin"], is_pinned),
        case("--no-lock", ONE_GAME, &[], &["--no-lock"], code),
        case("--help", ONE_GAME, &[], &["--help"], files),
    ]
}

/// With one core, one game is played at a time, whatever the setting.
fn can_be_observed(setting: &str) -> bool {
    !setting.ends_with("workers") || thread::available_parallelism().is_ok_and(|n| n.get() > 1)
}

#[test]
fn every_key_of_the_tournament_file_has_an_effect() {
    for KeyCase {
        key,
        tournaments,
        observe,
    } in key_cases()
    {
        let observed = |tournament: &String| {
            let test = TournamentTest::new(tournament);
            let finished = test.run(&["--format", "json"]).expect_code(0);
            observe(&test, &finished)
        };
        let [first, second] = &tournaments;
        let value = observed(first);
        assert_eq!(
            value,
            observed(first),
            "{key}: the same value, observed twice"
        );
        if can_be_observed(key) {
            assert_ne!(value, observed(second), "`{key}` has no effect");
        }
    }
}

#[test]
fn every_option_of_run_has_an_effect() {
    for OptionCase {
        option,
        tournament,
        arguments,
        observe,
    } in option_cases()
    {
        let observed = |arguments: &[&str]| {
            let test = TournamentTest::new(tournament);
            test.write("a", "000102030405060708090a0b0c0d0e0f1011121314151617");
            test.write("b", "101112131415161718191a1b1c1d1e1f2021222324252627");
            fs::create_dir(test.path("more")).expect("a folder");
            fs::copy(
                program_folder().join("libgreedy.so"),
                test.path("more/libcopied.so"),
            )
            .expect("a copy");
            if ["--fresh", "--supersede"].contains(&option) {
                test.run(&[]).expect_code(0);
            }
            if option == "--supersede" {
                test.write("t.yaml", &tournament.replace("board: 2", "board: 3"));
            }
            let run = test.path("runs/t");
            let _held = (option == "--no-lock").then(|| RunFolder::open(&run).expect("a lock"));
            let has_format = arguments.contains(&"--format");
            let format: &[&str] = if has_format {
                &[]
            } else {
                &["--format", "json"]
            };
            let finished = test.run(&[arguments, format].concat());
            observe(&test, &finished)
        };
        let [first, second] = arguments;
        if can_be_observed(option) {
            assert_ne!(
                observed(first),
                observed(second),
                "`{option}` has no effect"
            );
        }
    }
}

#[test]
fn every_key_and_every_option_has_a_case() {
    let test = TournamentTest::new(ONE_GAME);
    let schema = test.host(&["schema"]).expect_code(0).stdout;
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let keys_of = |pointer: &str, prefix: &str| {
        let properties = schema.pointer(pointer).and_then(Value::as_object);
        let keys = properties.expect("an object").keys();
        keys.map(|key| format!("{prefix}{key}")).collect::<Vec<_>>()
    };
    let keys: BTreeSet<String> = [
        keys_of("/properties", ""),
        keys_of("/$defs/budget/properties", "budget."),
        keys_of("/$defs/stop/properties", "stop."),
        keys_of("/$defs/agent/properties", "agents."),
    ]
    .concat()
    .into_iter()
    .collect();
    let definitions = schema["$defs"].as_object().expect("definitions");
    assert_eq!(definitions.len(), 3, "all definitions are listed above");
    let covered: BTreeSet<String> = key_cases().iter().map(|case| case.key.to_owned()).collect();
    assert_eq!(keys, covered);

    let help = test.host(&["run", "--help"]).expect_code(0).stdout;
    let options: BTreeSet<&str> = help
        .lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with('-'))
        .filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")))
        .collect();
    let covered: BTreeSet<&str> = option_cases().iter().map(|case| case.option).collect();
    assert_eq!(options, covered);
}
