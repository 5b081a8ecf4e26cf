//! One decision: what the agent knows besides the board, and what it may spend.

use std::time::Duration;

use crate::{Budget, Clock, StopFlag, contract::stop_flag};

/// The turn an agent is asked to play.
///
/// ```
/// # use std::time::Duration;
/// # use plugin_api::{Allowance, Clock, Turn};
/// let turn = Turn { move_number: 3, score: 12, allowance: Allowance::Nodes(1000) };
/// assert!(turn.budget().is_limited());
/// let timed = Turn::with_time(Clock::Cpu, Duration::from_millis(1));
/// let half = timed.budget_of(0.5);
/// assert!(half.share_spent() < 1.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// The number of the move to be chosen, from 1.
    pub move_number: u64,
    /// The score so far.
    pub score: u64,
    /// What the agent may spend on this move.
    pub allowance: Allowance,
}

/// What an agent may spend on one move.
///
/// ```
/// # use plugin_api::{Allowance, Turn};
/// match Turn::with_nodes(500).allowance {
///     Allowance::Nodes(nodes) => assert_eq!(nodes, 500),
///     Allowance::Time { .. } | Allowance::Unlimited => unreachable!(),
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowance {
    /// No limit: the agent plays by its own parameters.
    Unlimited,
    /// A number of nodes: slides of a board in the search.
    Nodes(u64),
    /// Time on a clock.
    Time {
        /// The clock that measures the time.
        clock: Clock,
        /// The clock's reading at the start of the turn, in nanoseconds.
        start_ns: u64,
        /// The increment of this turn: an agent that spends exactly this keeps its
        /// bank.
        income: Duration,
        /// The bank: time saved on earlier turns, which may be spent in addition.
        bank: Duration,
    },
}

impl Turn {
    /// The first turn of a game without a limit; for tests of agents.
    ///
    /// ```
    /// # use plugin_api::Turn;
    /// assert!(!Turn::unlimited().budget().is_limited());
    /// ```
    #[must_use]
    pub const fn unlimited() -> Self {
        Self {
            move_number: 1,
            score: 0,
            allowance: Allowance::Unlimited,
        }
    }

    /// A first turn with this many nodes; for tests of agents.
    ///
    /// ```
    /// # use plugin_api::Turn;
    /// let mut budget = Turn::with_nodes(3).budget();
    /// let n_searched = (0..).take_while(|_| budget.spend(1)).count();
    /// assert_eq!(n_searched, 3);
    /// ```
    #[must_use]
    pub const fn with_nodes(nodes: u64) -> Self {
        Self {
            move_number: 1,
            score: 0,
            allowance: Allowance::Nodes(nodes),
        }
    }

    /// A first turn that starts now and has this much time, with nothing saved; for
    /// tests of agents.
    #[must_use]
    pub fn with_time(clock: Clock, income: Duration) -> Self {
        let allowance = Allowance::Time {
            clock,
            start_ns: clock.now_ns(),
            income,
            bank: Duration::ZERO,
        };
        Self {
            move_number: 1,
            score: 0,
            allowance,
        }
    }

    /// The budget of this turn, for the inner loop of a search. With a time limit it
    /// spends the increment and leaves the bank untouched.
    #[must_use]
    pub fn budget(&self) -> Budget {
        Budget::new(self.allowance, 1.0)
    }

    /// A flag that the host sets when the increment of the turn being played is used up, for
    /// engines with a search loop of their own. `None` without a time limit, inside the
    /// host (`isolation: none`) and with hosts before 1.1: use [`Turn::budget`] then. Ask
    /// for it once per turn; that costs about a microsecond, and watching it nothing.
    ///
    /// ```
    /// # use plugin_api::Turn;
    /// assert!(Turn::unlimited().stop_flag().is_none());
    /// ```
    #[must_use]
    pub fn stop_flag(&self) -> Option<&'static StopFlag> {
        match self.allowance {
            Allowance::Time { .. } => stop_flag::started(),
            Allowance::Nodes(_) | Allowance::Unlimited => None,
        }
    }

    /// A budget of `share` times the increment. Above 1 it draws on the bank, as far as
    /// the bank goes: for agents that save on easy moves and think longer on hard ones.
    /// A node limit has no bank: a share below 1 is applied, a share above counts as 1.
    #[must_use]
    pub fn budget_of(&self, share: f64) -> Budget {
        Budget::new(self.allowance, share)
    }
}
