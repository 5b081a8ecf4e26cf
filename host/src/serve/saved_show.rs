//! A show kept as a run: plan and records in a folder that every command reads.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::Serialize;

use crate::{
    game_log::GameLog, game_record::GameRecord, last_words::LastWords, run_folder::RunFolder,
    run_plan::RunPlan, shell_word::quoted, tournament::is_plain_name,
};

/// Where a show was saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct SavedShow {
    /// The run's name on this page.
    pub(super) run: String,
    pub(super) folder: String,
    /// The command that replays the records.
    verify: String,
}

impl SavedShow {
    pub(super) fn new(run: String, folder: &Path) -> Self {
        let folder = folder.display().to_string();
        Self {
            run,
            verify: format!("host verify {}", quoted(&folder)),
            folder,
        }
    }
}

/// Writes a run of its own into a new folder under `parent`; returns the folder.
///
/// # Errors
/// When it cannot be written.
pub(super) fn save(
    parent: &Path,
    plan: &RunPlan,
    records: &[(GameRecord, String)],
) -> anyhow::Result<PathBuf> {
    let mut plan = plan.clone();
    let folder = new_folder(parent, &name_of(&plan))?;
    if let Some(name) = folder.file_name().and_then(|name| name.to_str()) {
        name.clone_into(&mut plan.tournament.name);
    }
    let run = RunFolder::open(&folder)?;
    plan.write(run.path())?;
    let mut log = GameLog::open(&run.log_path())?;
    let kept_words = LastWords::of_run(run.path());
    for (record, last_words) in records {
        log.append(record)?;
        if record.ending.is_fault() {
            kept_words.keep(record, last_words)?;
        }
    }
    Ok(folder)
}

/// `mcts-seed-7`, `mcts-vs-snake-seed-7`.
fn name_of(plan: &RunPlan) -> String {
    let names: Vec<&str> = plan
        .entrants
        .iter()
        .map(|entrant| entrant.name.as_str())
        .collect();
    let seed = plan.tournament.seeds.iter().next().unwrap_or_default();
    let long = format!("{}-seed-{seed}", names.join("-vs-"));
    // Room for a number behind it.
    if is_plain_name(&format!("{long}-1000000")) {
        long
    } else {
        format!("{}-agents-seed-{seed}", names.len())
    }
}

fn new_folder(parent: &Path, name: &str) -> io::Result<PathBuf> {
    fs::create_dir_all(parent)?;
    let mut folder = parent.join(name);
    for number in 2.. {
        match fs::create_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                folder = parent.join(format!("{name}-{number}"));
            }
            result => return result.map(|()| folder),
        }
    }
    unreachable!("there are more numbers than folders")
}
