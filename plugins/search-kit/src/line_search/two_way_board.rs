//! A board and its transpose, so that both rows and columns are available.
//!
//! A slide needs the lines along its direction, and a value needs both kinds. Keeping
//! the pair is cheaper than transposing repeatedly.

use plugin_api::PackedBoard;

/// The lowest cell of each row: a column of the packed layout.
const FIRST_COLUMN: u64 = 0x000f_000f_000f_000f;

/// A board and its transpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TwoWayBoard {
    rows: u64,
    columns: u64,
}

/// A new tile and its cell.
#[derive(Clone, Copy, Debug)]
pub struct NewTile {
    row: u32,
    column: u32,
    exponent: u64,
}

impl NewTile {
    /// `cell` is the cell's number in the 4×4 layout.
    #[must_use]
    #[inline]
    pub fn new(cell: u32, exponent: u64) -> Self {
        Self {
            row: cell / 4,
            column: cell % 4,
            exponent,
        }
    }

    /// The number of its row.
    #[must_use]
    #[inline]
    pub fn row(self) -> u32 {
        self.row
    }

    /// The number of its column.
    #[must_use]
    #[inline]
    pub fn column(self) -> u32 {
        self.column
    }
}

impl TwoWayBoard {
    /// The pair of a board.
    #[must_use]
    pub fn new(board: PackedBoard) -> Self {
        Self {
            rows: board.bits(),
            columns: board.transposed().bits(),
        }
    }

    /// The board with these rows.
    #[must_use]
    #[inline]
    pub fn of_rows(rows: [u16; 4]) -> Self {
        let [first, second, third, fourth] = rows.map(u64::from);
        let rows = first | second << 16 | third << 32 | fourth << 48;
        Self::new(PackedBoard::from_bits(rows))
    }

    /// The board alone.
    #[must_use]
    #[inline]
    pub fn packed(self) -> PackedBoard {
        PackedBoard::from_bits(self.rows)
    }

    /// Its rows.
    #[must_use]
    #[inline]
    pub fn rows(self) -> [u16; 4] {
        lines(self.rows)
    }

    /// Its columns.
    #[must_use]
    #[inline]
    pub fn columns(self) -> [u16; 4] {
        lines(self.columns)
    }

    /// One of its rows.
    #[must_use]
    #[inline]
    pub fn row(self, number: u32) -> u16 {
        line(self.rows, number)
    }

    /// Whether two boards are equal, compared by their columns alone. A caller that
    /// needs the rows for nothing else avoids computing them.
    #[must_use]
    #[inline]
    pub fn has_columns_of(self, other: Self) -> bool {
        self.columns == other.columns
    }

    /// The board whose rows are the columns of this one.
    #[must_use]
    #[inline]
    pub fn turned(self) -> Self {
        Self {
            rows: self.columns,
            columns: self.rows,
        }
    }

    /// The board with a tile in a cell that was empty.
    #[must_use]
    #[inline]
    pub fn with_tile(self, tile: NewTile) -> Self {
        Self {
            rows: self.rows | tile.exponent << (16 * tile.row + 4 * tile.column),
            columns: self.columns | tile.exponent << (16 * tile.column + 4 * tile.row),
        }
    }

    /// The board with a row replaced.
    #[must_use]
    #[inline]
    pub fn with_row(self, number: u32, row: u16) -> Self {
        Self {
            rows: self.rows & !(0xffff << (16 * number)) | u64::from(row) << (16 * number),
            columns: self.columns & !(FIRST_COLUMN << (4 * number)) | spread(row) << (4 * number),
        }
    }
}

#[inline]
fn lines(board: u64) -> [u16; 4] {
    [0, 1, 2, 3].map(|number| line(board, number))
}

#[inline]
fn line(board: u64, number: u32) -> u16 {
    (board >> (16 * number) & 0xffff) as u16
}

/// A line as the first column of a board.
#[inline]
fn spread(line: u16) -> u64 {
    let line = u64::from(line);
    (line | line << 12 | line << 24 | line << 36) & FIRST_COLUMN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_stay_together() {
        let board = TwoWayBoard::new(PackedBoard::from_bits(0xfedc_ba98_0050_3210));
        let with_row = board.with_row(1, 0x7654);
        assert_eq!(with_row.packed().bits(), 0xfedc_ba98_7654_3210);
        assert_eq!(with_row, TwoWayBoard::new(with_row.packed()));
        let with_tile = board.with_tile(NewTile::new(7, 2));
        assert_eq!(with_tile.packed().bits(), 0xfedc_ba98_2050_3210);
        assert_eq!(with_tile, TwoWayBoard::new(with_tile.packed()));
        assert_eq!(board.turned().rows(), [0xc800, 0xd951, 0xea02, 0xfb03]);
    }
}
