//! Numbers as people read them: `24,469 [23,700, 25,240]`, `93.3%`, `p < 0.001`.

use crate::statistics::{interval::Interval, outcome::Measure};

/// Stands where there is no number.
pub(super) const NONE: &str = "–";

/// Below this a mean is shown with one decimal: boards of side 2 and 3.
const SMALL: f64 = 100.0;

/// A whole number with thousands separators.
pub(super) fn count(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && position % 3 == first {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A mean or a difference, rounded to what matters.
pub(super) fn amount(number: f64) -> String {
    decimals(number, usize::from(number.abs() < SMALL))
}

/// With so many digits after the point.
pub(super) fn decimals(number: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", number.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let whole = whole.parse().map_or(whole.to_owned(), count);
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let sign = if number < 0.0 && !is_zero { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

/// One decimal, but for never and always.
pub(super) fn percent(share: f64) -> String {
    if [0.0, 1.0, -1.0].contains(&share) {
        format!("{:.0}%", 100.0 * share)
    } else {
        format!("{}%", decimals(100.0 * share, 1))
    }
}

/// As many digits as it has, up to three: `95%`, `99.375%`.
pub(super) fn percent_with_digits(share: f64) -> String {
    let text = format!("{:.3}", 100.0 * share);
    format!("{}%", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A number of the measure: points, moves or percentage points.
pub(super) fn of_measure(measure: Measure, number: f64) -> String {
    match measure {
        Measure::Score | Measure::Moves => amount(number),
        Measure::Reach => percent(number),
    }
}

/// `24,469 [23,700, 25,240]`; without interval the number alone.
pub(super) fn with_interval(
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

/// A number and its interval, not yet written.
pub(super) type Figure = (Option<f64>, Option<Interval>);

/// Numbers with their intervals, padded so that their digits stand in columns.
/// Each comes with the measure that decides how it is written.
pub(super) fn aligned_intervals(figures: &[(Measure, Figure)]) -> Vec<String> {
    let texts: Vec<[String; 3]> = figures
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

/// `0.031`, `< 0.001`.
pub(super) fn p_value(p_value: f64) -> String {
    if p_value < 0.001 {
        "< 0.001".to_owned()
    } else {
        format!("{p_value:.3}")
    }
}

/// `p = 0.031`, `p < 0.001`.
pub(super) fn p_value_in_a_sentence(value: f64) -> String {
    let text = p_value(value);
    let sign = if text.starts_with('<') { "" } else { "= " };
    format!("p {sign}{text}")
}

/// Three digits and the unit that suits them: `790 µs`, `1.43 ms`.
pub(super) fn microseconds(time: f64) -> String {
    let (number, unit) = match time {
        t if t < 999.5 => (t, "µs"),
        t if t < 999.5e3 => (t / 1e3, "ms"),
        t => (t / 1e6, "s"),
    };
    let digits = match number {
        n if n == 0.0 || n >= 99.95 => 0,
        n if n >= 9.995 => 1,
        _ => 2,
    };
    format!("{} {unit}", decimals(number, digits))
}

/// `mcts`, `mcts and snake`, `mcts, minimax and snake`.
pub(super) fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `1 game`, `20 games`.
pub(super) fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_000), "1,000");
        assert_eq!(count(1_234_567), "1,234,567");
    }

    #[test]
    fn means_are_rounded_to_what_matters() {
        assert_eq!(amount(24_469.4), "24,469");
        assert_eq!(amount(-1_234.56), "-1,235");
        assert_eq!(amount(12.34), "12.3");
        assert_eq!(amount(-0.04), "0.0");
    }

    #[test]
    fn an_interval_stands_in_brackets() {
        let interval = Some(Interval {
            low: 23_700.2,
            high: 25_239.8,
        });
        let text = with_interval(24_469.0, interval, amount);
        assert_eq!(text, "24,469 [23,700, 25,240]");
    }

    #[test]
    fn confidence_has_the_digits_it_needs() {
        assert_eq!(percent_with_digits(0.95), "95%");
        assert_eq!(percent_with_digits(0.993_75), "99.375%");
        assert_eq!(percent_with_digits(0.9), "90%");
    }

    #[test]
    fn p_values_have_three_digits() {
        assert_eq!(p_value_in_a_sentence(0.0312), "p = 0.031");
        assert_eq!(p_value_in_a_sentence(0.000_4), "p < 0.001");
    }

    #[test]
    fn times_have_three_digits_and_a_unit() {
        assert_eq!(microseconds(0.0), "0 µs");
        assert_eq!(microseconds(790.0), "790 µs");
        assert_eq!(microseconds(1_430.0), "1.43 ms");
        assert_eq!(microseconds(12_345_678.0), "12.3 s");
    }
}
