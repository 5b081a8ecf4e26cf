//! What keeps the tiles of a contest from being looked up beforehand.
//!
//! Written as `none`, `secret` or 48 hexadecimal digits, in the file and in
//! `plan.json`, where a secret is replaced by the salt that was drawn.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// Where the salt of a tournament comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum SaltChoice {
    /// Open tiles: the seeds alone decide.
    #[default]
    None,
    /// Drawn once, when the run is planned.
    Secret,
    Given([u8; 24]),
}

/// Why a text is no salt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no salt; write `none`, `secret` or 48 hexadecimal digits{found}")]
pub struct SaltError {
    text: String,
    /// How many digits there were, if there were only digits.
    found: String,
}

impl FromStr for SaltChoice {
    type Err = SaltError;

    fn from_str(text: &str) -> Result<Self, SaltError> {
        match text {
            "none" => return Ok(Self::None),
            "secret" => return Ok(Self::Secret),
            _ => {}
        }
        let digits: Option<Vec<u8>> = text
            .chars()
            .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
            .collect();
        let error = |found| SaltError {
            text: text.into(),
            found,
        };
        let digits = digits.ok_or_else(|| error(String::new()))?;
        let digits: [u8; 48] = digits
            .try_into()
            .map_err(|digits: Vec<u8>| error(format!(" (these are {})", digits.len())))?;
        let mut bytes = [0; 24];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = pair[0] << 4 | pair[1];
        }
        Ok(Self::Given(bytes))
    }
}

impl fmt::Display for SaltChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => write!(f, "none"),
            Self::Secret => write!(f, "secret"),
            Self::Given(bytes) => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
        }
    }
}

impl TryFrom<String> for SaltChoice {
    type Error = SaltError;

    fn try_from(text: String) -> Result<Self, SaltError> {
        text.parse()
    }
}

impl From<SaltChoice> for String {
    fn from(salt: SaltChoice) -> String {
        salt.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_salt_is_read_and_written_as_hexadecimal_digits() {
        let text = "000102030405060708090a0b0c0d0e0f1011121314151617";
        let salt: SaltChoice = text.to_uppercase().parse().unwrap();
        assert_eq!(
            salt,
            SaltChoice::Given(std::array::from_fn(|i| u8::try_from(i).unwrap()))
        );
        assert_eq!(salt.to_string(), text);
    }

    #[test]
    fn what_is_no_salt_says_what_is_one() {
        let message = |text: &str| text.parse::<SaltChoice>().unwrap_err().to_string();
        assert_eq!(
            message("pepper"),
            "`pepper` is no salt; write `none`, `secret` or 48 hexadecimal digits"
        );
        assert_eq!(
            message("abc"),
            "`abc` is no salt; write `none`, `secret` or 48 hexadecimal digits (these are 3)"
        );
    }
}
