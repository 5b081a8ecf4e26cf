//! The result of sliding every possible row of a packed board: a slide is four
//! look-ups.
//!
//! A row has 16 bits, so all 65536 rows fit into a table of a quarter of a megabyte.
//! Columns are rows of the transposed board. The tables of a side are computed once per
//! process, from the same rule for one line that the exact board uses.

use std::sync::OnceLock;

use crate::{
    CellMask, Direction, PackedBoard, Side,
    rules::{cell_mask::LOWEST_BITS, lanes},
};

const N_ROWS: usize = 1 << 16;

/// The slides of all rows of boards of one side.
///
/// Two tiles of 32768 do not merge here: a packed board cannot hold 65536, and any
/// other tile in its place would be wrong.
///
/// ```
/// # use plugin_api::{Direction, PackedBoard, RowTables, Side};
/// let tables = RowTables::of(Side::FOUR).unwrap();
/// let board = PackedBoard::from_bits(0x1100);
/// assert_eq!(tables.slide(board, Direction::Left), PackedBoard::from_bits(0x0002));
/// assert_eq!(tables.slide(board, Direction::Up), board, "nothing moves: illegal");
/// ```
pub struct RowTables {
    side: Side,
    /// The lowest bits of the cells on a board of this side.
    cells: u64,
    /// The results for a row. Both directions are stored together because a search
    /// needs both.
    slides: Box<[[u16; 2]; N_ROWS]>,
    /// Quarters of the gains, all of which are multiples of four: half the memory.
    quarter_gains: Box<[u16; N_ROWS]>,
}

/// The indices of a row's two slides.
const LEFT: usize = 0;
const RIGHT: usize = 1;

impl RowTables {
    /// The tables of a side; `None` if no packed board has that side.
    ///
    /// The first call for a side computes them, which takes about two milliseconds for
    /// 4×4.
    #[must_use]
    pub fn of(side: Side) -> Option<&'static Self> {
        static TABLES: [OnceLock<RowTables>; 3] = [const { OnceLock::new() }; 3];
        let tables = TABLES.get(side.length() - Side::MIN.length())?;
        Some(tables.get_or_init(|| match side.length() {
            2 => Self::compute::<2>(side),
            3 => Self::compute::<3>(side),
            _ => Self::compute::<4>(side),
        }))
    }

    fn compute<const N: usize>(side: Side) -> Self {
        let mut slides = vec![[0; 2]; N_ROWS];
        let mut quarter_gains = vec![0; N_ROWS];
        // Rows of smaller boards have nothing after their last cell.
        for row in (0..=u16::MAX).take(1 << (4 * N)) {
            let board = PackedBoard::from_bits(u64::from(row));
            let exponents: [u8; N] = std::array::from_fn(|place| board.exponent(0, place));
            let (left, gain) = slide_row(exponents);
            let reversed = pack_row(exponents.into_iter());
            slides[usize::from(row)][LEFT] = pack_row(left.into_iter().rev());
            slides[usize::from(reversed)][RIGHT] = pack_row(left.into_iter());
            quarter_gains[usize::from(row)] =
                u16::try_from(gain / 4).expect("a row gains at most 65536");
        }
        let cells = (0..N).fold(0, |cells, row| {
            cells | (LOWEST_BITS & ((1 << (4 * N)) - 1)) << (16 * row)
        });
        let full = "the tables have one entry per row";
        Self {
            side,
            cells,
            slides: slides.try_into().expect(full),
            quarter_gains: quarter_gains.try_into().expect(full),
        }
    }

    /// The side of the boards.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The board after a move; the same board if the move is illegal.
    #[must_use]
    #[inline]
    pub fn slide(&self, board: PackedBoard, direction: Direction) -> PackedBoard {
        match direction {
            Direction::Up => self.left_all(board.transposed()).transposed(),
            Direction::Right => self.right_all(board),
            Direction::Down => self.right_all(board.transposed()).transposed(),
            Direction::Left => self.left_all(board),
        }
    }

    /// The board after a move and the gain; the same board and 0 if the move is
    /// illegal.
    #[must_use]
    #[inline]
    pub fn slide_with_gain(&self, board: PackedBoard, direction: Direction) -> (PackedBoard, u32) {
        match direction {
            Direction::Up => {
                let columns = board.transposed();
                (self.left_all(columns).transposed(), self.gain_all(columns))
            }
            Direction::Right => (self.right_all(board), self.gain_all(board)),
            Direction::Down => {
                let columns = board.transposed();
                (self.right_all(columns).transposed(), self.gain_all(columns))
            }
            Direction::Left => (self.left_all(board), self.gain_all(board)),
        }
    }

    /// Whether no move would change the board.
    ///
    /// ```
    /// # use plugin_api::{Board, PackedBoard, RowTables};
    /// let board: Board = "2 4 / 4 2".parse().unwrap();
    /// let tables = RowTables::of(board.side()).unwrap();
    /// let packed = PackedBoard::try_from(&board).unwrap();
    /// assert!(tables.is_over(packed) && tables.n_empty(packed) == 0);
    /// assert_eq!(tables.side(), board.side());
    /// ```
    #[must_use]
    pub fn is_over(&self, board: PackedBoard) -> bool {
        Direction::ALL
            .into_iter()
            .all(|direction| self.slide(board, direction) == board)
    }

    /// A row after a slide to its first cell.
    #[must_use]
    #[inline]
    pub fn left(&self, row: u16) -> u16 {
        self.slides[usize::from(row)][LEFT]
    }

    /// A row after a slide to its last cell.
    #[must_use]
    #[inline]
    pub fn right(&self, row: u16) -> u16 {
        self.slides[usize::from(row)][RIGHT]
    }

    /// The gain of sliding a row: the same in both directions.
    ///
    /// ```
    /// # use plugin_api::{RowTables, Side};
    /// let tables = RowTables::of(Side::FOUR).unwrap();
    /// let row = 0x0011; // the first two cells hold a 2
    /// assert_eq!((tables.left(row), tables.right(row), tables.gain(row)), (0x0002, 0x2000, 4));
    /// ```
    #[must_use]
    #[inline]
    pub fn gain(&self, row: u16) -> u32 {
        4 * u32::from(self.quarter_gains[usize::from(row)])
    }

    /// The empty cells of a board.
    #[must_use]
    #[inline]
    pub fn empty_mask(&self, board: PackedBoard) -> CellMask {
        CellMask::from_bits(self.cells & !board.tile_bits())
    }

    /// The number of empty cells of a board.
    #[must_use]
    #[inline]
    pub fn n_empty(&self, board: PackedBoard) -> u32 {
        self.empty_mask(board).n_cells()
    }

    /// All rows of a board after a slide to their last or their first cell.
    #[inline]
    pub(crate) fn slide_rows(&self, board: PackedBoard, to_end: bool) -> PackedBoard {
        map_rows(board, |row| {
            self.slides[usize::from(row)][usize::from(to_end)]
        })
    }

    #[inline]
    fn left_all(&self, board: PackedBoard) -> PackedBoard {
        map_rows(board, |row| self.left(row))
    }

    #[inline]
    fn right_all(&self, board: PackedBoard) -> PackedBoard {
        map_rows(board, |row| self.right(row))
    }

    #[inline]
    fn gain_all(&self, board: PackedBoard) -> u32 {
        let quarter = |number| u32::from(self.quarter_gains[usize::from(board.row(number))]);
        4 * (0..4).map(quarter).sum::<u32>()
    }
}

/// A row after a slide to its first cell, and the gain.
fn slide_row<const N: usize>(exponents: [u8; N]) -> ([u8; N], u32) {
    let mut places = exponents.map(u64::from);
    let made = lanes::slide(&mut places, PackedBoard::MAX_EXPONENT);
    let gain = made
        .into_iter()
        .map(lanes::sum_of_face_values::<1>)
        .sum::<u64>();
    (
        places.map(|place| lanes::unpack::<1>(place)[0]),
        u32::try_from(gain).expect("a row makes at most two tiles of 32768"),
    )
}

/// The row with these exponents, given from its last cell to its first.
fn pack_row(exponents: impl Iterator<Item = u8>) -> u16 {
    exponents.fold(0, |row, exponent| row << 4 | u16::from(exponent))
}

#[inline]
fn map_rows(board: PackedBoard, slide: impl Fn(u16) -> u16) -> PackedBoard {
    let row = |number| u64::from(slide(board.row(number))) << (16 * number);
    PackedBoard::from_bits(row(0) | row(1) | row(2) | row(3))
}

impl std::fmt::Debug for RowTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RowTables({})", self.side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_exist_for_the_sides_of_packed_boards() {
        for length in 2..=8 {
            let side = Side::new(length).unwrap();
            assert_eq!(RowTables::of(side).is_some(), length <= 4);
            assert!(RowTables::of(side).is_none_or(|tables| tables.side() == side));
        }
    }

    #[test]
    fn a_row_slides_within_its_side() {
        let tables = |length| RowTables::of(Side::new(length).unwrap()).unwrap();
        assert_eq!(tables(2).right(0x0001), 0x0010);
        assert_eq!(tables(3).right(0x0011), 0x0200);
        assert_eq!(tables(4).right(0x0311), 0x3200);
        assert_eq!(tables(4).left(0x2211), 0x0032);
        assert_eq!(tables(4).gain(0x2211), 8 + 4);
    }

    #[test]
    fn two_tiles_of_32768_stay_apart() {
        let tables = RowTables::of(Side::FOUR).unwrap();
        assert_eq!(tables.left(0xff00), 0x00ff);
        assert_eq!(tables.gain(0xff00), 0);
        assert_eq!(tables.left(0xeeee), 0x00ff);
        assert_eq!(tables.gain(0xeeee), 65536);
    }

    #[test]
    fn empty_cells_are_those_of_the_side() {
        let tables = RowTables::of(Side::new(3).unwrap()).unwrap();
        let board = PackedBoard::from_bits(0x0001_0000_0500);
        assert_eq!(tables.empty_mask(board).bits(), 0x0110_0111_0011);
        assert_eq!(tables.n_empty(board), 7);
    }
}
