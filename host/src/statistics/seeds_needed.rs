//! How many more seeds would separate two agents.
//!
//! The normal approximation of the power of a paired test, with Guenther's
//! correction for the estimated variance ("Sample Size Formulas for Normal
//! Theory T Tests", The American Statistician 35, 1981). It assumes that
//! the measured difference is the true one, so it is an order of magnitude only.

use super::{length, rate::normal_quantile};

/// The probability of finding the difference with the advised number of seeds.
const POWER: f64 = 0.8;

/// With more seeds than this, the agents are practically equal.
const MOST_SEEDS: f64 = 100_000.0;

/// The seeds, beyond the `n_games` played, after which a difference of the measured size is found
/// at this significance level with a probability of 80%; `None` where too many would be needed.
#[must_use]
pub fn more_seeds_needed(
    mean_difference: f64,
    standard_deviation: f64,
    n_games: usize,
    significance: f64,
) -> Option<u64> {
    let size = (mean_difference / standard_deviation).abs();
    if size.is_nan() {
        return None;
    }
    let z = normal_quantile(1.0 - significance / 2.0);
    let needed = ((z + normal_quantile(POWER)) / size).powi(2) + z * z / 2.0;
    let more = (needed.ceil() - length(n_games)).max(1.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 1 and MOST_SEEDS"
    )]
    (more <= MOST_SEEDS).then_some(more as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_advice_has_a_power_of_80_percent() {
        // By scipy's noncentral t, 34, 90 and 139 pairs are the fewest with that power.
        assert_eq!(more_seeds_needed(0.5, 1.0, 0, 0.05), Some(34));
        assert_eq!(more_seeds_needed(-300.0, 1_000.0, 30, 0.05), Some(60));
        assert_eq!(more_seeds_needed(0.3, 1.0, 0, 0.05 / 6.0), Some(139));
    }

    #[test]
    fn no_number_of_seeds_separates_equal_agents() {
        assert_eq!(more_seeds_needed(0.0, 1_000.0, 30, 0.05), None);
        assert_eq!(more_seeds_needed(0.0, 0.0, 30, 0.05), None);
        assert_eq!(more_seeds_needed(1.0, 1_000.0, 30, 0.05), None);
    }

    #[test]
    fn a_pair_that_is_still_open_needs_at_least_one_more() {
        assert_eq!(more_seeds_needed(2.0, 1.0, 500, 0.05), Some(1));
    }
}
