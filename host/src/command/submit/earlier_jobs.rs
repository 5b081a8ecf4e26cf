//! The jobs that earlier commands have submitted for a tournament.

use crate::command::{CommandError, exit_code, interruption::InterruptionWatch};
use anyhow::anyhow;

use super::{
    cluster_run::ClusterRun,
    following::scheduler_error,
    sbatch_wait::wait_for_sbatch,
    submission::{Submission, SubmissionFolder},
    submit_progress::SubmitProgress,
};

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
            let job = self.scheduler.find_job(&name).map_err(scheduler_error)?;
            submission.jobs.extend(job);
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
