//! The chance that one group of scores is higher than another by luck alone.
//!
//! Wilcoxon, "Individual Comparisons by Ranking Methods" (Biometrics Bulletin 1, 1945):
//! if both groups came from one distribution, every way to divide the pooled scores into
//! groups of these sizes would be equally likely. The statistic is the sum of the ranks of
//! the first group, with the mean rank for equal scores; the one-sided p-value is the share
//! of divisions whose sum is at least as large. Random divisions are drawn, with the
//! estimate (b + 1) / (m + 1) of Davison and Hinkley, "Bootstrap Methods and their
//! Application" (1997), section 4.2, which never claims too much.
//!
//! Ranks are used instead of means because scores have heavy tails: one lucky game must not hide a
//! shift of all others.

use rand::{Rng, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{as_f64, effort::Effort};

/// Fixed, so that the same scores have the same p-value in every report.
const SEED: u64 = 8192;

/// The one-sided p-value of "scores of the first group are higher"; `None` where a group is
/// empty.
#[must_use]
pub fn rank_sum_p_value(first: &[u64], second: &[u64], effort: Effort) -> Option<f64> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let mut ranks = doubled_ranks(first, second);
    let observed: u64 = ranks[..first.len()].iter().sum();
    // Drawing the smaller group takes less time; its sum decides as well.
    let is_first_smaller = first.len() <= second.len();
    let n_drawn = first.len().min(second.len());
    let total: u64 = ranks.iter().sum();
    let n_divisions = effort.flips.min(effort.draws / n_drawn).max(1);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let n_extreme = (0..n_divisions)
        .filter(|_| {
            let drawn = draw(&mut ranks, n_drawn, &mut random);
            let sum = if is_first_smaller {
                drawn
            } else {
                total - drawn
            };
            sum >= observed
        })
        .count();
    Some(as_f64(n_extreme + 1) / as_f64(n_divisions + 1))
}

/// Twice the rank of every score among all: the mean rank of equal scores is then a whole number.
fn doubled_ranks(first: &[u64], second: &[u64]) -> Vec<u64> {
    let scores: Vec<u64> = first.iter().chain(second).copied().collect();
    let mut sorted = scores.clone();
    sorted.sort_unstable();
    scores
        .iter()
        .map(|score| {
            let n_below = sorted.partition_point(|other| other < score) as u64;
            let n_up_to = sorted.partition_point(|other| other <= score) as u64;
            n_below + n_up_to + 1
        })
        .collect()
}

/// Moves `n` random values to the front (Fisher and Yates) and adds them up.
fn draw(values: &mut [u64], n: usize, random: &mut impl Rng) -> u64 {
    let mut sum = 0;
    for place in 0..n {
        let left = (values.len() - place) as u64;
        // The bias of this reduction is below 2^-32 for any number of games.
        let offset = (u128::from(random.next_u64()) * u128::from(left)) >> 64;
        let chosen = place + usize::try_from(offset).expect("below the number of values");
        values.swap(place, chosen);
        sum += values[place];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_groups_agree_with_all_divisions() {
        // Of the 10 divisions of 1..=5 into two and three, {4, 5} alone has the sum 9.
        let p = rank_sum_p_value(&[4, 5], &[1, 2, 3], Effort::FULL).unwrap();
        assert!((p - 0.1).abs() < 0.003, "{p}");
        // Sums of at least 7: {2, 5}, {3, 4}, {3, 5}, {4, 5}.
        let p = rank_sum_p_value(&[2, 5], &[1, 3, 4], Effort::FULL).unwrap();
        assert!((p - 0.4).abs() < 0.005, "{p}");
        // The larger group as the first: {3, 4, 5} alone.
        let p = rank_sum_p_value(&[3, 4, 5], &[1, 2], Effort::FULL).unwrap();
        assert!((p - 0.1).abs() < 0.003, "{p}");
    }

    /// `SciPy`: `permutation_test` over the rank sum counts all 184,756 divisions: 0.01174.
    #[test]
    fn equal_scores_share_a_rank() {
        let first = [12, 15, 15, 18, 20, 22, 25, 25, 30, 31];
        let second = [8, 9, 12, 12, 14, 15, 15, 17, 20, 25];
        let p = rank_sum_p_value(&first, &second, Effort::FULL).unwrap();
        assert!((p - 0.01174).abs() < 0.001, "{p}");
    }

    #[test]
    fn equal_groups_prove_nothing_and_an_empty_one_has_no_value() {
        let p = rank_sum_p_value(&[5; 9], &[5; 7], Effort::FULL).unwrap();
        assert!((p - 1.0).abs() < 1e-9);
        assert_eq!(rank_sum_p_value(&[], &[1], Effort::FULL), None);
    }

    /// Under the null hypothesis a p-value of at most 5 % comes in at most 5 % of the cases.
    #[test]
    fn false_alarms_are_as_rare_as_promised() {
        let effort = Effort {
            flips: 999,
            ..Effort::FULL
        };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut heavy_tailed = || 1_000 << (random.next_u64().trailing_ones().min(20));
        let n_alarms = (0..400)
            .filter(|_| {
                let shared: Vec<u64> = (0..40).map(|_| heavy_tailed()).collect();
                let private: Vec<u64> = (0..30).map(|_| heavy_tailed()).collect();
                rank_sum_p_value(&shared, &private, effort).unwrap() <= 0.05
            })
            .count();
        assert!(n_alarms <= 32, "{n_alarms} of 400");
    }
}
