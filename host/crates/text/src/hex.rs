//! Bytes as hexadecimal digits.

/// Two lower-case digits per byte.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |number: u8| char::from(DIGITS[usize::from(number)]);
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 15));
    }
    text
}

/// Whether a text is this many lower-case hexadecimal digits.
#[must_use]
pub fn is_hex(text: &str, n_digits: usize) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.len() == n_digits && text.bytes().all(is_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_zeros_are_kept() {
        assert_eq!(hex(&[0, 10, 255]), "000aff");
    }

    #[test]
    fn only_lower_case_digits_of_the_right_number_are_hexadecimal() {
        assert!(is_hex("000aff", 6));
        for text in ["000AFF", "000af", "000afg", "../../"] {
            assert!(!is_hex(text, 6), "{text}");
        }
    }
}
