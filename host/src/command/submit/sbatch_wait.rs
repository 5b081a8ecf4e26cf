//! Waiting for an `sbatch` that a command which was killed has left behind.

use std::{fs::File, sync::atomic::Ordering};

use crate::command::{CommandError, exit_code, interruption::InterruptionWatch, resuming_command};
use anyhow::anyhow;

use super::{submission::SubmissionFolder, submit_progress::SubmitProgress};

/// Waits for the `sbatch` that an earlier command may have left behind, and says so once.
pub(super) fn wait_for_sbatch(
    folder: &SubmissionFolder,
    watch: &InterruptionWatch,
    progress: &SubmitProgress,
) -> Result<File, CommandError> {
    let mut is_said = false;
    let lock = folder.lock_submitting(|| {
        if !std::mem::replace(&mut is_said, true) {
            progress.print_line(
                "waiting for the `sbatch` of an earlier `host submit`, so that nothing is queued \
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
