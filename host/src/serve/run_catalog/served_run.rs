//! One run, finished or in progress, read from its folder.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::watch;

use super::{
    game_curve::GameCurve,
    latest_update::LatestUpdate,
    log_index::LogIndex,
    mean_history::{MeanHistory, mean_histories},
    recorded_games::{GameList, GameQuery, StepList, StepQuery, WholeGame},
};
use crate::{
    agents::file_identity::FileIdentity,
    report::{Report, ReportInput, run_report::RunReport},
    run::{game_record::GameRecord, run_files, run_folder::RunFolder, run_plan::RunPlan},
    serve::{
        error_response::{ApiResult, ErrorResponse},
        results::{GameResult, ResultQuery},
    },
};

pub(in crate::serve) struct ServedRun {
    id: String,
    folder: PathBuf,
    contents: Mutex<Option<RunContents>>,
    pub(super) latest_update: watch::Sender<LatestUpdate>,
    /// Whether a task sends updates.
    pub(super) is_updating: Mutex<bool>,
}

/// What has been read from the folder so far.
struct RunContents {
    plan_file: FileIdentity,
    plan: Arc<RunPlan>,
    log: LogIndex,
}

/// How many games of a run have been played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunStatus {
    pub(super) name: String,
    pub(super) planned: u64,
    pub(super) recorded: u64,
    pub(super) running: bool,
}

/// The conclusions from the records of a run.
pub(super) struct RunConclusions {
    /// Whether no game remains to be played.
    pub(super) finished: bool,
    pub(super) report: Report,
    pub(super) histories: Vec<MeanHistory>,
}

impl ServedRun {
    pub(super) fn new(id: String, folder: PathBuf) -> Self {
        Self {
            id,
            folder,
            contents: Mutex::default(),
            latest_update: watch::Sender::new(LatestUpdate::NotYet),
            is_updating: Mutex::new(false),
        }
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether the folder still contains a run.
    pub(super) fn exists(&self) -> bool {
        run_files::plan(&self.folder).exists()
    }

    /// # Errors
    /// When the run cannot be read.
    pub(super) fn status(&self) -> ApiResult<RunStatus> {
        // Before the log is read: the log of a run that has ended is then complete.
        let running = RunFolder::is_held(&self.folder);
        self.read(|contents| RunStatus {
            name: contents.plan.tournament.name.clone(),
            planned: n_planned(&contents.plan),
            recorded: contents.log.records().len() as u64,
            running,
        })
    }

    /// The status, and the report computed from the current records.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub(super) fn report(&self) -> ApiResult<(RunStatus, RunConclusions)> {
        let status = self.status()?;
        let (plan, records) = self.read(|contents| {
            let records = contents.log.records().to_vec();
            (Arc::clone(&contents.plan), records)
        })?;
        let report = Report::new(&ReportInput::of(&plan), &records).with_evidence_of(&self.folder);
        let conclusions = RunConclusions {
            finished: status.recorded >= status.planned || needs_no_more(&plan, &report),
            histories: mean_histories(&report, &records),
            report,
        };
        Ok((status, conclusions))
    }

    /// The report as an HTML page.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub(in crate::serve) fn page(&self) -> ApiResult<String> {
        let plan = self.read(|contents| Arc::clone(&contents.plan))?;
        RunReport::read(&self.folder, &plan)
            .and_then(|run| run.page(&self.folder, &plan))
            .map_err(|error| self.unreadable(&error))
    }

    /// # Errors
    /// When the run cannot be read.
    pub(in crate::serve) fn games(&self, query: &GameQuery) -> ApiResult<GameList> {
        self.read(|contents| GameList::new(&contents.plan, contents.log.records(), query))
    }

    /// # Errors
    /// When there is no such game.
    pub(in crate::serve) fn game(&self, number: u64) -> ApiResult<WholeGame> {
        let (plan, record) = self.whole_record(number)?;
        Ok(WholeGame::new(&plan, record))
    }

    /// # Errors
    /// When there is no such game, or its record is not valid.
    pub(in crate::serve) fn steps(&self, number: u64, query: &StepQuery) -> ApiResult<StepList> {
        let (plan, record) = self.whole_record(number)?;
        StepList::new(&plan, &record, query)
    }

    /// # Errors
    /// When there is no such game, or its record is not valid.
    pub(in crate::serve) fn curve(&self, number: u64) -> ApiResult<GameCurve> {
        let (plan, record) = self.whole_record(number)?;
        GameCurve::new(&plan, &record)
    }

    /// Results on the same tiles.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub(super) fn results(&self, query: &ResultQuery) -> ApiResult<Vec<GameResult>> {
        // The plan is read first because it is small and the log may be large.
        let plan = RunPlan::read(&self.folder).map_err(ErrorResponse::internal)?;
        if !query.has_same_tiles(&plan) {
            return Ok(Vec::new());
        }
        self.read(|contents| {
            let records = contents.log.records().iter();
            records
                .filter(|record| record.seed == query.seed)
                .map(|record| GameResult::of_run(record, &contents.plan, &self.id))
                .collect()
        })
    }

    fn whole_record(&self, number: u64) -> ApiResult<(Arc<RunPlan>, GameRecord)> {
        let path = self.log_path();
        let (plan, record) = self.read(|contents| {
            let record = contents.log.whole_record(&path, number);
            (Arc::clone(&contents.plan), record)
        })?;
        record
            .map_err(|error| self.unreadable(&error))?
            .map(|record| (plan, record))
            .ok_or_else(|| ErrorResponse::not_found(format!("game {number} is not recorded")))
    }

    /// Reads what is new in the folder, then calls `look` with the contents.
    fn read<T>(&self, look: impl FnOnce(&RunContents) -> T) -> ApiResult<T> {
        let plan_file = FileIdentity::of(&run_files::plan(&self.folder))
            .map_err(|error| self.unreadable(&error))?;
        let mut contents = self.contents();
        let known = contents.take().filter(|known| known.plan_file == plan_file);
        let contents = contents.insert(match known {
            Some(known) => known,
            None => RunContents {
                plan_file,
                plan: Arc::new(RunPlan::read(&self.folder).map_err(ErrorResponse::internal)?),
                log: LogIndex::default(),
            },
        });
        let luck = ReportInput::of(&contents.plan).luck;
        contents
            .log
            .refresh(&self.log_path(), luck)
            .map_err(|error| self.unreadable(&error))?;
        Ok(look(contents))
    }

    fn contents(&self) -> MutexGuard<'_, Option<RunContents>> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn log_path(&self) -> PathBuf {
        run_files::game_log(&self.folder)
    }

    fn unreadable(&self, error: &io::Error) -> ErrorResponse {
        ErrorResponse::internal(format!(
            "cannot read the run `{}`: {error}",
            self.folder.display()
        ))
    }
}

/// Whether a run with fewer games than planned is finished nevertheless: the stop rule is
/// satisfied, or the missing games are those of disqualified agents.
fn needs_no_more(plan: &RunPlan, report: &Report) -> bool {
    if plan.shard.is_some() {
        return false;
    }
    if let Some(decision) = &report.decision {
        return decision.is_over();
    }
    let n_seeds = usize::try_from(plan.tournament.seeds.len()).unwrap_or(usize::MAX);
    let mut agents = report.budgets.iter().flat_map(|part| &part.agents);
    agents.all(|agent| agent.disqualified.is_some() || agent.summary.games >= n_seeds)
}

/// How many games are planned for a run or for its shard.
fn n_planned(plan: &RunPlan) -> u64 {
    let games = plan.games();
    let of_shard = plan.shard.map(|shard| shard.n_games(&games));
    of_shard.unwrap_or_else(|| games.n_games())
}
