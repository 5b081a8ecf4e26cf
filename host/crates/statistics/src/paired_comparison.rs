//! Two agents on the same seeds: the difference of their results, seed by seed.
//!
//! Both agents play the same tiles, so the difference on each seed is measured. Between variants
//! of one agent, the scores on a seed are correlated and their difference varies less than that
//! of two independent samples; between different agents this is rarely so. Claims and intervals
//! need all pairs of a tournament; see `joint_flips`.

use std::cmp::Ordering;

use serde::Serialize;

use super::{
    as_f64,
    descriptive::mean,
    early_ends::CutPair,
    effort::Effort,
    game_outcome::{GameOutcome, Measure},
    rate::Rate,
    sign_flip::exact_sign_flip_p_value,
};

/// A difference is the number of the first agent minus that of the second.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairedComparison {
    pub measure: Measure,
    /// The seeds that are compared; by moves, those on which both agents reached the goal.
    pub games: usize,
    pub mean_difference: Option<f64>,
    /// The true difference may be this much further away, where `max_moves` ended games.
    #[serde(skip)]
    pub allowance: f64,
    /// Of this pair alone, not corrected for the number of pairs; `None` if it needs random sign
    /// patterns.
    pub p_value: Option<f64>,
    pub wins: usize,
    pub ties: usize,
    pub losses: usize,
    /// The share of seeds on which the first agent did better, with Wilson's interval.
    pub does_better: Rate,
    pub correlation: Option<f64>,
    /// The share of the variance that common seeds remove. With 0.5, half as many games give the
    /// same precision.
    pub variance_reduction: Option<f64>,
    pub standard_deviation: Option<f64>,
}

impl PairedComparison {
    #[must_use]
    pub fn by_score(pairs: &[(GameOutcome, GameOutcome)], confidence: f64, effort: Effort) -> Self {
        let numbers = as_numbers(pairs, Measure::Score);
        Self::new(Measure::Score, pairs, &numbers, confidence, effort)
    }

    /// By the rate of reaching the goal. Where both agents reached it equally often, by the
    /// moves of the games in which both did. The first test never finds a difference between
    /// equal rates, so the two tests together are wrong no more often than one.
    #[must_use]
    pub fn by_goal(pairs: &[(GameOutcome, GameOutcome)], confidence: f64, effort: Effort) -> Self {
        let both: Vec<(GameOutcome, GameOutcome)> = pairs
            .iter()
            .filter(|(a, b)| a.reached() && b.reached())
            .copied()
            .collect();
        let n_first = pairs.iter().filter(|(a, _)| a.reached()).count();
        let n_second = pairs.iter().filter(|(_, b)| b.reached()).count();
        if n_first == n_second && !both.is_empty() {
            let numbers = as_numbers(&both, Measure::Moves);
            return Self::new(Measure::Moves, &both, &numbers, confidence, effort);
        }
        let numbers = as_numbers(pairs, Measure::Reach);
        Self::new(Measure::Reach, pairs, &numbers, confidence, effort)
    }

    fn new(
        measure: Measure,
        pairs: &[(GameOutcome, GameOutcome)],
        numbers: &[(f64, f64)],
        confidence: f64,
        effort: Effort,
    ) -> Self {
        let differences = differences(numbers);
        let (mut wins, mut losses) = (0, 0);
        let mut cut = CutPair::default();
        for &(a, b) in pairs {
            cut.push(a, b);
            let (a, b) = (a.worth(measure), b.worth(measure));
            wins += usize::from(a > b);
            losses += usize::from(a < b);
        }
        let spreads = PairSpreads::of(numbers, &differences);
        let mean_difference = mean(&differences);
        let allowance = cut.allowance(measure);
        let p_value = match mean_difference {
            Some(mean) if mean.abs() <= allowance => Some(1.0),
            mean => {
                let null = allowance.copysign(mean.unwrap_or(0.0));
                let beyond: Vec<f64> = differences.iter().map(|d| d - null).collect();
                exact_sign_flip_p_value(&as_whole(&beyond), effort)
            }
        };
        Self {
            measure,
            games: pairs.len(),
            mean_difference,
            allowance,
            p_value,
            does_better: Rate::of(wins as u64, pairs.len() as u64, confidence),
            wins,
            ties: pairs.len() - wins - losses,
            losses,
            correlation: spreads.and_then(PairSpreads::correlation),
            variance_reduction: spreads.and_then(PairSpreads::variance_reduction),
            standard_deviation: spreads.map(PairSpreads::standard_deviation),
        }
    }

    /// With deterministic tiles there is nothing to infer: each distinct game of one agent is
    /// compared with each of the other, and an agent is better if it wins all of them.
    #[must_use]
    pub fn without_luck(first: &[GameOutcome], second: &[GameOutcome], has_goal: bool) -> Self {
        let all_reached = first.iter().chain(second).all(|outcome| outcome.reached());
        let measure = match (has_goal, all_reached) {
            (false, _) => Measure::Score,
            (true, false) => Measure::Reach,
            (true, true) => Measure::Moves,
        };
        // Reaching the goal comes first in both cases.
        let worth = |outcome: &GameOutcome| match measure {
            Measure::Score => outcome.worth(Measure::Score),
            Measure::Reach | Measure::Moves => outcome.worth(Measure::Moves),
        };
        let mut worths: Vec<u64> = second.iter().map(worth).collect();
        worths.sort_unstable();
        let (mut wins, mut losses) = (0, 0);
        for outcome in first {
            let worth = worth(outcome);
            wins += worths.partition_point(|&other| other < worth);
            losses += worths.len() - worths.partition_point(|&other| other <= worth);
        }
        let games = first.len() * second.len();
        let mean_of = |outcomes: &[GameOutcome]| {
            let numbers: Vec<f64> = outcomes.iter().map(|o| o.number(measure)).collect();
            mean(&numbers)
        };
        Self {
            measure,
            games,
            mean_difference: mean_of(first).zip(mean_of(second)).map(|(a, b)| a - b),
            allowance: 0.0,
            p_value: None,
            does_better: Rate::without_interval(wins as u64, games as u64),
            wins,
            ties: games - wins - losses,
            losses,
            correlation: None,
            variance_reduction: None,
            standard_deviation: None,
        }
    }

    /// Which agent the mean difference favours; `Equal` where it favours neither.
    #[must_use]
    pub fn favours(&self) -> Ordering {
        let difference = self.mean_difference.unwrap_or(0.0);
        let ordering = difference.partial_cmp(&0.0).unwrap_or(Ordering::Equal);
        if self.measure.more_is_better() {
            ordering
        } else {
            ordering.reverse()
        }
    }
}

fn as_numbers(pairs: &[(GameOutcome, GameOutcome)], measure: Measure) -> Vec<(f64, f64)> {
    pairs
        .iter()
        .map(|(a, b)| (a.number(measure), b.number(measure)))
        .collect()
}

fn differences(numbers: &[(f64, f64)]) -> Vec<f64> {
    numbers.iter().map(|(a, b)| a - b).collect()
}

/// Up to here the sums of the sign-flip test are exact; no game comes near it.
const LARGEST_DIFFERENCE: f64 = 4e12;

fn as_whole(differences: &[f64]) -> Vec<i64> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "whole numbers within the limits of the clamp"
    )]
    let whole = |difference: &f64| difference.clamp(-LARGEST_DIFFERENCE, LARGEST_DIFFERENCE) as i64;
    differences.iter().map(whole).collect()
}

/// Sums of squares and products around the means: all pairs of 800 agents need them, so they
/// are computed together.
#[derive(Clone, Copy)]
struct PairSpreads {
    n: f64,
    first: f64,
    second: f64,
    product: f64,
    difference: f64,
}

impl PairSpreads {
    /// `None` for fewer than two seeds.
    fn of(numbers: &[(f64, f64)], differences: &[f64]) -> Option<Self> {
        let n = as_f64(numbers.len());
        let mean_difference = mean(differences).filter(|_| numbers.len() > 1)?;
        let (mut first, mut second) = (0.0, 0.0);
        for (a, b) in numbers {
            first += a;
            second += b;
        }
        let (first_mean, second_mean) = (first / n, second / n);
        let mut spreads = Self {
            n,
            first: 0.0,
            second: 0.0,
            product: 0.0,
            difference: 0.0,
        };
        for ((a, b), difference) in numbers.iter().zip(differences) {
            let (a, b, d) = (
                a - first_mean,
                b - second_mean,
                difference - mean_difference,
            );
            spreads.first += a * a;
            spreads.second += b * b;
            spreads.product += a * b;
            spreads.difference += d * d;
        }
        Some(spreads)
    }

    /// Pearson's; `None` where one side is constant.
    fn correlation(self) -> Option<f64> {
        let spread = (self.first * self.second).sqrt();
        (spread > 0.0).then(|| (self.product / spread).clamp(-1.0, 1.0))
    }

    fn variance_reduction(self) -> Option<f64> {
        let separate = self.first + self.second;
        (separate > 0.0).then(|| 1.0 - self.difference / separate)
    }

    fn standard_deviation(self) -> f64 {
        (self.difference / (self.n - 1.0)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulated_scores::{ANOTHER_TEN_SCORES, TEN_SCORES, close};

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the scores are whole and positive"
    )]
    fn ten_pairs() -> Vec<(GameOutcome, GameOutcome)> {
        let outcome = |seed, score: f64| GameOutcome {
            seed,
            score: score as u64,
            moves_to_goal: None,
            is_cut: false,
        };
        (0..)
            .zip(TEN_SCORES.into_iter().zip(ANOTHER_TEN_SCORES))
            .map(|(seed, (a, b))| (outcome(seed, a), outcome(seed, b)))
            .collect()
    }

    /// The games of two agents as the moves they took to the goal.
    fn to_goal(games: &[(Option<u64>, Option<u64>)]) -> Vec<(GameOutcome, GameOutcome)> {
        let outcome = |seed, moves_to_goal| GameOutcome {
            seed,
            score: 7,
            moves_to_goal,
            is_cut: false,
        };
        (0..)
            .zip(games)
            .map(|(seed, &(a, b))| (outcome(seed, a), outcome(seed, b)))
            .collect()
    }

    #[test]
    fn scores_on_ten_seeds_agree_with_scipy() {
        let comparison = PairedComparison::by_score(&ten_pairs(), 0.95, Effort::FULL);
        close(comparison.mean_difference, 10_880.0);
        close(comparison.p_value, 0.005_859_375);
        close(comparison.correlation, 0.813_596_671_7);
        close(comparison.variance_reduction, 0.757_843_827_45);
        close(comparison.standard_deviation, 8_993.128_438_49);
        let counts = (comparison.wins, comparison.ties, comparison.losses);
        assert_eq!((comparison.games, counts), (10, (9, 0, 1)));
        assert_eq!(comparison.favours(), Ordering::Greater);
        // Wilson's interval of 9 of 10, from SciPy.
        let interval = comparison.does_better.interval.unwrap();
        close(Some(interval.low), 0.595_849_973_204_8);
        close(Some(interval.high), 0.982_123_786_904_9);
    }

    #[test]
    fn the_rate_of_reaching_the_goal_decides_first() {
        let games = to_goal(&[(Some(900), None), (Some(900), Some(500)), (None, None)]);
        let comparison = PairedComparison::by_goal(&games, 0.95, Effort::FULL);
        assert_eq!(comparison.measure, Measure::Reach);
        close(comparison.mean_difference, 1.0 / 3.0);
        let counts = (comparison.wins, comparison.ties, comparison.losses);
        assert_eq!(counts, (1, 2, 0));
    }

    #[test]
    fn fewer_moves_decide_between_equal_rates() {
        let games = to_goal(&[(Some(900), Some(950)), (Some(910), Some(930)), (None, None)]);
        let comparison = PairedComparison::by_goal(&games, 0.95, Effort::FULL);
        assert_eq!(comparison.measure, Measure::Moves);
        close(comparison.mean_difference, -35.0);
        assert_eq!(comparison.favours(), Ordering::Greater);
    }

    #[test]
    fn agents_that_never_reach_the_goal_are_equal() {
        let comparison =
            PairedComparison::by_goal(&to_goal(&[(None, None); 9]), 0.95, Effort::FULL);
        assert_eq!(comparison.measure, Measure::Reach);
        assert_eq!(comparison.p_value, Some(1.0));
        assert_eq!(comparison.favours(), Ordering::Equal);
    }

    #[test]
    fn without_luck_one_game_decides() {
        let (first, second): (Vec<_>, Vec<_>) = ten_pairs().into_iter().unzip();
        let comparison = PairedComparison::without_luck(&first[..1], &second[..1], false);
        close(comparison.mean_difference, 3_592.0);
        assert_eq!((comparison.games, comparison.wins), (1, 1));
        assert_eq!(comparison.p_value, None);
        // An agent that plays differently each time wins some and loses some.
        let several = PairedComparison::without_luck(&first[..2], &second[..3], false);
        let counts = (several.wins, several.ties, several.losses);
        assert_eq!((several.games, counts), (6, (4, 0, 2)));
    }

    #[test]
    fn without_common_seeds_nothing_is_claimed() {
        let comparison = PairedComparison::by_score(&[], 0.95, Effort::FULL);
        assert_eq!((comparison.games, comparison.p_value), (0, None));
        assert_eq!(comparison.mean_difference, None);
    }
}
