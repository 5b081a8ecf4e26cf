//! Thinking time as a value: the caller says what a turn used; a bank never reads a clock.
//!
//! Every turn brings an increment and takes what was used; what is left is saved, up
//! to the bank's size. So all agents have the same total, at most moves × increment +
//! size; one pause of the machine does not end a game, and an agent can save time for
//! hard moves.

use std::time::Duration;

use tournament::{Budget, BudgetLimit};

/// What an agent has saved.
#[derive(Clone, Debug)]
pub struct Bank {
    increment: Duration,
    size: Duration,
    saved: Duration,
    n_overruns: u64,
    overdrawn: Duration,
}

/// Whether a turn's time was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payment {
    Covered,
    /// It was not, by this much.
    Overdrawn(Duration),
}

impl Bank {
    /// A full bank.
    #[must_use]
    pub fn new(increment: Duration, size: Duration) -> Self {
        Self {
            increment,
            size,
            saved: size,
            n_overruns: 0,
            overdrawn: Duration::ZERO,
        }
    }

    #[must_use]
    pub fn increment(&self) -> Duration {
        self.increment
    }

    /// What may be used on top of the increment.
    #[must_use]
    pub fn saved(&self) -> Duration {
        self.saved
    }

    /// Turns that were not covered.
    #[must_use]
    pub fn n_overruns(&self) -> u64 {
        self.n_overruns
    }

    /// What was not covered, all turns together.
    #[must_use]
    pub fn overdrawn(&self) -> Duration {
        self.overdrawn
    }

    /// Takes a turn's increment and what was used on it.
    pub fn pay(&mut self, used: Duration) -> Payment {
        let available = self.saved.saturating_add(self.increment);
        if let Some(missing) = used
            .checked_sub(available)
            .filter(|missing| !missing.is_zero())
        {
            self.saved = Duration::ZERO;
            self.n_overruns += 1;
            self.overdrawn += missing;
            return Payment::Overdrawn(missing);
        }
        self.saved = available.saturating_sub(used).min(self.size);
        Payment::Covered
    }
}

/// How long an agent may sleep, over a whole game.
///
/// Sleeping takes no CPU time, but it makes a run long. On every turn an agent may sleep as long
/// as it may think, plus an allowance for the whole game. The host rarely looks at the worker, so
/// at first it misses naps between two looks: they show as wall time that no CPU time explains.
/// When there is more of that than the agent may sleep, the host looks often enough to see naps,
/// and to distinguish them from waiting for a core.
pub(super) struct SleepAccount {
    seen: Bank,
    unexplained: Bank,
    is_suspicious: bool,
}

impl SleepAccount {
    pub(super) fn new(budget: &Budget) -> Self {
        let per_turn = match budget.limit {
            BudgetLimit::Time { per_move } => per_move,
            BudgetLimit::Nodes(_) | BudgetLimit::None => Duration::ZERO,
        };
        let bank = Bank::new(per_turn, budget.sleep_limit());
        Self {
            seen: bank.clone(),
            unexplained: bank,
            is_suspicious: false,
        }
    }

    /// How long the agent may sleep on its next turn.
    pub(super) fn available(&self) -> Duration {
        self.seen.saved() + self.seen.increment()
    }

    /// Whether the host has to look at the worker closely.
    pub(super) fn is_suspicious(&self) -> bool {
        self.is_suspicious
    }

    /// Takes a turn: how long the host saw the worker asleep, and how much wall time no CPU time
    /// explains.
    pub(super) fn pay(&mut self, slept: Duration, unexplained: Duration) {
        self.seen.pay(slept);
        if self.unexplained.pay(unexplained) != Payment::Covered {
            self.is_suspicious = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn spending_the_increment_keeps_the_bank() {
        let mut bank = Bank::new(ms(1), ms(100));
        for _ in 0..20_000 {
            assert_eq!(bank.pay(ms(1)), Payment::Covered);
        }
        assert_eq!(bank.saved(), ms(100));
    }

    #[test]
    fn an_agent_that_spends_more_is_caught_when_the_bank_is_empty() {
        let mut bank = Bank::new(ms(10), ms(100));
        let n_covered = (0..1000)
            .take_while(|_| bank.pay(ms(15)) == Payment::Covered)
            .count();
        assert_eq!(n_covered, 20);
        assert_eq!((bank.n_overruns(), bank.overdrawn()), (1, ms(5)));
    }

    #[test]
    fn saving_ends_at_the_size_of_the_bank() {
        let mut bank = Bank::new(ms(10), ms(30));
        assert_eq!(bank.pay(ms(40)), Payment::Covered);
        assert_eq!(bank.saved(), ms(0));
        bank.pay(ms(0));
        bank.pay(ms(5));
        assert_eq!(bank.saved(), ms(15));
        bank.pay(ms(0));
        bank.pay(ms(0));
        assert_eq!(bank.saved(), ms(30));
    }

    #[test]
    fn many_naps_raise_suspicion_and_seen_sleep_is_paid() {
        let budget = Budget {
            limit: BudgetLimit::Time { per_move: ms(1) },
            ..Budget::default()
        };
        let mut account = SleepAccount::new(&budget);
        let all = account.available();
        let n_trusted = (0..1000)
            .take_while(|_| {
                account.pay(ms(0), ms(6));
                !account.is_suspicious()
            })
            .count();
        assert_eq!(
            n_trusted, 50,
            "250 ms last for fifty turns with 5 ms too much"
        );
        assert_eq!(account.available(), all, "nothing was seen so far");
        account.pay(ms(101), ms(101));
        assert_eq!(account.available() + ms(100), all);
    }
}
