//! The tile that ends a game with success, as searches check for it.

use plugin_api::{PackedBoard, Rules, face_value};

const LOWEST_BITS: u64 = 0x1111_1111_1111_1111;

/// A goal that a packed board can hold.
///
/// ```
/// # use plugin_api::{PackedBoard, Rules};
/// # use search_kit::Goal;
/// let rules = Rules { goal: Some(8), ..Rules::default() };
/// let goal = Goal::of(&rules).unwrap();
/// assert!(goal.is_on(PackedBoard::from_bits(0x0130)));
/// assert!(!goal.is_on(PackedBoard::from_bits(0x0120)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    exponent: u8,
}

impl Goal {
    /// The goal of these rules: the smallest tile not below their `goal`. `None` if
    /// there is none, or if a packed board cannot hold it.
    #[must_use]
    pub fn of(rules: &Rules) -> Option<Self> {
        let goal = rules.goal?;
        let mut exponents = 1..=PackedBoard::MAX_EXPONENT;
        let exponent = exponents.find(|&exponent| face_value(exponent) >= goal)?;
        Some(Self { exponent })
    }

    /// The tile with this exponent; `None` if a packed board cannot hold it.
    #[must_use]
    pub fn with_exponent(exponent: u8) -> Option<Self> {
        (1..=PackedBoard::MAX_EXPONENT)
            .contains(&exponent)
            .then_some(Self { exponent })
    }

    /// The goal's exponent.
    #[must_use]
    pub const fn exponent(self) -> u8 {
        self.exponent
    }

    /// Whether it is on a board. A search stops where it first appears, so no tile is
    /// above it.
    #[must_use]
    #[inline]
    pub const fn is_on(self, board: PackedBoard) -> bool {
        let difference = board.bits() ^ (self.exponent as u64 * LOWEST_BITS);
        let pairs = difference | difference >> 1;
        (pairs | pairs >> 2) & LOWEST_BITS != LOWEST_BITS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_found_in_every_cell() {
        let board = PackedBoard::from_bits(0xf000_0000_0203_0001);
        for exponent in 1..=15 {
            let goal = Goal::with_exponent(exponent).unwrap();
            assert_eq!(goal.is_on(board), [1, 2, 3, 15].contains(&exponent));
        }
    }

    #[test]
    fn a_goal_is_the_tile_that_reaches_it() {
        let exponent = |goal| {
            let rules = Rules {
                goal,
                ..Rules::default()
            };
            Goal::of(&rules).map(Goal::exponent)
        };
        assert_eq!(exponent(None), None);
        assert_eq!(exponent(Some(2048)), Some(11));
        assert_eq!(exponent(Some(9)), Some(4));
        assert_eq!(exponent(Some(65536)), None);
    }
}
