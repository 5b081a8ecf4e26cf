//! Whether the game is lost, for the leaves of a search.

use plugin_api::{PackedBoard, RowTables};

/// Whether a board has no legal move, determined without a slide: it is full and no two
/// neighbours are equal. As in [`RowTables`], two tiles of 32768 do not merge.
#[must_use]
#[inline]
pub fn is_lost(tables: &RowTables, board: PackedBoard) -> bool {
    tables.empty_mask(board).is_empty() && !has_merge(tables, board)
}

#[cold]
fn has_merge(tables: &RowTables, board: PackedBoard) -> bool {
    let columns = board.transposed();
    // A full line slides only by merging, and then in both directions.
    (0..tables.side().length())
        .any(|number| tables.gain(board.row(number)) > 0 || tables.gain(columns.row(number)) > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plugin_api::{Board, Side};

    #[test]
    fn a_full_board_without_equal_neighbours_is_lost() {
        let cases = [
            ("2 4 / 4 2", true),
            ("2 4 / 2 8", false),
            ("2 4 / 8 8", false),
            ("2 4 / 8 0", false),
            ("2 4 2 / 4 2 4 / 2 4 2", true),
            ("2 4 2 / 4 2 4 / 2 4 4", false),
        ];
        for (text, lost) in cases {
            let board: Board = text.parse().unwrap();
            let tables = RowTables::of(board.side()).unwrap();
            let packed = PackedBoard::try_from(&board).unwrap();
            assert_eq!(is_lost(tables, packed), lost, "{text}");
        }
        let tables = RowTables::of(Side::FOUR).unwrap();
        assert!(
            !is_lost(tables, PackedBoard::EMPTY),
            "nothing can move, but there are empty cells"
        );
    }
}
