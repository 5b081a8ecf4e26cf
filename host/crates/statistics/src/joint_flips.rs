//! The sign-flip test of all pairs of a tournament at once: p-values and intervals.
//!
//! If no agent were better, the differences of a seed could as well have the opposite signs.
//! Flipping all differences of a seed together keeps the dependence between pairs (Romano and
//! Wolf, "Exact and Approximate Stepdown Methods for Multiple Hypothesis Testing", JASA 100,
//! 2005). The statistic of a pair is `|sum| / sqrt(sum of squares)`; it orders sign patterns like
//! Student's t, and it is bounded, so a pair with few seeds does not drown the others.
//!
//! P-values are stepped down: each pair is compared with the largest statistic among itself and
//! the pairs with less evidence (Westfall and Young, "Resampling-Based Multiple Testing", 1993).
//! The chance of any false claim is then at most the level.
//!
//! Intervals invert the test. A value stays in the interval of a pair if, with this value
//! subtracted from its differences and the mean from those of all others, the largest statistic
//! is often enough at least as large as the observed one. For one pattern these values form an
//! interval around the mean whose ends have a closed form, so the ends for all patterns are
//! quantiles of these, without a search.
//!
//! Where `max_moves` ended games, a claim must rule out the differences of `early_ends` as well as
//! 0, and intervals reach as much further.

mod flipped_sums;
mod interval_ends;
mod pattern_statistics;
mod patterns;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::{
    effort::Effort,
    interval::Interval,
    joint_sample::{JointSample, SampledPair},
    skewness_correction::student_quantile,
};
use flipped_sums::{FlippedSums, SumsOfPair};
use interval_ends::{SimultaneousEnds, own_ends};
use pattern_statistics::PatternStatistics;

pub use patterns::Patterns;

/// The most pairs whose own intervals are those of sign flips: those of 100 agents. Sorting the
/// values that all patterns accept would take most of the time of a larger ranking.
pub const MOST_OWN_INTERVALS: usize = 4_950;

#[derive(Clone, Debug, PartialEq)]
pub struct JointTest {
    /// In the order of the pairs of the sample.
    pub results: Vec<JointResult>,
    pub patterns: Patterns,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointResult {
    /// Corrected for all pairs.
    pub p_value: f64,
    /// Of this pair alone.
    pub own_p_value: f64,
    /// Holds together with those of all other pairs; infinite with too few seeds.
    pub simultaneous: Interval,
    /// Of this pair alone.
    pub own: Interval,
}

/// The error rates of the two kinds of interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalErrors {
    pub simultaneous: f64,
    pub own: f64,
}

/// The share of the error rate that the interval of the only pair gets. Skewed differences need
/// the rest. Chosen by simulation; see `docs/statistics.md`.
const SHARE_OF_ONE_INTERVAL: f64 = 0.6;

/// The share that simultaneous intervals get. Claims about pairs that are truly equal need a part
/// of the rest as well, because a stepped-down test finds them without regard to the intervals.
const SHARE_OF_INTERVALS: f64 = 0.3;

impl IntervalErrors {
    #[must_use]
    pub fn for_sample(sample: &JointSample, significance: f64) -> Self {
        let share = match sample.pairs.len() {
            0 | 1 => SHARE_OF_ONE_INTERVAL,
            _ => SHARE_OF_INTERVALS,
        };
        // A rate that no p-value reaches would leave intervals without ends.
        let least = smallest_p_value(sample.n_seeds());
        Self {
            simultaneous: (share * significance).max(least).min(significance),
            own: significance,
        }
    }
}

/// The smallest p-value that this many seeds can give: that of one pattern and its opposite.
#[must_use]
pub fn smallest_p_value(n_seeds: usize) -> f64 {
    0.5_f64.powi(i32::try_from(n_seeds.saturating_sub(1)).unwrap_or(i32::MAX))
}

/// Tests all pairs of a sample together.
#[must_use]
pub fn test_jointly(sample: &JointSample, errors: IntervalErrors, effort: Effort) -> JointTest {
    let patterns = Patterns::for_sample(sample, effort);
    let sums = FlippedSums::new(sample, patterns);
    let statistics = PatternStatistics::of(&sample.pairs, &sums, patterns);
    let keep = |significance| patterns.n_rejected(significance).map(|n| n + 1);
    let simultaneous = SimultaneousEnds::new(&sums, &statistics, keep(errors.simultaneous));
    let mut own = OwnInterval::new(sample.pairs.len(), errors.own, keep(errors.own));
    let mut room = SumsOfPair::default();
    let results = sample
        .pairs
        .iter()
        .enumerate()
        .map(|(index, pair)| JointResult {
            p_value: statistics.p_values[index],
            own_p_value: statistics.own_p_values[index],
            simultaneous: simultaneous
                .of(index, pair, &mut room)
                .widened(pair.allowance),
            own: own
                .of(index, pair, &sums, &mut room)
                .widened(pair.allowance),
        })
        .collect();
    JointTest { results, patterns }
}

/// How the interval of one pair alone is computed.
enum OwnInterval {
    Flips {
        keep: Option<usize>,
    },
    /// Student's; with its quantiles by the number of seeds.
    Student {
        errors: f64,
        known: HashMap<u64, f64>,
    },
}

impl OwnInterval {
    fn new(n_pairs: usize, errors: f64, keep: Option<usize>) -> Self {
        if n_pairs <= MOST_OWN_INTERVALS {
            Self::Flips { keep }
        } else {
            let known = HashMap::new();
            Self::Student { errors, known }
        }
    }

    fn of(
        &mut self,
        index: usize,
        pair: &SampledPair,
        sums: &FlippedSums,
        room: &mut SumsOfPair,
    ) -> Interval {
        match self {
            Self::Flips { keep } => {
                let (differences, signs) = sums.of_pair(index, room);
                own_ends(pair, differences, signs, *keep)
            }
            Self::Student { .. } if pair.n < 2.0 => Interval::around(0.0, f64::INFINITY),
            Self::Student { errors, known } => {
                let quantile = known
                    .entry(pair.n.to_bits())
                    .or_insert_with(|| student_quantile(pair.n, 1.0 - *errors));
                let error = (pair.spread() / (pair.n - 1.0) / pair.n).sqrt();
                Interval::around(pair.mean(), *quantile * error)
            }
        }
    }
}
