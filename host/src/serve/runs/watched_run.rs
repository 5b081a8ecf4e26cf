//! One run that is looked at, whether it is over or somebody is playing it.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use plugin_api::Board;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::{log_index::LogIndex, standing::Told};
use crate::{
    file_identity::FileIdentity,
    game_plan::GamePlan,
    game_record::{Ending, GameRecord},
    replay::Replay,
    report::{Decision, Report},
    run_plan::RunPlan,
    run_report::RunReport,
    serve::{
        refusal::Refusal,
        results::{GameResult, ResultQuery},
        views::StepView,
    },
    tournament::Budget,
};

/// How many games a list holds, and how many moves an answer.
const MOST_GAMES: usize = 1000;
const MOST_STEPS: usize = 500;

pub(in crate::serve) struct WatchedRun {
    id: String,
    folder: PathBuf,
    state: Mutex<Option<State>>,
    /// The standing as it was told last, and whether somebody keeps it up to date.
    pub(super) standing: watch::Sender<Told>,
    pub(super) is_followed: Mutex<bool>,
}

/// What was read of a run's folder.
struct State {
    plan_file: FileIdentity,
    plan: Arc<RunPlan>,
    log: LogIndex,
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::serve) struct Progress {
    pub(super) name: String,
    pub(super) planned: u64,
    pub(super) recorded: u64,
    pub(super) running: bool,
}

/// What the records of a run say.
pub(super) struct RunStanding {
    /// Whether no game is left to be played.
    pub(super) finished: bool,
    pub(super) report: Report,
}

/// Which games a visitor wants to see.
#[derive(Debug, Deserialize)]
pub(in crate::serve) struct GameQuery {
    agent: Option<String>,
    seed: Option<u64>,
    budget: Option<String>,
}

/// Which moves of a game a visitor wants to see.
#[derive(Debug, Deserialize)]
pub(in crate::serve) struct StepQuery {
    #[serde(default)]
    from: u64,
    count: Option<usize>,
}

#[derive(Debug, Serialize)]
pub(in crate::serve) struct GameList {
    agents: Vec<String>,
    budgets: Vec<String>,
    total: usize,
    games: Vec<GameView>,
}

#[derive(Debug, Serialize)]
struct GameView {
    game: u64,
    agent: String,
    seed: u64,
    budget: Option<String>,
    score: u64,
    highest: u64,
    n_moves: u64,
    ending: Ending,
}

#[derive(Debug, Serialize)]
pub(in crate::serve) struct WholeGame {
    #[serde(flatten)]
    game: GameView,
    size: usize,
    fault: Option<String>,
    moves: String,
}

#[derive(Debug, Serialize)]
pub(in crate::serve) struct StepList {
    from: u64,
    board: Vec<u8>,
    score: u64,
    steps: Vec<NumberedStep>,
}

#[derive(Debug, Serialize)]
struct NumberedStep {
    n: u64,
    score: u64,
    board: Vec<u8>,
    #[serde(flatten)]
    step: StepView,
}

impl WatchedRun {
    pub(super) fn new(id: String, folder: PathBuf) -> Self {
        Self {
            id,
            folder,
            state: Mutex::default(),
            standing: watch::Sender::new(Told::Nothing),
            is_followed: Mutex::new(false),
        }
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether the folder still holds a run.
    pub(super) fn is_there(&self) -> bool {
        self.folder.join("plan.json").exists()
    }

    /// # Errors
    /// When the run cannot be read.
    pub(super) fn progress(&self) -> Result<Progress, Refusal> {
        // Before the log is read: what a run that has ended has left is all there.
        let running = self.is_running();
        self.with_state(|state| Progress {
            name: state.plan.tournament.name.clone(),
            planned: n_planned(&state.plan),
            recorded: state.log.records().len() as u64,
            running,
        })
    }

    /// How far the run is, and its report from the records that are there now.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub(super) fn report(&self) -> Result<(Progress, RunStanding), Refusal> {
        let progress = self.progress()?;
        let (plan, records) =
            self.with_state(|state| (Arc::clone(&state.plan), state.log.records().to_vec()))?;
        let report = Report::new(&plan.report_input(), &records).with_evidence_of(&self.folder);
        let standing = RunStanding {
            finished: progress.recorded >= progress.planned || needs_no_more(&plan, &report),
            report,
        };
        Ok((progress, standing))
    }

    /// The report as a page.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub(in crate::serve) fn page(&self) -> Result<String, Refusal> {
        let plan = self.with_state(|state| Arc::clone(&state.plan))?;
        RunReport::read(&self.folder, &plan)
            .and_then(|run| run.page(&self.folder, &plan))
            .map_err(|error| self.unreadable(&error))
    }

    /// # Errors
    /// When the run cannot be read.
    pub(in crate::serve) fn games(&self, query: &GameQuery) -> Result<GameList, Refusal> {
        self.with_state(|state| {
            let tournament = &state.plan.tournament;
            let is_wanted = |record: &&GameRecord| {
                query
                    .agent
                    .as_ref()
                    .is_none_or(|agent| record.agent == *agent)
                    && query.seed.is_none_or(|seed| record.seed == seed)
                    && query
                        .budget
                        .as_ref()
                        .is_none_or(|budget| record.budget.as_ref() == Some(budget))
            };
            let mut records: Vec<&GameRecord> =
                state.log.records().iter().filter(is_wanted).collect();
            records.sort_by_key(|record| record.game);
            let entrants = state.plan.entrants.iter();
            GameList {
                agents: entrants.map(|entrant| entrant.name.clone()).collect(),
                budgets: match tournament.budgets.as_slice() {
                    [_] => Vec::new(),
                    several => several.iter().map(Budget::label).collect(),
                },
                total: records.len(),
                games: records
                    .into_iter()
                    .take(MOST_GAMES)
                    .map(GameView::new)
                    .collect(),
            }
        })
    }

    /// # Errors
    /// When there is no such game.
    pub(in crate::serve) fn game(&self, number: u64) -> Result<WholeGame, Refusal> {
        let (plan, record) = self.whole_record(number)?;
        Ok(WholeGame {
            game: GameView::new(&record),
            size: plan.tournament.side.length(),
            fault: record.fault,
            moves: record.moves,
        })
    }

    /// # Errors
    /// When there is no such game, or its record cannot be played.
    pub(in crate::serve) fn steps(
        &self,
        number: u64,
        query: &StepQuery,
    ) -> Result<StepList, Refusal> {
        let (plan, record) = self.whole_record(number)?;
        let count = query.count.unwrap_or(MOST_STEPS).min(MOST_STEPS) as u64;
        let mut replay = Replay::new(plan.tournament.rules(), &plan.salt(), &record);
        let start = *replay.board();
        let mut list = StepList {
            from: query.from.min(record.n_moves),
            board: start.exponents().to_vec(),
            score: 0,
            steps: Vec::new(),
        };
        let mut before: Board = start;
        for step in &mut replay {
            let step = step.map_err(|error| {
                let sentence =
                    format!("this record does not hold: {error}; `host verify` says more");
                Refusal::of_field("", sentence)
            })?;
            if step.number <= list.from {
                list.board = step.board.exponents().to_vec();
                list.score = step.score;
            } else {
                list.steps.push(NumberedStep {
                    n: step.number,
                    score: step.score,
                    board: step.board.exponents().to_vec(),
                    step: StepView::of_replay(&before, &step),
                });
            }
            before = step.board;
            if step.number >= list.from.saturating_add(count) {
                break;
            }
        }
        Ok(list)
    }

    /// Games on the same tiles.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub(super) fn results(&self, query: &ResultQuery) -> Result<Vec<GameResult>, Refusal> {
        // The plan is small, the log may be large.
        let plan = RunPlan::read(&self.folder).map_err(Refusal::unexpected)?;
        if !query.is_about(&plan) {
            return Ok(Vec::new());
        }
        self.with_state(|state| {
            let records = state.log.records().iter();
            records
                .filter(|record| record.seed == query.seed)
                .map(|record| GameResult::of_run(record, &state.plan, &self.id))
                .collect()
        })
    }

    /// Whether a host holds the folder's lock. Trying to take it could keep a host out
    /// that starts at this moment; the kernel's list of locks tells it as well.
    fn is_running(&self) -> bool {
        let Ok(lock) = fs::metadata(self.folder.join("lock")) else {
            return false;
        };
        let inode = format!(":{} ", lock.ino());
        let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
        locks
            .lines()
            .any(|line| line.contains("FLOCK") && line.contains(&inode))
    }

    fn whole_record(&self, number: u64) -> Result<(Arc<RunPlan>, GameRecord), Refusal> {
        let path = self.log_path();
        let (plan, record) = self.with_state(|state| {
            let record = state.log.whole_record(&path, number);
            (Arc::clone(&state.plan), record)
        })?;
        record
            .map_err(|error| self.unreadable(&error))?
            .map(|record| (plan, record))
            .ok_or_else(|| Refusal::not_found(format!("game {number} is not recorded")))
    }

    /// Reads what is new in the folder, then looks.
    fn with_state<T>(&self, look: impl FnOnce(&State) -> T) -> Result<T, Refusal> {
        let plan_file = FileIdentity::of(&self.folder.join("plan.json"))
            .map_err(|error| self.unreadable(&error))?;
        let mut state = self.state();
        let is_current = state
            .as_ref()
            .is_some_and(|state| state.plan_file == plan_file);
        if !is_current {
            let plan = RunPlan::read(&self.folder).map_err(Refusal::unexpected)?;
            *state = Some(State {
                plan_file,
                plan: Arc::new(plan),
                log: LogIndex::default(),
            });
        }
        let state = state.as_mut().expect("it was just read");
        let luck = state.plan.report_input().luck;
        state
            .log
            .refresh(&self.log_path(), luck)
            .map_err(|error| self.unreadable(&error))?;
        Ok(look(state))
    }

    fn state(&self) -> MutexGuard<'_, Option<State>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn log_path(&self) -> PathBuf {
        self.folder.join("games.jsonl")
    }

    fn unreadable(&self, error: &io::Error) -> Refusal {
        Refusal::unexpected(format!(
            "the run `{}` cannot be read: {error}",
            self.folder.display()
        ))
    }
}

/// Whether a run that holds fewer games than planned is over all the same: the ranking
/// is settled, or who has not played is disqualified.
fn needs_no_more(plan: &RunPlan, report: &Report) -> bool {
    if plan.shard.is_some() {
        return false;
    }
    match &report.decision {
        Some(Decision::Settled { .. } | Decision::Open { .. }) => true,
        Some(Decision::Unfinished { .. }) => false,
        None => {
            let n_seeds = usize::try_from(plan.tournament.seeds.len()).unwrap_or(usize::MAX);
            let mut agents = report.budgets.iter().flat_map(|part| &part.agents);
            agents.all(|agent| agent.disqualified.is_some() || agent.summary.games >= n_seeds)
        }
    }
}

/// How many games a run has, or the shard of one.
fn n_planned(plan: &RunPlan) -> u64 {
    let games = GamePlan::new(&plan.tournament);
    let of_shard = plan.shard.map(|shard| shard.n_games(&games));
    of_shard.unwrap_or_else(|| games.n_games())
}

impl GameView {
    fn new(record: &GameRecord) -> Self {
        Self {
            game: record.game,
            agent: record.agent.clone(),
            seed: record.seed,
            budget: record.budget.clone(),
            score: record.score,
            highest: record.highest,
            n_moves: record.n_moves,
            ending: record.ending,
        }
    }
}
