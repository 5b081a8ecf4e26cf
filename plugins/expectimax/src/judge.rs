//! The moves of a board and the static values of the results.
//!
//! A new tile changes one row and one column. Therefore the slides of a moved board are
//! computed and evaluated once for all possible tiles. For each tile, one line of each
//! slide is replaced, together with the parts of the value that depend on that line and
//! the lines across it.

use plugin_api::{PackedBoard, RowTables};

use crate::{
    line_values::LineValues,
    two_way_board::{NewTile, TwoWayBoard},
};

/// Slides boards and evaluates them.
pub(crate) struct Judge {
    pub(crate) tables: &'static RowTables,
    pub(crate) values: LineValues,
}

/// The four slides of a moved board, without the new tile. Those of columns are
/// transposed, so that the line with the new tile is a row in each.
pub(crate) struct BareSlides {
    left: BareSlide,
    right: BareSlide,
    up: BareSlide,
    down: BareSlide,
}

struct BareSlide {
    board: TwoWayBoard,
    /// The value of all its rows except one, for each row.
    values_without: [i32; 4],
}

/// The result of a move on a board with its new tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) moved: TwoWayBoard,
    /// Its static value.
    pub(crate) value: i32,
    /// Whether the move changes the board.
    pub(crate) is_legal: bool,
}

impl Judge {
    /// The static value of a board.
    #[inline]
    pub(crate) fn static_value(&self, board: TwoWayBoard) -> i32 {
        self.values.of_all(board.rows()) + self.values.of_all(board.columns())
    }

    /// The value of a board without a legal move.
    #[inline]
    pub(crate) fn value_of_lost_board(&self) -> i32 {
        self.values.of_lost_board()
    }

    /// The slides of a board after a move.
    #[inline]
    pub(crate) fn bare_slides(&self, board: TwoWayBoard) -> BareSlides {
        let (left, right) = self.slide_rows(board);
        let (up, down) = self.slide_rows(board.turned());
        BareSlides {
            left,
            right,
            up,
            down,
        }
    }

    #[inline]
    fn slide_rows(&self, board: TwoWayBoard) -> (BareSlide, BareSlide) {
        let slide = |rows: [u16; 4]| {
            let values = rows.map(|row| self.values.of(row));
            let sum: i32 = values.iter().sum();
            BareSlide {
                board: TwoWayBoard::of_rows(rows),
                values_without: values.map(|value| sum - value),
            }
        };
        (
            slide(board.rows().map(|row| self.tables.left(row))),
            slide(board.rows().map(|row| self.tables.right(row))),
        )
    }

    /// The answers to a tile that `board` contains and the slides do not.
    #[inline]
    pub(crate) fn answers(
        &self,
        board: TwoWayBoard,
        tile: NewTile,
        slides: &BareSlides,
    ) -> [Answer; 4] {
        let turned = board.turned();
        let (row, column) = (board.row(tile.row()), turned.row(tile.column()));
        let tables = self.tables;
        let left = self.answer(&slides.left, board, tile.row(), tables.left(row));
        let right = self.answer(&slides.right, board, tile.row(), tables.right(row));
        let up = self.answer(&slides.up, turned, tile.column(), tables.left(column));
        let down = self.answer(&slides.down, turned, tile.column(), tables.right(column));
        [left, right, up.turned(), down.turned()]
    }

    #[inline]
    fn answer(&self, slide: &BareSlide, board: TwoWayBoard, number: u32, row: u16) -> Answer {
        let moved = slide.board.with_row(number, row);
        let rows = slide.values_without[number as usize] + self.values.of(row);
        Answer {
            moved,
            value: rows + self.values.of_all(moved.columns()),
            is_legal: !moved.has_columns_of(board),
        }
    }

    /// The empty cells of a board, as their lowest bits.
    #[inline]
    pub(crate) fn empty_cells(&self, board: PackedBoard) -> u64 {
        self.tables.empty_mask(board).bits()
    }
}

impl Answer {
    #[inline]
    fn turned(self) -> Self {
        Self {
            moved: self.moved.turned(),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;
    use plugin_api::{Direction, Side};

    #[test]
    fn answers_are_the_slides_of_the_row_tables_with_their_values() {
        let tables = RowTables::of(Side::FOUR).unwrap();
        let judge = Judge {
            tables,
            values: LineValues::new(&Params::default().weights(), Side::FOUR),
        };
        for bits in [0, 0x1122_0301_4004_f0f0, 0x0111_1011_1101_1110] {
            let bare = PackedBoard::from_bits(bits);
            let slides = judge.bare_slides(TwoWayBoard::new(bare));
            for cell in tables.empty_mask(bare) {
                for exponent in [1, 2] {
                    let tile = NewTile::new(u32::try_from(cell.index()).unwrap(), exponent.into());
                    let board = bare.with_new_tile(cell, exponent);
                    let answers = judge.answers(TwoWayBoard::new(board), tile, &slides);
                    let directions = [
                        Direction::Left,
                        Direction::Right,
                        Direction::Up,
                        Direction::Down,
                    ];
                    let expected = directions.map(|direction| {
                        let slid = tables.slide(board, direction);
                        let moved = TwoWayBoard::new(slid);
                        Answer {
                            moved,
                            value: judge.static_value(moved),
                            is_legal: slid != board,
                        }
                    });
                    assert_eq!(answers, expected);
                }
            }
        }
    }
}
