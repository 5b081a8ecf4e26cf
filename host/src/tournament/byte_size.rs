//! Amounts of memory as people write them: `4GiB`, `512MiB`, a number of bytes.

use super::quantity::{QuantityError, WrittenQuantity};

/// Units with their size in bytes; those of the drive makers too, for they are
/// written by habit and have a meaning of their own.
const UNITS: [(&str, u64); 9] = [
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("KB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
];

/// Why a text is no amount of memory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ByteSizeError {
    #[error("`{text}` is not an amount of memory; write for example `4GiB` or `512MiB`")]
    NotAByteSize { text: String },
    #[error("`{text}` is no whole number of bytes")]
    NotWhole { text: String },
    #[error("`{text}` is more than 64 bits can count")]
    TooLarge { text: String },
}

/// Reads a number of bytes, with or without a unit.
///
/// # Errors
/// When the number or the unit is not one, or the bytes do not fit in 64 bits.
///
/// ```
/// # use arena2048::tournament::parse_byte_size;
/// assert_eq!(parse_byte_size("1.5GiB"), Ok(1_610_612_736));
/// ```
pub fn parse_byte_size(text: &str) -> Result<u64, ByteSizeError> {
    let written = WrittenQuantity::split(text);
    let unit_bytes = match written.unit {
        "" => Some(1),
        unit => UNITS
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(unit))
            .map(|(_, bytes)| *bytes),
    };
    let text = text.to_owned();
    written
        .in_smallest_unit(unit_bytes)
        .map_err(|error| match error {
            QuantityError::NotANumber | QuantityError::UnknownUnit => {
                ByteSizeError::NotAByteSize { text }
            }
            QuantityError::NotWhole => ByteSizeError::NotWhole { text },
            QuantityError::TooLarge => ByteSizeError::TooLarge { text },
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_memory_are_read_exactly() {
        for (text, bytes) in [
            ("1048576", 1_048_576),
            ("512MiB", 536_870_912),
            ("512 mib", 536_870_912),
            ("4GiB", 4_294_967_296),
            ("1.5GiB", 1_610_612_736),
            ("2GB", 2_000_000_000),
            ("100B", 100),
        ] {
            assert_eq!(parse_byte_size(text), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn what_is_no_amount_of_memory_says_why() {
        for (text, end) in [
            (
                "",
                "is not an amount of memory; write for example `4GiB` or `512MiB`",
            ),
            (
                "lots",
                "is not an amount of memory; write for example `4GiB` or `512MiB`",
            ),
            (
                "4G",
                "is not an amount of memory; write for example `4GiB` or `512MiB`",
            ),
            (
                "-4GiB",
                "is not an amount of memory; write for example `4GiB` or `512MiB`",
            ),
            ("0.1B", "is no whole number of bytes"),
            (
                "0.123456789012345678901234567890GiB",
                "is no whole number of bytes",
            ),
            ("99999999TiB", "is more than 64 bits can count"),
        ] {
            let message = parse_byte_size(text).unwrap_err().to_string();
            assert_eq!(message, format!("`{text}` {end}"));
        }
    }
}
