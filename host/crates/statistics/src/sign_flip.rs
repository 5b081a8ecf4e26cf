//! The exact sign-flip test of one pair: could its mean difference be chance?
//!
//! Fisher, "The Design of Experiments" (1935), section 21: if neither agent were better, every
//! difference could equally well have the opposite sign. The p-value is the share of all sign
//! patterns whose mean is at least as far from zero. Up to 32 differences are counted: the sums of
//! each half of the differences are listed in order and the pairs of sums beyond the observed one
//! are counted (Horowitz and Sahni, "Computing Partitions with Applications to the Knapsack
//! Problem", Journal of the ACM 21, 1974). For more differences, `joint_flips` tries random
//! patterns for all pairs together.
//!
//! Flipping signs does not change the sum of squares, so the mean and the studentised mean give
//! the same test. It is therefore valid for many games even if the differences are not symmetric
//! (Janssen, "Studentized Permutation Tests for Non-i.i.d. Hypotheses", Statistics & Probability
//! Letters 36, 1997).

use super::{as_f64, effort::Effort};

/// Two lists of 65,536 sums take a millisecond.
const MOST_DIFFERENCES_TO_ENUMERATE: usize = 32;

/// The two-sided p-value; `None` without differences, and where there are too many patterns to
/// count. Integers make equal sums exactly equal.
#[must_use]
pub fn exact_sign_flip_p_value(differences: &[i64], effort: Effort) -> Option<f64> {
    if differences.is_empty() {
        return None;
    }
    // The sign of a zero does not matter.
    let moving: Vec<i64> = differences.iter().copied().filter(|&d| d != 0).collect();
    if moving.iter().sum::<i64>() == 0 {
        return Some(1.0);
    }
    let n_sums = 2 << moving.len().div_ceil(2).min(MOST_DIFFERENCES_TO_ENUMERATE);
    let is_cheap = moving.len() <= MOST_DIFFERENCES_TO_ENUMERATE && n_sums <= effort.draws;
    is_cheap.then(|| share_of_all_patterns(&moving))
}

/// The sign of the first difference is fixed, because the opposite pattern is equally extreme.
fn share_of_all_patterns(moving: &[i64]) -> f64 {
    let observed = moving.iter().sum::<i64>().abs();
    let (left, right) = moving.split_at(moving.len().div_ceil(2));
    let left: Vec<i64> = sorted_sums(&left[1..])
        .into_iter()
        .map(|sum| sum + left[0])
        .collect();
    let right = sorted_sums(right);
    // While sums of the left half grow, fewer sums of the right half are needed.
    let (mut n_extreme, mut above, mut below) = (0_u64, right.len(), right.len());
    for sum in left {
        while above > 0 && sum + right[above - 1] >= observed {
            above -= 1;
        }
        while below > 0 && sum + right[below - 1] > -observed {
            below -= 1;
        }
        n_extreme += (right.len() - above + below) as u64;
    }
    as_f64(n_extreme) / 2.0_f64.powi(i32::try_from(moving.len() - 1).expect("at most 32"))
}

/// The sums of all sign patterns, in order: for each difference, the sums so far less it and plus
/// it are merged.
fn sorted_sums(differences: &[i64]) -> Vec<i64> {
    let mut sums = vec![0];
    for difference in differences.iter().map(|d| d.abs()) {
        let mut merged = Vec::with_capacity(2 * sums.len());
        let mut lower = sums.iter().map(|sum| sum - difference).peekable();
        for higher in sums.iter().map(|sum| sum + difference) {
            while let Some(sum) = lower.next_if(|sum| *sum <= higher) {
                merged.push(sum);
            }
            merged.push(higher);
        }
        sums = merged;
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulated_scores::close;

    const TEN: [i64; 10] = [
        3_592, 19_096, 216, 7_964, 25_668, 17_572, -352, 16_276, 3_824, 14_944,
    ];

    #[test]
    fn all_patterns_of_ten_differences_agree_with_scipy() {
        close(exact_sign_flip_p_value(&TEN, Effort::FULL), 0.005_859_375);
        close(
            exact_sign_flip_p_value(&[5, -3, 5, 5, 0, 2], Effort::FULL),
            0.1875,
        );
    }

    /// By counting all sign patterns in Python.
    #[test]
    fn thirty_differences_are_counted_exactly() {
        let thirty: Vec<i64> = (0..30).map(|i| (i * i * 37) % 101 - 38).collect();
        close(
            exact_sign_flip_p_value(&thirty, Effort::FULL),
            EXACT_P_OF_THIRTY,
        );
        let without_room = Effort {
            draws: 60_000,
            ..Effort::FULL
        };
        assert_eq!(exact_sign_flip_p_value(&thirty, without_room), None);
    }

    const EXACT_P_OF_THIRTY: f64 = 0.033_302_420_750_26;

    #[test]
    fn differences_of_one_make_mcnemars_exact_test() {
        // 11 games won by one agent alone, 3 by the other, 40 by both or none.
        let mut differences = vec![0; 40];
        differences.extend([1; 11]);
        differences.extend([-1; 3]);
        close(
            exact_sign_flip_p_value(&differences, Effort::FULL),
            0.057_373_046_88,
        );
    }

    #[test]
    fn no_p_value_is_smaller_than_that_of_the_most_extreme_pattern() {
        assert_eq!(exact_sign_flip_p_value(&[7; 3], Effort::FULL), Some(0.25));
        assert_eq!(
            exact_sign_flip_p_value(&[7; 25], Effort::FULL),
            Some(1.0 / f64::from(1 << 24))
        );
    }

    #[test]
    fn equal_agents_are_not_distinguished() {
        assert_eq!(exact_sign_flip_p_value(&[0; 50], Effort::FULL), Some(1.0));
        assert_eq!(exact_sign_flip_p_value(&[], Effort::FULL), None);
    }
}
