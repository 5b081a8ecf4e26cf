//! How much resampling one figure may cost.
//!
//! Resampling is the most honest method and the dearest one. It is done in full
//! where that is cheap; beyond, closed forms of the same accuracy take over
//! (`skewness_correction`, the tail of Student's t), so that the report of a
//! hundred thousand games takes seconds.

/// Draws that all pairs of one report may use together.
const DRAWS_OF_A_REPORT: usize = 200_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Bootstrap resamples for an interval.
    pub resamples: usize,
    /// The most random sign patterns for a p-value: with `m` of them the smallest
    /// p-value is 1 / (m + 1).
    pub flips: usize,
    /// The most values drawn for one figure; who would need more uses the closed form.
    pub draws: usize,
}

impl Effort {
    pub const FULL: Self = Self {
        resamples: 1_999,
        flips: 99_999,
        draws: 10_000_000,
    };

    /// Where the claims matter and not the intervals.
    pub const CLAIMS_ONLY: Self = Self {
        resamples: 0,
        ..Self::FULL
    };

    /// The effort for each of `n_figures` figures of one report.
    #[must_use]
    pub fn shared_by(self, n_figures: usize) -> Self {
        Self {
            draws: self.draws.min(DRAWS_OF_A_REPORT / n_figures.max(1)),
            ..self
        }
    }

    /// The looks share the error rate, so that the ends of an interval lie further
    /// out, where only more resamples find them.
    #[must_use]
    pub fn for_looks(self, n_looks: usize) -> Self {
        Self {
            resamples: (self.resamples + 1) * n_looks - 1,
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

    #[test]
    fn more_looks_need_more_resamples() {
        assert_eq!(Effort::FULL.for_looks(1), Effort::FULL);
        assert_eq!(Effort::FULL.for_looks(8).resamples, 15_999);
    }
}
