//! The moves of a board and the static values of the results.
//!
//! A new tile changes one row and one column. Therefore the slides of a moved board are
//! computed and evaluated once for all possible tiles. For each tile, one line of each
//! slide is replaced, together with the parts of the value that depend on that line and
//! the lines across it.

use plugin_api::{
    Direction, PackedBoard, RowTables,
    explain::{NodeKind, Term},
};

use super::two_way_board::{NewTile, TwoWayBoard};
use crate::{Recorder, recorder::after_move};

/// An evaluation that is a sum over the rows and columns of a board.
pub trait LineEvaluation {
    /// The value of a row by its number.
    fn of_row(&self, number: usize, row: u16) -> i32;

    /// The value of a column by its number.
    fn of_column(&self, number: usize, column: u16) -> i32;

    /// The value of a board without a legal move.
    fn of_lost_board(&self) -> i32;
}

/// Slides boards and evaluates them.
pub struct Judge<E> {
    /// The slides of lines.
    pub tables: &'static RowTables,
    /// The values of lines.
    pub values: E,
}

/// The four slides of a moved board, without the new tile. Those of columns are
/// transposed, so the line with the new tile is a row in each.
#[derive(Clone, Copy, Debug)]
pub struct BareSlides {
    left: BareSlide,
    right: BareSlide,
    up: BareSlide,
    down: BareSlide,
}

#[derive(Clone, Copy, Debug)]
struct BareSlide {
    board: TwoWayBoard,
    /// The value of all its rows except one, for each row.
    values_without: [i32; 4],
}

/// The result of a move on a board with its new tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JudgedMove {
    /// The board after the move.
    pub moved: TwoWayBoard,
    /// Its static value.
    pub value: i32,
    /// Whether the move changes the board.
    pub is_legal: bool,
}

/// The axis of a line.
const ROWS: bool = false;
const COLUMNS: bool = true;

impl<E: LineEvaluation> Judge<E> {
    /// The static value of a board.
    #[must_use]
    #[inline]
    pub fn static_value(&self, board: TwoWayBoard) -> i32 {
        self.of_all::<ROWS>(board.rows()) + self.of_all::<COLUMNS>(board.columns())
    }

    /// The value of a board without a legal move.
    #[must_use]
    #[inline]
    pub fn value_of_lost_board(&self) -> i32 {
        self.values.of_lost_board()
    }

    /// The slides of a board after a move.
    #[must_use]
    #[inline]
    pub fn bare_slides(&self, board: TwoWayBoard) -> BareSlides {
        let (left, right) = self.slide_lines::<ROWS>(board);
        let (up, down) = self.slide_lines::<COLUMNS>(board.turned());
        BareSlides {
            left,
            right,
            up,
            down,
        }
    }

    #[inline]
    fn slide_lines<const AXIS: bool>(&self, board: TwoWayBoard) -> (BareSlide, BareSlide) {
        let slide = |lines: [u16; 4]| {
            let values = [0, 1, 2, 3].map(|number| self.of::<AXIS>(number, lines[number]));
            let sum: i32 = values.iter().sum();
            BareSlide {
                board: TwoWayBoard::of_rows(lines),
                values_without: values.map(|value| sum - value),
            }
        };
        (
            slide(board.rows().map(|row| self.tables.left(row))),
            slide(board.rows().map(|row| self.tables.right(row))),
        )
    }

    /// The answers to a tile that `board` contains and the slides do not.
    #[must_use]
    #[inline]
    pub fn answers(
        &self,
        board: TwoWayBoard,
        tile: NewTile,
        slides: &BareSlides,
    ) -> [JudgedMove; 4] {
        let turned = board.turned();
        let (row, column) = (board.row(tile.row()), turned.row(tile.column()));
        let tables = self.tables;
        let left = self.answer::<ROWS>(&slides.left, board, tile.row(), tables.left(row));
        let right = self.answer::<ROWS>(&slides.right, board, tile.row(), tables.right(row));
        let up = self.answer::<COLUMNS>(&slides.up, turned, tile.column(), tables.left(column));
        let down =
            self.answer::<COLUMNS>(&slides.down, turned, tile.column(), tables.right(column));
        [left, right, up.turned(), down.turned()]
    }

    /// The best static value among the answers to a tile.
    #[must_use]
    #[inline]
    pub fn best_static(&self, answers: &[JudgedMove; 4]) -> i32 {
        let lost = self.value_of_lost_board();
        let values = answers.map(|answer| if answer.is_legal { answer.value } else { lost });
        values[0].max(values[1]).max(values[2].max(values[3]))
    }

    #[inline]
    fn answer<const AXIS: bool>(
        &self,
        slide: &BareSlide,
        board: TwoWayBoard,
        number: u32,
        line: u16,
    ) -> JudgedMove {
        let moved = slide.board.with_row(number, line);
        let number = number as usize;
        let along = slide.values_without[number] + self.of::<AXIS>(number, line);
        let across = if AXIS == ROWS {
            self.of_all::<COLUMNS>(moved.columns())
        } else {
            self.of_all::<ROWS>(moved.columns())
        };
        JudgedMove {
            moved,
            value: along + across,
            is_legal: !moved.has_columns_of(board),
        }
    }

    #[inline]
    fn of<const AXIS: bool>(&self, number: usize, line: u16) -> i32 {
        if AXIS == ROWS {
            self.values.of_row(number, line)
        } else {
            self.values.of_column(number, line)
        }
    }

    #[inline]
    fn of_all<const AXIS: bool>(&self, lines: [u16; 4]) -> i32 {
        let of = |number: usize| self.of::<AXIS>(number, lines[number]);
        of(0) + of(1) + (of(2) + of(3))
    }

    /// The open node is a leaf with this board.
    pub fn explain(&self, board: TwoWayBoard, recorder: &mut impl Recorder) {
        recorder.add(|node| {
            node.kind = NodeKind::Leaf;
            node.terms = vec![
                Term::new("rows", self.of_all::<ROWS>(board.rows()).into()),
                Term::new("columns", self.of_all::<COLUMNS>(board.columns()).into()),
            ];
        });
    }

    /// Records the legal answers to a tile as leaves.
    pub fn record_answers<R: Recorder>(&self, answers: &[JudgedMove; 4], recorder: &mut R) {
        if !R::IS_ON {
            return;
        }
        if !answers.iter().any(|answer| answer.is_legal) {
            recorder.add(|node| node.kind = NodeKind::Dead);
        }
        for (answer, direction) in answers.iter().zip(JudgedMove::DIRECTIONS) {
            if answer.is_legal {
                recorder.announce(|| after_move(direction));
                self.record_leaf(answer, recorder);
            }
        }
    }

    /// Records an answer as a leaf.
    pub fn record_leaf(&self, answer: &JudgedMove, recorder: &mut impl Recorder) {
        recorder.open(NodeKind::Leaf);
        self.explain(answer.moved, recorder);
        recorder.close(|node| node.value = Some(answer.value.into()));
    }

    /// The empty cells of a board, as their lowest bits.
    #[must_use]
    #[inline]
    pub fn empty_cells(&self, board: PackedBoard) -> u64 {
        self.tables.empty_mask(board).bits()
    }
}

impl JudgedMove {
    /// The directions of the answers to a tile.
    pub const DIRECTIONS: [Direction; 4] = [
        Direction::Left,
        Direction::Right,
        Direction::Up,
        Direction::Down,
    ];

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
    use crate::{LineValues, Weights};
    use plugin_api::{Direction, Side};

    /// Every line has a value of its own, by axis, number and tiles.
    struct Distinct;

    impl LineEvaluation for Distinct {
        fn of_row(&self, number: usize, row: u16) -> i32 {
            i32::from(row) * [1, 3, 7, 13][number]
        }

        fn of_column(&self, number: usize, column: u16) -> i32 {
            i32::from(column) * [2, 5, 11, 17][number]
        }

        fn of_lost_board(&self) -> i32 {
            0
        }
    }

    #[test]
    fn rows_and_columns_are_valued_by_their_numbers() {
        let tables = RowTables::of(Side::FOUR).unwrap();
        let values = Distinct;
        check_answers(&Judge { tables, values });
    }

    #[test]
    fn answers_are_the_slides_of_the_row_tables_with_their_values() {
        let tables = RowTables::of(Side::FOUR).unwrap();
        let values = LineValues::new(&Weights::default(), Side::FOUR);
        check_answers(&Judge { tables, values });
    }

    #[track_caller]
    fn check_answers<E: LineEvaluation>(judge: &Judge<E>) {
        let tables = judge.tables;
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
                        JudgedMove {
                            moved,
                            value: static_value(judge, moved),
                            is_legal: slid != board,
                        }
                    });
                    assert_eq!(answers, expected);
                }
            }
        }
    }

    fn static_value<E: LineEvaluation>(judge: &Judge<E>, board: TwoWayBoard) -> i32 {
        let mut value = 0;
        for number in 0..4 {
            value += judge.values.of_row(number, board.rows()[number]);
            value += judge.values.of_column(number, board.columns()[number]);
        }
        value
    }
}
