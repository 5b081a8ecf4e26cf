//! Cells of a packed board: a single cell, or a set of cells.
//!
//! A search places tiles on many cells per microsecond. Therefore a cell is represented
//! by the lowest bit of its tile: placing a tile is one shift and one `or`. A set is
//! the `or` of its cells, and its arithmetic works on all sixteen at once.

use std::iter::FusedIterator;

/// The lowest bit of every cell; as a factor, it sums over all lower cells.
pub(crate) const LOWEST_BITS: u64 = 0x1111_1111_1111_1111;

/// A cell of a packed board: the lowest of its four bits.
///
/// ```
/// # use plugin_api::PackedCell;
/// let cell = PackedCell::new(1, 2).unwrap();
/// assert_eq!((cell.index(), cell.bit()), (6, 1 << 24));
/// assert_eq!(PackedCell::new(4, 0), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedCell(u64);

impl PackedCell {
    /// The cell in this row and column, if the 4×4 layout has it.
    #[must_use]
    pub const fn new(row: usize, column: usize) -> Option<Self> {
        if row < 4 && column < 4 {
            Some(Self(1 << (16 * row + 4 * column)))
        } else {
            None
        }
    }

    /// The cell's number in the 4×4 layout: `4 * row + column`, also on smaller boards.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0.trailing_zeros() as usize / 4
    }

    /// The cell's lowest bit in a board.
    #[must_use]
    pub const fn bit(self) -> u64 {
        self.0
    }
}

/// A set of cells of a packed board; iteration is in reading order.
///
/// ```
/// # use plugin_api::{Board, PackedBoard, RowTables, Side};
/// let board: Board = "2 0 / 0 4".parse().unwrap();
/// let tables = RowTables::of(board.side()).unwrap();
/// let packed = PackedBoard::try_from(&board).unwrap();
/// let empty = tables.empty_mask(packed);
/// assert_eq!(empty.n_cells(), 2);
/// let with_a_2 = empty.into_iter().map(|cell| packed.with_new_tile(cell, 1).to_board(board.side()));
/// assert!(with_a_2.eq(["2 2 / 0 4", "2 0 / 2 4"].map(|text| text.parse().unwrap())));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CellMask(u64);

impl CellMask {
    /// The cells whose lowest bits are set.
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits & LOWEST_BITS)
    }

    /// The lowest bits of the cells.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Whether no cell is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of cells in the set.
    #[must_use]
    #[inline]
    pub const fn n_cells(self) -> u32 {
        // The last cell is counted separately because sixteen does not fit into four
        // bits.
        (((self.n_before() >> 60) + (self.0 >> 60)) & 31) as u32
    }

    /// The cell with this number among those of the set, counted from 0 in reading
    /// order.
    #[must_use]
    #[inline]
    pub const fn nth_cell(self, number: u32) -> Option<PackedCell> {
        if number >= self.n_cells() {
            return None;
        }
        Some(PackedCell(self.nth_bit(number as u64)))
    }

    /// The lowest bit of the cell with this number; 0 if the set is empty.
    ///
    /// `number` must be below the number of cells, or 0. Has no branch and no loop.
    #[inline]
    pub(crate) const fn nth_bit(self, number: u64) -> u64 {
        let has_another_number = occupied_bits(self.n_before() ^ (number * LOWEST_BITS));
        self.0 & !has_another_number
    }

    /// For each of sixteen groups of four bits, the number of cells of the set before
    /// it.
    const fn n_before(self) -> u64 {
        (self.0 << 4).wrapping_mul(LOWEST_BITS)
    }
}

/// The lowest bit of every group of four bits that is not zero.
#[inline]
pub(crate) const fn occupied_bits(groups: u64) -> u64 {
    let pairs = groups | groups >> 1;
    (pairs | pairs >> 2) & LOWEST_BITS
}

impl IntoIterator for CellMask {
    type Item = PackedCell;
    type IntoIter = Cells;

    #[inline]
    fn into_iter(self) -> Cells {
        Cells(self)
    }
}

/// An iterator over the cells of a [`CellMask`].
///
/// ```
/// # use plugin_api::{PackedBoard, RowTables, Side};
/// let tables = RowTables::of(Side::new(2).unwrap()).unwrap();
/// let empty = tables.empty_mask(PackedBoard::EMPTY);
/// assert_eq!((empty.is_empty(), empty.n_cells(), empty.bits()), (false, 4, 0x0011_0011));
/// assert_eq!(empty.into_iter().map(|cell| cell.index()).collect::<Vec<_>>(), [0, 1, 4, 5]);
/// assert_eq!(empty.nth_cell(2), empty.into_iter().nth(2));
/// ```
#[derive(Clone, Debug)]
pub struct Cells(CellMask);

impl Iterator for Cells {
    type Item = PackedCell;

    #[inline]
    fn next(&mut self) -> Option<PackedCell> {
        let bits = self.0.0;
        let bit = bits & bits.wrapping_neg();
        self.0 = CellMask(bits ^ bit);
        (bit != 0).then_some(PackedCell(bit))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n_cells = self.0.n_cells() as usize;
        (n_cells, Some(n_cells))
    }
}

impl ExactSizeIterator for Cells {}
impl FusedIterator for Cells {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every set of cells, as a list of cell numbers and as a mask.
    fn all_sets() -> impl Iterator<Item = (Vec<usize>, CellMask)> {
        (0u32..1 << 16).map(|set| {
            let members: Vec<usize> = (0..16).filter(|place| set >> place & 1 == 1).collect();
            let bits = members.iter().map(|place| 1 << (4 * place)).sum();
            (members, CellMask::from_bits(bits))
        })
    }

    #[test]
    fn a_set_counts_and_lists_its_cells() {
        for (members, mask) in all_sets() {
            assert_eq!(mask.n_cells() as usize, members.len());
            assert_eq!(mask.is_empty(), members.is_empty());
            assert!(mask.into_iter().map(PackedCell::index).eq(members));
        }
    }

    #[test]
    fn the_nth_cell_is_the_nth_of_the_list() {
        for (members, mask) in all_sets() {
            for number in 0..18 {
                let cell = mask.nth_cell(number).map(PackedCell::index);
                assert_eq!(cell, members.get(number as usize).copied());
            }
        }
    }

    #[test]
    fn a_cell_has_its_row_and_column() {
        assert_eq!(PackedCell::new(2, 3).unwrap().index(), 11);
        assert_eq!(PackedCell::new(0, 1).unwrap().bit(), 0x10);
        assert_eq!(PackedCell::new(4, 0), None);
    }
}
