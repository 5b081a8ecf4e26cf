//! How much resampling one figure may cost.
//!
//! Resampling needs the fewest assumptions and the most time. It is used where it is cheap.
//! For larger samples, a closed form of the same accuracy replaces it (`skewness_correction`) or
//! fewer sign patterns are tried, so the report of a hundred thousand games takes seconds.

/// The most draws of all pairs of one report together.
const DRAWS_OF_A_REPORT: usize = 200_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Bootstrap resamples for an interval.
    pub resamples: usize,
    /// The most random sign patterns for a p-value; with `m` of them the smallest p-value is
    /// 1 / (m + 1).
    pub flips: usize,
    /// The most values drawn for one figure; larger samples use the closed form.
    pub draws: usize,
}

impl Effort {
    pub const FULL: Self = Self {
        resamples: 1_999,
        flips: 99_999,
        draws: 10_000_000,
    };

    /// The effort for each of `n_figures` figures of one report.
    #[must_use]
    pub fn shared_by(self, n_figures: usize) -> Self {
        Self {
            draws: self.draws.min(DRAWS_OF_A_REPORT / n_figures.max(1)),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_of_a_hundred_agents_shares_the_work() {
        assert_eq!(Effort::FULL.shared_by(6), Effort::FULL);
        assert_eq!(Effort::FULL.shared_by(4_950).draws, 40_404);
    }
}
