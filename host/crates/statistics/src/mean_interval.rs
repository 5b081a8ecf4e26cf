//! The confidence interval of a mean, by the method that fits the sample.

use super::{
    bootstrap::bootstrap_t_interval,
    confidence_sequence::ConfidenceSequence,
    effort::Effort,
    interval::{Confidence, Interval},
    skewness_correction::{skewness_corrected_interval, student_interval},
};

/// Smaller samples have too few different games for resampling.
const FEWEST_TO_RESAMPLE: usize = 10;

/// The interval with this confidence; `None` for too few values. The values must be in the order
/// of the plan if the interval is to hold at any time.
#[must_use]
pub fn mean_interval(values: &[f64], confidence: Confidence, effort: Effort) -> Option<Interval> {
    if confidence.at_any_time {
        let sequence = ConfidenceSequence::of(values.iter().copied());
        return sequence.interval(confidence.significance());
    }
    let confidence = confidence.level;
    match MeanMethod::for_sample(values.len(), effort) {
        MeanMethod::Student => student_interval(values, confidence),
        MeanMethod::Bootstrap => bootstrap_t_interval(values, effort.resamples, confidence),
        MeanMethod::ClosedForm => skewness_corrected_interval(values, confidence),
    }
}

/// How the interval of a mean is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MeanMethod {
    Student,
    Bootstrap,
    ClosedForm,
}

impl MeanMethod {
    #[must_use]
    pub fn for_sample(n_values: usize, effort: Effort) -> Self {
        if n_values < FEWEST_TO_RESAMPLE {
            Self::Student
        } else if n_values.saturating_mul(effort.resamples) <= effort.draws {
            Self::Bootstrap
        } else {
            Self::ClosedForm
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        as_f64,
        simulated_scores::{Scores, generator},
    };

    const QUICK: Effort = Effort {
        resamples: 999,
        ..Effort::FULL
    };

    /// Without draws the closed form is used.
    const CLOSED_FORM: Effort = Effort {
        draws: 0,
        ..Effort::FULL
    };

    #[track_caller]
    fn check_coverage(n_games: usize, n_tournaments: u32, effort: Effort) {
        let mut random = generator(n_games as u64);
        for scores in Scores::ALL {
            let truth = scores.true_mean();
            let covered = (0..n_tournaments)
                .filter(|_| {
                    let games = scores.draw(n_games, &mut random);
                    mean_interval(&games, Confidence::USUAL, effort)
                        .unwrap()
                        .contains(truth)
                })
                .count();
            let share = as_f64(covered) / f64::from(n_tournaments);
            assert!((0.93..=0.97).contains(&share), "{scores:?}: {share}");
        }
    }

    #[test]
    fn intervals_of_thirty_games_cover_the_truth_93_to_97_times_in_100() {
        check_coverage(30, 2_000, QUICK);
    }

    #[test]
    #[ignore = "takes a quarter of a minute; `.ci/slow` runs it"]
    fn intervals_of_a_hundred_games_cover_the_truth_93_to_97_times_in_100() {
        check_coverage(100, 1_000, QUICK);
    }

    #[test]
    fn the_closed_form_covers_the_truth_as_well() {
        check_coverage(60, 2_000, CLOSED_FORM);
        check_coverage(1_000, 1_000, CLOSED_FORM);
    }

    #[test]
    fn two_games_have_a_wide_interval_and_one_has_none() {
        assert!(mean_interval(&[100.0, 200.0], Confidence::USUAL, Effort::FULL).is_some());
        assert_eq!(
            mean_interval(&[100.0], Confidence::USUAL, Effort::FULL),
            None
        );
    }
}
