//! The names of the files in a run's folder. Code that opens one takes its path from here; only
//! messages and tests spell the names.
//!
//! Each function takes the folder of a run and returns the path of one of its files.

use std::path::{Path, PathBuf};

pub const PLAN: &str = "plan.json";
pub const GAME_LOG: &str = "games.jsonl";
pub const REPORT_PAGE: &str = "report.html";
pub const MATRIX: &str = "matrix.csv";
pub const SUPERSEDED_RECORDS: &str = "superseded.jsonl";
pub const DAMAGED_LINES: &str = "damaged.jsonl";
pub const SALT: &str = "salt";
const LOCK: &str = "lock";
pub const STDERR_FOLDER: &str = "stderr";
const THOUGHTS_FOLDER: &str = "thoughts";

/// The folder of the run of a tournament, if none is given.
#[must_use]
pub fn usual_folder(tournament: &str) -> PathBuf {
    Path::new("runs").join(tournament)
}

/// The plan of the run.
#[must_use]
pub fn plan(run: &Path) -> PathBuf {
    run.join(PLAN)
}

/// The game log.
#[must_use]
pub fn game_log(run: &Path) -> PathBuf {
    run.join(GAME_LOG)
}

/// The compressed form of a game log.
#[must_use]
pub fn compressed(log: &Path) -> PathBuf {
    let mut name = log.as_os_str().to_owned();
    name.push(".zst");
    name.into()
}

/// The game log as it was before the `number`-th `--fresh`.
#[must_use]
pub fn old_game_log(run: &Path, number: u32) -> PathBuf {
    run.join(format!("games.{number}.old.jsonl"))
}

/// The plan as it was before the `number`-th `--fresh`.
#[must_use]
pub fn old_plan(run: &Path, number: u32) -> PathBuf {
    run.join(format!("plan.{number}.old.json"))
}

/// The salt as it was before the `number`-th `--fresh`.
#[must_use]
pub fn old_salt(run: &Path, number: u32) -> PathBuf {
    run.join(format!("salt.{number}.old"))
}

/// What was left of a plan that was rebuilt.
#[must_use]
pub fn damaged_plan(run: &Path) -> PathBuf {
    run.join("plan.damaged.json")
}

/// The report as a page.
#[must_use]
pub fn report_page(run: &Path) -> PathBuf {
    run.join(REPORT_PAGE)
}

/// Who beats whom, of agents that are too many for a table.
#[must_use]
pub fn matrix(run: &Path) -> PathBuf {
    run.join(MATRIX)
}

/// Records that no longer match the plan.
#[must_use]
pub fn superseded_records(run: &Path) -> PathBuf {
    run.join(SUPERSEDED_RECORDS)
}

/// Lines of the game log that were not records.
#[must_use]
pub fn damaged_lines(run: &Path) -> PathBuf {
    run.join(DAMAGED_LINES)
}

/// The salt of a run that has not ended, if it is secret.
#[must_use]
pub fn salt(run: &Path) -> PathBuf {
    run.join(SALT)
}

/// The file that a host locks while it plays in the folder.
#[must_use]
pub fn lock(run: &Path) -> PathBuf {
    run.join(LOCK)
}

/// The folder of what agents printed before their faults.
#[must_use]
pub fn stderr_folder(run: &Path) -> PathBuf {
    run.join(STDERR_FOLDER)
}

/// The folder of what agents reported about their moves.
#[must_use]
pub fn thoughts_folder(run: &Path) -> PathBuf {
    run.join(THOUGHTS_FOLDER)
}

/// The folder beside a run that holds the folders of its shards.
#[must_use]
pub fn shards_folder(run: &Path) -> PathBuf {
    let mut name = run.as_os_str().to_owned();
    name.push(".shards");
    name.into()
}
