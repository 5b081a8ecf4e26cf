//! A confidence interval that holds after every seed at once, however a tournament is stopped.
//!
//! If the differences, less a value `v`, are as often positive as negative at every size, then
//! `exp(x s - x² q / 2)` is not expected to grow for any `x`, where `s` is their sum and `q` their
//! sum of squares (de la Peña, "A General Class of Exponential Inequalities for Martingales and
//! Ratios", Annals of Probability 27, 1999). Averaged over a normal `x` with variance `1 / r`, it
//! is the evidence
//!
//! ```text
//! E = sqrt(r / (q + r)) exp(s² / (2 (q + r)))
//! ```
//!
//! against `v`, and it ever reaches `1 / a` with a probability of at most `a` (Ville 1939; Robbins,
//! "Statistical Methods Related to the Law of the Iterated Logarithm", 1970; Howard, Ramdas,
//! `McAuliffe` and Sekhon, "Time-Uniform, Nonparametric, Nonasymptotic Confidence Sequences",
//! Annals of Statistics 49, 2021). This is the assumption of the sign-flip test, and no other.
//!
//! `r` is the sum of squares of the first ten seeds, or of more until a difference is not 0. It
//! does not depend on signs, so it may be taken from the data, and the sequence needs no unit.

use super::{as_f64, interval::Interval};

/// The number of seeds after which the evidence starts.
pub const FIRST_DIFFERENCES: usize = 10;

/// Halvings of the search for an end: beyond the digits of a float.
const HALVINGS: usize = 80;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    n: usize,
    sum: f64,
    squares: f64,
}

impl Sums {
    fn push(&mut self, difference: f64) {
        self.n += 1;
        self.sum += difference;
        self.squares += difference * difference;
    }

    /// Sum and sum of squares after a value has been subtracted from every difference.
    fn less(self, value: f64) -> (f64, f64) {
        let n = as_f64(self.n);
        let sum = self.sum - n * value;
        (sum, self.squares - value * (self.sum + sum))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConfidenceSequence {
    all: Sums,
    first: Sums,
}

impl ConfidenceSequence {
    #[must_use]
    pub fn of(differences: impl IntoIterator<Item = f64>) -> Self {
        let mut sequence = Self::default();
        for difference in differences {
            sequence.push(difference);
        }
        sequence
    }

    pub fn push(&mut self, difference: f64) {
        self.all.push(difference);
        if self.first.n < FIRST_DIFFERENCES || self.first.squares == 0.0 {
            self.first.push(difference);
        }
    }

    /// `None` without differences.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.all.n > 0).then(|| self.all.sum / as_f64(self.all.n))
    }

    /// The logarithm of the evidence against a mean of `value`.
    #[must_use]
    pub fn log_evidence(&self, value: f64) -> f64 {
        let ((sum, squares), (_, first)) = (self.all.less(value), self.first.less(value));
        let is_early = self.all.n < FIRST_DIFFERENCES;
        if is_early || first <= 0.0 {
            return f64::NEG_INFINITY;
        }
        let total = squares + first;
        0.5 * (first / total).ln() + sum * sum / (2.0 * total)
    }

    /// The values whose evidence is below `1 / significance`; `None` with too few seeds for an
    /// interval.
    #[must_use]
    pub fn interval(&self, significance: f64) -> Option<Interval> {
        let mean = self.mean()?;
        let limit = -significance.ln();
        let (n, first) = (as_f64(self.all.n), as_f64(self.first.n));
        // The evidence against values that are infinitely far away.
        let most = 0.5 * (first / (n + first)).ln() + n * n / (2.0 * (n + first));
        if self.all.n < FIRST_DIFFERENCES || most <= limit {
            return None;
        }
        let end = |direction: f64| {
            let mut outside = 1.0;
            while self.log_evidence(mean + direction * outside) < limit && outside < f64::MAX / 4.0
            {
                outside *= 2.0;
            }
            let mut inside = 0.0;
            for _ in 0..HALVINGS {
                let middle = f64::midpoint(inside, outside);
                if self.log_evidence(mean + direction * middle) < limit {
                    inside = middle;
                } else {
                    outside = middle;
                }
            }
            mean + direction * inside
        };
        Some(Interval {
            low: end(-1.0),
            high: end(1.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulated_scores::{ANOTHER_TEN_SCORES, TEN_SCORES, close};

    fn thirty() -> ConfidenceSequence {
        ConfidenceSequence::of((0..30).map(|i| f64::from((i * i * 37) % 101 - 20)))
    }

    /// From a second implementation in Python, which integrates over `x` numerically and solves
    /// for the ends by bisection.
    #[test]
    fn evidence_and_ends_agree_with_numerical_integration() {
        close(Some(thirty().log_evidence(0.0)), LOG_EVIDENCE[0]);
        close(Some(thirty().log_evidence(60.0)), LOG_EVIDENCE[1]);
        let interval = thirty().interval(0.05).unwrap();
        close(Some(interval.low), ENDS[0]);
        close(Some(interval.high), ENDS[1]);
    }

    const LOG_EVIDENCE: [f64; 2] = [5.254_136_734_5, 4.638_722_510_2];
    const ENDS: [f64; 2] = [10.016_504_728_9, 51.923_116_610_6];

    #[test]
    fn too_few_seeds_have_no_interval_and_no_evidence() {
        let differences = TEN_SCORES
            .iter()
            .zip(ANOTHER_TEN_SCORES)
            .map(|(a, b)| a - b);
        let ten = ConfidenceSequence::of(differences.clone());
        assert_eq!((ten.all.n, ten.interval(0.05)), (10, None));
        let nine = ConfidenceSequence::of(differences.take(9));
        assert!(nine.log_evidence(0.0) < f64::MIN);
        assert_eq!(ConfidenceSequence::default().mean(), None);
    }

    #[test]
    fn equal_games_prove_that_agents_are_equal_but_not_that_they_differ() {
        let mut same = ConfidenceSequence::of([0.0; 40]);
        assert!(same.log_evidence(0.0) < f64::MIN);
        assert_eq!(same.interval(0.05), Some(Interval::around(0.0, 0.0)));
        same.push(8.0);
        assert!(same.interval(0.05).unwrap().contains(0.0));
    }

    #[test]
    fn the_interval_ends_where_the_evidence_reaches_its_limit() {
        let interval = thirty().interval(0.05).unwrap();
        for end in [interval.low, interval.high] {
            assert!((thirty().log_evidence(end) - 20.0_f64.ln()).abs() < 1e-6);
        }
    }
}
