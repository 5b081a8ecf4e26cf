//! `host submit`: a tournament on a cluster, from the job array to the ranking.

use std::{
    fs,
    io::{self, Write},
    num::{NonZeroU32, NonZeroUsize},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf, absolute},
    sync::atomic::Ordering,
    thread,
    time::{Duration, Instant},
};

use anyhow::anyhow;
use arena2048::{
    exit_code,
    game_plan::GamePlan,
    interruption::InterruptionWatch,
    merge::{Merger, Part},
    run_folder::{FolderError, RunFolder},
    run_plan::{RunPlan, draw_salt},
    shard::Shard,
    slurm::{JobScript, Queue, SlurmError, Submission, TasksInQueue},
    tournament::SaltChoice,
};

use super::{
    CommandError, CommandResult,
    entry::enter,
    merge::{MergeOptions, check_fits, in_merge, merge_into},
    run_shard::{folder_of_shards, read_salt},
    submit_progress::SubmitProgress,
    typed_command::resuming_command,
};
use crate::command_line::SubmitArguments;

/// Shards that ended too early are submitted again, but not for ever: so many times in
/// a row without a new game, and something else is wrong.
const MOST_ROUNDS_IN_VAIN: u32 = 2;
/// How often the queue is asked; administrators do not like it more often.
const ASK_QUEUE_EVERY: Duration = Duration::from_secs(10);
/// So many logs are looked at every second.
const LOGS_A_SECOND: usize = 64;
/// How much is shown of what a task printed last.
const LINES_SHOWN: usize = 6;

pub(crate) fn submit(arguments: &SubmitArguments) -> CommandResult {
    let watch = InterruptionWatch::start()?;
    let entry = enter(&arguments.file, &arguments.plugins.folders, |_| Ok(()))?;
    let plan = RunPlan::new(entry.tournament, entry.entrants, None, None);
    let cluster_run = ClusterRun::new(arguments, plan)?;
    if arguments.print {
        io::stdout().write_all(cluster_run.script.to_string().as_bytes())?;
        return Ok(exit_code::OK);
    }
    let queue = Queue::find().map_err(|error| no_slurm(&error, arguments))?;
    if !arguments.fresh {
        check_fits(&cluster_run.out, &cluster_run.plan)?;
    }
    let _lock = cluster_run.prepare()?;
    match cluster_run.play(&queue, &watch)? {
        Followed::Interrupted(jobs) => {
            // Without a standard error output there is nobody to tell.
            let _ = writeln!(
                io::stderr(),
                "interrupted; the jobs go on. This follows them again:\n  {}\nand this cancels \
                 them:\n  scancel {}",
                resuming_command(),
                jobs.join(" ")
            );
            Ok(exit_code::INTERRUPTED)
        }
        Followed::Complete => {
            let folders: Vec<PathBuf> = cluster_run.shards().map(|(_, folder)| folder).collect();
            let options = MergeOptions {
                partial: false,
                fresh: arguments.fresh,
                format: arguments.format.format,
            };
            merge_into(&cluster_run.out, &folders, options)?;
            Ok(exit_code::OK)
        }
    }
}

fn no_slurm(error: &SlurmError, arguments: &SubmitArguments) -> CommandError {
    CommandError::new(
        exit_code::UNEXPECTED,
        anyhow!(
            "{error}; `host submit` needs Slurm's commands. Where they are elsewhere, --print \
             shows the script to submit there; without Slurm, play `host run {} --shard I/{}` for \
             every I on any machines, then `host merge` (docs/cluster.md)",
            arguments.file.display(),
            arguments.shards
        ),
    )
}

/// How following the jobs ended.
enum Followed {
    Complete,
    /// These jobs go on.
    Interrupted(Vec<String>),
}

/// A tournament that is played in shards by Slurm.
struct ClusterRun {
    plan: RunPlan,
    n_shards: NonZeroU32,
    script: JobScript,
    /// Where the whole run goes.
    out: PathBuf,
    /// Script, jobs and what the tasks print.
    submit_folder: PathBuf,
}

impl ClusterRun {
    fn new(arguments: &SubmitArguments, plan: RunPlan) -> Result<Self, CommandError> {
        let n_games = GamePlan::new(&plan.tournament).n_games();
        if u64::from(arguments.shards.get()) > n_games {
            return Err(CommandError::new(
                exit_code::USAGE,
                anyhow!(
                    "--shards {}: the tournament has {n_games} games, and a shard plays one at least",
                    arguments.shards
                ),
            ));
        }
        let name = plan.tournament.name.clone();
        let out = match &arguments.out {
            Some(out) => absolute(out)?,
            None => absolute(Path::new("runs").join(&name))?,
        };
        let shards_folder = folder_of_shards(&out);
        let submit_folder = shards_folder.join(format!("submit-of-{}", arguments.shards));
        let folders = arguments.plugins.folders.iter().map(absolute);
        let is_secret = plan.tournament.salt == SaltChoice::Secret;
        let script = JobScript {
            name,
            n_shards: arguments.shards,
            workers: arguments.workers.unwrap_or(NonZeroUsize::MIN),
            partition: arguments.partition.clone(),
            time: arguments.time.clone(),
            sbatch_args: arguments.sbatch_arg.clone(),
            working_folder: std::env::current_dir()?,
            host: std::env::current_exe()?,
            tournament_file: absolute(&arguments.file)?,
            salt_file: is_secret.then(|| shards_folder.join("salt")),
            shards_folder,
            output_folder: submit_folder.clone(),
            plugin_folders: folders.collect::<io::Result<_>>()?,
            host_plugins: std::env::var("HOST_PLUGINS").ok(),
        };
        if let Some(text) = script.unusable_text() {
            return Err(CommandError::new(
                exit_code::USAGE,
                anyhow!("{text:?} cannot stand in a job script: it holds a line break"),
            ));
        }
        Ok(Self {
            plan,
            n_shards: arguments.shards,
            script,
            out,
            submit_folder,
        })
    }

    fn shards(&self) -> impl Iterator<Item = (Shard, PathBuf)> + '_ {
        Shard::all(self.n_shards)
            .map(|shard| (shard, self.script.shards_folder.join(shard.folder_name())))
    }

    /// Makes the folder of the submission, the script and the salt; one command at a
    /// time may follow the jobs.
    fn prepare(&self) -> Result<RunFolder, CommandError> {
        let lock = RunFolder::open(&self.submit_folder).map_err(|error| {
            let error = match error {
                FolderError::Busy(_) => anyhow!(
                    "another `host submit` follows these jobs; let it, or end it with Ctrl-C, \
                     which leaves the jobs alone, and follow them here"
                ),
                error => error.into(),
            };
            CommandError::new(exit_code::UNEXPECTED, error)
        })?;
        if let Some(file) = &self.script.salt_file {
            // The plans of the shards hold the salt as well.
            fs::set_permissions(
                &self.script.shards_folder,
                fs::Permissions::from_mode(0o700),
            )?;
            draw_salt_into(file)?;
            read_salt(file)?;
        }
        fs::write(self.script_file(), self.script.to_string())?;
        Ok(lock)
    }

    fn script_file(&self) -> PathBuf {
        self.submit_folder.join("job.sh")
    }

    /// Submits what is missing and follows it until nothing is.
    fn play(&self, queue: &Queue, watch: &InterruptionWatch) -> Result<Followed, CommandError> {
        let games = GamePlan::new(&self.plan.tournament);
        self.check_other_cuts(queue)?;
        let mut progress = SubmitProgress::new(&games, self.shards());
        let mut submission = self.earlier_submission(queue, &progress)?;
        let mut n_rounds_in_vain = 0;
        loop {
            if let Some(jobs) = self.follow(queue, watch, &submission, &mut progress)? {
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
            let job = queue
                .submit(&self.script_file(), &missing)
                .map_err(|error| CommandError::new(exit_code::UNEXPECTED, error))?;
            progress.say(&format!(
                "{} of {} shards are submitted as job {job}; the script and what they print are in {}",
                missing.len(),
                self.n_shards,
                self.submit_folder.display()
            ));
            submission.jobs.push(job);
            submission.write(&self.submit_folder)?;
            if let Some(jobs) = self.follow(queue, watch, &submission, &mut progress)? {
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

    /// Refuses to play what jobs with another number of shards are playing.
    fn check_other_cuts(&self, queue: &Queue) -> Result<(), CommandError> {
        let folders = fs::read_dir(&self.script.shards_folder)?.flatten();
        for folder in folders.map(|entry| entry.path()) {
            let name = folder.file_name().and_then(|name| name.to_str());
            let Some(n_shards) = name.and_then(|name| name.strip_prefix("submit-of-")) else {
                continue;
            };
            let Some(other) = Submission::read(&folder)?.filter(|_| folder != self.submit_folder)
            else {
                continue;
            };
            let tasks = queue
                .tasks_of(&other.jobs)
                .map_err(|error| CommandError::new(exit_code::UNEXPECTED, error))?;
            if !tasks.is_empty() {
                let jobs = other.jobs.join(" ");
                return Err(CommandError::new(
                    exit_code::USAGE,
                    anyhow!(
                        "jobs that were submitted with --shards {n_shards} have not ended; follow \
                         them with that number, or cancel them: scancel {jobs}"
                    ),
                ));
            }
        }
        Ok(())
    }

    /// The jobs of an earlier command, if they play this tournament.
    fn earlier_submission(
        &self,
        queue: &Queue,
        progress: &SubmitProgress,
    ) -> Result<Submission, CommandError> {
        let new = Submission::new(&self.plan);
        let Some(earlier) = Submission::read(&self.submit_folder)? else {
            return Ok(new);
        };
        let tasks = queue
            .tasks_of(&earlier.jobs)
            .map_err(|error| CommandError::new(exit_code::UNEXPECTED, error))?;
        if tasks.is_empty() {
            return Ok(new);
        }
        let jobs = earlier.jobs.join(" ");
        if !earlier.is_of(&self.plan) {
            return Err(CommandError::new(
                exit_code::USAGE,
                anyhow!(
                    "jobs of another version of this tournament have not ended; wait for them, or \
                     cancel them: scancel {jobs}"
                ),
            ));
        }
        progress.say(&format!("the shards were submitted before, as job {jobs}"));
        Ok(earlier)
    }

    /// Shows progress until no task is left or all games are there; `Some` with the
    /// jobs where it was interrupted.
    fn follow(
        &self,
        queue: &Queue,
        watch: &InterruptionWatch,
        submission: &Submission,
        progress: &mut SubmitProgress,
    ) -> Result<Option<Vec<String>>, CommandError> {
        let n_shards = usize::try_from(self.n_shards.get()).unwrap_or(usize::MAX);
        let pause = Duration::from_secs((n_shards / LOGS_A_SECOND).max(1) as u64);
        let mut asked: Option<Instant> = None;
        let mut tasks = TasksInQueue::default();
        let mut has_complained = false;
        loop {
            progress.update();
            if progress.is_complete() || submission.jobs.is_empty() {
                return Ok(None);
            }
            if asked.is_none_or(|asked| asked.elapsed() >= ASK_QUEUE_EVERY) {
                asked = Some(Instant::now());
                match queue.tasks_of(&submission.jobs) {
                    Ok(found) if found.is_empty() => {
                        // What was written between the look at the logs and the question.
                        progress.update();
                        return Ok(None);
                    }
                    Ok(found) => {
                        tasks = found;
                        has_complained = false;
                    }
                    Err(error) if has_complained => drop(error),
                    Err(error) => {
                        // A controller that restarts is no reason to leave the jobs alone.
                        progress.say(&format!("warning: {error}; trying again"));
                        has_complained = true;
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

    /// The shards that have to be played, or played on, by what their folders hold.
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
            return Ok((1..=self.n_shards.get()).collect());
        }
        let merger = Merger::new(&parts).map_err(in_merge)?;
        let shards = merger.missing.iter().filter_map(|games| games.shard);
        Ok(shards.map(Shard::number).collect())
    }

    fn gave_up(&self, missing: &[u32]) -> CommandError {
        let first = missing.first().copied().unwrap_or(1);
        let file = self.submit_folder.join(format!("{first}.log"));
        let printed = fs::read_to_string(&file).unwrap_or_default();
        let lines: Vec<&str> = printed.lines().collect();
        let last = &lines[lines.len().saturating_sub(LINES_SHOWN)..];
        let printed = if last.is_empty() {
            format!("shard {first} printed nothing, so that it may never have started")
        } else {
            format!(
                "what shard {first} printed last is in {}:\n  {}",
                file.display(),
                last.join("\n  ")
            )
        };
        CommandError::new(
            exit_code::UNEXPECTED,
            anyhow!(
                "the tasks of {} shards ended without a new game, though they were submitted \
                 again; {printed}\nthis tries again: {}",
                missing.len(),
                resuming_command()
            ),
        )
    }
}

/// Once for all shards, and for nobody else to read.
fn draw_salt_into(file: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    match options.open(file) {
        Ok(mut file) => writeln!(file, "{}", draw_salt()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}
