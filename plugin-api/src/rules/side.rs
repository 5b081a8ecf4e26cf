//! The side of a board: how many cells its rows have.
//!
//! A separate type, so that code that reads a side rejects those outside 2 to 8 and no
//! other code has to check.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The length of a board's side: 2 to 8.
///
/// ```
/// # use plugin_api::Side;
/// assert_eq!((Side::FOUR.length(), Side::FOUR.n_cells()), (4, 16));
/// assert!(Side::MIN < Side::FOUR && Side::FOUR < Side::MAX);
/// assert_eq!(Side::MAX.to_string(), "8×8");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side(u8);

impl Side {
    /// The smallest side, 2.
    pub const MIN: Side = Side(2);
    /// The side of the ordinary game, 4.
    pub const FOUR: Side = Side(4);
    /// The largest side, 8.
    pub const MAX: Side = Side(8);

    /// A side of this length, if the game is defined for it.
    ///
    /// ```
    /// # use plugin_api::Side;
    /// assert_eq!(Side::new(4), Some(Side::FOUR));
    /// assert_eq!(Side::new(9), None);
    /// ```
    #[must_use]
    pub const fn new(length: u8) -> Option<Side> {
        if length < Self::MIN.0 || length > Self::MAX.0 {
            return None;
        }
        Some(Side(length))
    }

    /// The number of cells per row.
    #[must_use]
    pub const fn length(self) -> usize {
        self.0 as usize
    }

    /// The number of cells on the board.
    #[must_use]
    pub const fn n_cells(self) -> usize {
        self.length() * self.length()
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}×{0}", self.0)
    }
}

impl Serialize for Side {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0)
    }
}

impl<'de> Deserialize<'de> for Side {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let length = u64::deserialize(deserializer)?;
        u8::try_from(length)
            .ok()
            .and_then(Side::new)
            .ok_or_else(|| {
                serde::de::Error::custom(format!("a board has a side of 2 to 8, not {length}"))
            })
    }
}
