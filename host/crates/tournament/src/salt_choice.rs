//! The salt of a tournament, which keeps its tiles from being predicted.
//!
//! Written as `none`, `secret` or 48 hexadecimal digits, in the file and in the tournament of
//! `plan.json`. The salt that was drawn for `secret` is a key of its own in the plan, written when
//! the run has ended.

use std::{fmt, str::FromStr};

use plugin_api::{Salt, SaltError};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::keys::ValueType;

/// Where the salt of a tournament comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum SaltChoice {
    /// Predictable tiles: they depend on the seeds alone.
    None,
    /// Drawn once, when the run is planned.
    Secret,
    Given(Salt),
}

/// Why a string is not a salt choice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a salt; write `none`, `secret` or 48 hexadecimal digits{hint}")]
pub struct SaltChoiceError {
    text: String,
    /// The number of digits, if there were only digits.
    hint: String,
}

impl FromStr for SaltChoice {
    type Err = SaltChoiceError;

    fn from_str(text: &str) -> Result<Self, SaltChoiceError> {
        match text {
            "none" => Ok(Self::None),
            "secret" => Ok(Self::Secret),
            digits => Salt::from_hex(digits)
                .map(Self::Given)
                .map_err(|error| SaltChoiceError {
                    text: text.into(),
                    hint: match error {
                        SaltError::WrongLength(found) => format!(" ({found} found)"),
                        SaltError::NotADigit(_) => String::new(),
                    },
                }),
        }
    }
}

impl fmt::Display for SaltChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => write!(f, "none"),
            Self::Secret => write!(f, "secret"),
            Self::Given(salt) => write!(f, "{salt}"),
        }
    }
}

impl TryFrom<String> for SaltChoice {
    type Error = SaltChoiceError;

    fn try_from(text: String) -> Result<Self, SaltChoiceError> {
        text.parse()
    }
}

impl From<SaltChoice> for String {
    fn from(salt: SaltChoice) -> String {
        salt.to_string()
    }
}

pub(crate) fn salt() -> ValueType<SaltChoice> {
    let schema = json!({
        "type": ["string", "integer", "number", "null"],
        "pattern": "^(none|secret|[0-9a-fA-F]{48})$",
    });
    let values = "`none`, `secret`, 48 hexadecimal digits";
    ValueType::new(values, schema, |value| {
        if value.is_none() {
            return Ok(SaltChoice::None);
        }
        let text = value.text_as_written()?;
        text.parse()
            .map_err(|error: SaltChoiceError| error.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_salt_is_read_and_written_as_hexadecimal_digits() {
        let text = "000102030405060708090a0b0c0d0e0f1011121314151617";
        let salt: SaltChoice = text.to_uppercase().parse().unwrap();
        let bytes = std::array::from_fn(|i| u8::try_from(i).unwrap());
        assert_eq!(salt, SaltChoice::Given(Salt::from_bytes(bytes)));
        assert_eq!(salt.to_string(), text);
    }

    #[test]
    fn an_invalid_salt_is_rejected_with_the_valid_forms() {
        let message = |text: &str| text.parse::<SaltChoice>().unwrap_err().to_string();
        assert_eq!(
            message("pepper"),
            "`pepper` is not a salt; write `none`, `secret` or 48 hexadecimal digits"
        );
        assert_eq!(
            message("abc"),
            "`abc` is not a salt; write `none`, `secret` or 48 hexadecimal digits (3 found)"
        );
    }
}
