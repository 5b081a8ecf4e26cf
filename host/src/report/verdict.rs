//! The result in sentences, one per pair of neighbours in the ranking.

use super::{
    budget_report::BudgetReport,
    pair_report::{PairReport, PairVerdict},
    tables::estimate_text::{of_measure, with_interval},
};
use crate::{
    statistics::{game_outcome::Measure, interval::Interval},
    text::number_text::{counted, p_value_in_a_sentence},
};

/// From the top of the ranking downwards.
#[must_use]
pub fn verdicts(part: &BudgetReport) -> Vec<String> {
    part.neighbours().map(verdict).collect()
}

fn verdict(pair: &PairReport) -> String {
    let comparison = &pair.comparison;
    let Some(difference) = comparison.mean_difference else {
        return format!("{} and {} have no seed in common", pair.a, pair.b);
    };
    let (winner, loser) = match pair.verdict {
        PairVerdict::FirstIsBetter => (&pair.a, &pair.b),
        PairVerdict::SecondIsBetter => (&pair.b, &pair.a),
        PairVerdict::Equal => return equal(pair, difference),
        PairVerdict::Open => return open(pair, difference),
    };
    // The advantage of the winner is a positive number.
    let is_negative = comparison.measure.more_is_better() != (*winner == pair.a);
    let (difference, interval) = if is_negative {
        (-difference, pair.interval.map(Interval::negated))
    } else {
        (difference, pair.interval)
    };
    let size = size(comparison.measure, difference, interval);
    let advantage = match comparison.measure {
        Measure::Score => format!("beats {loser} by {size}"),
        Measure::Reach => format!("reaches the goal more often than {loser}, by {size}"),
        Measure::Moves => format!("needs fewer moves to the goal than {loser}, by {size}"),
    };
    match pair.p_adjusted {
        Some(p_value) => format!("{winner} {advantage}, {}", corrected(p_value)),
        None => format!("{winner} {advantage}"),
    }
}

fn equal(pair: &PairReport, difference: f64) -> String {
    format!(
        "{} and {} are practically equal ({})",
        pair.a,
        pair.b,
        size(pair.comparison.measure, difference, pair.interval)
    )
}

fn open(pair: &PairReport, difference: f64) -> String {
    let comparison = &pair.comparison;
    let (a, b) = (&pair.a, &pair.b);
    let Some(p_value) = pair.p_adjusted else {
        return if comparison.ties == comparison.games {
            format!("{a} and {b} are equal")
        } else {
            format!("{a} and {b} cannot be distinguished: each wins some games and loses others")
        };
    };
    let sentence = format!(
        "{a} and {b} cannot be distinguished ({}, {})",
        size(comparison.measure, difference, pair.interval),
        corrected(p_value)
    );
    match pair.detectable.first() {
        Some((seeds, shown)) if *shown > 0.0 && shown.is_finite() => format!(
            "{sentence}; {} would show a difference of {} in 4 of 5 runs",
            counted(*seeds as u64, "seed"),
            of_measure(comparison.measure, *shown)
        ),
        _ => sentence,
    }
}

/// The p-value, named as what it is.
pub(super) fn corrected(p_value: f64) -> String {
    format!("corrected {}", p_value_in_a_sentence(p_value))
}

fn size(measure: Measure, difference: f64, interval: Option<Interval>) -> String {
    with_interval(difference, interval, |number| of_measure(measure, number))
}
