//! The confidence level of a report, shared by its interim analyses.
//!
//! Repeated tests on growing data find a difference sooner or later, even between equal agents
//! (Armitage, `McPherson` and Rowe, "Repeated Significance Tests on Accumulating Data", Journal
//! of the Royal Statistical Society A 132, 1969). The error rate is therefore divided equally
//! among all planned analyses (Bonferroni). Whatever the data and whenever the tournament stops,
//! the analyses together are wrong no more often than a single one would be. This needs
//! somewhat more seeds than boundaries such as Pocock's, but no assumptions.

use super::length;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    together: f64,
    n_analyses: usize,
}

impl Confidence {
    /// 95%, with a single analysis.
    pub const USUAL: Self = Self {
        together: 0.95,
        n_analyses: 1,
    };

    /// The confidence of all analyses together, between 0 and 1.
    #[must_use]
    pub fn of_all(together: f64, n_analyses: usize) -> Self {
        Self {
            together,
            n_analyses: n_analyses.max(1),
        }
    }

    /// The confidence of the report as a whole.
    #[must_use]
    pub fn together(self) -> f64 {
        self.together
    }

    #[must_use]
    pub fn n_analyses(self) -> usize {
        self.n_analyses
    }

    /// The confidence of the intervals of one analysis.
    #[must_use]
    pub fn of_one_analysis(self) -> f64 {
        1.0 - self.significance() / length(self.n_analyses)
    }

    /// The accepted share of tournaments with a wrong claim. P-values corrected for pairs and
    /// analyses are compared with it.
    #[must_use]
    pub fn significance(self) -> f64 {
        1.0 - self.together
    }

    /// A p-value corrected for the number of analyses.
    #[must_use]
    pub fn over_analyses(self, p_value: f64) -> f64 {
        (p_value * length(self.n_analyses)).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn analyses_share_the_error_rate() {
        let confidence = Confidence::of_all(0.95, 8);
        assert!((confidence.of_one_analysis() - 0.993_75).abs() < 1e-12);
        assert!((confidence.over_analyses(0.004) - 0.032).abs() < 1e-12);
        assert!((confidence.significance() - 0.05).abs() < 1e-12);
        assert!((Confidence::USUAL.of_one_analysis() - 0.95).abs() < 1e-12);
        assert!((confidence.over_analyses(0.5) - 1.0).abs() < 1e-12);
    }
}
