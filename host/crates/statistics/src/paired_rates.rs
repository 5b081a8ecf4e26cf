//! The confidence interval of a difference of two rates on the same seeds.
//!
//! Agresti and Min, "Simple Improved Confidence Intervals for Comparing Matched
//! Proportions" (Statistics in Medicine 24, 2005): half a game is added to each
//! of the four cases (both, only the first, only the second, neither), which keeps the coverage
//! for rates near 0 or 1.

use super::{interval::Interval, length, rate::normal_quantile};

/// In `only_first` games only the first agent reached the goal, in `only_second` only the second.
#[must_use]
pub fn paired_rate_interval(
    only_first: usize,
    only_second: usize,
    n_games: usize,
    confidence: f64,
) -> Option<Interval> {
    if n_games == 0 {
        return None;
    }
    let n = length(n_games) + 2.0;
    let (first, second) = (length(only_first) + 0.5, length(only_second) + 0.5);
    let error = (first + second - (first - second).powi(2) / n).sqrt() / n;
    let z = normal_quantile(f64::midpoint(1.0, confidence));
    let interval = Interval::around((first - second) / n, z * error);
    Some(Interval {
        low: interval.low.max(-1.0),
        high: interval.high.min(1.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulated_scores::close;

    #[test]
    fn the_formula_agrees_with_an_independent_computation() {
        let interval = paired_rate_interval(11, 3, 54, 0.95).unwrap();
        close(Some(interval.low), 0.012_571_394_72);
        close(Some(interval.high), 0.273_142_890_99);
    }

    #[test]
    fn agents_that_always_reach_the_goal_still_have_a_width() {
        let interval = paired_rate_interval(0, 0, 20, 0.95).unwrap();
        assert!(interval.low < -0.05 && interval.high > 0.05);
        assert_eq!(paired_rate_interval(0, 0, 0, 0.95), None);
    }
}
