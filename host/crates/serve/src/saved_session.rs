//! A live session saved as a run: plan and records in a folder that every command can read.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::Serialize;

use run::{
    game_log::GameLog,
    game_record::GameRecord,
    run_folder::RunFolder,
    run_plan::RunPlan,
    stderr_files::StderrFiles,
    thought_files::{GameThoughts, ThoughtFiles},
};
use text::{program, shell_word::quoted_path};
use tournament::is_plain_name;

/// Where a session was saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct SavedSession {
    /// The identifier of the run on this page.
    pub(super) run: String,
    pub(super) folder: String,
    /// The command that verifies the records.
    verify: String,
}

/// What can be saved of a game that was played to its end.
#[derive(Clone, Debug)]
pub(super) struct EndedGame {
    pub(super) record: GameRecord,
    pub(super) stderr_tail: String,
    pub(super) thoughts: GameThoughts,
}

impl SavedSession {
    pub(super) fn new(run: String, folder: &Path) -> Self {
        Self {
            run,
            verify: program::command(&format!("verify {}", quoted_path(folder))),
            folder: folder.display().to_string(),
        }
    }
}

/// Writes a run into a new folder under `parent` and returns the folder.
///
/// # Errors
/// When the folder or a file in it cannot be written.
pub(super) fn save(parent: &Path, plan: &RunPlan, games: &[EndedGame]) -> anyhow::Result<PathBuf> {
    let mut plan = plan.clone();
    let folder = create_folder(parent, &name_of(&plan))?;
    if let Some(name) = folder.file_name().and_then(|name| name.to_str()) {
        name.clone_into(&mut plan.tournament.name);
    }
    let run = RunFolder::open(&folder)?;
    plan.write(run.path())?;
    let mut log = GameLog::open(&run.log_path())?;
    let stderr_files = StderrFiles::of_run(run.path());
    let thought_files = ThoughtFiles::of_run(run.path());
    for game in games {
        log.append(&game.record)?;
        if game.record.ending.is_fault() {
            stderr_files.keep(&game.record, &game.stderr_tail)?;
        }
        thought_files.keep(&game.record, &game.thoughts)?;
    }
    Ok(folder)
}

/// A folder name such as `mcts-seed-7` or `mcts-vs-snake-seed-7`.
fn name_of(plan: &RunPlan) -> String {
    let agents = plan.agents.iter();
    let names: Vec<&str> = agents.map(|agent| agent.name.as_str()).collect();
    let seed = plan.tournament.seeds.iter().next().unwrap_or_default();
    let name = format!("{}-seed-{seed}", names.join("-vs-"));
    // `create_folder` may append a number.
    if is_plain_name(&format!("{name}-1000000")) {
        name
    } else {
        format!("{}-agents-seed-{seed}", names.len())
    }
}

/// Creates a folder with this name, followed by a number if the name is taken.
fn create_folder(parent: &Path, name: &str) -> io::Result<PathBuf> {
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
