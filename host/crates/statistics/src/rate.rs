//! A rate with its confidence interval.
//!
//! Wilson's score interval (Wilson, "Probable Inference, the Law of Succession,
//! and Statistical Inference", JASA 22, 1927): unlike the textbook's
//! "p ± 2 standard errors" it stays between 0 and 1 and is useful even for 0 of 20. It assumes
//! independent games with the same probability.

use serde::{Serialize, Serializer, ser::SerializeStruct};

use super::{as_f64, interval::Interval};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    pub hits: u64,
    pub games: u64,
    /// `hits / games`, 0 without games.
    pub rate: f64,
    pub interval: Option<Interval>,
}

impl Rate {
    #[must_use]
    pub fn of(hits: u64, games: u64, confidence: f64) -> Self {
        Self {
            interval: (games > 0).then(|| wilson(hits, games, confidence)),
            ..Self::without_interval(hits, games)
        }
    }

    /// For deterministic tiles, where a rate has no error.
    #[must_use]
    pub fn without_interval(hits: u64, games: u64) -> Self {
        Self {
            hits,
            games,
            rate: as_f64(hits) / as_f64(games.max(1)),
            interval: None,
        }
    }
}

/// The rate with the ends of its interval, as JSON reports have it.
impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rate = serializer.serialize_struct("Rate", 3)?;
        rate.serialize_field("rate", &self.rate)?;
        rate.serialize_field("low", &self.interval.map(|interval| interval.low))?;
        rate.serialize_field("high", &self.interval.map(|interval| interval.high))?;
        rate.end()
    }
}

fn wilson(hits: u64, games: u64, confidence: f64) -> Interval {
    let z = normal_quantile(f64::midpoint(1.0, confidence));
    let n = as_f64(games);
    let rate = as_f64(hits) / n;
    let shrink = 1.0 + z * z / n;
    let middle = (rate + z * z / (2.0 * n)) / shrink;
    let half_width = z / shrink * (rate * (1.0 - rate) / n + z * z / (4.0 * n * n)).sqrt();
    let interval = Interval::around(middle, half_width);
    Interval {
        // Exact at the ends, where rounding would give a bound such as 1e-17.
        low: if hits == 0 { 0.0 } else { interval.low },
        high: if hits == games { 1.0 } else { interval.high },
    }
}

/// Whether two agents reach something equally often on the same seeds: the exact test of `McNemar`
/// ("Note on the Sampling Error of the Difference Between Correlated Proportions or Percentages",
/// Psychometrika 12, 1947), two-sided. `first` and `second` count the seeds on which only that agent
/// reached it; the others say nothing.
#[must_use]
pub fn paired_rate_p_value(first: u64, second: u64) -> f64 {
    use statrs::distribution::{Binomial, DiscreteCDF};
    let coin = Binomial::new(0.5, first + second).expect("a probability");
    (2.0 * coin.cdf(first.min(second))).min(1.0)
}

/// The quantile of the standard normal distribution.
pub(super) fn normal_quantile(probability: f64) -> f64 {
    use statrs::distribution::{ContinuousCDF, Normal};
    Normal::standard().inverse_cdf(probability)
}

/// The confidence interval of the difference of two rates on the same seeds: in `only_first` games
/// only the first agent reached the goal, in `only_second` only the second.
///
/// Agresti and Min, "Simple Improved Confidence Intervals for Comparing Matched Proportions"
/// (Statistics in Medicine 24, 2005): half a game is added to each of the four cases (both, only
/// the first, only the second, neither), which keeps the coverage for rates near 0 or 1.
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
    let n = as_f64(n_games) + 2.0;
    let (first, second) = (as_f64(only_first) + 0.5, as_f64(only_second) + 0.5);
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

    #[track_caller]
    fn check(hits: u64, games: u64, low: f64, high: f64) {
        let interval = Rate::of(hits, games, 0.95).interval.unwrap();
        close(Some(interval.low), low);
        close(Some(interval.high), high);
    }

    #[test]
    fn intervals_agree_with_scipy() {
        check(0, 20, 0.0, 0.161_125_158_05);
        check(13, 20, 0.432_854_276_69, 0.818_808_175_9);
        check(20, 20, 0.838_874_841_95, 1.0);
        check(994, 1000, 0.986_971_831_76, 0.997_247_330_86);
    }

    /// From `SciPy`: `stats.binomtest(3, 14).pvalue`.
    #[test]
    fn the_test_of_equal_rates_agrees_with_scipy() {
        let close = |p_value: f64, expected: f64| assert!((p_value - expected).abs() < 1e-9);
        close(paired_rate_p_value(11, 3), 0.057_373_046_875);
        close(paired_rate_p_value(3, 11), 0.057_373_046_875);
        close(paired_rate_p_value(4, 4), 1.0);
        close(paired_rate_p_value(0, 0), 1.0);
    }

    #[test]
    fn without_games_there_is_no_interval() {
        assert_eq!(Rate::of(0, 0, 0.95).interval, None);
    }

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
