//! The runs that visitors may look at: those in the folders that were given, no other.
//!
//! A visitor names a run by an identifier that was made here, never by a path.

mod log_index;
mod standing;
mod watched_run;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use serde::Serialize;

use super::{
    refusal::Refusal,
    results::{GameResult, ResultQuery},
};
use crate::tournament::is_plain_name;

pub(super) use standing::standing_events;
pub(super) use watched_run::{GameQuery, StepQuery, WatchedRun};

/// Runs are looked for again whenever visitors ask, so that a new one appears.
pub(super) struct RunShelf {
    /// Runs, or folders of runs.
    roots: Vec<PathBuf>,
    known: Mutex<BTreeMap<String, Arc<WatchedRun>>>,
}

/// One line of the list of runs.
#[derive(Debug, Serialize)]
pub(super) struct RunView {
    id: String,
    name: String,
    folder: String,
    planned: u64,
    recorded: u64,
    running: bool,
    #[serde(skip)]
    changed: Option<SystemTime>,
}

impl RunShelf {
    pub(super) fn new(roots: Vec<PathBuf>) -> Self {
        Self {
            roots,
            known: Mutex::default(),
        }
    }

    /// All runs there are now, the one that changed last first.
    pub(super) fn list(&self) -> Vec<RunView> {
        self.look();
        let known: Vec<Arc<WatchedRun>> = self.known().values().cloned().collect();
        let mut views: Vec<RunView> = known
            .iter()
            .filter_map(|run| {
                let progress = run.progress().ok()?;
                Some(RunView {
                    id: run.id().to_owned(),
                    name: progress.name,
                    folder: run.folder().display().to_string(),
                    planned: progress.planned,
                    recorded: progress.recorded,
                    running: progress.running,
                    changed: last_change(run.folder()),
                })
            })
            .collect();
        views.sort_by_key(|view| std::cmp::Reverse(view.changed));
        views
    }

    /// # Errors
    /// When there is no such run.
    pub(super) fn find(&self, id: &str) -> Result<Arc<WatchedRun>, Refusal> {
        let known = || self.known().get(id).cloned();
        let found = known().or_else(|| {
            self.look();
            known()
        });
        // One that was deleted may come again, under the same name.
        let found = found.filter(|run| is_run(run.folder()));
        found.ok_or_else(|| Refusal::not_found("there is no such run"))
    }

    /// The identifier of a run's folder, which may be a new one.
    pub(super) fn id_of(&self, folder: &Path) -> String {
        self.add(folder).id().to_owned()
    }

    /// Games of all runs on the same tiles.
    pub(super) fn results(&self, query: &ResultQuery) -> Vec<GameResult> {
        self.look();
        let runs: Vec<Arc<WatchedRun>> = self.known().values().cloned().collect();
        // A run that cannot be read has no results to show.
        let results = runs.iter().filter_map(|run| run.results(query).ok());
        results.flatten().collect()
    }

    fn look(&self) {
        for root in &self.roots {
            if is_run(root) {
                self.add(root);
                continue;
            }
            let children = fs::read_dir(root).into_iter().flatten().flatten();
            // A link would lead out of the folder.
            let folders = children.filter(|child| child.file_type().is_ok_and(|it| it.is_dir()));
            for folder in folders
                .map(|child| child.path())
                .filter(|path| is_run(path))
            {
                self.add(&folder);
            }
        }
    }

    /// One name a folder, for as long as the server lives.
    fn add(&self, folder: &Path) -> Arc<WatchedRun> {
        let mut known = self.known();
        let same = |run: &&Arc<WatchedRun>| run.folder() == folder;
        if let Some(run) = known.values().find(same) {
            return Arc::clone(run);
        }
        let name = folder
            .canonicalize()
            .ok()
            .and_then(|path| Some(path.file_name()?.to_str()?.to_owned()))
            .filter(|name| is_plain_name(name))
            .unwrap_or_else(|| "run".to_owned());
        let mut id = name.clone();
        let mut number = 2;
        while known.contains_key(&id) {
            id = format!("{name}-{number}");
            number += 1;
        }
        let run = Arc::new(WatchedRun::new(id.clone(), folder.to_path_buf()));
        known.insert(id, Arc::clone(&run));
        run
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Arc<WatchedRun>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_run(folder: &Path) -> bool {
    let plan = fs::symlink_metadata(folder.join("plan.json"));
    plan.is_ok_and(|plan| plan.is_file())
}

fn last_change(folder: &Path) -> Option<SystemTime> {
    let of_file = |name: &str| fs::metadata(folder.join(name)).ok()?.modified().ok();
    of_file("games.jsonl").or_else(|| of_file("plan.json"))
}
