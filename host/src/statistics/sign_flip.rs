//! The sign-flip test: could the mean difference of two agents be chance?
//!
//! Fisher, "The Design of Experiments" (1935), section 21: if neither agent were better, every
//! difference could equally well have the opposite sign. The p-value is the share of all sign
//! patterns whose mean is at least as far from zero. Up to 20 differences, all patterns are
//! counted; for more, random patterns, with the estimate (b + 1) / (m + 1) of Davison and
//! Hinkley, "Bootstrap Methods and their Application" (1997), section 4.2, which is conservative.
//!
//! Flipping signs does not change the sum of squares, so the mean and the studentised mean give
//! the same test. It is therefore valid for many games even if the differences are not symmetric
//! (Janssen, "Studentized Permutation Tests for Non-i.i.d. Hypotheses", Statistics & Probability
//! Letters 36, 1997), and Student's t continues it where random patterns are too few.

use rand::{Rng, SeedableRng, rngs::Xoshiro256PlusPlus};
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::{effort::Effort, length, skewness_correction::mean_and_standard_error};

/// Fixed, so that the same differences have the same p-value in every report.
const SEED: u64 = 4096;

/// Half a million patterns take a millisecond.
const MOST_DIFFERENCES_TO_ENUMERATE: usize = 20;

/// With fewer random patterns, Student's tail is the better estimate.
const FEWEST_PATTERNS: usize = 9_999;

/// With fewer extreme patterns, the estimate is coarse and Student's tail replaces it.
const FEWEST_EXTREME_PATTERNS: usize = 10;

/// The number of signs that one lookup in a table of sums covers.
const GROUP: usize = 8;

/// The two-sided p-value; `None` without differences. Integers make equal sums exactly equal.
#[must_use]
pub fn sign_flip_p_value(differences: &[i64], effort: Effort) -> Option<f64> {
    if differences.is_empty() {
        return None;
    }
    // The sign of a zero does not matter.
    let moving: Vec<i64> = differences.iter().copied().filter(|&d| d != 0).collect();
    if moving.is_empty() {
        return Some(1.0);
    }
    let tail = || student_tail(differences).max(smallest_p_value(moving.len()));
    if moving.len() <= MOST_DIFFERENCES_TO_ENUMERATE && 1 << moving.len() <= effort.draws {
        return Some(share_of_all_patterns(&moving));
    }
    let n_patterns = effort
        .flips
        .min(effort.draws / moving.len().div_ceil(GROUP));
    if n_patterns < effort.flips.min(FEWEST_PATTERNS) {
        return Some(tail());
    }
    let n_extreme = count_extreme_patterns(&moving, n_patterns);
    // One or the other; the smaller of both would be too small.
    if n_extreme < FEWEST_EXTREME_PATTERNS {
        Some(tail())
    } else {
        Some(length(n_extreme + 1) / length(n_patterns + 1))
    }
}

/// The pattern itself and its opposite, among all patterns.
fn smallest_p_value(n_moving: usize) -> f64 {
    0.5f64.powi(i32::try_from(n_moving - 1).unwrap_or(i32::MAX))
}

/// Neighbouring patterns of a Gray code differ in one sign. The sign of the last difference is
/// fixed, because the opposite pattern is equally extreme.
fn share_of_all_patterns(moving: &[i64]) -> f64 {
    let observed = moving.iter().sum::<i64>().abs();
    let n_patterns: u32 = 1 << (moving.len() - 1);
    let mut signed = moving.to_vec();
    let mut sum: i64 = moving.iter().sum();
    let mut n_extreme = 1u32;
    for pattern in 1..n_patterns {
        let flipped = &mut signed[pattern.trailing_zeros() as usize];
        *flipped = -*flipped;
        sum += 2 * *flipped;
        n_extreme += u32::from(sum.abs() >= observed);
    }
    f64::from(n_extreme) / f64::from(n_patterns)
}

fn count_extreme_patterns(moving: &[i64], n_patterns: usize) -> usize {
    let observed = moving.iter().sum::<i64>().abs();
    let tables: Vec<[i64; 1 << GROUP]> = moving.chunks(GROUP).map(sums_of_patterns).collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    (0..n_patterns)
        .filter(|_| {
            let mut sum = 0;
            for tables in tables.chunks(GROUP) {
                let signs = random.next_u64().to_le_bytes();
                for (table, sign) in tables.iter().zip(signs) {
                    sum += table[usize::from(sign)];
                }
            }
            sum.abs() >= observed
        })
        .count()
}

/// The sum of a group for every pattern of its signs, each from the pattern with one flip less.
fn sums_of_patterns(group: &[i64]) -> [i64; 1 << GROUP] {
    let mut sums = [group.iter().sum(); 1 << GROUP];
    for pattern in 1..sums.len() {
        let flipped = pattern.trailing_zeros() as usize;
        let difference = group.get(flipped).unwrap_or(&0);
        sums[pattern] = sums[pattern & (pattern - 1)] - 2 * difference;
    }
    sums
}

/// The two-sided p-value of Student's test of one sample.
fn student_tail(differences: &[i64]) -> f64 {
    #[expect(
        clippy::cast_precision_loss,
        reason = "differences of scores stay far below 2^53"
    )]
    let values: Vec<f64> = differences.iter().map(|&d| d as f64).collect();
    match mean_and_standard_error(&values) {
        Some((mean, error)) if error > 0.0 => {
            2.0 * StudentsT::new(0.0, 1.0, length(values.len() - 1))
                .expect("a standard error needs at least two values")
                .sf((mean / error).abs())
        }
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::simulated_scores::close;

    const TEN: [i64; 10] = [
        3_592, 19_096, 216, 7_964, 25_668, 17_572, -352, 16_276, 3_824, 14_944,
    ];

    #[test]
    fn all_patterns_of_ten_differences_agree_with_scipy() {
        close(sign_flip_p_value(&TEN, Effort::FULL), 0.005_859_375);
        close(
            sign_flip_p_value(&[5, -3, 5, 5, 0, 2], Effort::FULL),
            0.1875,
        );
    }

    #[test]
    fn thirty_differences_agree_with_scipy_except_for_chance() {
        let thirty: Vec<i64> = (0..30).map(|i| (i * i * 37) % 101 - 38).collect();
        let p_value = sign_flip_p_value(&thirty, Effort::FULL).unwrap();
        assert!((p_value - 0.033_069_966_93).abs() < 0.002, "{p_value}");
    }

    #[test]
    fn differences_of_one_make_mcnemars_exact_test() {
        // 11 games won by one agent alone, 3 by the other, 40 by both or none.
        let mut differences = vec![0; 40];
        differences.extend([1; 11]);
        differences.extend([-1; 3]);
        close(
            sign_flip_p_value(&differences, Effort::FULL),
            0.057_373_046_88,
        );
    }

    #[test]
    fn the_tail_continues_where_patterns_are_too_few() {
        let sure: Vec<i64> = (0..60).map(|i| (i * i * 37) % 101 - 5).collect();
        close(sign_flip_p_value(&sure, Effort::FULL), 1.225_989_518_5e-15);
        let no_draws = Effort {
            draws: 0,
            ..Effort::FULL
        };
        close(sign_flip_p_value(&TEN, no_draws), 0.004_053_949_45);
    }

    #[test]
    fn no_p_value_is_smaller_than_that_of_the_most_extreme_pattern() {
        assert_eq!(sign_flip_p_value(&[7; 3], Effort::FULL), Some(0.25));
        assert_eq!(
            sign_flip_p_value(&[7; 25], Effort::FULL),
            Some(1.0 / f64::from(1 << 24))
        );
    }

    #[test]
    fn equal_agents_are_not_distinguished() {
        assert_eq!(sign_flip_p_value(&[0; 50], Effort::FULL), Some(1.0));
        assert_eq!(sign_flip_p_value(&[], Effort::FULL), None);
    }
}
