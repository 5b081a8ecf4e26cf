//! A tournament whose shards are played by a batch system: submitting and following it.

use std::{
    fs, io,
    num::{NonZeroU32, NonZeroUsize},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf, absolute},
    sync::atomic::Ordering,
    thread,
    time::{Duration, Instant},
};

use crate::{
    cluster::{
        job_array::JobArray,
        merge::{Merger, Part},
        scheduler::{Scheduler, SchedulerError, UnfinishedTasks},
        submission::{Submission, SubmissionFolder},
    },
    command::{
        CommandError, command_line::SubmitArguments, exit_code, interruption::InterruptionWatch,
        merge::merge_error, resuming_command::resuming_command, shared_salt,
    },
    run::{
        atomic_file, run_files,
        run_folder::{FolderError, RunFolder},
        run_plan::RunPlan,
        salt_file,
        shard::Shard,
    },
    tournament::SaltChoice,
};
use anyhow::anyhow;

use super::submit_progress::SubmitProgress;

/// Shards that ended early are submitted again until this many submissions in a row have
/// brought no new game.
const MOST_ROUNDS_IN_VAIN: u32 = 2;
/// How often the batch system is asked; administrators dislike more frequent queries.
const ASK_EVERY: Duration = Duration::from_secs(10);
/// How many logs are read per second.
const LOGS_PER_SECOND: usize = 64;
/// How many lines of a task's output are shown when giving up.
const LINES_SHOWN: usize = 6;

/// How following the jobs ended.
pub(super) enum Followed {
    Complete,
    /// These jobs continue.
    Interrupted(Vec<String>),
}

/// A tournament that is played in shards.
pub(super) struct ClusterRun {
    plan: RunPlan,
    scheduler: &'static dyn Scheduler,
    jobs: JobArray,
    /// The folder of the merged run.
    out: PathBuf,
    submission_folder: SubmissionFolder,
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
            None => absolute(Path::new("runs").join(&name))?,
        };
        let shards_folder = run_files::shards_folder(&out);
        let submission_folder = SubmissionFolder::of(&shards_folder, arguments.shards);
        let plugin_folders = arguments.plugins.folders.iter().map(absolute);
        let is_secret = plan.tournament.salt == SaltChoice::Secret;
        let jobs = JobArray {
            name,
            n_shards: arguments.shards,
            workers: arguments.workers.unwrap_or(NonZeroUsize::MIN),
            partition: arguments.partition.clone(),
            time: arguments.time.clone(),
            options: arguments.sbatch_arg.clone(),
            working_folder: std::env::current_dir()?,
            host: std::env::current_exe()?,
            tournament_file: absolute(&arguments.file)?,
            salt_file: is_secret.then(|| shards_folder.join("salt")),
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

    fn n_shards(&self) -> NonZeroU32 {
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
                    "another `host submit` is following these jobs; to follow them here, stop it \
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

    /// Submits the missing shards and follows them until no game is missing.
    pub(super) fn play(&self, watch: &InterruptionWatch) -> Result<Followed, CommandError> {
        let games = self.plan.games();
        self.check_other_numbers_of_shards()?;
        let mut progress = SubmitProgress::new(&games, self.shards());
        let mut submission = self.earlier_submission(&progress)?;
        let mut n_rounds_in_vain = 0;
        loop {
            if let Some(jobs) = self.follow(watch, &submission, &mut progress)? {
                progress.finish();
                return Ok(Followed::Interrupted(jobs));
            }
            let missing = self.missing_shards()?;
            if missing.is_empty() {
                progress.finish();
                return Ok(Followed::Complete);
            }
            if n_rounds_in_vain >= MOST_ROUNDS_IN_VAIN {
                progress.finish();
                return Err(self.gave_up(&missing));
            }
            progress.note_missing_games();
            let n_ended = progress.n_ended();
            let job = self
                .scheduler
                .submit(&self.submission_folder.script(), &missing)
                .map_err(scheduler_error)?;
            progress.print_line(&format!(
                "submitted {} of {} shards as job {job}; script and output: {}",
                missing.len(),
                self.n_shards(),
                self.submission_folder.path().display()
            ));
            submission.jobs.push(job);
            submission.write(&self.submission_folder)?;
            if let Some(jobs) = self.follow(watch, &submission, &mut progress)? {
                progress.finish();
                return Ok(Followed::Interrupted(jobs));
            }
            n_rounds_in_vain = if progress.n_ended() > n_ended {
                0
            } else {
                n_rounds_in_vain + 1
            };
        }
    }

    /// Rejects a tournament that unfinished jobs play with a different number of shards.
    fn check_other_numbers_of_shards(&self) -> Result<(), CommandError> {
        for (n_shards, folder) in SubmissionFolder::all(&self.jobs.shards_folder)? {
            let Some(other) = Submission::read(&folder)?.filter(|_| n_shards != self.n_shards())
            else {
                continue;
            };
            let tasks = self.scheduler.unfinished_tasks(&other.jobs);
            if !tasks.map_err(scheduler_error)?.is_empty() {
                return Err(CommandError::new(
                    exit_code::USAGE,
                    anyhow!(
                        "jobs submitted with --shards {n_shards} have not ended; follow them with \
                         that number, or cancel them with: {}",
                        self.scheduler.cancel_command(&other.jobs)
                    ),
                ));
            }
        }
        Ok(())
    }

    /// The unfinished jobs of an earlier command, if they play this tournament.
    fn earlier_submission(&self, progress: &SubmitProgress) -> Result<Submission, CommandError> {
        let new = Submission::new(&self.plan);
        let Some(earlier) = Submission::read(&self.submission_folder)? else {
            return Ok(new);
        };
        let tasks = self.scheduler.unfinished_tasks(&earlier.jobs);
        if tasks.map_err(scheduler_error)?.is_empty() {
            return Ok(new);
        }
        if !earlier.is_of(&self.plan) {
            return Err(CommandError::new(
                exit_code::USAGE,
                anyhow!(
                    "jobs of a different version of this tournament have not ended; wait for them, \
                     or cancel them with: {}",
                    self.scheduler.cancel_command(&earlier.jobs)
                ),
            ));
        }
        progress.print_line(&format!(
            "following job {}, which was submitted before",
            earlier.jobs.join(" ")
        ));
        Ok(earlier)
    }

    /// Shows progress until no task is left or all games are there. Returns the jobs if it
    /// was interrupted.
    fn follow(
        &self,
        watch: &InterruptionWatch,
        submission: &Submission,
        progress: &mut SubmitProgress,
    ) -> Result<Option<Vec<String>>, CommandError> {
        let n_shards = usize::try_from(self.n_shards().get()).unwrap_or(usize::MAX);
        let pause = Duration::from_secs((n_shards / LOGS_PER_SECOND).max(1) as u64);
        let mut asked: Option<Instant> = None;
        let mut tasks = UnfinishedTasks::default();
        let mut has_warned = false;
        loop {
            progress.update();
            if progress.is_complete() || submission.jobs.is_empty() {
                return Ok(None);
            }
            if asked.is_none_or(|asked| asked.elapsed() >= ASK_EVERY) {
                asked = Some(Instant::now());
                match self.scheduler.unfinished_tasks(&submission.jobs) {
                    Ok(found) if found.is_empty() => {
                        // Games may have ended since the logs were read.
                        progress.update();
                        return Ok(None);
                    }
                    Ok(found) => {
                        tasks = found;
                        has_warned = false;
                    }
                    Err(error) if has_warned => drop(error),
                    Err(error) => {
                        // The batch system may be restarting; the jobs are not affected.
                        progress.print_line(&format!("warning: {error}; trying again"));
                        has_warned = true;
                    }
                }
            }
            progress.show(tasks);
            let until = Instant::now() + pause;
            while Instant::now() < until {
                if watch.stop().load(Ordering::Relaxed) {
                    return Ok(Some(submission.jobs.clone()));
                }
                thread::sleep(Duration::from_millis(100));
            }
        }
    }

    /// The numbers of the shards that lack games, according to their folders.
    fn missing_shards(&self) -> Result<Vec<u32>, CommandError> {
        let expected = Submission::new(&self.plan);
        let parts: Vec<Part> = self
            .shards()
            .filter_map(|(shard, folder)| {
                let plan = RunPlan::read(&folder).ok()?;
                let is_current = plan.shard == Some(shard) && expected.is_of(&plan);
                is_current.then_some(Part { folder, plan })
            })
            .collect();
        if parts.is_empty() {
            return Ok((1..=self.n_shards().get()).collect());
        }
        let merger = Merger::new(&parts).map_err(merge_error)?;
        let shards = merger.missing.iter().filter_map(|games| games.shard);
        Ok(shards.map(Shard::number).collect())
    }

    fn gave_up(&self, missing: &[u32]) -> CommandError {
        let first = missing.first().copied().unwrap_or(1);
        let file = self.submission_folder.output_of(first);
        let printed = fs::read_to_string(&file).unwrap_or_default();
        let lines: Vec<&str> = printed.lines().collect();
        let last = &lines[lines.len().saturating_sub(LINES_SHOWN)..];
        let printed = if last.is_empty() {
            format!("shard {first} printed nothing; it may never have started")
        } else {
            format!(
                "the output of shard {first} ({}) ends with:\n  {}",
                file.display(),
                last.join("\n  ")
            )
        };
        CommandError::new(
            exit_code::UNEXPECTED,
            anyhow!(
                "{} shards ended without a new game, even after they were submitted again; \
                 {printed}\ntry again with:\n  {}",
                missing.len(),
                resuming_command()
            ),
        )
    }
}

fn scheduler_error(error: SchedulerError) -> CommandError {
    CommandError::new(exit_code::UNEXPECTED, error)
}
