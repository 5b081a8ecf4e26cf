//! Estimates as people read them: a number of a measure with its confidence interval.

use crate::{
    statistics::{game_outcome::Measure, interval::Interval},
    text::number_text::{NONE, amount, percent},
};

/// A number of this measure: points, moves or percentage points.
pub(in crate::report) fn of_measure(measure: Measure, number: f64) -> String {
    match measure {
        Measure::Score | Measure::Moves => amount(number),
        Measure::Reach => percent(number),
    }
}

/// `24,469 [23,700, 25,240]`; without an interval only the number.
pub(in crate::report) fn with_interval(
    number: f64,
    interval: Option<Interval>,
    text: impl Fn(f64) -> String,
) -> String {
    match interval {
        Some(Interval { low, high }) => {
            format!("{} [{}, {}]", text(number), text(low), text(high))
        }
        None => text(number),
    }
}

/// A number and its confidence interval.
pub(in crate::report) type Estimate = (Option<f64>, Option<Interval>);

/// Numbers with their intervals, padded so that digits are aligned. The measure of each number
/// decides how it is written.
pub(in crate::report) fn aligned_intervals(estimates: &[(Measure, Estimate)]) -> Vec<String> {
    let texts: Vec<[String; 3]> = estimates
        .iter()
        .map(|(measure, (number, interval))| {
            let text = |number: Option<f64>| number.map(|number| of_measure(*measure, number));
            let end = |end: fn(Interval) -> f64| text(interval.map(end)).unwrap_or_default();
            [
                text(*number).unwrap_or(NONE.into()),
                end(|interval| interval.low),
                end(|interval| interval.high),
            ]
        })
        .collect();
    let widest = |part: usize| {
        let widths = texts.iter().map(|text| text[part].chars().count());
        widths.max().unwrap_or(0)
    };
    let [width, low_width, high_width] = [0, 1, 2].map(widest);
    texts
        .iter()
        .map(|[number, low, high]| {
            if low.is_empty() {
                format!("{number:>width$}")
            } else {
                format!("{number:>width$} [{low:>low_width$}, {high:>high_width$}]")
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_in_brackets() {
        let interval = Some(Interval {
            low: 23_700.2,
            high: 25_239.8,
        });
        let text = with_interval(24_469.0, interval, amount);
        assert_eq!(text, "24,469 [23,700, 25,240]");
    }
}
