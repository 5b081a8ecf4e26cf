//! The moves of a board with each possible new tile.
//!
//! A new tile changes one row and one column. Therefore the slides of a moved board are made
//! once for all possible tiles, and for each tile one line of each slide is replaced.

use plugin_api::{PackedBoard, RowTables};

/// A board after a legal move, and the move's gain.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moved {
    /// The board.
    pub board: PackedBoard,
    /// The gain.
    pub gain: f32,
}

impl Moved {
    #[inline]
    #[expect(
        clippy::cast_precision_loss,
        reason = "gains are sums of a few powers of two"
    )]
    pub(crate) fn new(board: PackedBoard, gain: u32) -> Self {
        Self {
            board,
            gain: gain as f32,
        }
    }
}

/// The slides of a board before its new tile.
pub(crate) struct BareSlides {
    tables: &'static RowTables,
    rows: BareLines,
    columns: BareLines,
}

/// A board slid along its rows in both directions. That of columns is transposed.
struct BareLines {
    board: u64,
    left: u64,
    right: u64,
    gain: u32,
}

impl BareSlides {
    #[inline]
    pub(crate) fn new(board: PackedBoard, tables: &'static RowTables) -> Self {
        Self {
            tables,
            rows: BareLines::new(board, tables),
            columns: BareLines::new(board.transposed(), tables),
        }
    }

    /// The legal moves to the left and right, up and down, with a tile in a cell. The boards
    /// of the last two are transposed.
    #[inline]
    pub(crate) fn with_tile(&self, cell: u32, exponent: u64) -> [Option<Moved>; 4] {
        let (row, column) = (cell / 4, cell % 4);
        let [left, right] = self.rows.with_tile(row, column, exponent, self.tables);
        let [up, down] = self.columns.with_tile(column, row, exponent, self.tables);
        [left, right, up, down]
    }
}

impl BareLines {
    #[inline]
    fn new(board: PackedBoard, tables: &RowTables) -> Self {
        let mut lines = Self {
            board: board.bits(),
            left: 0,
            right: 0,
            gain: 0,
        };
        for number in 0..4 {
            let row = board.row(number);
            lines.left |= u64::from(tables.left(row)) << (16 * number);
            lines.right |= u64::from(tables.right(row)) << (16 * number);
            lines.gain += tables.gain(row);
        }
        lines
    }

    #[inline]
    fn with_tile(
        &self,
        line: u32,
        place: u32,
        exponent: u64,
        tables: &RowTables,
    ) -> [Option<Moved>; 2] {
        let shift = 16 * line;
        let board = self.board | exponent << (shift + 4 * place);
        let [old, new] = [self.board, board].map(|bits| (bits >> shift & 0xffff) as u16);
        let gain = self.gain - tables.gain(old) + tables.gain(new);
        [
            (self.left, tables.left(new)),
            (self.right, tables.right(new)),
        ]
        .map(|(bare, row)| {
            let moved = bare & !(0xffff << shift) | u64::from(row) << shift;
            (moved != board).then(|| Moved::new(PackedBoard::from_bits(moved), gain))
        })
    }
}

/// The legal moves with the boards of the last two turned back.
#[inline]
pub(crate) fn upright([left, right, up, down]: [Option<Moved>; 4]) -> [Option<Moved>; 4] {
    let turned = |moved: Moved| Moved {
        board: moved.board.transposed(),
        ..moved
    };
    [left, right, up.map(turned), down.map(turned)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use plugin_api::{Direction, Side};

    #[test]
    fn moves_are_those_of_the_row_tables() {
        let tables = RowTables::of(Side::FOUR).unwrap();
        for bits in [0, 0x1122_0301_4004_f0f0, 0x0111_1011_1101_1110] {
            let bare = PackedBoard::from_bits(bits);
            let slides = BareSlides::new(bare, tables);
            for cell in tables.empty_mask(bare) {
                for exponent in [1, 2] {
                    let board = bare.with_new_tile(cell, exponent);
                    let expected = [
                        Direction::Left,
                        Direction::Right,
                        Direction::Up,
                        Direction::Down,
                    ]
                    .map(|direction| {
                        let (moved, gain) = tables.slide_with_gain(board, direction);
                        (moved != board).then(|| Moved::new(moved, gain))
                    });
                    let number = u32::try_from(cell.index()).unwrap();
                    let found = slides.with_tile(number, exponent.into());
                    assert_eq!(upright(found), expected);
                }
            }
        }
    }
}
