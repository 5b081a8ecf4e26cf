//! A budget that counts the nodes it has granted.
//!
//! [`Budget::spend`] also counts nodes that it rejects. An agent reports the granted ones,
//! which never exceed the limit.

use plugin_api::Budget;

/// The budget of a move and the nodes granted from it.
#[derive(Debug)]
pub(crate) struct CountedBudget {
    budget: Budget,
    searched: u64,
}

impl CountedBudget {
    /// This budget, with no nodes granted yet.
    #[must_use]
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            budget,
            searched: 0,
        }
    }

    /// Requests this many nodes; false if they must not be searched.
    #[inline]
    #[must_use]
    pub(crate) fn take(&mut self, nodes: u64) -> bool {
        let granted = self.budget.spend(nodes);
        self.searched += if granted { nodes } else { 0 };
        granted
    }

    /// The number of granted nodes.
    #[must_use]
    pub(crate) fn searched(&self) -> u64 {
        self.searched
    }
}
