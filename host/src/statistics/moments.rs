//! Mean, spread, skewness and correlation of numbers.

use super::length;

/// `None` for an empty list.
#[must_use]
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / length(values.len()))
}

/// The unbiased variance (divisor `n - 1`).
#[must_use]
pub fn variance(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (values.len() > 1).then(|| squares / length(values.len() - 1))
}

#[must_use]
pub fn standard_deviation(values: &[f64]) -> Option<f64> {
    variance(values).map(f64::sqrt)
}

/// The third standardised moment, with divisor `n`; `None` where all values are equal.
#[must_use]
pub fn skewness(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    let n = length(values.len());
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

/// Pearson's correlation; `None` where one side is constant.
#[must_use]
pub fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let (firsts, seconds): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (first_mean, second_mean) = (mean(&firsts)?, mean(&seconds)?);
    let product: f64 = pairs
        .iter()
        .map(|(first, second)| (first - first_mean) * (second - second_mean))
        .sum();
    let spread = (variance(&firsts)? * variance(&seconds)?).sqrt() * length(pairs.len() - 1);
    (spread > 0.0).then(|| (product / spread).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::simulated_scores::{ANOTHER_TEN_SCORES, TEN_SCORES, close};

    #[test]
    fn moments_agree_with_scipy() {
        close(mean(&TEN_SCORES), 29_023.2);
        close(standard_deviation(&TEN_SCORES), 15_091.235_166_3);
        close(skewness(&TEN_SCORES), 0.710_857_415_95);
        let pairs: Vec<_> = TEN_SCORES.into_iter().zip(ANOTHER_TEN_SCORES).collect();
        close(correlation(&pairs), 0.813_596_671_7);
    }

    #[test]
    fn there_is_no_spread_of_one_game_and_no_correlation_with_a_constant() {
        assert_eq!(mean(&[]), None);
        assert_eq!(variance(&[7.0]), None);
        assert_eq!(skewness(&[7.0, 7.0]), None);
        assert_eq!(correlation(&[(1.0, 5.0), (2.0, 5.0)]), None);
        assert_eq!(correlation(&[(1.0, 5.0)]), None);
    }
}
