//! A rate with its confidence interval.
//!
//! Wilson's score interval (Wilson, "Probable Inference, the Law of Succession,
//! and Statistical Inference", JASA 22, 1927): unlike the textbook's
//! "p ± 2 standard errors" it stays between 0 and 1 and is useful even for 0 of 20. It assumes
//! independent games with the same probability.

use serde::Serialize;

use super::{as_f64, interval::Interval};

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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

/// The quantile of the standard normal distribution.
pub(super) fn normal_quantile(probability: f64) -> f64 {
    use statrs::distribution::{ContinuousCDF, Normal};
    Normal::standard().inverse_cdf(probability)
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

    #[test]
    fn without_games_there_is_no_interval() {
        assert_eq!(Rate::of(0, 0, 0.95).interval, None);
    }
}
