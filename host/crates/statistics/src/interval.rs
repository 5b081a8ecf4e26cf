//! Confidence intervals and their level.

use serde::Serialize;

/// A confidence interval; its level is 95% unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    #[must_use]
    pub fn around(middle: f64, half_width: f64) -> Self {
        Self {
            low: middle - half_width,
            high: middle + half_width,
        }
    }

    /// The same interval with both ends this much further outside.
    #[must_use]
    pub fn widened(self, by: f64) -> Self {
        Self {
            low: self.low - by,
            high: self.high + by,
        }
    }

    #[must_use]
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The values above 0. An end at 0 excludes 0 itself: it is the smallest number above it.
    #[must_use]
    pub fn above_zero(self) -> Self {
        Self {
            low: self.low.max(f64::MIN_POSITIVE),
            ..self
        }
    }

    /// Whether an end excludes 0 and nothing else on its side.
    #[must_use]
    pub fn is_just_beside_zero(end: f64) -> bool {
        end != 0.0 && end.abs() < 2.0 * f64::MIN_POSITIVE
    }

    /// The same values and 0.
    #[must_use]
    pub fn with_zero(self) -> Self {
        Self {
            low: self.low.min(0.0),
            high: self.high.max(0.0),
        }
    }

    #[must_use]
    pub fn within(self, other: Self) -> Self {
        Self {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }

    /// `None` where the interval says nothing.
    #[must_use]
    pub fn informative(self) -> Option<Self> {
        let is_bounded = self.low.is_finite() || self.high.is_finite();
        (is_bounded && self.low <= self.high).then_some(self)
    }

    /// The same interval of the difference in the opposite direction.
    #[must_use]
    pub fn negated(self) -> Self {
        Self {
            low: -self.high,
            high: -self.low,
        }
    }
}

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
