//! What early ends that no game showed could change.
//!
//! Where `max_moves` ends most games, their scores are nearly equal, and a few games that end early
//! are far below. As long as a sample has none of these, or too few, its mean is too high and its
//! spread too small, and nothing in the sample tells. No test of the scores alone can help (Bahadur
//! and Savage, "The Nonexistence of Certain Statistical Procedures in Nonparametric Problems",
//! Annals of Mathematical Statistics 27, 1956).
//!
//! Intervals therefore reach half a game further: a mean of `n` games may be wrong by `1 / 2n` of
//! itself, and a difference by as much. What did not happen in `n` games happens in up to 3 of `n`
//! (Hanley and Lippman-Hand, "If Nothing Goes Wrong, Is Everything All Right?", JAMA 249, 1983), and
//! real games that end early have about two thirds of the score of the others, so this would be one
//! whole game in the worst case. Half of one is enough in simulations; see `docs/statistics.md`.
//!
//! Only games that `max_moves` ended count. Where there are none, nothing changes.

use super::{
    as_f64,
    game_outcome::{GameOutcome, Measure},
};

/// The share of a game's score that an interval allows for.
const SHARE_OF_A_GAME: f64 = 0.5;

/// The scores of the games that `max_moves` ended.
#[derive(Clone, Copy, Debug, Default)]
pub struct CutScores {
    n_games: usize,
    sum: f64,
}

impl CutScores {
    pub fn push(&mut self, score: u64, is_cut: bool) {
        self.n_games += 1;
        self.sum += if is_cut { as_f64(score) } else { 0.0 };
    }

    /// By how much a mean or a difference of means may be further away than its games show; in whole
    /// points, as scores are.
    #[must_use]
    pub fn allowance(self) -> f64 {
        let n = as_f64(self.n_games.max(1));
        (SHARE_OF_A_GAME * self.sum / n / n).ceil()
    }
}

/// The allowance for the difference of two agents: the larger one of theirs.
#[derive(Clone, Copy, Debug, Default)]
pub struct CutPair([CutScores; 2]);

impl CutPair {
    pub fn push(&mut self, first: GameOutcome, second: GameOutcome) {
        for (cut, outcome) in self.0.iter_mut().zip([first, second]) {
            cut.push(outcome.score, outcome.is_cut);
        }
    }

    /// Moves to a goal and rates of reaching it need none.
    #[must_use]
    pub fn allowance(self, measure: Measure) -> f64 {
        let [first, second] = self.0.map(CutScores::allowance);
        match measure {
            Measure::Score => first.max(second),
            Measure::Reach | Measure::Moves => 0.0,
        }
    }

    /// A race looks again and again, also when the fewest early ends have been seen, so it allows for
    /// a whole game.
    #[must_use]
    pub fn allowance_at_any_time(self, measure: Measure) -> f64 {
        2.0 * self.allowance(measure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_games_that_the_limit_ended_count() {
        let of = |games: &[(u64, bool)]| {
            let mut cut = CutScores::default();
            for (score, is_cut) in games {
                cut.push(*score, *is_cut);
            }
            cut.allowance().to_string()
        };
        // Half of the mean score of 6,000, divided by the number of games.
        assert_eq!(of(&[(6_000, true); 4]), "750");
        let half = [(6_000, true), (6_000, true), (900, false), (900, false)];
        assert_eq!(of(&half), "375");
        assert_eq!(of(&[(6_000, false); 4]), "0");
        assert_eq!(of(&[]), "0");
    }
}
