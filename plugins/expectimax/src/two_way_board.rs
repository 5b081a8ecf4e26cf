//! A board and its transpose, so that rows and columns are both at hand.
//!
//! A slide needs the lines along its direction and a value needs both kinds; to carry
//! the pair is cheaper than to transpose. A new tile changes one row and one column:
//! the slides of a board with a new tile are those of the board without, except for
//! that line, so that a search slides a board once for all tiles that may come.

use plugin_api::{PackedBoard, RowTables};

/// The lowest cell of each row: a column of the packed layout.
const FIRST_COLUMN: u64 = 0x000f_000f_000f_000f;

/// A board and its transpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TwoWayBoard {
    rows: u64,
    columns: u64,
}

/// A cell with a new tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewTile {
    row: u32,
    column: u32,
    exponent: u64,
}

/// What the four moves make of a board; the board itself where a move is illegal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slides {
    pub(crate) left: TwoWayBoard,
    pub(crate) right: TwoWayBoard,
    pub(crate) up: TwoWayBoard,
    pub(crate) down: TwoWayBoard,
}

impl NewTile {
    /// `cell` is the cell's number in the 4×4 layout.
    #[inline]
    pub(crate) fn new(cell: u32, exponent: u64) -> Self {
        Self {
            row: cell / 4,
            column: cell % 4,
            exponent,
        }
    }

    #[inline]
    pub(crate) fn row(self) -> u32 {
        self.row
    }

    #[inline]
    pub(crate) fn column(self) -> u32 {
        self.column
    }
}

impl TwoWayBoard {
    pub(crate) fn new(board: PackedBoard) -> Self {
        Self::of_rows(board.bits())
    }

    #[inline]
    fn of_rows(rows: u64) -> Self {
        Self {
            rows,
            columns: transposed(rows),
        }
    }

    #[inline]
    pub(crate) fn packed(self) -> PackedBoard {
        PackedBoard::from_bits(self.rows)
    }

    #[inline]
    pub(crate) fn rows(self) -> [u16; 4] {
        lines(self.rows)
    }

    #[inline]
    pub(crate) fn columns(self) -> [u16; 4] {
        lines(self.columns)
    }

    /// Whether two boards are the same, told by their columns alone: who needs the rows
    /// for nothing else spares the work of making them.
    #[inline]
    pub(crate) fn has_columns_of(self, other: Self) -> bool {
        self.columns == other.columns
    }

    /// The board whose rows and columns are exchanged.
    #[inline]
    pub(crate) fn turned(self) -> Self {
        Self {
            rows: self.columns,
            columns: self.rows,
        }
    }

    #[inline]
    pub(crate) fn with_tile(self, tile: NewTile) -> Self {
        Self {
            rows: self.rows | tile.exponent << (16 * tile.row + 4 * tile.column),
            columns: self.columns | tile.exponent << (16 * tile.column + 4 * tile.row),
        }
    }

    #[inline]
    pub(crate) fn row(self, number: u32) -> u16 {
        line(self.rows, number)
    }

    #[inline]
    pub(crate) fn column(self, number: u32) -> u16 {
        line(self.columns, number)
    }

    #[inline]
    pub(crate) fn with_row(self, number: u32, row: u16) -> Self {
        Self {
            rows: self.rows & !(0xffff << (16 * number)) | u64::from(row) << (16 * number),
            columns: self.columns & !(FIRST_COLUMN << (4 * number)) | spread(row) << (4 * number),
        }
    }

    #[inline]
    fn with_column(self, number: u32, column: u16) -> Self {
        self.turned().with_row(number, column).turned()
    }
}

impl Slides {
    #[inline]
    pub(crate) fn of(board: TwoWayBoard, tables: &RowTables) -> Self {
        let (left, right) = both_ways(board.rows, tables);
        let (up, down) = both_ways(board.columns, tables);
        Self {
            left: TwoWayBoard::of_rows(left),
            right: TwoWayBoard::of_rows(right),
            up: TwoWayBoard::of_rows(up).turned(),
            down: TwoWayBoard::of_rows(down).turned(),
        }
    }

    /// The slides of `board`, which is the board of these slides with that tile.
    #[inline]
    pub(crate) fn with_tile(&self, board: TwoWayBoard, tile: NewTile, tables: &RowTables) -> Self {
        let row = board.row(tile.row);
        let column = board.column(tile.column);
        Self {
            left: self.left.with_row(tile.row, tables.left(row)),
            right: self.right.with_row(tile.row, tables.right(row)),
            up: self.up.with_column(tile.column, tables.left(column)),
            down: self.down.with_column(tile.column, tables.right(column)),
        }
    }
}

/// The lines slid to their first and to their last cell.
#[inline]
fn both_ways(board: u64, tables: &RowTables) -> (u64, u64) {
    (0..4).fold((0, 0), |(to_first, to_last), number| {
        let line = line(board, number);
        (
            to_first | u64::from(tables.left(line)) << (16 * number),
            to_last | u64::from(tables.right(line)) << (16 * number),
        )
    })
}

#[inline]
fn transposed(rows: u64) -> u64 {
    PackedBoard::from_bits(rows).transposed().bits()
}

#[inline]
fn lines(board: u64) -> [u16; 4] {
    [
        line(board, 0),
        line(board, 1),
        line(board, 2),
        line(board, 3),
    ]
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
    use plugin_api::{Direction, Side};

    #[test]
    fn slides_are_those_of_the_row_tables_with_and_without_a_tile() {
        let tables = RowTables::of(Side::FOUR).unwrap();
        let check = |board: TwoWayBoard, slides: &Slides| {
            let of_tables = |direction| TwoWayBoard::new(tables.slide(board.packed(), direction));
            assert_eq!(slides.left, of_tables(Direction::Left));
            assert_eq!(slides.right, of_tables(Direction::Right));
            assert_eq!(slides.up, of_tables(Direction::Up));
            assert_eq!(slides.down, of_tables(Direction::Down));
        };
        for bits in [0, 0x1122_0301_4004_f0f0, 0x0111_1011_1101_1110] {
            let board = TwoWayBoard::new(PackedBoard::from_bits(bits));
            let slides = Slides::of(board, tables);
            check(board, &slides);
            for cell in tables.empty_mask(board.packed()) {
                for exponent in [1, 2] {
                    let number = u32::try_from(cell.index()).unwrap();
                    let tile = NewTile::new(number, exponent);
                    let with_tile = board.with_tile(tile);
                    check(with_tile, &slides.with_tile(with_tile, tile, tables));
                }
            }
        }
    }
}
