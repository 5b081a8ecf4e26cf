//! Late boards: those on which a 32768 is near.
//!
//! Just before a 32768 is made, a board holds nearly every smaller tile once and has two or
//! three empty cells. Before these boards had a correction, most games ended there. Downgrading shows such a board with one size of
//! tiles less than it has, so the network takes the way to the next tile for half as long as
//! it is. Late boards therefore have a correction of their own, which is added to the value of
//! the downgraded board: the weights of the large tuples on the tiles as they are, and a number
//! that depends on the sum of tiles alone.
//!
//! Until the 32768 is made, a board with a 16384 is late by the sum of its tiles alone, and a
//! move does not change that sum. So no move avoids or seeks late boards, except by making the
//! 32768, however their values differ from the others'. Afterwards the sum of the downgraded
//! tiles decides, which a merge can change.

use crate::{
    downgrade::downgraded,
    folding::N_FOLDED,
    images::images,
    tuples::{Indices, LARGE_SIZE, N_LARGE},
};

/// The highest tile of a late board, 16384; boards with higher tiles are downgraded to it.
const CAP: u32 = 14;
/// The sum of tiles at which a 32768 can be made.
const GOAL_SUM: u32 = 1 << 15;
/// On a late board, less than this is missing from that sum.
pub const LATE_REACH: u32 = 2048;
/// Boards with similar sums share a number.
const SUMS_PER_OFFSET: u32 = 16;
/// How many such numbers there are.
const N_OFFSETS: usize = (LATE_REACH / SUMS_PER_OFFSET) as usize;
/// The weights of late boards: those of the large tuples, then the offsets.
pub const N_LATE: usize = N_FOLDED + N_OFFSETS;

/// The value of a late board without a legal move. It is far below 0 so that no error in the
/// value of another board makes losing look better.
pub const LOST_LATE: f32 = -100_000.0;

/// A board on which a 32768, or what is left of it after downgrading, is near.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateBoard {
    /// Its tiles, none above 16384.
    pub board: u64,
    /// How much is missing from the sum at which a 32768 can be made.
    pub missing: u32,
}

impl LateBoard {
    /// A board as a late one, if it is.
    ///
    /// ```
    /// # use ntuple_network::LateBoard;
    /// let late = LateBoard::of(0x2_edcb).unwrap();
    /// assert_eq!(late.missing, 2044);
    /// assert_eq!(LateBoard::of(0x2_edca), None);
    /// // A 32768 without a 16384 counts as a 16384.
    /// assert_eq!(LateBoard::of(0x2_fdcb), Some(late));
    /// ```
    #[must_use]
    #[inline]
    pub fn of(board: u64) -> Option<Self> {
        if !has_top_tile(board) {
            return None;
        }
        let board = downgraded(board, CAP);
        let missing = GOAL_SUM.saturating_sub(sum_of_tiles(board));
        (missing < LATE_REACH).then_some(Self { board, missing })
    }

    /// The places of its weights: one per large tuple in each of its eight images.
    #[must_use]
    #[inline]
    pub fn weights(self) -> [[usize; N_LARGE]; 8] {
        images(self.board).map(|image| {
            let indices = Indices::of(image).large;
            std::array::from_fn(|tuple| tuple * LARGE_SIZE + indices[tuple])
        })
    }

    /// The place of its offset.
    #[must_use]
    #[inline]
    pub fn offset(self) -> usize {
        N_FOLDED + (self.missing / SUMS_PER_OFFSET) as usize
    }
}

/// Whether a board has a 16384 or a 32768: only exponents from 14 have all three high bits.
#[inline]
fn has_top_tile(board: u64) -> bool {
    board & board << 1 & board << 2 & 0x8888_8888_8888_8888 != 0
}

#[inline]
fn sum_of_tiles(board: u64) -> u32 {
    // An empty cell has exponent 0, which would count as 1.
    (0..16)
        .map(|cell| 1 << (board >> (4 * cell) & 15) & !1)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn before_the_32768_a_move_makes_no_board_late_or_early() {
        // The same tiles before and after their merge: the sum stays.
        let [before, after] = [0xcbbed, 0x0dced].map(LateBoard::of);
        assert_eq!(before.unwrap().missing, after.unwrap().missing);
        assert_eq!(LateBoard::of(0x00ee).unwrap().missing, 0);
    }

    #[test]
    fn a_32768_ends_what_is_late() {
        assert_eq!(LateBoard::of(0x123f), None);
        assert_eq!(LateBoard::of(0x123e), None);
        assert_eq!(LateBoard::of(0x1111_0000_0000_0000), None);
    }

    #[test]
    fn every_weight_has_a_place() {
        for board in [0x2_edcb, 0x00ee, 0xedcb_a987_6543_2112] {
            let late = LateBoard::of(board).unwrap();
            assert!(
                late.weights()
                    .as_flattened()
                    .iter()
                    .all(|&place| place < N_FOLDED)
            );
            assert!((N_FOLDED..N_LATE).contains(&late.offset()));
        }
    }
}
