//! Numbers as people read them: `24,469`, `93.3%`, `p < 0.001`, `1.43 ms`.
//!
//! Tables, sentences and pages round by these rules. A few places have a rule of their own beside
//! their code, because they have less room or another reader: the axes and columns of charts, the
//! intervals of tiles, factors, the matrix for spreadsheets.

/// Shown where there is no number.
pub const NONE: &str = "–";

/// Below this, a mean is shown with one decimal: boards of side 2 and 3 have low scores.
const WHOLE_FROM: f64 = 100.0;

/// A whole number with thousands separators.
#[must_use]
pub fn count(number: u64) -> String {
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

/// A mean or a difference: whole from 100 on, below that with one decimal.
#[must_use]
pub fn amount(number: f64) -> String {
    decimals(number, usize::from(number.abs() < WHOLE_FROM))
}

/// A number with this many digits after the decimal point.
#[must_use]
pub fn decimals(number: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", number.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let whole = whole.parse().map_or(whole.to_owned(), count);
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let sign = if number < 0.0 && !is_zero { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

/// A number with at most this many digits after the decimal point, and none that says nothing.
#[must_use]
pub fn needed_decimals(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    let text = match text.split_once('.') {
        Some(_) => text.trim_end_matches('0').trim_end_matches('.'),
        None => &text,
    };
    if text == "-0" { "0" } else { text }.to_owned()
}

/// A share with one decimal, except 0 and 1: `0%`, `93.3%`, `100%`.
#[must_use]
pub fn percent(share: f64) -> String {
    if [0.0, 1.0, -1.0].contains(&share) {
        format!("{:.0}%", 100.0 * share)
    } else {
        format!("{}%", decimals(100.0 * share, 1))
    }
}

/// A share with only the digits it needs, up to three: `95%`, `99.375%`.
#[must_use]
pub fn percent_with_digits(share: f64) -> String {
    format!("{}%", needed_decimals(100.0 * share, 3))
}

/// A p-value in a table: `0.031`, `< 0.001`.
#[must_use]
pub fn p_value(p_value: f64) -> String {
    if p_value < 0.001 {
        "< 0.001".to_owned()
    } else {
        format!("{p_value:.3}")
    }
}

/// A p-value in a sentence: `p = 0.031`, `p < 0.001`.
#[must_use]
pub fn p_value_in_a_sentence(value: f64) -> String {
    let text = p_value(value);
    let sign = if text.starts_with('<') { "" } else { "= " };
    format!("p {sign}{text}")
}

/// A time with three significant digits in the unit that fits: `790 µs`, `1.43 ms`.
#[must_use]
pub fn microseconds(time: f64) -> String {
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

/// `1 game`, `20 games`.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
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
    fn means_are_whole_from_100_on() {
        assert_eq!(amount(24_469.4), "24,469");
        assert_eq!(amount(-1_234.56), "-1,235");
        assert_eq!(amount(12.34), "12.3");
        assert_eq!(amount(-0.04), "0.0");
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
