//! The cancelled shards.
//!
//! The host does not submit a cancelled task again while it follows the other tasks of its job.
//! A command that is given when all tasks have ended plays what is missing.

use std::collections::BTreeSet;

use super::scheduler::TaskStates;

#[derive(Default)]
pub(super) struct Cancellations {
    shards: BTreeSet<u32>,
}

impl Cancellations {
    /// Remembers the cancelled tasks: the batch system forgets them after a while.
    pub(super) fn look(&mut self, tasks: &TaskStates) {
        let cancelled = tasks.cancelled.iter();
        self.shards.extend(cancelled.map(|(_, shard)| *shard));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_cancelled_once_stays_so() {
        let tasks = |cancelled: &[(&str, u32)]| TaskStates {
            cancelled: cancelled
                .iter()
                .map(|(job, task)| ((*job).to_owned(), *task))
                .collect(),
            ..TaskStates::default()
        };
        let mut cancellations = Cancellations::default();
        cancellations.look(&tasks(&[("7", 3)]));
        cancellations.look(&tasks(&[("8", 1)]));
        assert_eq!(cancellations.without_cancelled(&[1, 2, 3]), [2]);
    }
}
