//! Descriptive statistics: mean, spread, skewness and quantiles.

use super::as_f64;

/// `None` for an empty list.
#[must_use]
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / as_f64(values.len()))
}

/// The unbiased variance (divisor `n - 1`).
#[must_use]
pub fn variance(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (values.len() > 1).then(|| squares / as_f64(values.len() - 1))
}

#[must_use]
pub fn standard_deviation(values: &[f64]) -> Option<f64> {
    variance(values).map(f64::sqrt)
}

/// The third standardised moment, with divisor `n`; `None` where all values are equal.
#[must_use]
pub fn skewness(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    let n = as_f64(values.len());
    let moment = |power| {
        values
            .iter()
            .map(|value| (value - mean).powi(power))
            .sum::<f64>()
            / n
    };
    let spread = moment(2);
    (spread > 0.0).then(|| moment(3) / spread.powf(1.5))
}

/// The quantile of ascending values, interpolated between neighbours; `None` for an empty list.
///
/// This is type 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages" (The American
/// Statistician 50, 1996), which R, `NumPy` and spreadsheets use.
#[must_use]
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let position = share.clamp(0.0, 1.0) * as_f64(last);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the position is between 0 and the length of the list"
    )]
    let below = position.floor() as usize;
    let above = (below + 1).min(last);
    Some(sorted[below] + (position - as_f64(below)) * (sorted[above] - sorted[below]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulated_scores::{TEN_SCORES, close};

    #[test]
    fn moments_agree_with_scipy() {
        close(mean(&TEN_SCORES), 29_023.2);
        close(standard_deviation(&TEN_SCORES), 15_091.235_166_3);
        close(skewness(&TEN_SCORES), 0.710_857_415_95);
    }

    #[test]
    fn there_is_no_spread_of_one_game() {
        assert_eq!(mean(&[]), None);
        assert_eq!(variance(&[7.0]), None);
        assert_eq!(skewness(&[7.0, 7.0]), None);
    }

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
