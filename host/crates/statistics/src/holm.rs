//! Holm's correction of p-values for the number of comparisons.
//!
//! Holm, "A Simple Sequentially Rejective Multiple Test Procedure" (Scandinavian
//! Journal of Statistics 6, 1979): the smallest p-value is multiplied by the
//! number of tests, the next by one less, and so on; adjusted values never decrease. The
//! probability of any wrong claim stays below the level, even if the tests depend on each other.

use super::as_f64;

/// The adjusted p-values, in the order given.
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![1.0; p_values.len()];
    let mut highest: f64 = 0.0;
    for (n_smaller, &index) in order.iter().enumerate() {
        let factor = as_f64(p_values.len() - n_smaller);
        highest = highest.max((p_values[index] * factor).min(1.0));
        adjusted[index] = highest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_values_agree_with_hand_computation() {
        // Sorted: 0.01 × 4, 0.015 × 3, then 0.03 × 2, then 0.04 × 1, which must not fall.
        let adjusted = holm(&[0.04, 0.01, 0.03, 0.015]);
        for (value, expected) in adjusted.iter().zip([0.06, 0.04, 0.06, 0.045]) {
            assert!((value - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn nothing_exceeds_one() {
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}
