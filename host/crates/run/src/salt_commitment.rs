//! A promise to play with a certain salt, which does not reveal the salt.
//!
//! The commitment is SHA-256 of a fixed text and the 24 bytes of the salt. The text keeps
//! the hash apart from every other use of the salt. A drawn salt has 192 random bits,
//! too many to find it by trying. Once the salt is published, everyone can compute the
//! commitment and compare.

use std::{fmt, str::FromStr};

use plugin_api::Salt;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use text::hex::{hex, is_hex};

/// The hash that was published before the salt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SaltCommitment(String);

/// Why a text is not a commitment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a commitment has {N_DIGITS} hexadecimal digits")]
pub struct NotACommitment;

const N_DIGITS: usize = 64;

impl SaltCommitment {
    /// The commitment to a salt.
    #[must_use]
    pub fn to(salt: &Salt) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"arena2048 salt commitment\n");
        hash.update(salt.as_bytes());
        Self(hex(&hash.finalize()))
    }

    /// The first digits, for people to compare.
    #[must_use]
    pub fn beginning(&self) -> &str {
        &self.0[..12]
    }
}

impl FromStr for SaltCommitment {
    type Err = NotACommitment;

    fn from_str(text: &str) -> Result<Self, NotACommitment> {
        let text = text.to_ascii_lowercase();
        is_hex(&text, N_DIGITS)
            .then_some(Self(text))
            .ok_or(NotACommitment)
    }
}

impl TryFrom<String> for SaltCommitment {
    type Error = NotACommitment;

    fn try_from(text: String) -> Result<Self, NotACommitment> {
        text.parse()
    }
}

impl From<SaltCommitment> for String {
    fn from(commitment: SaltCommitment) -> String {
        commitment.0
    }
}

impl fmt::Display for SaltCommitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed with `(echo "arena2048 salt commitment"; printf '\1\2…\30') | sha256sum`.
    #[test]
    fn a_commitment_is_the_one_that_other_programs_compute() {
        let bytes = std::array::from_fn(|index| u8::try_from(index + 1).unwrap());
        let commitment = SaltCommitment::to(&Salt::from_bytes(bytes));
        assert_eq!(
            commitment.to_string(),
            "f1e3c43aead67f2b6bba9b8f3bd26ce57f4ff8eae5f2f03d8ef6934434f26d1f"
        );
        assert_eq!(
            "f1e3c43aead67f2b6bba9b8f3bd26ce57f4ff8eae5f2f03d8ef6934434f26d1f"
                .to_uppercase()
                .parse(),
            Ok(commitment)
        );
        assert_eq!("xyz".parse::<SaltCommitment>(), Err(NotACommitment));
    }
}
