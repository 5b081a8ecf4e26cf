//! The folder of a run: plan, game log, what was set aside; one host at a time.

use std::{
    collections::HashMap,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use crate::{
    game_log::{self, GameLog, LogError, LogLine},
    game_plan::GamePlan,
    game_record::GameRecord,
    run_plan::{PlanError, RunPlan},
};

/// A run's folder, held by this process.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    /// Locked while this value lives; the lock ends with the process, however it ends.
    _lock: File,
}

/// Why a folder cannot be used for a run.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error("the run folder `{folder}` cannot be used: {source}; choose another with --out")]
    Unusable { folder: String, source: io::Error },
    #[error("another host is playing in `{0}`; wait for it, or choose another folder with --out")]
    Busy(String),
    #[error("{0}; `--fresh` starts the run anew")]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Log(#[from] LogError),
}

/// What earlier executions of a run left.
#[derive(Debug, Default)]
pub struct Leftovers {
    /// Records that still hold, by their number in the plan.
    pub records: HashMap<u64, GameRecord>,
    /// Records that no longer fit the plan, moved to `superseded.jsonl`.
    pub n_superseded: u64,
    /// Lines that are not records, moved to `damaged.jsonl`.
    pub damaged_lines: Vec<u64>,
    /// Whether the last line was cut off in mid-write.
    pub had_cut_off_line: bool,
}

impl RunFolder {
    /// Makes the folder if needed and locks it.
    ///
    /// # Errors
    /// When it cannot be written to or another host holds it.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        let folder = path.display().to_string();
        let unusable = |source| FolderError::Unusable {
            folder: folder.clone(),
            source,
        };
        fs::create_dir_all(path).map_err(unusable)?;
        let lock = File::create(path.join("lock")).map_err(unusable)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self {
                path: path.to_path_buf(),
                _lock: lock,
            }),
            Err(fs::TryLockError::WouldBlock) => Err(FolderError::Busy(folder)),
            Err(fs::TryLockError::Error(source)) => Err(unusable(source)),
        }
    }

    /// Whether a host is playing in a folder right now, as far as can be seen from here.
    #[must_use]
    pub fn is_held(path: &Path) -> bool {
        let lock = File::open(path.join("lock"));
        lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(fs::TryLockError::WouldBlock)))
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    #[must_use]
    pub fn log_path(&self) -> PathBuf {
        self.path.join("games.jsonl")
    }

    /// The plan that an earlier execution left, if there is one.
    ///
    /// # Errors
    /// When there is one that is not understood.
    pub fn earlier_plan(&self) -> Result<Option<RunPlan>, FolderError> {
        match RunPlan::read(&self.path) {
            Ok(plan) => Ok(Some(plan)),
            Err(PlanError::NoRun(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Moves everything of an earlier execution aside: nothing that was played is lost.
    ///
    /// # Errors
    /// When it cannot be moved.
    pub fn start_anew(&self) -> Result<(), FolderError> {
        let log = self.log_path();
        let keep = || -> io::Result<()> {
            if log.exists() {
                let number = (1..=u32::MAX)
                    .find(|number| !self.old_log(*number).exists())
                    .expect("there are more numbers than files");
                fs::rename(&log, self.old_log(number))?;
            }
            match fs::remove_file(self.path.join("plan.json")) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            }
        };
        keep().map_err(|source| self.unusable(source))
    }

    fn old_log(&self, number: u32) -> PathBuf {
        self.path.join(format!("games.{number}.old.jsonl"))
    }

    fn unusable(&self, source: io::Error) -> FolderError {
        FolderError::Unusable {
            folder: self.path.display().to_string(),
            source,
        }
    }

    /// Takes over the records that hold under a plan, cleans the log of everything
    /// else, writes the plan, and opens the log for what is missing.
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
        let lines = |texts: &[String]| texts.to_vec();
        for (file, texts) in [
            ("superseded.jsonl", lines(&superseded)),
            ("damaged.jsonl", lines(&damaged)),
        ] {
            game_log::set_aside(&self.path.join(file), texts.iter().map(String::as_str))
                .map_err(unusable)?;
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

/// Which planned game a record is of: agent and fingerprint, which stands for plugin
/// file, parameters, rules, budget and salt, name agent and budget of the plan.
pub(crate) struct Numbering {
    games: GamePlan,
    /// By agent's name and fingerprint: the indices of budget and agent.
    places: HashMap<(String, String), (usize, usize)>,
}

impl Numbering {
    pub(crate) fn new(plan: &RunPlan) -> Self {
        let (tournament, salt) = (&plan.tournament, plan.salt());
        let places = tournament
            .budgets
            .iter()
            .enumerate()
            .flat_map(|(budget_index, budget)| {
                let entrants = plan.entrants.iter().enumerate();
                entrants.map(move |(agent_index, entrant)| {
                    let fingerprint = entrant.fingerprint(tournament, budget, &salt);
                    let key = (entrant.name.clone(), fingerprint);
                    (key, (budget_index, agent_index))
                })
            })
            .collect();
        Self {
            games: GamePlan::new(tournament),
            places,
        }
    }

    pub(crate) fn number_of(&self, record: &GameRecord) -> Option<u64> {
        let key = (record.agent.clone(), record.fingerprint.clone());
        let &(budget, agent) = self.places.get(&key)?;
        self.games.number_of(record.seed, budget, agent)
    }
}
