//! Estimates as people read them: a number of a measure with its confidence interval.

use statistics::{game_outcome::Measure, interval::Interval};
use text::number_text::{NONE, amount, percent};

/// A number of this measure: points, moves or percentage points.
pub(crate) fn of_measure(measure: Measure, number: f64) -> String {
    match measure {
        Measure::Score | Measure::Moves => amount(number),
        Measure::Reach => percent(number),
    }
}

/// The two ends with their brackets: `[23,700` and `25,240]`. An end just beside 0 is written as
/// `>0` or `<0`; one that seeds are too few for is infinite.
fn ends(interval: Interval, text: impl Fn(f64) -> String) -> [String; 2] {
    let written = |end: f64, beside_zero: &str| match end {
        end if end == f64::INFINITY => "∞".to_owned(),
        end if end == f64::NEG_INFINITY => "-∞".to_owned(),
        end if Interval::is_just_beside_zero(end) => beside_zero.to_owned(),
        end => text(end),
    };
    let Interval { low, high } = interval;
    let open = if low.is_infinite() { '(' } else { '[' };
    let close = if high.is_infinite() { ')' } else { ']' };
    [
        format!("{open}{}", written(low, ">0")),
        format!("{}{close}", written(high, "<0")),
    ]
}

/// `24,469 [23,700, 25,240]`; without an interval only the number.
pub(crate) fn with_interval(
    number: f64,
    interval: Option<Interval>,
    text: impl Fn(f64) -> String,
) -> String {
    match interval {
        Some(interval) => {
            let [low, high] = ends(interval, &text);
            format!("{} {low}, {high}", text(number))
        }
        None => text(number),
    }
}

/// A number and its confidence interval.
pub(crate) type Estimate = (Option<f64>, Option<Interval>);

/// Numbers with their intervals, padded so that digits are aligned. The measure of each number
/// decides how it is written.
pub(crate) fn aligned_intervals(estimates: &[(Measure, Estimate)]) -> Vec<String> {
    let texts: Vec<[String; 3]> = estimates
        .iter()
        .map(|(measure, (number, interval))| {
            let text = |number| of_measure(*measure, number);
            let [low, high] = interval
                .map(|interval| ends(interval, text))
                .unwrap_or_default();
            [number.map_or(NONE.into(), text), low, high]
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
                // Digits are aligned behind the brackets.
                let (bracket, low) = low.split_at(1);
                let low_width = low_width - 1;
                format!("{number:>width$} {bracket}{low:>low_width$}, {high:>high_width$}")
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

    #[test]
    fn an_end_just_beside_zero_says_so() {
        let interval = Interval {
            low: -3.0,
            high: f64::INFINITY,
        };
        let text = |interval| with_interval(500.0, Some(interval), amount);
        assert_eq!(text(interval.above_zero()), "500 [>0, ∞)");
        assert_eq!(text(interval.above_zero().negated()), "500 (-∞, <0]");
        assert_eq!(text(interval), "500 [-3.0, ∞)");
    }
}
