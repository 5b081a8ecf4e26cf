//! How long to think: a little less than the increment on most turns, and much more on
//! the few turns that turn out to be hard.
//!
//! Games are lost in a handful of turns, and the search notices them: the value of the
//! best move drops well below its previous level. The time that ordinary turns save is
//! spent there, on about one turn in two hundred, so most turns take equally long.
//! None of this applies to a node limit, which has no bank.

use std::time::Duration;

use plugin_api::{Allowance, Budget, Choice, Limit, Turn};

use crate::{CountedSearch, Deepening, NodeCount};

/// The largest depth with a budget; deeper searches hardly change the choice.
const DEEPEST: i32 = 40;
/// The part of the increment that an ordinary turn uses while the bank is not full.
const SAVING_SHARE: f64 = 0.93;
/// The part that it uses when the bank is empty; in between, the part grows with the bank. With a
/// tenth of a millisecond per move on a busy machine, what a turn costs beside its search can be
/// more than an ordinary turn saves.
const LEAST_SHARE: f64 = 0.2;
/// The part of the largest bank above which saving is unnecessary.
const FULL_ENOUGH: f64 = 0.9;
/// The part of the largest bank that is never used: on a busy machine, turns have been
/// charged up to half of 100 ms that they had not used.
const UNTOUCHED: f64 = 0.6;
/// A hard turn uses at most this part of the available bank, and at most this many
/// increments.
const SHARE_OF_BANK: f64 = 0.5;
const LONGEST_HARD: f64 = 12.0;
/// The part of the increment after which a turn may turn out to be easy.
const FIRST_LOOK: f64 = 0.3;
/// An agent that saves on easy turns keeps about this part of the largest bank. Each
/// hundredth above it lengthens ordinary turns by this many hundredths of the increment, up
/// to the longest ordinary turn.
const LEVEL: f64 = 0.8;
const ABOVE_LEVEL: f64 = 5.0;
const LONGEST_ORDINARY: f64 = 1.5;
/// The number of turns that earn one long turn, and the largest number of long turns
/// saved.
const TURNS_FOR_A_LONG_ONE: f64 = 200.0;
const MOST_LONG_ONES: f64 = 20.0;
/// A turn is hard if the best value drops by this part of the cost of a loss.
const HARD_DROP: f64 = 0.02;
/// How fast the usual value adapts to a worse one, per turn.
const FORGETTING: f64 = 0.1;

/// The state of the game that determines how long to think.
#[derive(Debug)]
pub struct ThinkingTime {
    largest_bank: Duration,
    /// The drop that makes a turn hard.
    hard_drop: f64,
    /// The usual value in recent turns.
    usual_value: f64,
    /// The number of long turns that may be taken.
    long_ones: f64,
    /// A move that leads by this much after a first look is played at once.
    easy_lead: Option<f64>,
    /// How deep it searches without a budget, and at most with one; if set.
    deepest: Option<i32>,
}

impl ThinkingTime {
    /// `cost_of_loss` is on the scale of the search's values.
    #[must_use]
    pub fn new(limit: Limit, cost_of_loss: f64) -> Self {
        Self {
            largest_bank: match limit {
                Limit::Time { bank, .. } => bank,
                Limit::None | Limit::Nodes(_) => Duration::ZERO,
            },
            hard_drop: HARD_DROP * cost_of_loss,
            usual_value: f64::NEG_INFINITY,
            long_ones: 0.0,
            easy_lead: None,
            deepest: None,
        }
    }

    /// No search is deeper than this; one without a budget is as deep.
    pub fn set_deepest(&mut self, depth: u32) {
        let depth = i32::try_from(depth).unwrap_or(DEEPEST);
        self.deepest = Some(depth.clamp(1, DEEPEST));
    }

    /// The same, but with a clock a move that leads by this much after a part of the time is
    /// played at once, and other turns take longer.
    #[must_use]
    pub fn with_easy_lead(self, lead: f64) -> Self {
        Self {
            easy_lead: Some(lead),
            ..self
        }
    }

    /// Searches the moves of a turn as long as it deserves, or to `default_depth` without a
    /// budget. `level` turns the value of the best move into one that changes little from
    /// turn to turn unless a turn is hard. `None` if there is no move.
    pub fn think<S: CountedSearch>(
        &mut self,
        search: &mut S,
        mut deepening: Deepening<S::Moved>,
        turn: &Turn,
        default_depth: i32,
        level: impl Fn(f64) -> f64,
    ) -> Option<Choice> {
        let deepest = match turn.allowance {
            Allowance::Unlimited => self.deepest.unwrap_or(default_depth),
            _ => self.deepest.unwrap_or(DEEPEST),
        };
        let first_look = self
            .easy_lead
            .and_then(|lead| Some((lead, self.first_look(turn)?)));
        let is_easy = if let Some((easy_lead, budget)) = first_look {
            *search.nodes() = NodeCount::new(budget);
            deepening.search(search, deepest);
            let is_easy = deepening.lead().is_none_or(|lead| lead >= easy_lead);
            if !is_easy {
                search.nodes().go_on(self.not_easy(turn));
            }
            is_easy
        } else {
            *search.nodes() = NodeCount::new(self.ordinary(turn));
            false
        };
        if !is_easy {
            deepening.search(search, deepest);
            if let Some(value) = deepening.best_value()
                && let Some(budget) = self.longer(level(value), turn)
            {
                search.nodes().go_on(budget);
                deepening.search(search, deepest);
            }
        }
        Some(deepening.choice()?.nodes(search.nodes().nodes()))
    }

    /// The budget of an ordinary turn.
    fn ordinary(&self, turn: &Turn) -> Budget {
        match self.level(turn) {
            Some(level) if level < FULL_ENOUGH => turn.budget_of(saving_share(level)),
            _ => turn.budget(),
        }
    }

    /// The part of the largest bank that is left; `None` without a clock or a bank.
    fn level(&self, turn: &Turn) -> Option<f64> {
        match turn.allowance {
            Allowance::Time { bank, .. } if !self.largest_bank.is_zero() => {
                Some(bank.as_secs_f64() / self.largest_bank.as_secs_f64())
            }
            _ => None,
        }
    }

    /// The budget of a first look, after which the turn may turn out to be easy; `None` if
    /// there is no bank for what is saved.
    fn first_look(&self, turn: &Turn) -> Option<Budget> {
        self.level(turn).map(|_| turn.budget_of(FIRST_LOOK))
    }

    /// The budget of a turn that was not easy after its first look: what easy turns have saved
    /// lengthens it.
    fn not_easy(&self, turn: &Turn) -> Budget {
        let Some(level) = self.level(turn) else {
            return turn.budget();
        };
        let share = 1.0 + ABOVE_LEVEL * (level - LEVEL);
        turn.budget_of(share.clamp(saving_share(level), LONGEST_ORDINARY))
    }

    /// The budget of the turn, counted from its start, after an ordinary search found
    /// this value for its best move; `None` if a longer search is not worthwhile.
    fn longer(&mut self, value: f64, turn: &Turn) -> Option<Budget> {
        let Allowance::Time { income, bank, .. } = turn.allowance else {
            return None;
        };
        let drop = self.usual_value - value;
        let missed = if drop.is_finite() {
            drop * (1.0 - FORGETTING)
        } else {
            0.0
        };
        self.usual_value = value + missed.max(0.0);
        self.long_ones = (self.long_ones + 1.0 / TURNS_FOR_A_LONG_ONE).min(MOST_LONG_ONES);
        let to_spare = bank.saturating_sub(self.largest_bank.mul_f64(UNTOUCHED));
        let share = 1.0 + SHARE_OF_BANK * to_spare.as_secs_f64() / income.as_secs_f64();
        if drop < self.hard_drop || self.long_ones < 1.0 || share < 2.0 {
            return None;
        }
        self.long_ones -= 1.0;
        Some(turn.budget_of(share.min(LONGEST_HARD)))
    }
}

/// The part of the increment that a turn uses while the bank is at this level.
fn saving_share(level: f64) -> f64 {
    SAVING_SHARE.min(level + LEAST_SHARE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plugin_api::Clock;

    const INCOME: Duration = Duration::from_millis(1);
    const BANK: Duration = Duration::from_millis(100);
    const COST_OF_LOSS: f64 = 1000.0;

    fn turn(bank: Duration) -> Turn {
        let allowance = Allowance::Time {
            clock: Clock::Wall,
            start_ns: 0,
            income: INCOME,
            bank,
        };
        Turn {
            allowance,
            ..Turn::unlimited()
        }
    }

    /// The thinking time of a game that has earned a long turn at a value of 0.
    fn after_an_easy_beginning() -> ThinkingTime {
        let limit = Limit::Time {
            clock: Clock::Wall,
            per_move: INCOME,
            bank: BANK,
        };
        let mut time = ThinkingTime::new(limit, COST_OF_LOSS);
        for _ in 0..201 {
            assert!(time.longer(0.0, &turn(BANK)).is_none());
        }
        time
    }

    #[test]
    fn a_drop_is_worth_a_longer_search_once_in_two_hundred_turns() {
        let mut time = after_an_easy_beginning();
        assert!(time.longer(-10.0, &turn(BANK)).is_none(), "a small drop");
        assert!(time.longer(-100.0, &turn(BANK)).is_some());
        assert!(time.longer(-200.0, &turn(BANK)).is_none(), "not earned yet");
    }

    #[test]
    fn the_usual_value_adapts_to_a_worse_one() {
        let mut time = after_an_easy_beginning();
        for _ in 0..20 {
            time.longer(-19.0, &turn(BANK));
        }
        assert!(time.longer(-30.0, &turn(BANK)).is_none());
        assert!(time.longer(-50.0, &turn(BANK)).is_some());
    }

    #[test]
    fn the_bank_is_not_emptied() {
        let mut time = after_an_easy_beginning();
        assert!(time.longer(-500.0, &turn(BANK / 2)).is_none());
        assert!(time.longer(-900.0, &Turn::with_nodes(100)).is_none());
    }

    #[test]
    fn what_easy_turns_save_lengthens_the_others() {
        let time = after_an_easy_beginning();
        let size = |bank| 1.0 / time.not_easy(&turn(bank)).share_spent();
        let usual = size(BANK.mul_f64(LEVEL));
        let shares = [
            (0.5, 0.7),
            (0.75, SAVING_SHARE),
            (0.84, 1.2),
            (1.0, LONGEST_ORDINARY),
        ];
        for (level, expected) in shares {
            let ratio = size(BANK.mul_f64(level)) / usual;
            assert!((ratio - expected).abs() < 0.05, "{ratio} is not {expected}");
        }
        assert!(time.first_look(&turn(BANK)).is_some());
        assert!(time.first_look(&Turn::with_nodes(100)).is_none());
        let without_bank = ThinkingTime::new(Limit::Nodes(100), COST_OF_LOSS);
        assert!(without_bank.first_look(&turn(Duration::ZERO)).is_none());
    }

    #[test]
    fn a_node_limit_is_used_completely() {
        let time = ThinkingTime::new(Limit::Nodes(100), COST_OF_LOSS);
        let mut budget = time.ordinary(&Turn::with_nodes(100));
        assert!(budget.spend(100) && !budget.spend(1));
    }

    #[test]
    fn an_ordinary_turn_saves_while_the_bank_is_not_full_and_the_more_the_less_is_left() {
        // These turns started when the machine did, so any budget is spent; by what
        // factor shows how large it was.
        let time = after_an_easy_beginning();
        let size = |bank| 1.0 / time.ordinary(&turn(bank)).share_spent();
        for (level, share) in [(0.95, 1.0), (0.8, SAVING_SHARE), (0.5, 0.7), (0.0, 0.2)] {
            let ratio = size(BANK.mul_f64(level)) / size(BANK);
            assert!((ratio - share).abs() < 0.05, "{level}: {ratio}");
        }
    }
}
