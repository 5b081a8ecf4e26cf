//! A budget, and what was really searched of it.
//!
//! [`Budget::spend`] counts what it refuses; the purse counts what was done, which is
//! what an agent reports and what never exceeds the allowance.

use plugin_api::Budget;

/// What is left for a move.
#[derive(Debug)]
pub(crate) struct Purse {
    budget: Budget,
    searched: u64,
}

impl Purse {
    /// A purse with this budget and nothing searched.
    #[must_use]
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            budget,
            searched: 0,
        }
    }

    /// Takes so many nodes; false when they are not to be searched.
    #[inline]
    #[must_use]
    pub(crate) fn take(&mut self, nodes: u64) -> bool {
        let granted = self.budget.spend(nodes);
        self.searched += if granted { nodes } else { 0 };
        granted
    }

    /// The nodes that were granted.
    #[must_use]
    pub(crate) fn searched(&self) -> u64 {
        self.searched
    }
}
