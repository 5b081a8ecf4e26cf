//! Durations as people write them: `500us`, `1.5ms`, `10s`, `2min`.
//!
//! Parsing and formatting are exact because budgets are compared by their text. The
//! module can be used as `#[serde(with = "duration_text")]`.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

use super::quantity::{QuantityError, WrittenQuantity};

/// Units with their length in nanoseconds, largest first.
const UNITS: [(&str, u64); 6] = [
    ("h", 3_600_000_000_000),
    ("min", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

/// Why a string is not a duration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DurationError {
    #[error("`{text}` has no unit; write for example `{text}ms` (units: ns, us, ms, s, min, h)")]
    NoUnit { text: String },
    #[error(
        "`{text}` is not a duration; write for example `500us`, `1.5ms`, `10s`, `2min` or `1h`"
    )]
    NotADuration { text: String },
    #[error("`{text}` is finer than a nanosecond")]
    TooFine { text: String },
    #[error("`{text}` is too long; the limit is 1000h")]
    TooLong { text: String },
}

/// Parses a number with a unit.
///
/// # Errors
/// If the unit is missing or unknown, or the number is negative, above 1000 hours or
/// finer than a nanosecond.
///
/// ```
/// # use text::duration_text::parse_duration;
/// # use std::time::Duration;
/// assert_eq!(parse_duration("1.5ms"), Ok(Duration::from_micros(1500)));
/// assert!(parse_duration("1.5").is_err());
/// ```
pub fn parse_duration(text: &str) -> Result<Duration, DurationError> {
    const LONGEST_DURATION: Duration = Duration::from_hours(1000);
    let written = WrittenQuantity::split(text);
    let unit = match written.unit {
        "µs" | "μs" => "us",
        unit => unit,
    };
    let unit_ns = UNITS.iter().find(|(name, _)| *name == unit);
    let text = text.to_owned();
    match written.in_smallest_unit(unit_ns.map(|(_, ns)| *ns)) {
        Ok(ns) if Duration::from_nanos(ns) <= LONGEST_DURATION => Ok(Duration::from_nanos(ns)),
        Ok(_) | Err(QuantityError::TooLarge) => Err(DurationError::TooLong { text }),
        Err(QuantityError::UnknownUnit) if unit.is_empty() => Err(DurationError::NoUnit { text }),
        Err(QuantityError::UnknownUnit | QuantityError::NotANumber) => {
            Err(DurationError::NotADuration { text })
        }
        Err(QuantityError::NotWhole) => Err(DurationError::TooFine { text }),
    }
}

/// Formats a duration so that [`parse_duration`] returns the same value: in the largest
/// unit that it fills, but in hours and minutes only if the number is whole.
#[must_use]
pub fn format_duration(duration: Duration) -> String {
    let ns = duration.as_nanos();
    if ns == 0 {
        return "0s".into();
    }
    for (name, unit_ns) in UNITS {
        let unit_ns = u128::from(unit_ns);
        let (whole, rest) = (ns / unit_ns, ns % unit_ns);
        let is_decimal = !matches!(name, "h" | "min");
        if whole == 0 || (rest != 0 && !is_decimal) {
            continue;
        }
        if rest == 0 {
            return format!("{whole}{name}");
        }
        let n_digits = unit_ns.ilog10() as usize;
        let fraction = format!("{rest:0n_digits$}");
        return format!("{whole}.{}{name}", fraction.trim_end_matches('0'));
    }
    format!("{ns}ns")
}

/// Formats a measured duration for people: three digits, and nothing finer than a nanosecond.
///
/// ```
/// # use text::duration_text::format_rounded;
/// # use std::time::Duration;
/// assert_eq!(format_rounded(Duration::from_nanos(101_986_014)), "102ms");
/// assert_eq!(format_rounded(Duration::from_nanos(1_234_567)), "1.23ms");
/// ```
#[must_use]
pub fn format_rounded(duration: Duration) -> String {
    let ns = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
    let step = 10_u64.pow(ns.checked_ilog10().unwrap_or(0).saturating_sub(2));
    let rounded = ns.saturating_add(step / 2) / step * step;
    format_duration(Duration::from_nanos(rounded))
}

pub fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format_duration(*duration))
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    parse_duration(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// The same for a duration that may be missing.
pub mod optional {
    use super::{Deserializer, Duration, Serializer};

    pub fn serialize<S: Serializer>(
        duration: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match duration {
            Some(duration) => super::serialize(duration, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        super::deserialize(deserializer).map(Some)
    }
}

/// The times of a label as people read them: `50us cpu` becomes `50 µs cpu`. A label of a budget
/// is written as in a tournament file. The web page does the same in
/// `host/crates/serve/src/page/text/budget_label.js`.
#[must_use]
pub fn readable_times(label: &str) -> String {
    let words = label.split(' ').map(|word| {
        let (time, comma) = match word.strip_suffix(',') {
            Some(time) => (time, ","),
            None => (word, ""),
        };
        let number = time.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let unit = match &time[number.len()..] {
            "us" => "µs",
            unit @ ("ms" | "s") => unit,
            _ => return word.to_owned(),
        };
        if number.ends_with(|digit: char| digit.is_ascii_digit()) {
            format!("{number} {unit}{comma}")
        } else {
            word.to_owned()
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn times_of_labels_have_units_as_people_write_them() {
        let label = readable_times("500us cpu, bank 2ms, 1.5s");
        assert_eq!(label, "500 µs cpu, bank 2 ms, 1.5 s");
        for label in ["1000 nodes", "us s 5x", ""] {
            assert_eq!(readable_times(label), label);
        }
    }

    #[test]
    fn durations_are_parsed_exactly() {
        for (text, ns) in [
            ("0ms", 0),
            ("7ns", 7),
            ("500us", 500_000),
            ("500µs", 500_000),
            ("1ms", 1_000_000),
            ("1.5ms", 1_500_000),
            ("1.50 ms", 1_500_000),
            ("0.000001ms", 1),
            ("10s", 10_000_000_000),
            ("0.5min", 30_000_000_000),
            ("2min", 120_000_000_000),
            ("1h", 3_600_000_000_000),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_nanos(ns)), "{text}");
        }
    }

    #[test]
    fn an_invalid_duration_is_rejected_with_the_reason() {
        for (text, start) in [
            ("10", "`10` has no unit; write for example `10ms`"),
            ("", "`` is not a duration"),
            ("ms", "`ms` is not a duration"),
            ("-1ms", "`-1ms` is not a duration"),
            ("1.ms", "`1.ms` is not a duration"),
            ("1.2.3ms", "`1.2.3ms` is not a duration"),
            ("1e3ms", "`1e3ms` is not a duration"),
            ("5 fortnights", "`5 fortnights` is not a duration"),
            ("1.", "`1.` is not a duration"),
            ("0.01ns", "`0.01ns` is finer than a nanosecond"),
            ("0.5ns", "`0.5ns` is finer than a nanosecond"),
            ("1001h", "`1001h` is too long"),
            (
                "99999999999999999999999h",
                "`99999999999999999999999h` is too long",
            ),
            (
                "18446744073709551615h",
                "`18446744073709551615h` is too long",
            ),
        ] {
            let message = parse_duration(text).unwrap_err().to_string();
            assert!(message.starts_with(start), "{message}");
        }
    }

    #[test]
    fn durations_are_written_in_their_natural_unit() {
        for (ns, text) in [
            (0, "0s"),
            (1_500, "1.5us"),
            (1_000_000, "1ms"),
            (90_000_000_000, "90s"),
            (120_000_000_000, "2min"),
            (3_600_000_000_000, "1h"),
        ] {
            assert_eq!(format_duration(Duration::from_nanos(ns)), text);
        }
    }

    proptest! {
        #[test]
        fn a_formatted_duration_parses_to_the_same_value(ns in 0_u64..=3_600_000_000_000_000) {
            let duration = Duration::from_nanos(ns);
            prop_assert_eq!(parse_duration(&format_duration(duration)), Ok(duration));
        }
    }
}
