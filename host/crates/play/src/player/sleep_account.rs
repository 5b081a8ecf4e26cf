//! How long an agent may sleep, over a whole game.
//!
//! Sleeping takes nobody's CPU time, but it makes a run long. Every turn may be slept as
//! long as it may be thought, plus an allowance for the whole game. Looks at the worker are
//! rare, so naps between them stay unseen at first: they show as wall time that no
//! CPU time explains. When there is more of that than could be slept, the worker is looked
//! at so often that naps are seen, and told from waiting for a core.

use std::time::Duration;

use tournament::{Budget, BudgetLimit};

use crate::bank::{Bank, Payment};

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

    /// Whether the worker has to be looked at closely.
    pub(super) fn is_suspicious(&self) -> bool {
        self.is_suspicious
    }

    /// Takes a turn that was seen asleep for so long, and is not explained by CPU time
    /// for so long.
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
