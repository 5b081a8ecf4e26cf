//! Medians and quartiles.
//!
//! The value at a share of the sorted list, interpolated between neighbours:
//! type 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages" (The
//! American Statistician 50, 1996), which R, `NumPy` and spreadsheets use.

use super::length;

/// The quantile of ascending values; `None` for an empty list.
#[must_use]
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let position = share.clamp(0.0, 1.0) * length(last);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the position is between 0 and the length of the list"
    )]
    let below = position.floor() as usize;
    let above = (below + 1).min(last);
    Some(sorted[below] + (position - length(below)) * (sorted[above] - sorted[below]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulated_scores::{TEN_SCORES, close};

    #[test]
    fn quartiles_agree_with_numpy() {
        let mut sorted = TEN_SCORES;
        sorted.sort_unstable_by(f64::total_cmp);
        close(quantile(&sorted, 0.25), 18_836.0);
        close(quantile(&sorted, 0.5), 28_916.0);
        close(quantile(&sorted, 0.75), 34_872.0);
    }

    #[test]
    fn the_ends_are_the_extremes() {
        assert_eq!(quantile(&[3.0, 4.0, 9.0], 0.0), Some(3.0));
        assert_eq!(quantile(&[3.0, 4.0, 9.0], 1.0), Some(9.0));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
