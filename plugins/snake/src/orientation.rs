//! The eight ways to turn and mirror a board, so that its path starts in the first cell.

use plugin_api::{PackedBoard, Side};

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
        let flipped = |number: usize, flips: bool| {
            if flips { length - 1 - number } else { number }
        };
        let mut seen = 0;
        for row in 0..length {
            for column in 0..length {
                let (from_row, from_column) = if self.transposes {
                    (column, row)
                } else {
                    (row, column)
                };
                let from_row = flipped(from_row, self.mirrors_columns);
                let from_column = flipped(from_column, self.mirrors_rows);
                let exponent = board.bits() >> (16 * from_row + 4 * from_column) & 15;
                seen |= exponent << (16 * row + 4 * column);
            }
        }
        PackedBoard::from_bits(seen)
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
}
