//! How the searches spend a turn's budget.
//!
//! A time budget predicts when to read the clock from the speed of the search so far,
//! in nodes. Alpha-beta makes a few slides in one place and evaluates thirty boards
//! between two slides in another, so its speed in nodes changes within a turn and the
//! budget reads the clock too late. Therefore evaluations are reported to the budget
//! too, and nodes are counted separately. With 1 ms per move, the slowest hundredth of
//! minimax's moves started at 1.15 to 1.53 ms before, and at 1.00 to 1.05 ms since (CPU
//! time on a busy machine).

use plugin_api::{Allowance, Budget, Turn};

/// The share of the time that is used, so that a late clock reading is still in time.
const SHARE_OF_TIME: f64 = 0.95;

/// The budget of a turn: most of its time, or all of its nodes.
#[must_use]
pub fn search_budget(turn: &Turn) -> Budget {
    match turn.allowance {
        Allowance::Time { .. } => turn.budget_of(SHARE_OF_TIME),
        Allowance::Nodes(_) | Allowance::Unlimited => turn.budget(),
    }
}

/// A turn's budget for a search that evaluates more than it slides.
#[derive(Clone, Debug)]
pub struct SearchBudget {
    budget: Budget,
    /// Whether the limit is a time limit, which evaluations use up as well.
    is_timed: bool,
    nodes: u64,
}

impl SearchBudget {
    /// The [`search_budget`] of a turn.
    #[must_use]
    pub fn of(turn: &Turn) -> Self {
        Self {
            budget: search_budget(turn),
            is_timed: matches!(turn.allowance, Allowance::Time { .. }),
            nodes: 0,
        }
    }

    /// Whether there is a limit at all.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.budget.is_limited()
    }

    /// Requests a slide; `None` if the budget is spent.
    #[inline]
    pub fn slide(&mut self) -> Option<()> {
        if !self.budget.spend(1) {
            return None;
        }
        self.nodes += 1;
        Some(())
    }

    /// Requests the time of this many evaluations, which are not nodes; `None` if the
    /// budget is spent.
    #[inline]
    pub fn evaluate(&mut self, n_boards: u32) -> Option<()> {
        let has_time = !self.is_timed || self.budget.spend(u64::from(n_boards));
        has_time.then_some(())
    }

    /// The number of slides that were made.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// The nodes of a turn, for a search that may get a second, larger budget in the same turn.
#[derive(Clone, Debug)]
pub struct NodeCount {
    budget: Budget,
    nodes: u64,
}

impl NodeCount {
    /// A turn that starts with this budget.
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        Self { budget, nodes: 0 }
    }

    /// Continues the turn with a larger budget, of which the turn has already used a part.
    pub fn go_on(&mut self, budget: Budget) {
        self.budget = budget;
        self.budget.spend(self.nodes);
    }

    /// Requests nodes before they are searched, so a limit is never exceeded; `None` if
    /// the budget is spent.
    #[inline]
    pub fn spend(&mut self, nodes: u64) -> Option<()> {
        if !self.budget.spend(nodes) {
            return None;
        }
        self.nodes += nodes;
        Some(())
    }

    /// The nodes of the turn.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plugin_api::Clock;
    use std::time::Duration;

    #[test]
    fn evaluations_cost_time_and_no_nodes() {
        let mut budget = SearchBudget::of(&Turn::with_nodes(3));
        while budget.slide().is_some() {
            assert_eq!(budget.evaluate(1000), Some(()));
        }
        assert_eq!(budget.nodes(), 3);
        let turn = Turn::with_time(Clock::Cpu, Duration::from_millis(2));
        let mut budget = SearchBudget::of(&turn);
        while budget.evaluate(1).is_some() {}
        assert_eq!((budget.nodes(), budget.slide()), (0, None));
    }
}
