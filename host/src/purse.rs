//! Thinking time as a value: told what was used, it never reads a clock.
//!
//! Every turn brings an income and takes what was used; what is left is saved, up
//! to the purse's size. So all agents have the same total, at most moves × income +
//! size, one hiccup of the machine ends nobody's game, and who likes can save for
//! hard moves.

use std::time::Duration;

/// What an agent has saved.
#[derive(Clone, Debug)]
pub struct Purse {
    income: Duration,
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

impl Purse {
    /// A full purse.
    #[must_use]
    pub fn new(income: Duration, size: Duration) -> Self {
        Self {
            income,
            size,
            saved: size,
            n_overruns: 0,
            overdrawn: Duration::ZERO,
        }
    }

    #[must_use]
    pub fn income(&self) -> Duration {
        self.income
    }

    /// What may be used on top of the income.
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

    /// Takes a turn's income and what was used on it.
    pub fn pay(&mut self, used: Duration) -> Payment {
        let available = self.saved.saturating_add(self.income);
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

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn who_spends_the_income_keeps_the_purse() {
        let mut purse = Purse::new(ms(1), ms(100));
        for _ in 0..20_000 {
            assert_eq!(purse.pay(ms(1)), Payment::Covered);
        }
        assert_eq!(purse.saved(), ms(100));
    }

    #[test]
    fn who_spends_more_is_caught_when_the_purse_is_empty() {
        let mut purse = Purse::new(ms(10), ms(100));
        let n_covered = (0..1000)
            .take_while(|_| purse.pay(ms(15)) == Payment::Covered)
            .count();
        assert_eq!(n_covered, 20);
        assert_eq!((purse.n_overruns(), purse.overdrawn()), (1, ms(5)));
    }

    #[test]
    fn saving_ends_at_the_purses_size() {
        let mut purse = Purse::new(ms(10), ms(30));
        assert_eq!(purse.pay(ms(40)), Payment::Covered);
        assert_eq!(purse.saved(), ms(0));
        purse.pay(ms(0));
        purse.pay(ms(5));
        assert_eq!(purse.saved(), ms(15));
        purse.pay(ms(0));
        purse.pay(ms(0));
        assert_eq!(purse.saved(), ms(30));
    }
}
