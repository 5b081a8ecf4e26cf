//! The value of a board, as a sum over its rows and columns.
//!
//! With deterministic tiles it is enough to keep a board tidy: every empty cell counts,
//! and every step between neighbours costs as many points as there are merges between
//! them. Of all forms tried, this one reached the goals on 4×4 in the fewest possible
//! moves with the narrowest search.

use plugin_api::{PackedBoard, Side};
use search_kit::LineTable;

/// The value of an empty cell, in steps between neighbours.
const EMPTY_CELL: i32 = 10;

/// The values of all rows and columns of boards of one side.
pub(crate) struct RowValues(LineTable<i32>);

impl RowValues {
    /// The values for boards of this side.
    #[must_use]
    pub(crate) fn of(side: Side) -> Self {
        Self(LineTable::new(side, |exponents| {
            let empty = exponents.iter().filter(|&&exponent| exponent == 0);
            let steps = exponents
                .windows(2)
                .map(|pair| i32::from(pair[0].abs_diff(pair[1])));
            empty.map(|_| EMPTY_CELL).sum::<i32>() - steps.sum::<i32>()
        }))
    }

    /// The value of a board; higher is better.
    #[must_use]
    #[inline]
    pub(crate) fn value(&self, board: PackedBoard) -> i32 {
        let columns = board.transposed();
        (0..4)
            .map(|number| self.0.of(board.row(number)) + self.0.of(columns.row(number)))
            .sum()
    }
}

impl std::fmt::Debug for RowValues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RowValues")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_of_a_board_is_its_empty_cells_less_the_steps() {
        let values = RowValues::of(Side::MIN);
        // 2 16      An empty cell counts in its row and in its column, as do those of
        // 0  4      the two rows and columns that lie outside of the board.
        let board = PackedBoard::from_bits(0x0020_0041);
        let outside = 4 * 2 * EMPTY_CELL;
        assert_eq!(
            values.value(board),
            outside + 2 * EMPTY_CELL - (3 + 2 + 1 + 2)
        );
    }
}
