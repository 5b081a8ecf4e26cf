//! The bootstrap-t: a confidence interval of a mean by resampling.
//!
//! Efron, "Nonparametric Standard Errors and Confidence Intervals" (Canadian
//! Journal of Statistics 9, 1981); Hall, "Theoretical Comparison of Bootstrap
//! Confidence Intervals" (Annals of Statistics 16, 1988). Games are drawn with
//! replacement. The distance of a resample's mean from the mean of the sample, in standard errors
//! of the resample, estimates the distance of the sample's mean from the true mean. The method
//! assumes independent games and nothing about the distribution of scores. On seven
//! distributions of 2048 scores at n = 30 it covered 94.0% to 96.4%, the `BCa` interval 91.5% to
//! 94.8% and percentiles 90.8% to 94.4%.

use rand::{Rng, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{
    as_f64,
    descriptive::quantile,
    interval::Interval,
    skewness_correction::{mean_and_standard_error, student_interval},
};

/// Fixed, so that the same scores have the same interval in every report.
const SEED: u64 = 2048;

/// A smaller share of a sum of squares is an error of rounding.
const ROUNDING: f64 = 1e-9;

/// `None` for fewer than two values.
#[must_use]
pub fn bootstrap_t_interval(values: &[f64], resamples: usize, confidence: f64) -> Option<Interval> {
    let (mean, error) = mean_and_standard_error(values)?;
    let centred: Vec<f64> = values.iter().map(|value| value - mean).collect();
    let n = as_f64(values.len());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut studentised: Vec<f64> = (0..resamples)
        .filter_map(|_| {
            let (sum, squares) = resample(&centred, &mut random);
            let spread = squares - sum * sum / n;
            // A resample of equal values has no standard error; what is left is rounding.
            (spread > ROUNDING * squares).then(|| sum / (n * spread / (n - 1.0)).sqrt())
        })
        .collect();
    // Most games are equal: the other resamples would be a biased selection.
    if studentised.len() * 100 < resamples * 99 || studentised.is_empty() {
        return student_interval(values, confidence);
    }
    studentised.sort_unstable_by(f64::total_cmp);
    let tail = f64::midpoint(1.0, -confidence);
    Some(Interval {
        low: mean - quantile(&studentised, 1.0 - tail)? * error,
        high: mean - quantile(&studentised, tail)? * error,
    })
}

/// Sum and sum of squares of as many draws as there are values.
fn resample(values: &[f64], random: &mut impl Rng) -> (f64, f64) {
    let n = values.len() as u64;
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in values {
        // The high half of the product is uniform in 0..n, except for a bias of n / 2^32.
        let drawn = ((random.next_u64() >> 32) * n) >> 32;
        let value = values[usize::try_from(drawn).expect("an index of the list")];
        sum += value;
        squares += value * value;
    }
    (sum, squares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulated_scores::TEN_SCORES;

    #[test]
    fn the_same_scores_have_the_same_interval() {
        assert_eq!(
            bootstrap_t_interval(&TEN_SCORES, 999, 0.95),
            bootstrap_t_interval(&TEN_SCORES, 999, 0.95)
        );
    }

    #[test]
    fn many_resamples_agree_with_an_independent_bootstrap() {
        let interval = bootstrap_t_interval(&TEN_SCORES, 100_000, 0.95).unwrap();
        assert!(
            (interval.low / 19_715.576_954_4 - 1.0).abs() < 0.01,
            "{interval:?}"
        );
        assert!(
            (interval.high / 41_255.725_476_9 - 1.0).abs() < 0.01,
            "{interval:?}"
        );
    }

    #[test]
    fn scores_that_are_mostly_equal_have_students_interval() {
        let mut faults = vec![0.0; 15];
        faults[3] = 1_880.0;
        faults[9] = 2_260.0;
        let mut ties = vec![4.0; 10];
        ties[6] = 8.0;
        for scores in [faults, ties] {
            let interval = bootstrap_t_interval(&scores, 1_999, 0.95);
            assert_eq!(interval, student_interval(&scores, 0.95), "{scores:?}");
        }
    }

    #[test]
    fn equal_scores_have_an_interval_without_width() {
        assert_eq!(
            bootstrap_t_interval(&[8.0; 40], 99, 0.95),
            Some(Interval::around(8.0, 0.0))
        );
    }
}
