//! The folder of a run, used by one host at a time: taking it over, resuming, starting anew.

use std::{
    collections::HashMap,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use crate::run::{
    game_log::{self, GameLog, LogError, LogLine},
    game_plan::{GamePlan, Series},
    game_record::GameRecord,
    run_files,
    run_plan::{PlanError, RunPlan},
};

/// A run's folder, locked by this process.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    /// Locked while this value lives. The lock ends with the process, however it ends.
    _lock: File,
}

/// Why a folder cannot be used for a run.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error("cannot use the run folder `{folder}`: {source}; choose another with --out")]
    Unusable { folder: String, source: io::Error },
    #[error("another host is playing in `{0}`; wait for it, or choose another folder with --out")]
    Busy(String),
    #[error("{0}; use --fresh to start the run anew")]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Log(#[from] LogError),
}

/// What earlier executions left in the folder of a run.
#[derive(Debug, Default)]
pub struct Leftovers {
    /// Records that match the plan, by their number in the plan.
    pub records: HashMap<u64, GameRecord>,
    /// How many records no longer match the plan. They were moved to another file.
    pub n_superseded: u64,
    /// The numbers of lines that are not records. They were moved to another file.
    pub damaged_lines: Vec<u64>,
    /// Whether the last line was cut off while it was written.
    pub had_cut_off_line: bool,
}

/// How often taking the lock is tried, and the pause between two attempts: long enough to
/// outlast [`RunFolder::is_held`], which holds a shared lock for an instant.
const LOCK_ATTEMPTS: u32 = 5;
const PAUSE_BETWEEN_ATTEMPTS: Duration = Duration::from_millis(20);

impl RunFolder {
    /// Creates the folder if needed and locks it.
    ///
    /// # Errors
    /// When it cannot be written to, or another host holds the lock.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        let folder = path.display().to_string();
        let unusable = |source| FolderError::Unusable {
            folder: folder.clone(),
            source,
        };
        fs::create_dir_all(path).map_err(unusable)?;
        let lock = File::create(run_files::lock(path)).map_err(unusable)?;
        for attempt in 1..=LOCK_ATTEMPTS {
            match lock.try_lock() {
                Ok(()) => {
                    return Ok(Self {
                        path: path.to_path_buf(),
                        _lock: lock,
                    });
                }
                Err(fs::TryLockError::Error(source)) => return Err(unusable(source)),
                Err(fs::TryLockError::WouldBlock) if attempt < LOCK_ATTEMPTS => {
                    thread::sleep(PAUSE_BETWEEN_ATTEMPTS);
                }
                Err(fs::TryLockError::WouldBlock) => (),
            }
        }
        Err(FolderError::Busy(folder))
    }

    /// Whether a host is playing in a folder right now.
    #[must_use]
    pub fn is_held(path: &Path) -> bool {
        let lock = File::open(run_files::lock(path));
        lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(fs::TryLockError::WouldBlock)))
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    #[must_use]
    pub fn log_path(&self) -> PathBuf {
        run_files::game_log(&self.path)
    }

    /// The plan of an earlier execution, if there is one.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn earlier_plan(&self) -> Result<Option<RunPlan>, FolderError> {
        match RunPlan::read(&self.path) {
            Ok(plan) => Ok(Some(plan)),
            Err(PlanError::NoRun(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Renames the game log of an earlier execution and removes its plan: no record is lost.
    ///
    /// # Errors
    /// When that fails.
    pub fn start_anew(&self) -> Result<(), FolderError> {
        let log = self.log_path();
        let keep = || -> io::Result<()> {
            if log.exists() {
                let old_log = (1..=u32::MAX)
                    .map(|number| run_files::old_game_log(&self.path, number))
                    .find(|old_log| !old_log.exists())
                    .expect("there are more numbers than files");
                fs::rename(&log, old_log)?;
            }
            match fs::remove_file(run_files::plan(&self.path)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            }
        };
        keep().map_err(|source| self.unusable(source))
    }

    fn unusable(&self, source: io::Error) -> FolderError {
        FolderError::Unusable {
            folder: self.path.display().to_string(),
            source,
        }
    }

    /// Keeps the records that match a plan, removes everything else from the log, writes
    /// the plan, and opens the log for the missing games.
    ///
    /// # Errors
    /// When the folder cannot be read or written.
    pub fn take_over(&self, plan: &RunPlan) -> Result<(Leftovers, GameLog), FolderError> {
        let log_path = self.log_path();
        let unusable = |source| self.unusable(source);
        let numbering = Numbering::new(plan);
        let mut leftovers = Leftovers::default();
        let (mut superseded, mut damaged) = (Vec::new(), Vec::new());
        let mut is_clean = true;
        game_log::read(&log_path, |line_number, line| match line {
            LogLine::Record(record) => match numbering.number_of(&record) {
                Some(number) if !leftovers.records.contains_key(&number) => {
                    is_clean &= record.game == number;
                    let record = GameRecord {
                        game: number,
                        ..*record
                    };
                    leftovers.records.insert(number, record);
                }
                _ => {
                    is_clean = false;
                    leftovers.n_superseded += 1;
                    superseded.push(serde_json::to_string(&record).unwrap_or_default());
                }
            },
            LogLine::Malformed { text, .. } => {
                is_clean = false;
                leftovers.damaged_lines.push(line_number);
                damaged.push(text);
            }
            LogLine::CutOff { .. } => {
                is_clean = false;
                leftovers.had_cut_off_line = true;
            }
        })
        .map_err(unusable)?;
        for (file, lines) in [
            (run_files::superseded_records(&self.path), superseded),
            (run_files::damaged_lines(&self.path), damaged),
        ] {
            game_log::set_aside(&file, lines.iter().map(String::as_str)).map_err(unusable)?;
        }
        if !is_clean {
            let mut records: Vec<GameRecord> = leftovers.records.values().cloned().collect();
            records.sort_by_key(|record| record.game);
            game_log::rewrite(&log_path, &records).map_err(unusable)?;
        }
        plan.write(&self.path).map_err(unusable)?;
        Ok((leftovers, GameLog::open(&log_path)?))
    }
}

/// Finds the planned game of a record. The fingerprint stands for plugin file, parameters,
/// rules, budget and salt, so agent and fingerprint together determine the series.
pub(crate) struct Numbering {
    games: GamePlan,
    /// The series by the name of its agent and the fingerprint.
    series: HashMap<(String, String), Series>,
}

impl Numbering {
    pub(crate) fn new(plan: &RunPlan) -> Self {
        let tournament = &plan.tournament;
        let series = tournament
            .budgets
            .iter()
            .enumerate()
            .flat_map(|(budget_index, budget)| {
                let agents = plan.agents.iter().enumerate();
                agents.map(move |(agent_index, agent)| {
                    let fingerprint = agent.fingerprint(tournament, budget, &plan.salt);
                    let series = Series {
                        budget: budget_index,
                        agent: agent_index,
                    };
                    ((agent.name.clone(), fingerprint), series)
                })
            })
            .collect();
        Self {
            games: plan.games(),
            series,
        }
    }

    pub(crate) fn number_of(&self, record: &GameRecord) -> Option<u64> {
        let key = (record.agent.clone(), record.fingerprint.clone());
        let series = self.series.get(&key)?;
        self.games
            .number_of(record.seed, series.budget, series.agent)
    }
}
