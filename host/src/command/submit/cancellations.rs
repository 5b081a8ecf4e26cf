//! The shards that somebody has cancelled while they were followed.
//!
//! Whoever cancels a task does not want it to be submitted again. Tasks that were cancelled
//! before the command was started are another matter: it was started to play them.

use std::collections::BTreeSet;

use crate::cluster::scheduler::TaskStates;

pub(super) struct Cancellations {
    /// Jobs and tasks that were cancelled before.
    before: BTreeSet<(String, u32)>,
    shards: BTreeSet<u32>,
}

impl Cancellations {
    /// These tasks were cancelled before the command was started.
    pub(super) fn before(tasks: &TaskStates) -> Self {
        Self {
            before: tasks.cancelled.clone(),
            shards: BTreeSet::new(),
        }
    }

    pub(super) fn look(&mut self, tasks: &TaskStates) {
        let new = tasks.cancelled.difference(&self.before);
        self.shards.extend(new.map(|(_, shard)| *shard));
    }

    /// The shards that nobody has cancelled.
    pub(super) fn without_cancelled(&self, shards: &[u32]) -> Vec<u32> {
        let kept = shards.iter().filter(|shard| !self.shards.contains(shard));
        kept.copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_cancelled_meanwhile_counts() {
        let tasks = |cancelled: &[(&str, u32)]| TaskStates {
            cancelled: cancelled
                .iter()
                .map(|(job, task)| ((*job).to_owned(), *task))
                .collect(),
            ..TaskStates::default()
        };
        let mut cancellations = Cancellations::before(&tasks(&[("7", 1)]));
        cancellations.look(&tasks(&[("7", 1), ("7", 3)]));
        assert_eq!(cancellations.without_cancelled(&[1, 2, 3]), [1, 2]);
        // The batch system forgets jobs that have ended.
        cancellations.look(&tasks(&[("8", 1)]));
        assert_eq!(cancellations.without_cancelled(&[1, 2, 3]), [2]);
    }
}
