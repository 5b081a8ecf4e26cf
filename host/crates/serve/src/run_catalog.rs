//! The runs that visitors can see: those in the folders given to `host serve`.
//!
//! A visitor names a run by an identifier that is assigned here, never by a path.

mod game_curve;
mod latest_faults;
mod latest_update;
mod log_index;
mod recorded_games;
mod run_updates;
mod served_run;
mod standing;
mod thought_curves;

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use serde::Serialize;

use super::{
    error_response::{ApiResult, ErrorResponse},
    results::{GameResult, ResultQuery},
};
use run::{run_files, run_folder::RunFolder};
use tournament::is_plain_name;

pub(super) use game_curve::GameCurve;
pub(super) use recorded_games::{GameQuery, StepQuery};
pub(super) use run_updates::run_updates;
use served_run::ServedRun;
use standing::Standing;

/// A page shows the results of so many runs at once.
const MOST_STANDINGS: usize = 24;

/// Searches the folders again on every request, so that new runs appear.
pub(super) struct RunCatalog {
    /// Run folders, or folders that contain run folders.
    roots: Vec<PathBuf>,
    by_id: Mutex<BTreeMap<String, Arc<ServedRun>>>,
}

/// One entry of the list of runs.
#[derive(Debug, Serialize)]
pub(super) struct RunView {
    id: String,
    name: String,
    folder: String,
    planned: u64,
    recorded: u64,
    running: bool,
    /// Milliseconds since 1970.
    changed: Option<u64>,
}

impl RunCatalog {
    pub(super) fn new(roots: Vec<PathBuf>) -> Self {
        Self {
            roots,
            by_id: Mutex::default(),
        }
    }

    /// All current runs, the most recently changed first.
    pub(super) fn list(&self) -> Vec<RunView> {
        let mut views: Vec<RunView> = self
            .current_runs()
            .iter()
            .filter_map(|run| {
                run.forget_unused();
                let status = run.listed_status().ok()?;
                Some(RunView {
                    id: run.id().to_owned(),
                    name: status.name,
                    folder: run.folder().display().to_string(),
                    planned: status.planned,
                    recorded: status.recorded,
                    running: status.running,
                    changed: RunFolder::last_change(run.folder()).and_then(milliseconds),
                })
            })
            .collect();
        views.sort_by_key(|view| Reverse(view.changed));
        views
    }

    /// The results of these runs in short, by their identifiers. Those that cannot be read are
    /// left out.
    pub(super) fn standings(&self, ids: &str) -> BTreeMap<String, Standing> {
        let runs = ids.split(',').take(MOST_STANDINGS);
        let standings = runs.filter_map(|id| {
            let standing = self.find(id).ok()?.standing().ok()?;
            Some((id.to_owned(), Standing::clone(&standing)))
        });
        standings.collect()
    }

    /// # Errors
    /// When there is no such run.
    pub(super) fn find(&self, id: &str) -> ApiResult<Arc<ServedRun>> {
        let known = || self.by_id().get(id).cloned();
        let found = known().or_else(|| {
            self.search();
            known()
        });
        // A deleted run keeps its identifier, because its folder may be created again.
        let found = found.filter(|run| is_run(run.folder()));
        found.ok_or_else(|| ErrorResponse::not_found("run not found"))
    }

    /// The identifier of a run folder; a new folder gets one.
    pub(super) fn id_of(&self, folder: &Path) -> String {
        self.add(folder).id().to_owned()
    }

    /// Results of all runs on the same tiles.
    pub(super) fn results(&self, query: &ResultQuery) -> Vec<GameResult> {
        let runs = self.current_runs();
        // An unreadable run contributes no results.
        let results = runs.iter().filter_map(|run| run.results(query).ok());
        results.flatten().collect()
    }

    fn current_runs(&self) -> Vec<Arc<ServedRun>> {
        self.search();
        self.by_id().values().cloned().collect()
    }

    fn search(&self) {
        for root in &self.roots {
            if is_run(root) {
                self.add(root);
                continue;
            }
            let children = fs::read_dir(root).into_iter().flatten().flatten();
            // Symbolic links are skipped: they could lead out of the folder.
            let folders = children.filter(|child| child.file_type().is_ok_and(|it| it.is_dir()));
            for folder in folders
                .map(|child| child.path())
                .filter(|path| is_run(path))
            {
                self.add(&folder);
            }
        }
    }

    /// Each folder keeps one identifier for the lifetime of the server.
    fn add(&self, folder: &Path) -> Arc<ServedRun> {
        let mut by_id = self.by_id();
        let is_same = |run: &&Arc<ServedRun>| run.folder() == folder;
        if let Some(run) = by_id.values().find(is_same) {
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
        while by_id.contains_key(&id) {
            id = format!("{name}-{number}");
            number += 1;
        }
        let run = Arc::new(ServedRun::new(id.clone(), folder.to_path_buf()));
        by_id.insert(id, Arc::clone(&run));
        run
    }

    fn by_id(&self) -> MutexGuard<'_, BTreeMap<String, Arc<ServedRun>>> {
        self.by_id.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn milliseconds(time: SystemTime) -> Option<u64> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    u64::try_from(since.as_millis()).ok()
}

fn is_run(folder: &Path) -> bool {
    let plan = fs::symlink_metadata(run_files::plan(folder));
    plan.is_ok_and(|plan| plan.is_file())
}
