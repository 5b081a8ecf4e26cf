//! The four moves of the game.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The direction in which the tiles slide. The numbers 0 to 3 and the letters `URDL`
/// represent directions outside Rust code: in the ABI, in records, in C.
///
/// ```
/// # use plugin_api::Direction;
/// assert_eq!(Direction::ALL.map(|direction| direction as u8), [0, 1, 2, 3]);
/// assert_eq!(Direction::Left.to_string(), "left");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Direction {
    /// Towards the first row; number 0, letter `U`.
    Up = 0,
    /// Towards the last column; number 1, letter `R`.
    Right = 1,
    /// Towards the last row; number 2, letter `D`.
    Down = 2,
    /// Towards the first column; number 3, letter `L`.
    Left = 3,
}

impl Direction {
    /// All directions in the order of their numbers.
    pub const ALL: [Direction; 4] = [Self::Up, Self::Right, Self::Down, Self::Left];

    /// The direction's number: its index in [`Direction::ALL`].
    ///
    /// ```
    /// # use plugin_api::Direction;
    /// assert_eq!(Direction::ALL[Direction::Down.index()], Direction::Down);
    /// ```
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The direction with this number, if there is one.
    ///
    /// ```
    /// # use plugin_api::Direction;
    /// assert_eq!(Direction::from_index(3), Some(Direction::Left));
    /// assert_eq!(Direction::from_index(77), None);
    /// ```
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Self> {
        match index {
            0 => Some(Self::Up),
            1 => Some(Self::Right),
            2 => Some(Self::Down),
            3 => Some(Self::Left),
            _ => None,
        }
    }

    /// The letter that represents the direction in a record.
    ///
    /// ```
    /// # use plugin_api::Direction;
    /// assert_eq!(Direction::ALL.map(Direction::letter), ['U', 'R', 'D', 'L']);
    /// ```
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Up => 'U',
            Self::Right => 'R',
            Self::Down => 'D',
            Self::Left => 'L',
        }
    }

    /// The direction that a letter of a record represents, if there is one.
    ///
    /// ```
    /// # use plugin_api::Direction;
    /// assert_eq!(Direction::from_letter('L'), Some(Direction::Left));
    /// assert_eq!(Direction::from_letter('l'), None);
    /// ```
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'U' => Some(Self::Up),
            'R' => Some(Self::Right),
            'D' => Some(Self::Down),
            'L' => Some(Self::Left),
            _ => None,
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Up => "up",
            Self::Right => "right",
            Self::Down => "down",
            Self::Left => "left",
        })
    }
}
