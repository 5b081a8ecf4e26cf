//! The confidence level of a report, and whether its intervals hold at any time.

/// The confidence of intervals and claims.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    pub level: f64,
    /// With a stop rule, the number of games depends on their results. Intervals must then hold
    /// after every game at once; see `confidence_sequence`.
    pub at_any_time: bool,
}

impl Confidence {
    /// 95%, for a number of games that was fixed in advance.
    pub const USUAL: Self = Self {
        level: 0.95,
        at_any_time: false,
    };

    /// The accepted share of tournaments with a wrong claim.
    #[must_use]
    pub fn significance(self) -> f64 {
        1.0 - self.level
    }
}
