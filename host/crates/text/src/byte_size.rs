//! Memory sizes as people write them: `4GiB`, `512MiB` or a number of bytes.

use super::quantity::{QuantityError, WrittenQuantity};

/// Units with their size in bytes. Decimal units are included because people write
/// them, and they mean a different number of bytes.
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

/// Why a string is not a memory size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ByteSizeError {
    #[error("`{text}` is not a memory size; write for example `4GiB` or `512MiB`")]
    NotAByteSize { text: String },
    #[error("`{text}` is not a whole number of bytes")]
    NotWhole { text: String },
    #[error("`{text}` does not fit in 64 bits")]
    TooLarge { text: String },
}

/// Parses a number of bytes, with or without a unit.
///
/// # Errors
/// If the number or the unit is invalid, or the result does not fit in 64 bits.
///
/// ```
/// # use text::byte_size::parse_byte_size;
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
    fn memory_sizes_are_parsed_exactly() {
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
    fn an_invalid_memory_size_is_rejected_with_the_reason() {
        for (text, end) in [
            (
                "",
                "is not a memory size; write for example `4GiB` or `512MiB`",
            ),
            (
                "lots",
                "is not a memory size; write for example `4GiB` or `512MiB`",
            ),
            (
                "4G",
                "is not a memory size; write for example `4GiB` or `512MiB`",
            ),
            (
                "-4GiB",
                "is not a memory size; write for example `4GiB` or `512MiB`",
            ),
            ("0.1B", "is not a whole number of bytes"),
            (
                "0.123456789012345678901234567890GiB",
                "is not a whole number of bytes",
            ),
            ("99999999TiB", "does not fit in 64 bits"),
        ] {
            let message = parse_byte_size(text).unwrap_err().to_string();
            assert_eq!(message, format!("`{text}` {end}"));
        }
    }
}
