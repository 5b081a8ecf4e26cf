//! A tournament whose shards are played by a batch system: its folders, plan and job script.

use std::{
    fs, io,
    num::{NonZeroU32, NonZeroUsize},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf, absolute},
};

use run::{
    atomic_file,
    merge::Part,
    run_files,
    run_folder::{FolderError, RunFolder},
    run_plan::RunPlan,
    salt_file,
    shard::Shard,
};
use tournament::SaltChoice;

use super::{
    job_array::JobArray,
    scheduler::Scheduler,
    submission::{Submission, SubmissionFolder},
};
use crate::command::{CommandError, command_line::SubmitArguments, exit_code, shared_salt};
use anyhow::anyhow;

/// The memory of the host of a shard, in bytes, generously.
const MEMORY_OF_HOST: u64 = 256 << 20;

/// How following the jobs ended.
pub(super) enum Followed {
    Complete,
    /// These jobs continue.
    Interrupted(Vec<String>),
    /// These shards were cancelled.
    Cancelled(Vec<u32>),
}

/// A tournament that is played in shards.
pub(super) struct ClusterRun {
    pub(super) plan: RunPlan,
    pub(super) scheduler: &'static dyn Scheduler,
    pub(super) jobs: JobArray,
    /// The folder of the merged run.
    out: PathBuf,
    pub(super) submission_folder: SubmissionFolder,
}

impl ClusterRun {
    pub(super) fn new(
        arguments: &SubmitArguments,
        plan: RunPlan,
        scheduler: &'static dyn Scheduler,
    ) -> Result<Self, CommandError> {
        let n_games = plan.games().n_games();
        if u64::from(arguments.shards.get()) > n_games {
            return Err(CommandError::new(
                exit_code::USAGE,
                anyhow!(
                    "--shards {}: the tournament has only {n_games} games; use at most as many \
                     shards",
                    arguments.shards
                ),
            ));
        }
        let name = plan.tournament.name.clone();
        let out = match &arguments.out {
            Some(out) => absolute(out)?,
            None => absolute(run_files::usual_folder(&name))?,
        };
        let shards_folder = run_files::shards_folder(&out);
        let submission_folder = SubmissionFolder::of(&shards_folder, arguments.shards);
        let plugin_folders = arguments.plugins.folders.iter().map(absolute);
        let workers = arguments.workers.unwrap_or(NonZeroUsize::MIN);
        let is_secret = plan.tournament.salt == SaltChoice::Secret;
        let jobs = JobArray {
            name,
            n_shards: arguments.shards,
            workers,
            partition: arguments.partition.clone(),
            time: arguments.time.clone(),
            options: arguments.sbatch_arg.clone(),
            working_folder: std::env::current_dir()?,
            host: std::env::current_exe()?,
            tournament_file: absolute(&arguments.file)?,
            salt_file: is_secret.then(|| shards_folder.join(run_files::SALT)),
            stage_file: plan.stop().map(|_| submission_folder.stage()),
            memory: memory_of_task(&plan, workers),
            final_codes: [&exit_code::LASTING[..], &[exit_code::INTERRUPTED]].concat(),
            shards_folder,
            output_folder: submission_folder.path().to_path_buf(),
            plugin_folders: plugin_folders.collect::<io::Result<_>>()?,
            host_plugins: std::env::var("HOST_PLUGINS").ok(),
        };
        if let Some(text) = jobs.unusable_text() {
            return Err(CommandError::new(
                exit_code::USAGE,
                anyhow!("{text:?} contains a line break, which a job script cannot represent"),
            ));
        }
        Ok(Self {
            plan,
            scheduler,
            jobs,
            out,
            submission_folder,
        })
    }

    pub(super) fn plan(&self) -> &RunPlan {
        &self.plan
    }

    /// The folder of the merged run.
    pub(super) fn out(&self) -> &Path {
        &self.out
    }

    /// The job script.
    pub(super) fn script(&self) -> String {
        self.scheduler.script(&self.jobs)
    }

    pub(super) fn n_shards(&self) -> NonZeroU32 {
        self.jobs.n_shards
    }

    /// The shards with their run folders.
    pub(super) fn shards(&self) -> impl Iterator<Item = (Shard, PathBuf)> + '_ {
        Shard::all(self.n_shards())
            .map(|shard| (shard, self.jobs.shards_folder.join(shard.folder_name())))
    }

    /// Creates the folder of the submission, the script and the salt. The lock ensures that
    /// only one command follows the jobs.
    pub(super) fn prepare(&self) -> Result<RunFolder, CommandError> {
        let lock = RunFolder::open(self.submission_folder.path()).map_err(|error| {
            let error = match error {
                FolderError::Busy(_) => anyhow!(
                    "another host is following these jobs; to follow them here, stop it \
                     with Ctrl-C, which leaves the jobs running"
                ),
                error => error.into(),
            };
            CommandError::new(exit_code::UNEXPECTED, error)
        })?;
        if let Some(file) = &self.jobs.salt_file {
            // The salt file is private anyway; the games of the shards become so too.
            fs::set_permissions(&self.jobs.shards_folder, fs::Permissions::from_mode(0o700))?;
            salt_file::create(file)?;
            shared_salt(file)?;
        }
        atomic_file::replace(&self.submission_folder.script(), self.script())?;
        Ok(lock)
    }

    /// The shards that have begun to play this tournament.
    pub(super) fn parts(&self) -> Vec<Part> {
        let expected = Submission::new(&self.plan);
        self.shards()
            .filter_map(|(shard, folder)| {
                let plan = RunPlan::read(&folder).ok()?;
                let is_current = plan.shard == Some(shard) && expected.is_of(&plan);
                is_current.then_some(Part { folder, plan })
            })
            .collect()
    }
}

/// All workers may be those of the agent with most memory.
fn memory_of_task(plan: &RunPlan, workers: NonZeroUsize) -> u64 {
    let of_worker = plan.tournament.largest_memory();
    let of_workers = of_worker.saturating_mul(workers.get() as u64);
    of_workers.saturating_add(MEMORY_OF_HOST)
}
