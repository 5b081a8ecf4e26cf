//! The difference that a tournament would have shown with a probability of 80%.
//!
//! The power of a paired test of `n` differences with standard deviation `s`, by the usual
//! approximation of the noncentral t: `(t(1 - a / 2) + t(0.8)) s / sqrt(n)` with `n - 1` degrees
//! of freedom (Cohen, "Statistical Power Analysis for the Behavioral Sciences", 1988, chapter 2).
//! It needs the spread of the differences only, which a run measures well, and not the
//! difference itself, which it does not.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::as_f64;

/// The probability of finding the difference.
pub const POWER: f64 = 0.8;

/// Multiples of the seeds played for which a report shows the difference.
pub const MULTIPLES: [usize; 4] = [1, 2, 4, 10];

/// The smallest difference that `n_seeds` show at this significance level with a probability of
/// 80%; `None` for fewer than two seeds.
#[must_use]
pub fn detectable_difference(
    standard_deviation: f64,
    n_seeds: usize,
    significance: f64,
) -> Option<f64> {
    let freedom = as_f64(n_seeds.checked_sub(1)?);
    let student = StudentsT::new(0.0, 1.0, freedom).ok()?;
    let quantiles = student.inverse_cdf(1.0 - significance / 2.0) + student.inverse_cdf(POWER);
    Some(quantiles * standard_deviation / as_f64(n_seeds).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By `SciPy`'s noncentral t, 34, 90 and 139 pairs are the fewest that show a difference of
    /// 0.5, 0.3 and 0.3 standard deviations at these levels with a power of 80%.
    #[test]
    fn the_difference_has_a_power_of_80_percent() {
        for (difference, n_seeds, significance) in
            [(0.5, 34, 0.05), (0.3, 90, 0.05), (0.3, 139, 0.05 / 6.0)]
        {
            let shown = |n| detectable_difference(1.0, n, significance).unwrap();
            let ratio = shown(n_seeds) / difference;
            assert!((0.985..1.01).contains(&ratio), "{n_seeds}: {ratio}");
        }
    }

    #[test]
    fn four_times_the_seeds_show_half_the_difference() {
        let shown = |n| detectable_difference(9_000.0, n, 0.05).unwrap();
        assert!((shown(100) / shown(400) - 2.0).abs() < 0.05);
        assert_eq!(detectable_difference(9_000.0, 1, 0.05), None);
        assert_eq!(detectable_difference(0.0, 30, 0.05), Some(0.0));
    }
}
