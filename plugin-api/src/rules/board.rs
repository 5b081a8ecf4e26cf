//! The exact board: 2×2 to 8×8, with every tile that the game can reach.
//!
//! This board decides results. A cell holds an exponent (0 is empty, `k` is the tile
//! 2^k) in a byte, so 32768 + 32768 = 65536 here, whatever the smaller cells of a
//! faster board can hold. Searches use [`PackedBoard`](crate::PackedBoard).

use std::{fmt, str::FromStr};

use crate::{EmptyCells, Side};

/// A board of the game. Cells are numbered in reading order from 0.
///
/// Printed and parsed as a grid of face values:
///
/// ```
/// # use plugin_api::{Board, Direction};
/// let board: Board = "2 2 4 / 0 0 0 / 8 0 8".parse().unwrap();
/// let slide = board.slide(Direction::Left).unwrap();
/// assert_eq!(slide.board, "4 4 0 / 0 0 0 / 16 0 0".parse().unwrap());
/// assert_eq!(slide.gain, 4 + 16);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    side: Side,
    /// Exponents in reading order; those after the board's own cells are 0.
    cells: [u8; Self::MAX_CELLS],
}

impl Board {
    /// The number of cells of the largest board.
    pub const MAX_CELLS: usize = Side::MAX.n_cells();
    /// The largest exponent that a cell may hold. The game cannot reach it; it keeps
    /// face values within 64 bits.
    pub const MAX_EXPONENT: u8 = 63;

    /// A board without tiles.
    ///
    /// ```
    /// # use plugin_api::{Board, Side};
    /// let board = Board::empty(Side::FOUR).with_tile(5, 11);
    /// assert_eq!((board.side(), board.n_empty(), board.highest()), (Side::FOUR, 15, 2048));
    /// assert_eq!(board.exponents()[5], 11);
    /// assert!(!board.empty_cells().any(|cell| cell == 5));
    /// assert_eq!(board.rows().nth(1), Some([0, 11, 0, 0].as_slice()));
    /// ```
    #[must_use]
    pub const fn empty(side: Side) -> Self {
        Self {
            side,
            cells: [0; Self::MAX_CELLS],
        }
    }

    /// The board with these exponents in reading order.
    ///
    /// # Errors
    /// If their number does not match the side, or one is above
    /// [`Board::MAX_EXPONENT`].
    ///
    /// ```
    /// # use plugin_api::{Board, Side};
    /// let side = Side::new(2).unwrap();
    /// assert_eq!(Board::from_exponents(side, &[1, 0, 2, 3]).unwrap(), "2 0 / 4 8".parse().unwrap());
    /// ```
    pub fn from_exponents(side: Side, exponents: &[u8]) -> Result<Self, BoardError> {
        if exponents.len() != side.n_cells() {
            return Err(BoardError::WrongNumberOfCells {
                side,
                found: exponents.len(),
            });
        }
        if let Some(&exponent) = exponents
            .iter()
            .find(|&&exponent| exponent > Self::MAX_EXPONENT)
        {
            return Err(BoardError::TileTooLarge { exponent });
        }
        let mut board = Self::empty(side);
        board.cells[..exponents.len()].copy_from_slice(exponents);
        Ok(board)
    }

    /// The board's side.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The exponents of all cells in reading order.
    #[must_use]
    pub fn exponents(&self) -> &[u8] {
        &self.cells[..self.side.n_cells()]
    }

    /// The board's rows as exponents.
    pub fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.exponents().chunks_exact(self.side.length())
    }

    /// The board's rows as face values, as in a record.
    ///
    /// ```
    /// # use plugin_api::Board;
    /// let board: Board = "2 0 / 4 65536".parse().unwrap();
    /// assert_eq!(board.tiles(), [[2, 0], [4, 65536]]);
    /// ```
    #[must_use]
    pub fn tiles(&self) -> Vec<Vec<u64>> {
        self.rows()
            .map(|row| row.iter().map(|&exponent| face_value(exponent)).collect())
            .collect()
    }

    /// The board with these rows of face values; 0 is an empty cell.
    ///
    /// ```
    /// # use plugin_api::Board;
    /// let board = Board::from_tiles(&[vec![2, 0], vec![4, 65536]]).unwrap();
    /// assert_eq!(board, "2 0 / 4 65536".parse().unwrap());
    /// assert!(Board::from_tiles(&[vec![2, 3], vec![0, 0]]).is_err());
    /// ```
    ///
    /// # Errors
    /// If they are not the cells of a board.
    pub fn from_tiles(rows: &[Vec<u64>]) -> Result<Self, BoardError> {
        let side = u8::try_from(rows.len())
            .ok()
            .and_then(Side::new)
            .filter(|side| rows.iter().all(|row| row.len() == side.length()))
            .ok_or(BoardError::NotASquare)?;
        let exponents: Vec<u8> = rows
            .iter()
            .flatten()
            .map(|&tile| match tile {
                0 => Ok(0),
                _ if tile >= 2 && tile.is_power_of_two() => {
                    Ok(tile.trailing_zeros().to_le_bytes()[0])
                }
                _ => Err(BoardError::NotATile(tile.to_string())),
            })
            .collect::<Result<_, _>>()?;
        Self::from_exponents(side, &exponents)
    }

    /// The numbers of the empty cells, ascending.
    #[must_use]
    pub fn empty_cells(&self) -> EmptyCells {
        EmptyCells::of(&self.cells, self.side.n_cells())
    }

    /// The number of empty cells.
    #[must_use]
    pub fn n_empty(&self) -> usize {
        self.empty_cells().len()
    }

    /// The face value of the highest tile; 0 on an empty board.
    #[must_use]
    pub fn highest(&self) -> u64 {
        // Of a number of cells that the compiler knows; those after the board's own are 0.
        face_value(self.cells.iter().copied().fold(0, u8::max))
    }

    /// All cells, including those after the board's own.
    pub(crate) const fn cells(&self) -> &[u8; Self::MAX_CELLS] {
        &self.cells
    }

    pub(crate) fn cells_mut(&mut self) -> &mut [u8; Self::MAX_CELLS] {
        &mut self.cells
    }

    /// The same board with a tile of this exponent in a cell.
    ///
    /// # Panics
    /// If the board has no such cell or there is no tile with this exponent.
    #[must_use]
    pub fn with_tile(mut self, cell: usize, exponent: u8) -> Self {
        self.set_tile(cell, exponent);
        self
    }

    pub(crate) fn set_tile(&mut self, cell: usize, exponent: u8) {
        assert!(
            cell < self.side.n_cells(),
            "a board of {} has no cell {cell}",
            self.side
        );
        assert!(
            exponent <= Self::MAX_EXPONENT,
            "there is no tile 2^{exponent}"
        );
        self.cells[cell] = exponent;
    }
}

/// The face value of an exponent: 0 for an empty cell, otherwise 2^exponent.
///
/// ```
/// # use plugin_api::face_value;
/// assert_eq!([0, 1, 11].map(face_value), [0, 2, 2048]);
/// ```
#[must_use]
pub const fn face_value(exponent: u8) -> u64 {
    match exponent {
        0 => 0,
        1..=Board::MAX_EXPONENT => 1 << exponent,
        _ => u64::MAX,
    }
}

/// Why cells are not a board.
///
/// ```
/// # use plugin_api::{Board, BoardError};
/// assert_eq!("2 3 / 4 8".parse::<Board>(), Err(BoardError::NotATile("3".to_owned())));
/// assert_eq!("2 4 8".parse::<Board>(), Err(BoardError::NotASquare));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// The number of cells does not match the side.
    WrongNumberOfCells {
        /// The requested side.
        side: Side,
        /// The number of cells that were given.
        found: usize,
    },
    /// The number of rows is not from 2 to 8, or a row has a different length.
    NotASquare,
    /// A word that is not a face value (0, 2, 4, 8, …).
    NotATile(String),
    /// An exponent above [`Board::MAX_EXPONENT`].
    TileTooLarge {
        /// The exponent that was given.
        exponent: u8,
    },
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongNumberOfCells { side, found } => {
                write!(
                    f,
                    "a board of {side} has {} cells, not {found}",
                    side.n_cells()
                )
            }
            Self::NotASquare => {
                f.write_str("a board is a square of 2 to 8 rows, separated by `/` or line ends")
            }
            Self::NotATile(word) => {
                write!(f, "`{word}` is not a tile; tiles are 0 (empty), 2, 4, 8, …")
            }
            Self::TileTooLarge { exponent } => write!(
                f,
                "there is no tile 2^{exponent}; the largest is 2^{}",
                Board::MAX_EXPONENT
            ),
        }
    }
}

impl std::error::Error for BoardError {}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        let rows: Vec<Vec<u64>> = text
            .split(['/', '\n'])
            .filter(|row| !row.trim().is_empty())
            .map(|row| row.split_whitespace().map(face).collect())
            .collect::<Result<_, _>>()?;
        Self::from_tiles(&rows)
    }
}

fn face(word: &str) -> Result<u64, BoardError> {
    match word {
        "." => Ok(0),
        _ => word
            .parse()
            .map_err(|_| BoardError::NotATile(word.to_owned())),
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tiles = self.tiles();
        let width = tiles
            .iter()
            .flatten()
            .map(|tile| tile.to_string().len())
            .max()
            .unwrap_or(1);
        for (number, row) in tiles.iter().enumerate() {
            if number > 0 {
                f.write_str("\n")?;
            }
            for (column, tile) in row.iter().enumerate() {
                let gap = if column == 0 { "" } else { " " };
                match tile {
                    0 => write!(f, "{gap}{:>width$}", '.')?,
                    _ => write!(f, "{gap}{tile:>width$}")?,
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.to_string().replace('\n', " / ");
        write!(
            f,
            "Board({})",
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printed_board_parses_to_the_same_board() {
        let board: Board = "2 0 1024 / 0 0 0 / 131072 4 8".parse().unwrap();
        assert_eq!(board.to_string().parse(), Ok(board));
        assert_eq!(format!("{board:?}"), "Board(2 . 1024 / . . . / 131072 4 8)");
    }

    #[test]
    fn errors_name_the_invalid_part() {
        let error = |text: &str| text.parse::<Board>().unwrap_err().to_string();
        assert_eq!(
            error("2 3 / 4 8"),
            "`3` is not a tile; tiles are 0 (empty), 2, 4, 8, …"
        );
        assert_eq!(error("2 2 2 / 4 8"), BoardError::NotASquare.to_string());
        assert_eq!(error("2"), BoardError::NotASquare.to_string());
        assert_eq!(
            Board::from_exponents(Side::FOUR, &[1; 9])
                .unwrap_err()
                .to_string(),
            "a board of 4×4 has 16 cells, not 9"
        );
    }
}
