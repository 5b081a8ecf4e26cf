//! What is compared between two values of a setting.

use std::fs;

use run::run_plan::RunPlan;
use serde_json::{Value, json};

use crate::support::{Finished, TournamentTest, records_of};

/// The folders of the runs, and the games and ranks without anything that depends on time.
pub(super) fn results(test: &TournamentTest, finished: &Finished) -> Value {
    let mut runs: Vec<String> = fs::read_dir(test.path("runs"))
        .expect("a folder of runs")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    runs.sort();
    let log = test.path("runs").join(&runs[0]).join("games.jsonl");
    let records = records_of(&log);
    let records = records.into_iter().map(|record| {
        json!([
            record.game,
            record.agent,
            record.seed,
            record.moves,
            record.board,
            record.ending,
            record.nodes,
            record.threads,
        ])
    });
    let report: Value = serde_json::from_str(&finished.stdout).expect("a report as JSON");
    let agents = report["agents"].as_array().cloned().unwrap_or_default();
    let ranks = agents
        .iter()
        .map(|agent| json!([agent["name"], agent["rank"]]));
    json!({
        "code": finished.code,
        "runs": runs,
        "records": records.collect::<Vec<_>>(),
        "ranks": ranks.collect::<Vec<_>>(),
    })
}

pub(super) fn faults(test: &TournamentTest, _: &Finished) -> Value {
    let records = test.records().into_iter();
    records.map(|record| json!(record.fault)).collect()
}

/// Whether the time of the only move is its wall time.
pub(super) fn is_on_the_wall_clock(test: &TournamentTest, _: &Finished) -> Value {
    let record = test.records().remove(0);
    assert_eq!(record.n_moves, 1);
    // The record rounds milliseconds to three digits.
    json!((record.move_us.max - 1000.0 * record.wall_ms).abs() < 1.0)
}

/// Whether there was memory for the stacks of a hundred threads.
pub(super) fn has_many_threads(test: &TournamentTest, _: &Finished) -> Value {
    json!(test.records().remove(0).threads >= 100)
}

/// Whether the run keeps what the agents reported about their moves.
pub(super) fn has_thoughts(test: &TournamentTest, _: &Finished) -> Value {
    json!(test.path("runs/t/thoughts").is_dir())
}

/// How many games are played at a time.
pub(super) fn games_at_a_time(_: &TournamentTest, finished: &Finished) -> Value {
    let line = finished
        .stderr
        .lines()
        .find(|line| line.contains(" at a time"));
    json!(line.expect("the first line").rsplit(", ").next())
}

pub(super) fn code(_: &TournamentTest, finished: &Finished) -> Value {
    json!(finished.code)
}

pub(super) fn stdout(_: &TournamentTest, finished: &Finished) -> Value {
    json!(finished.stdout)
}

/// Whether what an agent printed is shown.
pub(super) fn shows_stderr(_: &TournamentTest, finished: &Finished) -> Value {
    json!(finished.stderr.contains("xxxxxxxx"))
}

/// Whether everyone can read the salt of the run.
pub(super) fn shows_salt(test: &TournamentTest, _: &Finished) -> Value {
    let plan = RunPlan::read(&test.path("runs/t")).expect("a plan");
    json!(plan.published_salt.is_some())
}

/// All files below `runs` and `elsewhere`, except those whose names differ from run to run.
pub(super) fn files(test: &TournamentTest, _: &Finished) -> Value {
    let mut files = Vec::new();
    for folder in ["runs", "runs/t", "elsewhere"] {
        let entries = fs::read_dir(test.path(folder)).into_iter().flatten();
        let names = entries.flatten().map(|entry| entry.file_name());
        files.extend(names.map(|name| format!("{folder}/{}", name.to_string_lossy())));
    }
    files.sort();
    json!(files)
}

/// Whether the file of events has any.
pub(super) fn writes_events(test: &TournamentTest, _: &Finished) -> Value {
    fs::read_to_string(test.path("elsewhere")).is_ok().into()
}

pub(super) fn n_records(test: &TournamentTest, _: &Finished) -> Value {
    json!(test.records().len())
}

/// Whether stderr has a line for every game.
pub(super) fn says_games(_: &TournamentTest, finished: &Finished) -> Value {
    finished.stderr.contains(" moves, score ").into()
}

/// Whether the run says so; a test of the workers' cores is in `running::operators`.
pub(super) fn is_pinned(_: &TournamentTest, finished: &Finished) -> Value {
    finished.stderr.contains("workers are not pinned").into()
}
