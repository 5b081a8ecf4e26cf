//! Submits the shards of a tournament and follows them until no game is missing.

use std::{
    fs,
    sync::atomic::Ordering,
    thread,
    time::{Duration, Instant},
};

use crate::command::{CommandError, exit_code, interruption::InterruptionWatch, resuming_command};
use anyhow::anyhow;

use super::{
    cancellations::Cancellations,
    cluster_run::{ClusterRun, Followed},
    needed_games::NeededGames,
    sbatch_wait::wait_for_sbatch,
    scheduler::{SchedulerError, TaskStates},
    submission::Submission,
    submit_progress::SubmitProgress,
};

/// Shards that ended early are submitted again until this many submissions in a row have
/// brought no new game.
const MOST_ROUNDS_IN_VAIN: u32 = 2;
/// How often the batch system is asked; administrators dislike more frequent queries.
const ASK_EVERY: Duration = Duration::from_secs(10);
/// How many logs are read per second.
const LOGS_PER_SECOND: usize = 64;
/// How many lines of a task's output are shown when giving up.
const LINES_SHOWN: usize = 6;

impl ClusterRun {
    /// Submits the missing shards and follows them until no game is missing. With a stop rule,
    /// the games up to a look are played before the next ones are submitted.
    pub(super) fn play(&self, watch: &InterruptionWatch) -> Result<Followed, CommandError> {
        let mut progress = SubmitProgress::new(self.shards());
        let followed = self.submit_and_follow(watch, &mut progress);
        progress.finish();
        followed
    }

    fn submit_and_follow(
        &self,
        watch: &InterruptionWatch,
        progress: &mut SubmitProgress,
    ) -> Result<Followed, CommandError> {
        self.check_other_numbers_of_shards(watch, progress)?;
        let mut submission = self.earlier_submission(watch, progress)?;
        let mut cancellations = Cancellations::default();
        let (mut n_rounds_in_vain, mut n_ended) = (0, None);
        let mut last_look = None;
        loop {
            let needed = NeededGames::of(&self.plan, self.n_shards(), &self.parts())?;
            if needed.shards.is_empty() {
                self.cancel_waiting(&submission, progress)?;
                return Ok(Followed::Complete);
            }
            progress.expect(&needed.games_of_shards);
            progress.update();
            if !submission.jobs.is_empty() {
                if self.follow(watch, &submission, &mut cancellations, progress)? {
                    return Ok(Followed::Interrupted(submission.jobs));
                }
                self.cancel_waiting(&submission, progress)?;
                submission.jobs.clear();
                n_rounds_in_vain = match n_ended {
                    Some(before) if progress.n_ended() <= before => n_rounds_in_vain + 1,
                    _ => 0,
                };
                // What has been played decides what is missing now.
                continue;
            }
            let missing = cancellations.without_cancelled(&needed.shards);
            if missing.is_empty() {
                return Ok(Followed::Cancelled(needed.shards));
            }
            if n_rounds_in_vain >= MOST_ROUNDS_IN_VAIN {
                return Err(self.gave_up(&missing));
            }
            if let Some(seeds) = needed.look.filter(|seeds| last_look != Some(*seeds)) {
                progress.print_line(&format!("playing up to the look at {seeds} seeds"));
            }
            last_look = needed.look;
            progress.note_missing_games();
            n_ended = Some(progress.n_ended());
            if let Some(stage) = &needed.stage {
                stage.write(&self.submission_folder.stage())?;
            }
            self.submit(&mut submission, &missing, watch, progress)?;
        }
    }

    /// Submits some shards. Writes the intention to disk first: if the command is killed now,
    /// the next one does not submit them again.
    fn submit(
        &self,
        submission: &mut Submission,
        missing: &[u32],
        watch: &InterruptionWatch,
        progress: &SubmitProgress,
    ) -> Result<(), CommandError> {
        let lock = wait_for_sbatch(&self.submission_folder, watch, progress)?;
        let name = unique_name(&self.plan.tournament.name);
        submission.intended = Some(name.clone());
        let folder = &self.submission_folder;
        let lengths = missing
            .iter()
            .map(|shard| (*shard, folder.length_of_output(*shard)));
        submission.outputs = lengths.collect();
        submission.write(&self.submission_folder)?;
        let script = self.submission_folder.script();
        let job = match self.scheduler.submit(&script, missing, &name, lock) {
            Ok(job) => job,
            // The batch system may have queued the job and answered too late.
            Err(error) => match self.scheduler.find_job(&name) {
                Ok(Some(job)) => job,
                _ => return Err(scheduler_error(error)),
            },
        };
        progress.print_line(&format!(
            "submitted {} of {} shards as job {job}; script and output: {}",
            missing.len(),
            self.n_shards(),
            self.submission_folder.path().display()
        ));
        submission.intended = None;
        submission.jobs.push(job);
        Ok(submission.write(&self.submission_folder)?)
    }

    /// Cancels tasks that have nothing to play any more.
    fn cancel_waiting(
        &self,
        submission: &Submission,
        progress: &SubmitProgress,
    ) -> Result<(), CommandError> {
        let n_waiting = self.tasks_of(submission)?.n_waiting;
        if n_waiting == 0 {
            return Ok(());
        }
        progress.print_line(&format!(
            "cancelling {n_waiting} tasks that wait, because their games are played"
        ));
        self.scheduler
            .cancel_waiting(&submission.jobs)
            .map_err(scheduler_error)
    }

    pub(super) fn tasks_of(&self, submission: &Submission) -> Result<TaskStates, CommandError> {
        self.scheduler
            .tasks(&submission.jobs)
            .map_err(scheduler_error)
    }

    /// Shows progress until no task is left or all games are there. Says whether it was
    /// interrupted.
    fn follow(
        &self,
        watch: &InterruptionWatch,
        submission: &Submission,
        cancellations: &mut Cancellations,
        progress: &mut SubmitProgress,
    ) -> Result<bool, CommandError> {
        let n_shards = usize::try_from(self.n_shards().get()).unwrap_or(usize::MAX);
        let pause = Duration::from_secs((n_shards / LOGS_PER_SECOND).max(1) as u64);
        let mut asked: Option<Instant> = None;
        let mut tasks = TaskStates::default();
        let mut has_warned = false;
        loop {
            progress.update();
            if progress.is_complete() {
                return Ok(false);
            }
            if asked.is_none_or(|asked| asked.elapsed() >= ASK_EVERY) {
                asked = Some(Instant::now());
                match self.scheduler.tasks(&submission.jobs) {
                    Ok(found) => {
                        cancellations.look(&found);
                        if found.have_ended() {
                            cancellations.add(self.never_started(submission, &found));
                            // Games may have ended since the logs were read.
                            progress.update();
                            return Ok(false);
                        }
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
            progress.show(&tasks);
            let until = Instant::now() + pause;
            while Instant::now() < until {
                if watch.stop().load(Ordering::Relaxed) {
                    return Ok(true);
                }
                thread::sleep(Duration::from_millis(100));
            }
        }
    }

    /// The shards whose tasks have gone without a trace: they were cancelled while they waited,
    /// which the batch system does not remember.
    fn never_started(&self, submission: &Submission, tasks: &TaskStates) -> Vec<u32> {
        let submitted = submission.outputs.iter();
        let gone = submitted.filter(|(shard, length)| {
            !tasks.known.contains(shard)
                && self.submission_folder.length_of_output(**shard) == **length
        });
        gone.map(|(shard, _)| *shard).collect()
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

/// The name by which a job is found again.
fn unique_name(tournament: &str) -> String {
    let number = rand::Rng::next_u64(&mut rand::make_rng::<rand::rngs::StdRng>());
    format!("arena2048-{tournament}-{number:016x}")
}

pub(super) fn scheduler_error(error: SchedulerError) -> CommandError {
    CommandError::new(exit_code::UNEXPECTED, error)
}
