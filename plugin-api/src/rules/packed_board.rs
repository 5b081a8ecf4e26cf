//! The board for searches: sixteen exponents in one `u64`.
//!
//! A search copies, compares and hashes millions of boards, and a number in a register
//! is the cheapest board. The price is the largest exponent, 15: a packed board holds
//! tiles up to 32768. Therefore it never decides a result; that is the task of
//! [`Board`], and the conversion from it is checked.
//!
//! The layout is 4×4 for every side: a smaller board occupies the top left corner and
//! the other cells stay empty. Cell (row, column) has the four bits starting at `16 *
//! row + 4 * column`. The side itself is stored in [`RowTables`](crate::RowTables).

use std::fmt;

use crate::{Board, PackedCell, Side, rules::cell_mask::occupied_bits};

/// A board of side 2, 3 or 4 with tiles up to 32768, for search.
///
/// ```
/// # use plugin_api::{Board, Direction, PackedBoard, RowTables};
/// let board: Board = "2 2 4 / 0 0 0 / 8 0 8".parse().unwrap();
/// let tables = RowTables::of(board.side()).unwrap();
/// let packed = PackedBoard::try_from(&board).unwrap();
/// let (moved, gain) = tables.slide_with_gain(packed, Direction::Left);
/// assert_eq!(moved.to_board(board.side()), "4 4 0 / 0 0 0 / 16 0 0".parse().unwrap());
/// assert_eq!(gain, 4 + 16);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedBoard(u64);

impl PackedBoard {
    /// The board without tiles.
    pub const EMPTY: Self = Self(0);
    /// The largest exponent that a cell can hold.
    pub const MAX_EXPONENT: u8 = 15;
    /// The longest side.
    pub const MAX_LENGTH: usize = 4;

    /// The board with these bits; see the layout in the module's docs.
    ///
    /// ```
    /// # use plugin_api::{PackedBoard, PackedCell};
    /// let board = PackedBoard::from_bits(0x0021);
    /// assert_eq!((board.bits(), board.row(0)), (0x21, 0x21));
    /// assert_eq!((board.exponent(0, 0), board.exponent(0, 1)), (1, 2));
    /// assert_eq!(board.transposed().exponent(1, 0), 2);
    /// let cell = PackedCell::new(3, 3).unwrap();
    /// assert_eq!(PackedBoard::EMPTY.with_new_tile(cell, 15).exponent(3, 3), PackedBoard::MAX_EXPONENT);
    /// ```
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The board's bits, for example for hashing.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The same tiles as on the exact board.
    ///
    /// # Errors
    /// If the side is above 4 or a tile is above 32768.
    pub fn try_from_board(board: &Board) -> Result<Self, PackedBoardError> {
        match board.exponents().iter().copied().max() {
            Some(exponent) if exponent > Self::MAX_EXPONENT => {
                Err(PackedBoardError::TileTooLarge { exponent })
            }
            _ => Self::pack(board, |exponent| exponent),
        }
    }

    /// A view of a board for search, even if a tile is too large for four bits.
    ///
    /// It is exact if no tile is above 32768. Otherwise all exponents are lowered by
    /// the same number, so that the largest becomes 14 and merges of large tiles stay
    /// visible; tiles too small for that become 2s, never empty cells. Small tiles
    /// that differ may therefore look equal: the view is an approximation for choosing
    /// a move. [`Board`] decides whether a move is legal. `None` if the side is above
    /// 4.
    ///
    /// ```
    /// # use plugin_api::{Board, PackedBoard};
    /// let board: Board = "65536 65536 / 8 4".parse().unwrap();
    /// let view = PackedBoard::shrunk(&board).unwrap();
    /// assert_eq!(view.to_board(board.side()), "16384 16384 / 2 2".parse().unwrap());
    /// ```
    #[must_use]
    pub fn shrunk(board: &Board) -> Option<Self> {
        let highest = board.exponents().iter().copied().max().unwrap_or(0);
        let shift = if highest > Self::MAX_EXPONENT {
            highest - (Self::MAX_EXPONENT - 1)
        } else {
            0
        };
        Self::pack(board, |exponent| match exponent {
            0 => 0,
            _ => exponent.saturating_sub(shift).max(1),
        })
        .ok()
    }

    /// Packs a board whose exponents are at most 15 after lowering them by `lower`.
    fn pack(board: &Board, lower: impl Fn(u8) -> u8) -> Result<Self, PackedBoardError> {
        if board.side().length() > Self::MAX_LENGTH {
            return Err(PackedBoardError::SideTooLong { side: board.side() });
        }
        let bits = board.rows().zip(0..).fold(0, |bits, (row, number)| {
            bits | row.iter().zip(0..).fold(0, |bits, (&exponent, column)| {
                bits | u64::from(lower(exponent)) << (16 * number + 4 * column)
            })
        });
        Ok(Self(bits))
    }

    /// The exact board of this side with the same tiles.
    ///
    /// # Panics
    /// If the side is above 4.
    #[must_use]
    pub fn to_board(self, side: Side) -> Board {
        let length = side.length();
        assert!(
            length <= Self::MAX_LENGTH,
            "no packed board has side {side}"
        );
        (0..side.n_cells()).fold(Board::empty(side), |board, cell| {
            board.with_tile(cell, self.exponent(cell / length, cell % length))
        })
    }

    /// The exponent in a row and column of the 4×4 layout.
    #[must_use]
    pub const fn exponent(self, row: usize, column: usize) -> u8 {
        ((self.0 >> (16 * row + 4 * column)) & 15) as u8
    }

    /// A row, with its first cell in the lowest four bits.
    #[must_use]
    #[inline]
    pub const fn row(self, number: usize) -> u16 {
        ((self.0 >> (16 * number)) & 0xffff) as u16
    }

    /// The board with rows and columns exchanged.
    #[must_use]
    #[inline]
    pub const fn transposed(self) -> Self {
        // The number of a cell consists of four bits, two of the row and two of the
        // column: exchange the low ones, then the high ones.
        let low = swap_bits(self.0, 0x0000_f0f0_0000_f0f0, 12);
        Self(swap_bits(low, 0x0000_0000_ff00_ff00, 24))
    }

    /// The board with a tile in an empty cell. If the cell is not empty, the result is
    /// a board, but not one of the game.
    #[must_use]
    #[inline]
    pub const fn with_new_tile(self, cell: PackedCell, exponent: u8) -> Self {
        Self(self.0 | (cell.bit() * (exponent as u64 & 15)))
    }

    /// The highest exponent; 0 on an empty board.
    ///
    /// ```
    /// # use plugin_api::PackedBoard;
    /// assert_eq!(PackedBoard::from_bits(0x0123_0000_9008_0000).highest_exponent(), 9);
    /// ```
    #[must_use]
    pub fn highest_exponent(self) -> u8 {
        (0..16)
            .map(|cell| ((self.0 >> (4 * cell)) & 15) as u8)
            .max()
            .unwrap_or(0)
    }

    /// The lowest bit of every cell with a tile.
    #[inline]
    pub(crate) const fn tile_bits(self) -> u64 {
        occupied_bits(self.0)
    }
}

/// Exchanges the bits under a mask with those `distance` bits higher.
#[inline]
const fn swap_bits(bits: u64, mask: u64, distance: u32) -> u64 {
    let difference = (bits ^ bits >> distance) & mask;
    bits ^ difference ^ difference << distance
}

impl TryFrom<&Board> for PackedBoard {
    type Error = PackedBoardError;

    fn try_from(board: &Board) -> Result<Self, PackedBoardError> {
        Self::try_from_board(board)
    }
}

impl fmt::Debug for PackedBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Packed{:?}", self.to_board(Side::FOUR))
    }
}

/// Why a board cannot be packed.
///
/// ```
/// # use plugin_api::{Board, PackedBoard, PackedBoardError};
/// let board: Board = "65536 2 / 0 0".parse().unwrap();
/// assert_eq!(PackedBoard::try_from_board(&board), Err(PackedBoardError::TileTooLarge { exponent: 16 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackedBoardError {
    /// The board is larger than 4×4.
    SideTooLong {
        /// The board's side.
        side: Side,
    },
    /// A tile is above 32768.
    TileTooLarge {
        /// The tile's exponent.
        exponent: u8,
    },
}

impl fmt::Display for PackedBoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SideTooLong { side } => {
                write!(f, "a packed board is 4×4 at most, not {side}")
            }
            Self::TileTooLarge { exponent } => write!(
                f,
                "a packed board holds tiles up to 32768, not 2^{exponent}"
            ),
        }
    }
}

impl std::error::Error for PackedBoardError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    #[test]
    fn a_small_board_occupies_the_top_left_corner() {
        let packed = PackedBoard::try_from(&board("2 4 / 8 32768")).unwrap();
        assert_eq!(packed.bits(), 0x00f3_0021);
        assert_eq!((packed.row(0), packed.row(1)), (0x21, 0xf3));
        assert_eq!(packed.to_board(Side::MIN), board("2 4 / 8 32768"));
    }

    #[test]
    fn transposition_exchanges_rows_and_columns() {
        let packed = PackedBoard::from_bits(0xfedc_ba98_7654_3210);
        assert_eq!(packed.transposed().bits(), 0xfb73_ea62_d951_c840);
        assert_eq!(packed.transposed().transposed(), packed);
    }

    #[test]
    fn a_board_that_does_not_fit_is_rejected() {
        let error = PackedBoard::try_from(&board("65536 0 / 0 0")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a packed board holds tiles up to 32768, not 2^16"
        );
        let large = Board::empty(Side::new(5).unwrap());
        let error = PackedBoard::try_from(&large).unwrap_err();
        assert_eq!(error.to_string(), "a packed board is 4×4 at most, not 5×5");
        assert_eq!(PackedBoard::shrunk(&large), None);
    }

    #[test]
    fn a_view_is_exact_if_tiles_fit_and_otherwise_keeps_every_tile() {
        let exact = board("32768 32768 / 2 0");
        assert_eq!(
            PackedBoard::shrunk(&exact),
            PackedBoard::try_from(&exact).ok()
        );
        let view = PackedBoard::shrunk(&board("131072 65536 / 16 0")).unwrap();
        assert_eq!(view.to_board(Side::MIN), board("16384 8192 / 2 0"));
    }
}
