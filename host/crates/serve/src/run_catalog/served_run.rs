//! One run, finished or in progress, read from its folder.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use serde::Serialize;
use tokio::sync::watch;

use super::{
    game_curve::GameCurve,
    latest_faults::LatestFaults,
    latest_update::LatestUpdate,
    log_index::{LogIndex, RecordCount},
    recorded_games::{GameList, GameQuery, StepList, StepQuery, WholeGame},
    standing::Standing,
    thought_curves::ThoughtCurves,
};
use report::run_report::RunReport;
use run::{
    agent::FileIdentity, game_log::LogLimits, game_record::GameRecord, run_files,
    run_folder::RunFolder, run_plan::RunPlan, shard::Shard, thought_files::ThoughtFiles,
};

use crate::{
    error_response::{ApiResult, ErrorResponse},
    game_moves::GameMoves,
    results::{GameResult, ResultQuery},
};

pub(crate) struct ServedRun {
    id: String,
    folder: PathBuf,
    contents: Mutex<Option<RunContents>>,
    pub(super) latest_update: watch::Sender<LatestUpdate>,
    /// Whether a task sends updates.
    pub(super) is_updating: Mutex<bool>,
    /// The result in short, after so many games.
    standing: Mutex<Option<(u64, Arc<Standing>)>>,
}

/// What has been read from the folder so far.
struct RunContents {
    plan_file: FileIdentity,
    plan: Arc<RunPlan>,
    count: RecordCount,
    /// The figures of all games, while the run has viewers.
    log: Option<LogIndex>,
    last_look: Instant,
}

/// How long the figures of a run stay in memory after the last look at it.
const KEPT_FOR: Duration = Duration::from_mins(1);

/// How many games of a run have been played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunStatus {
    pub(super) name: String,
    pub(super) planned: u64,
    pub(super) recorded: u64,
    pub(super) running: bool,
    /// Empty in the list of runs, which does not show them.
    pub(super) faults: LatestFaults,
}

/// The conclusions from the records of a run.
#[derive(Serialize)]
pub(super) struct RunConclusions {
    /// How many games would be played now; with a stop rule, up to the next look.
    missing: u64,
    /// Whether a stop rule may end the run before all planned games.
    has_stop_rule: bool,
    has_disqualified: bool,
    /// The figures, faults and notes of the report.
    html: String,
}

impl ServedRun {
    pub(super) fn new(id: String, folder: PathBuf) -> Self {
        Self {
            id,
            folder,
            contents: Mutex::default(),
            latest_update: watch::Sender::new(LatestUpdate::NotYet),
            is_updating: Mutex::new(false),
            standing: Mutex::default(),
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

    /// The status for the viewers of the run: the figures of its games, which the ranking
    /// needs, are read along with it.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub(super) fn followed_status(&self) -> ApiResult<RunStatus> {
        self.followed(|status, _, _| status)
    }

    fn followed<T>(
        &self,
        look: impl FnOnce(RunStatus, &Arc<RunPlan>, &LogIndex) -> T,
    ) -> ApiResult<T> {
        let running = RunFolder::is_held(&self.folder);
        self.read(|plan, log| {
            let status = RunStatus {
                name: plan.tournament.name.clone(),
                planned: n_planned(plan),
                recorded: log.records().len() as u64,
                running,
                faults: log.faults().clone(),
            };
            look(status, plan, log)
        })
    }

    /// The status for the list of runs.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub(super) fn listed_status(&self) -> ApiResult<RunStatus> {
        // Before the log is read: the log of a run that has ended is then complete.
        let running = RunFolder::is_held(&self.folder);
        let (plan, recorded) = self.with_contents(|contents| {
            let path = self.log_path();
            let limits = LogLimits::of(&contents.plan);
            let recorded = if let Some(log) = &mut contents.log {
                let refreshed = log.refresh(&path, limits);
                refreshed.map(|_| log.records().len() as u64)
            } else {
                contents.count.refresh(&path, limits)
            };
            (Arc::clone(&contents.plan), recorded)
        })?;
        let planned = n_planned(&plan);
        let recorded = recorded.map_err(|error| self.unreadable(&error))?;
        Ok(RunStatus {
            name: plan.tournament.name.clone(),
            planned,
            // Lines are counted, not read: some may be of no game of the plan.
            recorded: recorded.min(planned),
            running,
            faults: LatestFaults::default(),
        })
    }

    /// The status, and the report computed from the current records.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub(super) fn report(&self) -> ApiResult<(RunStatus, RunConclusions)> {
        let (status, plan, records) = self
            .followed(|status, plan, log| (status, Arc::clone(plan), Arc::clone(log.records())))?;
        let run = RunReport::of_records(&self.folder, &plan, records);
        let mut agents = run.report.budgets.iter().flat_map(|part| &part.agents);
        let conclusions = RunConclusions {
            missing: run.report.games.missing,
            has_stop_rule: run.report.counted.decision.is_some(),
            has_disqualified: agents.any(|agent| agent.disqualified.is_some()),
            html: run.followed(&plan, &self.id),
        };
        Ok((status, conclusions))
    }

    /// The result in short. It is computed anew when games were added.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub(super) fn standing(&self) -> ApiResult<Arc<Standing>> {
        let recorded = self.listed_status()?.recorded;
        let mut known = self.standing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((after, standing)) = &*known
            && *after == recorded
        {
            return Ok(Arc::clone(standing));
        }
        let (plan, records) =
            self.read(|plan, log| (Arc::clone(plan), Arc::clone(log.records())))?;
        let run = RunReport::of_records(&self.folder, &plan, records);
        let standing = Arc::new(Standing::new(&plan, &run));
        *known = Some((recorded, Arc::clone(&standing)));
        Ok(standing)
    }

    /// The report as an HTML page.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub(crate) fn page(&self) -> ApiResult<String> {
        let (plan, records) =
            self.read(|plan, log| (Arc::clone(plan), Arc::clone(log.records())))?;
        let run = RunReport::of_records(&self.folder, &plan, records);
        run.page(&self.folder, &plan)
            .map_err(|error| self.unreadable(&error))
    }

    /// # Errors
    /// When the run cannot be read.
    pub(crate) fn games(&self, query: &GameQuery) -> ApiResult<GameList> {
        self.read(|plan, log| GameList::new(plan, log.records(), query))
    }

    /// # Errors
    /// When there is no such game.
    pub(crate) fn game(&self, number: u64) -> ApiResult<WholeGame> {
        let (plan, record) = self.whole_record(number)?;
        Ok(WholeGame::new(&plan, record))
    }

    /// # Errors
    /// When there is no such game, or its record is not valid.
    pub(crate) fn steps(&self, number: u64, query: &StepQuery) -> ApiResult<StepList> {
        let (plan, record) = self.whole_record(number)?;
        let thoughts = ThoughtFiles::of_run(&self.folder).read(&record);
        StepList::new(&plan, &record, thoughts.as_ref(), query)
    }

    /// The course of a game, with what the agent reported about its moves, if that was kept.
    ///
    /// # Errors
    /// When there is no such game, or its record is not valid.
    pub(crate) fn curve(&self, number: u64) -> ApiResult<(GameCurve, Option<ThoughtCurves>)> {
        let (plan, record) = self.whole_record(number)?;
        let thoughts = ThoughtFiles::of_run(&self.folder).read(&record);
        let curve = GameCurve::new(&GameMoves::of_record(&plan, record))?;
        Ok((curve, thoughts.as_ref().map(ThoughtCurves::of)))
    }

    /// # Errors
    /// When there is no such game.
    pub(crate) fn moves(&self, number: u64) -> ApiResult<GameMoves> {
        let (plan, record) = self.whole_record(number)?;
        Ok(GameMoves::of_record(&plan, record))
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
        self.read(|plan, log| {
            let records = log.records().iter();
            records
                .filter(|record| record.seed == query.seed)
                .map(|record| GameResult::of_run(record, plan, &self.id))
                .collect()
        })
    }

    fn whole_record(&self, number: u64) -> ApiResult<(Arc<RunPlan>, GameRecord)> {
        let path = self.log_path();
        let (plan, record) = self.read(|plan, log| {
            let record = log.whole_record(&path, number);
            (Arc::clone(plan), record)
        })?;
        record
            .map_err(|error| self.unreadable(&error))?
            .map(|record| (plan, record))
            .ok_or_else(|| ErrorResponse::not_found(format!("game {number} is not recorded")))
    }

    /// Reads what is new in the folder, then calls `look` with plan and records.
    fn read<T>(&self, look: impl FnOnce(&Arc<RunPlan>, &LogIndex) -> T) -> ApiResult<T> {
        let path = self.log_path();
        let looked = self.with_contents(|contents| {
            contents.last_look = Instant::now();
            let log = contents
                .log
                .get_or_insert_with(|| LogIndex::of(&contents.plan));
            let limits = LogLimits::of(&contents.plan);
            log.refresh(&path, limits)
                .map(|_| look(&contents.plan, log))
        })?;
        looked.map_err(|error| self.unreadable(&error))
    }

    /// Calls `look` with what is known of the run, which is its current plan at least.
    fn with_contents<T>(&self, look: impl FnOnce(&mut RunContents) -> T) -> ApiResult<T> {
        let plan_file = FileIdentity::of(&run_files::plan(&self.folder))
            .map_err(|error| self.unreadable(&error))?;
        let mut contents = self.contents();
        let known = contents.take().filter(|known| known.plan_file == plan_file);
        Ok(look(contents.insert(match known {
            Some(known) => known,
            None => RunContents {
                plan_file,
                plan: Arc::new(RunPlan::read(&self.folder).map_err(ErrorResponse::internal)?),
                count: RecordCount::default(),
                log: None,
                last_look: Instant::now(),
            },
        })))
    }

    /// Frees the figures of the games after some time without a viewer.
    pub(super) fn forget_unused(&self) {
        if let Some(contents) = self.contents().as_mut()
            && contents.last_look.elapsed() > KEPT_FOR
        {
            contents.log = None;
        }
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

/// How many games are planned for a run or for its shard.
fn n_planned(plan: &RunPlan) -> u64 {
    Shard::n_games_of_run(plan.shard, &plan.games())
}
