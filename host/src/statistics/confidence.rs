//! How sure a report is, shared out over the looks at its data.
//!
//! Who looks at the data again and again and stops when it pleases finds
//! something in the end, even between equal agents (Armitage, `McPherson` and
//! Rowe, "Repeated Significance Tests on Accumulating Data", Journal of the
//! Royal Statistical Society A 132, 1969). The error rate is therefore split
//! into equal parts, one a look that may be taken (Bonferroni): whatever the
//! data are and whenever the looks end, all of them together are wrong no more
//! often than a single one would be. It costs some seeds against boundaries such
//! as Pocock's, and assumes nothing.

use super::length;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    together: f64,
    n_looks: usize,
}

impl Confidence {
    /// 95 %, of one look.
    pub const USUAL: Self = Self {
        together: 0.95,
        n_looks: 1,
    };

    /// The confidence that all looks have together; between 0 and 1.
    #[must_use]
    pub fn of_all(together: f64, n_looks: usize) -> Self {
        Self {
            together,
            n_looks: n_looks.max(1),
        }
    }

    /// What the report as a whole may be believed with.
    #[must_use]
    pub fn together(self) -> f64 {
        self.together
    }

    #[must_use]
    pub fn n_looks(self) -> usize {
        self.n_looks
    }

    /// The confidence of the intervals of one look.
    #[must_use]
    pub fn of_one_look(self) -> f64 {
        1.0 - self.significance() / length(self.n_looks)
    }

    /// The share of tournaments in which some difference may be claimed wrongly:
    /// what p-values, corrected for pairs and looks, are held against.
    #[must_use]
    pub fn significance(self) -> f64 {
        1.0 - self.together
    }

    /// The same p-value with all looks in view.
    #[must_use]
    pub fn over_looks(self, p_value: f64) -> f64 {
        (p_value * length(self.n_looks)).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_share_the_error_rate() {
        let confidence = Confidence::of_all(0.95, 8);
        assert!((confidence.of_one_look() - 0.993_75).abs() < 1e-12);
        assert!((confidence.over_looks(0.004) - 0.032).abs() < 1e-12);
        assert!((confidence.significance() - 0.05).abs() < 1e-12);
        assert!((Confidence::USUAL.of_one_look() - 0.95).abs() < 1e-12);
        assert!((confidence.over_looks(0.5) - 1.0).abs() < 1e-12);
    }
}
