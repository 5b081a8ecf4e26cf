//! The salt of a tournament, which keeps the tiles of known seeds unpredictable.
//!
//! Seeds are small published numbers, so any author could compute their games in
//! advance. A salt that is drawn at random and published after the contest makes every
//! seed a new game that can still be repeated.

use std::fmt;

/// The 24 bytes of the tile sequence's key that the tournament determines.
///
/// ```
/// # use plugin_api::Salt;
/// let salt = Salt::from_hex("0102030405060708090a0b0c0d0e0f101112131415161718").unwrap();
/// assert_eq!(salt.to_string(), "0102030405060708090a0b0c0d0e0f101112131415161718");
/// assert!(Salt::NONE.is_none() && !salt.is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Salt([u8; Self::N_BYTES]);

impl Salt {
    /// The length of a salt in bytes.
    pub const N_BYTES: usize = 24;
    /// No salt: the seed alone determines the tiles.
    pub const NONE: Salt = Salt([0; Self::N_BYTES]);

    /// The salt with these bytes, for example from the system's random generator.
    ///
    /// ```
    /// # use plugin_api::Salt;
    /// let salt = Salt::from_bytes([7; Salt::N_BYTES]);
    /// assert_eq!(salt.as_bytes(), &[7; 24]);
    /// ```
    #[must_use]
    pub const fn from_bytes(bytes: [u8; Self::N_BYTES]) -> Self {
        Self(bytes)
    }

    /// The salt's bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; Self::N_BYTES] {
        &self.0
    }

    /// Parses 48 hexadecimal digits, in either case.
    ///
    /// # Errors
    /// If the number of digits is wrong, or a character is not a digit.
    pub fn from_hex(text: &str) -> Result<Self, SaltError> {
        if let Some(found) = text.chars().find(|letter| !letter.is_ascii_hexdigit()) {
            return Err(SaltError::NotADigit(found));
        }
        if text.len() != 2 * Self::N_BYTES {
            return Err(SaltError::WrongLength(text.len()));
        }
        let mut bytes = [0; Self::N_BYTES];
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            *byte = digits.iter().fold(0, |value, &digit| {
                value << 4
                    | match digit {
                        b'0'..=b'9' => digit - b'0',
                        // Letters of both cases have the value of their low bits, from
                        // 1.
                        _ => (digit & 0x0f) + 9,
                    }
            });
        }
        Ok(Self(bytes))
    }

    /// Whether this is [`Salt::NONE`].
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }
}

impl fmt::Display for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Why a string is not a salt.
///
/// ```
/// # use plugin_api::{Salt, SaltError};
/// assert_eq!(Salt::from_hex("00ff"), Err(SaltError::WrongLength(4)));
/// assert_eq!(Salt::from_hex("xyz"), Err(SaltError::NotADigit('x')));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaltError {
    /// A character that is not a hexadecimal digit.
    NotADigit(char),
    /// The number of digits is not 48.
    WrongLength(usize),
}

impl fmt::Display for SaltError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_digits = 2 * Salt::N_BYTES;
        match self {
            Self::NotADigit(found) => write!(
                f,
                "a salt is {n_digits} hexadecimal digits; `{found}` is not one"
            ),
            Self::WrongLength(found) => {
                write!(f, "a salt is {n_digits} hexadecimal digits, not {found}")
            }
        }
    }
}

impl std::error::Error for SaltError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_the_bytes_in_order() {
        let salt = Salt::from_hex("00ff1aBc00000000000000000000000000000000000000e9").unwrap();
        assert_eq!(salt.as_bytes()[..4], [0x00, 0xff, 0x1a, 0xbc]);
        assert_eq!(salt.as_bytes()[23], 0xe9);
        assert_eq!(Salt::from_hex(&salt.to_string()), Ok(salt));
        assert_eq!(Salt::from_hex(&"0".repeat(48)), Ok(Salt::NONE));
    }

    #[test]
    fn errors_name_the_invalid_part() {
        let error = |text: &str| Salt::from_hex(text).unwrap_err().to_string();
        assert_eq!(error("12"), "a salt is 48 hexadecimal digits, not 2");
        assert_eq!(
            error("secrét"),
            "a salt is 48 hexadecimal digits; `s` is not one"
        );
    }
}
