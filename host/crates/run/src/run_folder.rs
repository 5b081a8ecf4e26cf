//! The folder of a run, used by one host at a time: taking it over, resuming, starting anew.

use std::{
    fs::{self, File},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    thread,
    time::{Duration, SystemTime},
};
use text::program;

use nix::errno::Errno;

use crate::{
    atomic_file,
    game_log::{GameLog, LogError},
    plan_error::PlanError,
    run_files,
    run_plan::RunPlan,
    shard::Shard,
    unlinked,
};

/// A run's folder, locked by this process.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    locking: Locking,
    /// Locked while this value lives, unless there are no locks. The lock ends with the
    /// process, however it ends.
    _lock: File,
}

/// Whether the folder is locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locking {
    Locked,
    /// The user knows that no other host plays in it.
    Unlocked,
}

/// Why a folder cannot be used for a run.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error("cannot use the run folder `{folder}`: {source}; {}", way_out(source))]
    Unusable { folder: String, source: io::Error },
    #[error("another host is playing in `{0}`; wait for it, or choose another folder with --out")]
    Busy(String),
    #[error(
        "the file system of `{folder}` has no locks ({source}), which keep two hosts from playing \
         in one folder; choose another folder with --out, or use --no-lock if no other host \
         plays in this one"
    )]
    NoLocks { folder: String, source: io::Error },
    #[error("`{0}` has a game log but no {file}; {rebuild}", file = run_files::PLAN, rebuild = rebuilding())]
    NoPlan(String),
    #[error(
        "`{folder}` has games that are not of shard {shard}; choose another folder with --out, or \
         the shard that they belong to"
    )]
    OtherShard { folder: String, shard: Shard },
    #[error(
        "{n_superseded} of {n_records} records in `{folder}` no longer match the tournament \
         ({whose}); nothing was written. Use --supersede to set them aside in {file} and play their \
         games anew",
        file = run_files::SUPERSEDED_RECORDS
    )]
    Superseding {
        folder: String,
        n_superseded: u64,
        /// How many of which agents.
        whose: String,
        n_records: u64,
    },
    #[error("{error}; {way_on}", error = .0, way_on = way_on(.0))]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Log(#[from] LogError),
}

impl FolderError {
    /// Whether the plan, or the salt that belongs to it, is damaged or missing.
    #[must_use]
    pub fn is_loss_of_plan(&self) -> bool {
        match self {
            Self::NoPlan(_) => true,
            Self::Plan(error) => error.is_damage() || error.is_loss_of_salt(),
            _ => false,
        }
    }
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
        Self::open_with(path, Locking::Locked)
    }

    /// The same, with or without a lock.
    ///
    /// # Errors
    /// As for [`RunFolder::open`].
    pub fn open_with(path: &Path, locking: Locking) -> Result<Self, FolderError> {
        let folder = path.display().to_string();
        let unusable = |source| FolderError::Unusable {
            folder: folder.clone(),
            source,
        };
        atomic_file::create_folders(path).map_err(unusable)?;
        let lock = unlinked::open_or_create(&run_files::lock(path)).map_err(unusable)?;
        let opened = |lock| Self {
            path: path.to_path_buf(),
            locking,
            _lock: lock,
        };
        if locking == Locking::Unlocked {
            return Ok(opened(lock));
        }
        for attempt in 1..=LOCK_ATTEMPTS {
            match lock.try_lock() {
                Ok(()) => {
                    atomic_file::remove_unfinished(path).map_err(unusable)?;
                    return Ok(opened(lock));
                }
                Err(fs::TryLockError::Error(source)) if has_no_locks(&source) => {
                    return Err(FolderError::NoLocks { folder, source });
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

    /// When the plan or the log of a run was last written.
    #[must_use]
    pub fn last_change(path: &Path) -> Option<SystemTime> {
        let log = run_files::game_log(path);
        let files = [run_files::compressed(&log), log, run_files::plan(path)];
        let times = files.iter().filter_map(|file| fs::metadata(file).ok());
        times.filter_map(|file| file.modified().ok()).max()
    }

    /// Whether a host is playing in a folder right now.
    #[must_use]
    pub fn is_held(path: &Path) -> bool {
        let lock = unlinked::open(&run_files::lock(path));
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

    /// Opens the log for the games that are missing.
    pub(super) fn open_log(&self) -> Result<GameLog, LogError> {
        let log = GameLog::open(&self.log_path())?;
        Ok(match self.locking {
            Locking::Locked => log,
            Locking::Unlocked => log.shared(),
        })
    }

    /// The plan of an earlier execution, if there is one.
    ///
    /// # Errors
    /// When it cannot be read, or there are records without it.
    pub fn earlier_plan(&self) -> Result<Option<RunPlan>, FolderError> {
        match RunPlan::read(&self.path) {
            Ok(plan) => Ok(Some(plan)),
            Err(PlanError::NoRun(folder)) if self.has_records() => Err(FolderError::NoPlan(folder)),
            Err(PlanError::NoRun(_) | PlanError::NoFolder(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Renames game log, plan and salt of an earlier execution: no record is lost, and each
    /// can still be verified.
    ///
    /// # Errors
    /// When that fails.
    pub fn start_anew(&self) -> Result<(), FolderError> {
        let run = self.path.as_path();
        let old = |number: u32| {
            [
                (
                    run_files::game_log(run),
                    run_files::old_game_log(run, number),
                ),
                (
                    run_files::compressed(&run_files::game_log(run)),
                    run_files::compressed(&run_files::old_game_log(run, number)),
                ),
                (run_files::salt(run), run_files::old_salt(run, number)),
                (run_files::plan(run), run_files::old_plan(run, number)),
            ]
        };
        let exists = |path: &Path| fs::symlink_metadata(path).is_ok();
        let is_free = |number: &u32| old(*number).iter().all(|(_, old)| !exists(old));
        let number = (1..=u32::MAX)
            .find(is_free)
            .expect("there are more numbers than files");
        for (current, old) in old(number) {
            if exists(&current) {
                atomic_file::rename(&current, &old).map_err(|source| self.unusable(source))?;
            }
        }
        Ok(())
    }

    fn has_records(&self) -> bool {
        Self::holds_records(&self.path)
    }

    /// Whether a folder has a game log that is not empty.
    #[must_use]
    pub fn holds_records(path: &Path) -> bool {
        let log = run_files::game_log(path);
        let logs = [run_files::compressed(&log), log];
        logs.iter()
            .any(|log| fs::symlink_metadata(log).is_ok_and(|log| log.len() > 0))
    }

    pub(super) fn unusable(&self, source: io::Error) -> FolderError {
        FolderError::Unusable {
            folder: self.path.display().to_string(),
            source,
        }
    }
}

/// What to do about a folder that cannot be used.
fn way_out(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            "free some space, or choose another folder with --out"
        }
        ErrorKind::PermissionDenied => {
            "use the account that owns it, or choose another folder with --out"
        }
        _ => "choose another with --out",
    }
}

/// What to do about a plan or a salt that cannot be read.
fn way_on(error: &PlanError) -> String {
    if error.is_damage() {
        return rebuilding();
    }
    let way = if error.is_refused() {
        "use the account that started the run"
    } else if matches!(error, PlanError::OtherVersion { .. }) {
        "--fresh starts the run anew"
    } else if matches!(error, PlanError::NoSalt(_)) {
        "give its salt with --salt-file, or use --fresh to start the run anew"
    } else {
        "use --fresh to start the run anew"
    };
    way.to_owned()
}

/// What to do about a plan that is lost.
#[must_use]
pub fn rebuilding() -> String {
    format!(
        "`{}` with the tournament file of the run rebuilds it, and --fresh starts the run anew",
        program::command("run")
    )
}

fn has_no_locks(error: &io::Error) -> bool {
    let code = error.raw_os_error().map(Errno::from_raw);
    matches!(
        code,
        Some(Errno::ENOLCK | Errno::ENOSYS | Errno::EOPNOTSUPP | Errno::EINVAL)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::salt_file::SaltFileError;

    #[test]
    fn another_user_and_a_full_disk_are_not_told_to_start_anew() {
        let salt = |kind: ErrorKind| {
            let (file, source) = (PathBuf::from("run/salt"), kind.into());
            FolderError::from(PlanError::NoSalt(SaltFileError::Unreadable {
                file,
                source,
            }))
            .to_string()
        };
        assert!(
            salt(ErrorKind::PermissionDenied).ends_with("use the account that started the run")
        );
        assert!(
            salt(ErrorKind::NotFound)
                .ends_with("with --salt-file, or use --fresh to start the run anew")
        );
        let full = FolderError::Unusable {
            folder: "run".into(),
            source: ErrorKind::StorageFull.into(),
        };
        assert!(full.to_string().contains("; free some space, or"), "{full}");
    }
}
