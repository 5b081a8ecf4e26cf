//! The probability that a new tile is a 4.
//!
//! It is checked once, when it is read, so a value below 0, above 1 or not a number
//! never reaches the game.

use serde::{Deserialize, Deserializer, Serialize};

/// How often a new tile is a 4 instead of a 2: 0 to 1.
///
/// ```
/// # use plugin_api::FourShare;
/// assert_eq!(FourShare::new(0.1), Some(FourShare::DEFAULT));
/// assert_eq!(FourShare::new(1.5), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
pub struct FourShare(f64);

impl FourShare {
    /// The share of the ordinary game, 0.1.
    pub const DEFAULT: FourShare = FourShare(0.1);

    /// The share, if it is between 0 and 1, both included.
    #[must_use]
    pub fn new(share: f64) -> Option<Self> {
        (0.0..=1.0).contains(&share).then_some(Self(share))
    }

    /// The share as a number.
    #[must_use]
    pub const fn as_f64(self) -> f64 {
        self.0
    }

    /// How many of the 2^32 values of a random word make a 4: those below this number.
    ///
    /// ```
    /// # use plugin_api::FourShare;
    /// assert_eq!(FourShare::new(0.5).unwrap().threshold(), 1 << 31);
    /// ```
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the value is between 0 and 2^32"
    )]
    pub fn threshold(self) -> u64 {
        (self.0 * 4_294_967_296.0 + 0.5).floor() as u64
    }
}

impl Default for FourShare {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl<'de> Deserialize<'de> for FourShare {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let share = f64::deserialize(deserializer)?;
        Self::new(share).ok_or_else(|| {
            serde::de::Error::custom(format!("the share of 4s is 0 to 1, not {share}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_between_0_and_1() {
        for share in [-0.1, 1.000_001, f64::NAN, f64::INFINITY] {
            assert_eq!(FourShare::new(share), None);
        }
        let error = serde_json::from_str::<FourShare>("2").unwrap_err();
        assert_eq!(error.to_string(), "the share of 4s is 0 to 1, not 2");
        assert_eq!(
            serde_json::from_str::<FourShare>("0.1").unwrap(),
            FourShare::DEFAULT
        );
    }

    #[test]
    fn the_threshold_is_the_share_of_all_words_rounded() {
        let threshold = |share| FourShare::new(share).unwrap().threshold();
        assert_eq!(threshold(0.0), 0);
        // 2^32 / 10 = 429496729.6 and 2^32 / 5 = 858993459.2
        assert_eq!(threshold(0.1), 429_496_730);
        assert_eq!(threshold(0.2), 858_993_459);
        assert_eq!(threshold(1.0), 1 << 32);
    }
}
