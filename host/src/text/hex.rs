//! Bytes as hexadecimal digits.

use std::fmt::Write;

/// Two lower-case digits per byte.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string cannot fail");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_zeros_are_kept() {
        assert_eq!(hex(&[0, 10, 255]), "000aff");
    }
}
