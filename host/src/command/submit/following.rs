//! Submits the shards of a tournament and follows them until no game is missing.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    num::NonZeroU32,
    sync::atomic::Ordering,
    thread,
    time::{Duration, Instant},
};

use anyhow::anyhow;
use run::{
    counted::{Counted, Decision, DecisionState},
    merge::{Merger, Part},
    run_plan::RunPlan,
    shard::Shard,
    stage::Stage,
};

use super::{
    cluster_run::{ClusterRun, Followed},
    scheduler::{Piece, SchedulerError, TaskStates},
    submission::{Submission, SubmissionFolder},
    submit_progress::SubmitProgress,
};
use crate::command::{
    CommandError, exit_code, interruption::InterruptionWatch, merge::merge_error, resuming_command,
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
        let mut attempts = Attempts::default();
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
                let lists = (&mut cancellations, &mut attempts);
                if self.follow(watch, &mut submission, lists, progress)? {
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
            submission.outputs.clear();
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
        let mut jobs = Vec::new();
        for piece in Piece::all(&name, missing, self.scheduler.largest_array()) {
            let length = |shard: &u32| (*shard, folder.length_of_output(*shard));
            submission.outputs.extend(piece.shards.iter().map(length));
            submission.write(folder)?;
            match self
                .scheduler
                .submit(&folder.script(), &piece, lock.try_clone()?)
            {
                Ok(job) => jobs.push(job),
                // The batch system may have queued the job and answered too late.
                Err(error) => match self.scheduler.find_jobs(&piece.name) {
                    Ok(found) if !found.is_empty() => jobs.extend(found),
                    _ => return Err(scheduler_error(error)),
                },
            }
        }
        progress.print_line(&format!(
            "submitted {} of {} shards as job {}; script and output: {}",
            missing.len(),
            self.n_shards(),
            jobs.join(" "),
            self.submission_folder.path().display()
        ));
        submission.intended = None;
        submission.jobs.extend(jobs);
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

    /// Shows progress until no task is left or all games are there. Shards that end early are
    /// submitted again meanwhile. Says whether it was interrupted.
    fn follow(
        &self,
        watch: &InterruptionWatch,
        submission: &mut Submission,
        (cancellations, attempts): (&mut Cancellations, &mut Attempts),
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
                        // Games may have ended since the logs were read.
                        progress.update();
                        let gone = self.never_started(submission, &found);
                        if found.have_ended() {
                            cancellations.add(gone);
                            return Ok(false);
                        }
                        let ended = progress.incomplete().filter(|(shard, _)| {
                            !found.active.contains(shard) && !gone.contains(shard)
                        });
                        let again: Vec<u32> = attempts.worth_another(ended).collect();
                        let again = cancellations.without_cancelled(&again);
                        if !again.is_empty() {
                            self.submit(submission, &again, watch, progress)?;
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

impl ClusterRun {
    /// Rejects a tournament that unfinished jobs play with a different number of shards.
    pub(super) fn check_other_numbers_of_shards(
        &self,
        watch: &InterruptionWatch,
        progress: &SubmitProgress,
    ) -> Result<(), CommandError> {
        for (n_shards, folder) in SubmissionFolder::all(&self.jobs.shards_folder)? {
            if n_shards == self.n_shards() {
                continue;
            }
            let Some(other) = self.submission_in(&folder, watch, progress)? else {
                continue;
            };
            if !self.tasks_of(&other)?.have_ended() {
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

    /// The submission in a folder, with a job that was submitted by a command that was killed
    /// before it could write down the number.
    fn submission_in(
        &self,
        folder: &SubmissionFolder,
        watch: &InterruptionWatch,
        progress: &SubmitProgress,
    ) -> Result<Option<Submission>, CommandError> {
        let mut read = Submission::read(folder)?;
        if read.as_ref().is_some_and(|read| read.intended.is_some()) {
            // A command that was killed may have left its `sbatch` behind, which goes on. What it
            // queues has the name that is written down.
            drop(wait_for_sbatch(folder, watch, progress)?);
            read = Submission::read(folder)?;
        }
        let Some(mut submission) = read else {
            return Ok(None);
        };
        if let Some(name) = submission.intended.take() {
            let jobs = self.scheduler.find_jobs(&name).map_err(scheduler_error)?;
            let known: BTreeSet<String> = submission.jobs.iter().cloned().collect();
            submission.jobs.extend(jobs.difference(&known).cloned());
            submission.write(folder)?;
        }
        Ok(Some(submission))
    }

    /// The unfinished jobs of an earlier command, if they play this tournament.
    pub(super) fn earlier_submission(
        &self,
        watch: &InterruptionWatch,
        progress: &SubmitProgress,
    ) -> Result<Submission, CommandError> {
        let new = Submission::new(&self.plan);
        let Some(earlier) = self.submission_in(&self.submission_folder, watch, progress)? else {
            return Ok(new);
        };
        if self.tasks_of(&earlier)?.have_ended() {
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
}

/// Waits for the `sbatch` that an earlier command may have left behind, and says so once.
fn wait_for_sbatch(
    folder: &SubmissionFolder,
    watch: &InterruptionWatch,
    progress: &SubmitProgress,
) -> Result<File, CommandError> {
    let mut is_said = false;
    let lock = folder.lock_submitting(|| {
        if !std::mem::replace(&mut is_said, true) {
            progress.print_line(
                "waiting for the `sbatch` of an earlier submission, so that nothing is queued \
                 twice: it ends when the batch system answers, or when you end it (`pgrep -a \
                 sbatch` shows it); Ctrl-C stops waiting",
            );
        }
        !watch.stop().load(Ordering::Relaxed)
    })?;
    lock.ok_or_else(|| {
        CommandError::new(
            exit_code::INTERRUPTED,
            anyhow!(
                "interrupted while an earlier `sbatch` was waited for; go on with:\n  {}",
                resuming_command()
            ),
        )
    })
}

/// How often shards were submitted again while others went on.
#[derive(Default)]
struct Attempts {
    /// The number of games before the last attempt, and how many attempts in a row brought none.
    of_shards: BTreeMap<u32, (u64, u32)>,
}

impl Attempts {
    /// Those of the shards that have ended, each with its number of games, for which another
    /// attempt makes sense.
    fn worth_another(
        &mut self,
        ended: impl Iterator<Item = (u32, u64)>,
    ) -> impl Iterator<Item = u32> {
        ended.filter_map(|(shard, n_games)| {
            let (before, in_vain) = self.of_shards.entry(shard).or_insert((n_games, 0));
            *in_vain = if n_games > *before { 1 } else { *in_vain + 1 };
            *before = n_games;
            (*in_vain <= MOST_ROUNDS_IN_VAIN).then_some(shard)
        })
    }
}

#[derive(Default)]
struct Cancellations {
    shards: BTreeSet<u32>,
}

impl Cancellations {
    /// Remembers the cancelled tasks: the batch system forgets them after a while.
    pub(super) fn look(&mut self, tasks: &TaskStates) {
        self.shards.extend(&tasks.cancelled);
    }

    pub(super) fn add(&mut self, shards: Vec<u32>) {
        self.shards.extend(shards);
    }

    /// These shards without the cancelled ones.
    pub(super) fn without_cancelled(&self, shards: &[u32]) -> Vec<u32> {
        let kept = shards.iter().filter(|shard| !self.shards.contains(shard));
        kept.copied().collect()
    }
}

/// What is missing, according to the logs of the shards.
struct NeededGames {
    /// The numbers of the shards that lack games.
    pub(super) shards: Vec<u32>,
    /// How many games every shard has in the end, or in this stage.
    pub(super) games_of_shards: Vec<u64>,
    /// Where there is a stop rule.
    pub(super) stage: Option<Stage>,
    /// The seeds of the look that the stage leads to.
    pub(super) look: Option<u64>,
}

impl NeededGames {
    /// `parts` are the shards that have begun.
    pub(super) fn of(
        plan: &RunPlan,
        n_shards: NonZeroU32,
        parts: &[Part],
    ) -> Result<Self, CommandError> {
        let games = plan.games();
        if parts.is_empty() {
            let decision = Counted::of(plan, []).decision;
            let stage = decision.as_ref().map(|decision| Stage::of(plan, decision));
            let games_of_shards = counts(plan, n_shards, stage.as_ref());
            let with_games = (1..)
                .zip(&games_of_shards)
                .filter(|(_, n_games)| **n_games > 0);
            return Ok(Self {
                shards: with_games.map(|(number, _)| number).collect(),
                games_of_shards,
                look: decision.as_ref().and_then(next_look),
                stage,
            });
        }
        let merger = Merger::new(parts).map_err(merge_error)?;
        let shards = merger.missing.iter().filter_map(|games| games.shard);
        let decision = merger.counted.decision.as_ref();
        // The secret salt of the shards orders the games.
        let plan = parts.first().map_or(plan, |part| &part.plan);
        let stage = decision.map(|decision| Stage::of(plan, decision));
        debug_assert_eq!(games.n_games(), plan.games().n_games());
        Ok(Self {
            shards: shards.map(Shard::number).collect(),
            games_of_shards: counts(plan, n_shards, stage.as_ref()),
            look: decision.and_then(next_look),
            stage,
        })
    }
}

fn next_look(decision: &Decision) -> Option<u64> {
    match decision.state {
        DecisionState::Unfinished { seeds } => Some(seeds),
        DecisionState::Settled { .. } | DecisionState::Open { .. } => None,
    }
}

fn counts(plan: &RunPlan, n_shards: NonZeroU32, stage: Option<&Stage>) -> Vec<u64> {
    let games = plan.games();
    let Some(stage) = stage else {
        return Shard::all(n_shards)
            .map(|shard| shard.n_games(&games))
            .collect();
    };
    let mut counts = vec![0; usize::try_from(n_shards.get()).unwrap_or(usize::MAX)];
    for game in games.games().filter(|game| stage.has(&games, game)) {
        let shard = Shard::of_game(game.number, games.games_per_seed(), n_shards);
        counts[usize::try_from(shard.number() - 1).unwrap_or(usize::MAX)] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_cancelled_once_stays_so() {
        let tasks = |shard| TaskStates {
            cancelled: [shard].into(),
            ..TaskStates::default()
        };
        let mut cancellations = Cancellations::default();
        cancellations.look(&tasks(3));
        cancellations.look(&tasks(1));
        assert_eq!(cancellations.without_cancelled(&[1, 2, 3]), [2]);
    }

    #[test]
    fn a_shard_that_gets_nowhere_is_not_submitted_for_ever() {
        let mut attempts = Attempts::default();
        let mut again = |n_games| attempts.worth_another([(7, n_games)].into_iter()).count() == 1;
        assert_eq!([3, 3, 3, 3].map(&mut again), [true, true, false, false]);
        assert_eq!([4, 4, 4].map(&mut again), [true, true, false]);
    }
}
