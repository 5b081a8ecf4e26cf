//! Bytes as hexadecimal digits.

use std::fmt::Write;

/// Two lower-case digits a byte.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes what is written");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_zeros_stay() {
        assert_eq!(hex(&[0, 10, 255]), "000aff");
    }
}
