//! What an agent may still spend on a move, with cheap queries for a hot loop.
//!
//! Reading a CPU clock costs about as much as searching thirty boards. Therefore a
//! budget counts nodes and reads the clock only when about half of the remaining time
//! should have passed. That is a handful of readings per move, more frequent towards
//! the end, and there is no overshoot even if the search becomes half as fast in
//! between.

use std::time::Duration;

use crate::{Allowance, Clock};

/// The number of nodes before the first clock reading, when the speed is still unknown.
const FIRST_STRIDE: u64 = 64;
/// By how much a stride may exceed the previous one: the speed of a few nodes says
/// little about the speed of many.
const STRIDE_GROWTH: u64 = 8;
/// The part of the time that is left unused: the agent still has work to do after its last
/// clock reading, and must not drain the bank turn by turn.
const RESERVE: f64 = 0.02;
/// The shortest time between two clock readings, as a part of the whole. It is smaller
/// than the reserve, so a reading that is late by this much is still in time.
const SHORTEST_LOOK: u64 = 64;

/// The budget of one move; see [`Turn::budget`](crate::Turn::budget).
///
/// ```
/// # use plugin_api::Turn;
/// let mut budget = Turn::with_nodes(100).budget();
/// assert!(budget.is_limited());
/// while budget.spend(30) {
///     // Search thirty boards.
/// }
/// assert!(budget.is_spent() && !budget.look());
/// assert_eq!((budget.nodes(), budget.share_spent()), (100, 1.0));
/// ```
#[derive(Clone, Debug)]
pub struct Budget {
    nodes: u64,
    /// The node count at which `spend` checks the limit; 0 once the budget is spent.
    next_look: u64,
    limit: Limit,
}

#[derive(Clone, Debug)]
enum Limit {
    None,
    Nodes(u64),
    Time(Deadline),
}

#[derive(Clone, Debug)]
struct Deadline {
    clock: Clock,
    start_ns: u64,
    /// How long after the start to stop.
    stop_after_ns: u64,
    /// The last clock reading: nodes and nanoseconds since the start.
    looked_at: (u64, u64),
}

impl Budget {
    pub(crate) fn new(allowance: Allowance, share: f64) -> Self {
        let share = if share.is_finite() {
            share.max(0.0)
        } else {
            1.0
        };
        match allowance {
            Allowance::Unlimited => Self {
                nodes: 0,
                next_look: u64::MAX,
                limit: Limit::None,
            },
            Allowance::Nodes(nodes) => {
                let nodes = if share < 1.0 {
                    scaled(nodes, share)
                } else {
                    nodes
                };
                Self {
                    nodes: 0,
                    next_look: nodes.saturating_add(1),
                    limit: Limit::Nodes(nodes),
                }
            }
            Allowance::Time {
                income,
                bank,
                clock,
                start_ns,
            } => {
                let income = nanoseconds(income);
                let wanted = scaled(income, share).min(income.saturating_add(nanoseconds(bank)));
                let deadline = Deadline {
                    clock,
                    start_ns,
                    stop_after_ns: scaled(wanted, 1.0 - RESERVE),
                    looked_at: (0, 0),
                };
                Self {
                    nodes: 0,
                    next_look: FIRST_STRIDE,
                    limit: Limit::Time(deadline),
                }
            }
        }
    }

    /// Counts nodes as searched and returns whether there is budget left. One node is
    /// one slide of a board. Once it returns false, it always returns false.
    ///
    /// With a node limit it returns false for the first node beyond the limit, so that
    /// `while budget.spend(1) { … }` searches exactly the allowed number.
    #[inline]
    pub fn spend(&mut self, nodes: u64) -> bool {
        self.nodes += nodes;
        self.nodes < self.next_look || self.look()
    }

    /// Checks the limit now, whatever the node count: for agents with long steps.
    #[cold]
    #[inline(never)]
    pub fn look(&mut self) -> bool {
        if self.next_look == 0 {
            return false;
        }
        let left = match &mut self.limit {
            Limit::None => true,
            Limit::Nodes(allowed) => self.nodes <= *allowed,
            Limit::Time(deadline) => match deadline.next_stride(self.nodes) {
                Some(stride) => {
                    self.next_look = self.nodes + stride;
                    true
                }
                None => false,
            },
        };
        if !left {
            self.next_look = 0;
        }
        left
    }

    /// Whether the budget was found to be spent; costs nothing.
    #[inline]
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.next_look == 0
    }

    /// Whether there is a limit at all. Without one, an agent plays by its own
    /// parameters.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        !matches!(self.limit, Limit::None)
    }

    /// The nodes counted so far, without those that a node limit rejected.
    #[inline]
    #[must_use]
    pub fn nodes(&self) -> u64 {
        match self.limit {
            Limit::Nodes(allowed) => self.nodes.min(allowed),
            Limit::None | Limit::Time(_) => self.nodes,
        }
    }

    /// The share of the budget that is spent, read now: 0.5 is half. An agent with
    /// iterative deepening calls it before it starts a step that it may not finish.
    /// Without a limit it is always 0.
    #[must_use]
    pub fn share_spent(&self) -> f64 {
        match &self.limit {
            Limit::None => 0.0,
            Limit::Nodes(allowed) => ratio(self.nodes(), *allowed),
            Limit::Time(deadline) => ratio(deadline.elapsed_ns(), deadline.stop_after_ns),
        }
    }
}

impl Deadline {
    fn elapsed_ns(&self) -> u64 {
        self.clock.now_ns().saturating_sub(self.start_ns)
    }

    /// The number of nodes until the next clock reading; `None` if the time is up.
    fn next_stride(&mut self, nodes: u64) -> Option<u64> {
        let elapsed = self.elapsed_ns();
        let left = self
            .stop_after_ns
            .checked_sub(elapsed)
            .filter(|&left| left > 0)?;
        let (nodes_before, elapsed_before) = self.looked_at;
        self.looked_at = (nodes, elapsed);
        let n_searched = nodes.saturating_sub(nodes_before).max(1);
        let took = elapsed.saturating_sub(elapsed_before).max(1);
        let until_look = (left / 2).max(self.stop_after_ns / SHORTEST_LOOK);
        let stride = u128::from(n_searched) * u128::from(until_look) / u128::from(took);
        let stride = u64::try_from(stride).unwrap_or(u64::MAX);
        Some(stride.clamp(1, n_searched.saturating_mul(STRIDE_GROWTH)))
    }
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of a budget need not be exact"
)]
fn scaled(amount: u64, factor: f64) -> u64 {
    (amount as f64 * factor) as u64
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a share of a budget need not be exact"
)]
fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        1.0
    } else {
        part as f64 / whole as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Turn;

    #[test]
    fn nodes_are_exact() {
        let mut budget = Turn::with_nodes(1000).budget();
        let mut searched = 0;
        while budget.spend(1) {
            searched += 1;
        }
        assert_eq!(searched, 1000);
        assert!(budget.is_spent());
        assert!(!budget.spend(0), "a spent budget stays spent");
        assert_eq!(budget.nodes(), 1000, "rejected nodes are not counted");
    }

    #[test]
    fn a_budget_without_a_limit_is_never_spent() {
        let mut budget = Turn::unlimited().budget();
        assert!((0..100_000).all(|_| budget.spend(1)));
        assert!(!budget.is_limited());
    }

    #[test]
    fn time_ends_a_loop_that_counts_nodes() {
        let turn = Turn::with_time(Clock::Cpu, Duration::from_millis(2));
        let mut budget = turn.budget();
        while budget.spend(1) {
            std::hint::black_box(&budget);
        }
        assert!(budget.share_spent() >= 1.0);
    }

    #[test]
    fn a_share_above_one_draws_on_the_bank_and_no_further() {
        let allowance = |bank| Allowance::Time {
            clock: Clock::Wall,
            start_ns: 0,
            income: Duration::from_micros(1),
            bank: Duration::from_nanos(bank),
        };
        let stop = |bank, share| match Budget::new(allowance(bank), share).limit {
            Limit::Time(deadline) => deadline.stop_after_ns,
            _ => unreachable!("the allowance is in time"),
        };
        assert_eq!(stop(5000, 1.0), 980);
        assert_eq!(stop(5000, 3.0), 2940);
        assert_eq!(stop(500, 3.0), 1470);
        assert_eq!(stop(0, f64::NAN), 980);
    }

    #[test]
    fn a_budget_of_zero_is_spent_at_the_first_check() {
        assert!(!Turn::with_nodes(0).budget().spend(1));
        let mut budget = Turn::with_time(Clock::Wall, Duration::ZERO).budget();
        assert!(!budget.look());
    }
}
