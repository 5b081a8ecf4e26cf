//! The record of the jobs submitted for a tournament. The same command typed again follows
//! them instead of submitting them twice.

use std::{
    collections::BTreeMap,
    fs::{self, File, TryLockError},
    io,
    num::NonZeroU32,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use serde::{Deserialize, Serialize};

use run::{
    atomic_file,
    run_plan::{RunPlan, plan_aspects::identity},
    unlinked,
};

/// The jobs of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Submission {
    /// Version of this format: 1.
    pub(crate) v: u32,
    /// Identifies the tournament and its agents.
    pub(crate) plan: String,
    /// The numbers of the jobs, oldest first.
    pub(crate) jobs: Vec<String>,
    /// The name of a job that is being submitted: the command may be killed before it knows
    /// the number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) intended: Option<String>,
    /// The shards of the last job, with the length of their output when it was submitted.
    #[serde(default)]
    pub(crate) outputs: BTreeMap<u32, u64>,
}

const FOLDER_PREFIX: &str = "submit-of-";

/// How often a lock that another process holds is tried.
const TRY_EVERY: Duration = Duration::from_millis(100);

/// The files of a submission: script, jobs and the output of the tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SubmissionFolder(PathBuf);

impl SubmissionFolder {
    /// The folder for a tournament that is split into this many shards.
    #[must_use]
    pub(crate) fn of(shards_folder: &Path, n_shards: NonZeroU32) -> Self {
        Self(shards_folder.join(format!("{FOLDER_PREFIX}{n_shards}")))
    }

    /// All folders of submissions beside the shards, with their numbers of shards.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub(crate) fn all(shards_folder: &Path) -> io::Result<Vec<(NonZeroU32, Self)>> {
        let names = fs::read_dir(shards_folder)?.flatten();
        let folders = names.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let n_shards = name.strip_prefix(FOLDER_PREFIX)?.parse().ok()?;
            Some((n_shards, Self(entry.path())))
        });
        Ok(folders.collect())
    }

    #[must_use]
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The job script.
    #[must_use]
    pub(crate) fn script(&self) -> PathBuf {
        self.0.join("job.sh")
    }

    /// The output of the task that plays a shard.
    #[must_use]
    pub(crate) fn output_of(&self, shard: u32) -> PathBuf {
        self.0.join(format!("{shard}.log"))
    }

    /// How long the output of the task that plays a shard is.
    #[must_use]
    pub(crate) fn length_of_output(&self, shard: u32) -> u64 {
        fs::metadata(self.output_of(shard)).map_or(0, |file| file.len())
    }

    /// The stage that the shards play now.
    #[must_use]
    pub(crate) fn stage(&self) -> PathBuf {
        self.0.join("stage.json")
    }

    /// Waits until no command submits jobs, and keeps others from doing so while the file is
    /// open, in this process or in one that it starts. Without locks there is nothing to wait
    /// for. `waits_on` is asked again and again while it waits; `None` where it says no.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub(crate) fn lock_submitting(
        &self,
        mut waits_on: impl FnMut() -> bool,
    ) -> io::Result<Option<File>> {
        let file = unlinked::open_or_create(&self.0.join("sbatch.lock"))?;
        while matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            if !waits_on() {
                return Ok(None);
            }
            thread::sleep(TRY_EVERY);
        }
        Ok(Some(file))
    }

    fn jobs(&self) -> PathBuf {
        self.0.join("submission.json")
    }
}

impl Submission {
    /// A submission without jobs.
    #[must_use]
    pub(crate) fn new(plan: &RunPlan) -> Self {
        Self {
            v: 1,
            plan: identity(plan),
            jobs: Vec::new(),
            intended: None,
            outputs: BTreeMap::new(),
        }
    }

    /// Whether its jobs play this plan.
    #[must_use]
    pub(crate) fn is_of(&self, plan: &RunPlan) -> bool {
        self.plan == identity(plan)
    }

    /// The submission of an earlier command, if there was one.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn read(folder: &SubmissionFolder) -> io::Result<Option<Self>> {
        match fs::read(folder.jobs()) {
            Ok(text) => Ok(Some(serde_json::from_slice(&text)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes it, in one step.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write(&self, folder: &SubmissionFolder) -> io::Result<()> {
        atomic_file::replace(&folder.jobs(), serde_json::to_vec_pretty(self)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_waits_for_an_sbatch_may_give_up() {
        let folder = tempfile::tempdir().unwrap();
        let folder = SubmissionFolder(folder.path().to_path_buf());
        let held = folder.lock_submitting(|| panic!("it is free")).unwrap();
        let mut n_asked = 0;
        let given_up = folder.lock_submitting(|| {
            n_asked += 1;
            n_asked < 3
        });
        assert!(given_up.unwrap().is_none());
        assert_eq!(n_asked, 3);
        drop(held);
        assert!(folder.lock_submitting(|| false).unwrap().is_some());
    }
}
