//! What a board is worth, as a sum over its rows and columns.
//!
//! In a game without luck it is enough to keep a board tidy: every empty cell counts,
//! and every step between neighbours costs as many points as merges lie between them.
//! Among all forms tried this one reached the goals of 4×4 in the fewest possible
//! moves with the narrowest search.

use plugin_api::{PackedBoard, Side};

const N_ROWS: usize = 1 << 16;

/// What an empty cell is worth in steps between neighbours.
const EMPTY_CELL: i32 = 10;

/// The values of all rows of boards of one side.
#[derive(Clone, Debug)]
pub struct RowValues(Box<[i32]>);

impl RowValues {
    /// The values for boards of this side.
    #[must_use]
    pub fn of(side: Side) -> Self {
        let length = side.length();
        let values = (0..N_ROWS).map(|row| {
            let exponent = |place: usize| i32::try_from(row >> (4 * place) & 15).unwrap_or(0);
            let n_empty = (0..length).filter(|&place| exponent(place) == 0).count();
            let steps: i32 = (1..length)
                .map(|place| (exponent(place) - exponent(place - 1)).abs())
                .sum();
            EMPTY_CELL * i32::try_from(n_empty).unwrap_or(0) - steps
        });
        Self(values.collect())
    }

    /// What a board is worth; higher is better.
    #[must_use]
    #[inline]
    pub fn value(&self, board: PackedBoard) -> i32 {
        let columns = board.transposed();
        (0..4)
            .map(|number| self.row(board.row(number)) + self.row(columns.row(number)))
            .sum()
    }

    #[inline]
    fn row(&self, row: u16) -> i32 {
        self.0[usize::from(row)]
    }
}
