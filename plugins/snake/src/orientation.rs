//! The eight ways to turn and mirror a board, so that its path starts in the first cell.

use plugin_api::{Direction, PackedBoard, Side};

/// A way to turn or mirror a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Orientation {
    mirrors_rows: bool,
    mirrors_columns: bool,
    transposes: bool,
}

impl Orientation {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|number| Self {
            mirrors_rows: number & 1 != 0,
            mirrors_columns: number & 2 != 0,
            transposes: number & 4 != 0,
        })
    }

    /// The board seen this way.
    pub(crate) fn of(self, board: PackedBoard, side: Side) -> PackedBoard {
        let length = side.length();
        let mut seen = 0;
        for row in 0..length {
            for column in 0..length {
                let (from_row, from_column) = self.origin(row, column, side);
                let exponent = board.bits() >> (16 * from_row + 4 * from_column) & 15;
                seen |= exponent << (16 * row + 4 * column);
            }
        }
        PackedBoard::from_bits(seen)
    }

    /// The cell of the board that is seen in this row and column.
    pub(crate) fn origin(self, row: usize, column: usize, side: Side) -> (usize, usize) {
        let flipped = |number: usize, flips: bool| {
            if flips {
                side.length() - 1 - number
            } else {
                number
            }
        };
        let (from_row, from_column) = if self.transposes {
            (column, row)
        } else {
            (row, column)
        };
        (
            flipped(from_row, self.mirrors_columns),
            flipped(from_column, self.mirrors_rows),
        )
    }

    /// The direction of the board that is seen as this one.
    pub(crate) fn origin_of_direction(self, direction: Direction) -> Direction {
        use Direction::{Down, Left, Right, Up};
        let turned = match direction {
            Up if self.transposes => Left,
            Left if self.transposes => Up,
            Down if self.transposes => Right,
            Right if self.transposes => Down,
            _ => direction,
        };
        match turned {
            Up if self.mirrors_columns => Down,
            Down if self.mirrors_columns => Up,
            Left if self.mirrors_rows => Right,
            Right if self.mirrors_rows => Left,
            _ => turned,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plugin_api::Board;

    #[test]
    fn every_corner_and_both_directions_are_seen() {
        let board: Board = "2 4 0 / 0 0 0 / 0 0 0".parse().unwrap();
        let packed = PackedBoard::try_from(&board).unwrap();
        let mut seen: Vec<String> = Orientation::all()
            .map(|way| {
                way.of(packed, board.side())
                    .to_board(board.side())
                    .to_string()
            })
            .collect();
        assert_eq!(seen[0], board.to_string());
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 8);
    }
    #[test]
    fn a_move_on_the_seen_board_is_the_original_one_of_the_board() {
        let board: Board = "2 4 8 / 2 8 0 / 0 4 4".parse().unwrap();
        let slide = |board: PackedBoard, direction| {
            let board = board.to_board(Side::new(3).unwrap());
            PackedBoard::try_from(&board.slide(direction).unwrap().board).unwrap()
        };
        let packed = PackedBoard::try_from(&board).unwrap();
        for way in Orientation::all() {
            for direction in Direction::ALL {
                let seen = slide(way.of(packed, board.side()), direction);
                let original = slide(packed, way.origin_of_direction(direction));
                assert_eq!(seen, way.of(original, board.side()), "{way:?} {direction}");
            }
        }
    }
}
