//! The empty cells of a board, as a set of bits.
//!
//! Every move needs the number of empty cells and the `n`-th of them. With bits this is
//! a population count and a few steps, while the branches of a loop over the cells
//! would often be mispredicted.

use std::iter::FusedIterator;

use crate::{Board, rules::lanes};

/// An iterator over the numbers of a board's empty cells, ascending.
///
/// ```
/// # use plugin_api::Board;
/// let board: Board = "2 0 / 0 4".parse().unwrap();
/// assert_eq!(board.empty_cells().len(), 2);
/// assert_eq!(board.empty_cells().collect::<Vec<_>>(), [1, 2]);
/// ```
#[derive(Clone, Debug)]
pub struct EmptyCells {
    /// Bit `k` represents cell `k`.
    cells: u64,
}

impl EmptyCells {
    /// The empty cells among the first `n_cells` cells of a board.
    pub(crate) fn of(cells: &[u8; Board::MAX_CELLS], n_cells: usize) -> Self {
        let groups = cells.as_chunks::<8>().0.iter();
        let empty =
            groups
                .take(n_cells.div_ceil(8))
                .enumerate()
                .fold(0, |empty, (number, &group)| {
                    let flags = lanes::zero_flags(lanes::pack(group));
                    empty | lanes::flags_to_bits(flags) << (8 * number)
                });
        Self {
            cells: empty & u64::MAX >> (Board::MAX_CELLS - n_cells),
        }
    }
}

impl Iterator for EmptyCells {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let cell = self.cells.trailing_zeros() as usize;
        self.cells &= self.cells.wrapping_sub(1);
        (cell < 64).then_some(cell)
    }

    fn nth(&mut self, n_skipped: usize) -> Option<usize> {
        for _ in 0..n_skipped.min(64) {
            self.cells &= self.cells.wrapping_sub(1);
        }
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n_cells = self.cells.count_ones() as usize;
        (n_cells, Some(n_cells))
    }
}

impl ExactSizeIterator for EmptyCells {}
impl FusedIterator for EmptyCells {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_in_ascending_order() {
        let mut board = [0; 64];
        (board[1], board[4]) = (1, 2);
        let mut cells = EmptyCells::of(&board, 6);
        assert_eq!(cells.len(), 4);
        assert!(cells.clone().eq([0, 2, 3, 5]));
        assert_eq!(cells.clone().nth(4), None);
        assert_eq!(cells.clone().nth(usize::MAX), None);
        assert_eq!(cells.nth(2), Some(3));
        assert!(cells.eq([5]));
    }

    #[test]
    fn the_last_cell_of_the_largest_board_is_included() {
        assert!(EmptyCells::of(&[0; 64], 64).eq(0..64));
        assert_eq!(EmptyCells::of(&[1; 64], 64).next(), None);
    }
}
