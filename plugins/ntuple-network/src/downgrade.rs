//! Maps boards with tiles that the network has not learned to boards that it has.
//!
//! As long as a board has a tile above the cap, all tiles above the highest exponent that is
//! missing are lowered by one. No two tiles become equal, so nothing changes in what merges
//! with what. Guei et al., "Optimistic temporal difference learning for 2048" (2021), call
//! this tile-downgrading.

/// The lowest bit of every cell.
const LOWEST: u64 = 0x1111_1111_1111_1111;
const N_CELLS: u32 = 16;

/// What counts as missing on a board that has every tile up to its highest one: 2. Its 4s
/// become 2s, which is wrong, but less so than a tile of which nothing was learned.
const LOWEST_EXPONENT: u32 = 1;

/// The board with no tile above `cap`, which is 8 to 15.
///
/// ```
/// # use ntuple_network::downgraded;
/// assert_eq!(downgraded(0xf0d1, 14), 0xe0d1);
/// assert_eq!(downgraded(0xfed1, 13), 0xdcb1);
/// ```
#[must_use]
#[inline]
pub fn downgraded(board: u64, cap: u32) -> u64 {
    if has_above(board, cap) {
        lowered(board, cap)
    } else {
        board
    }
}

/// Whether a tile is above `cap`. Of exponents from 8, the low three bits and the addend
/// carry into the fourth just above the cap.
#[inline]
fn has_above(board: u64, cap: u32) -> bool {
    let addend = u64::from(15 - cap) * LOWEST;
    ((board & (7 * LOWEST)) + addend) & board & (8 * LOWEST) != 0
}

#[inline(never)]
fn lowered(mut board: u64, cap: u32) -> u64 {
    loop {
        let present = present(board);
        if u32::BITS - 1 - present.leading_zeros() <= cap {
            return board;
        }
        let missing = highest_missing(present).unwrap_or(LOWEST_EXPONENT);
        board -= above(board, missing);
    }
}

/// A bit for every exponent on the board.
#[inline]
fn present(board: u64) -> u32 {
    (0..N_CELLS).fold(0, |present, cell| present | 1 << (board >> (4 * cell) & 15))
}

/// The highest exponent below the highest tile that is not on the board.
#[inline]
fn highest_missing(present: u32) -> Option<u32> {
    let top = (present | 1).ilog2();
    let missing = !present & ((1 << top) - 1) & !1;
    missing.checked_ilog2()
}

/// The lowest bit of every cell with a tile above an exponent below 15.
#[inline]
fn above(board: u64, exponent: u32) -> u64 {
    // Every second cell has four free bits above it, into which a sum carries.
    const CELLS: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    let addend = u64::from(15 - exponent) * (CELLS / 15);
    let carried = |cells: u64| (cells + addend) >> 4 & (CELLS / 15);
    carried(board & CELLS) | carried(board >> 4 & CELLS) << 4
}

/// The packed board of sixteen exponents of any size, lowered until there is no tile above 32768
/// and only one 32768, so that a search can merge the highest tiles. Only boards without a legal
/// move are not lowered that far.
#[must_use]
pub fn downgraded_exponents(mut exponents: [u8; N_CELLS as usize]) -> u64 {
    const HIGHEST: u8 = 15;
    loop {
        let top = exponents.iter().copied().max().unwrap_or(0);
        let mut highest_two = exponents.iter().filter(|&&other| other == top).take(2);
        let is_single = highest_two.nth(1).is_none();
        let missing = (1..top).rev().find(|missing| !exponents.contains(missing));
        let fits = top < HIGHEST || top == HIGHEST && is_single;
        match missing {
            Some(missing) if !fits => {
                for exponent in exponents.iter_mut().filter(|other| **other > missing) {
                    *exponent -= 1;
                }
            }
            _ => break,
        }
    }
    exponents.iter().rev().fold(0, |board, &exponent| {
        board << 4 | u64::from(exponent.min(HIGHEST))
    })
}

/// The same tiles of a tuple with those above the highest missing exponent lowered by one: where a
/// weight that was never learned is taken from. `None` if the highest tile is small.
#[must_use]
pub fn stepped_down(index: usize) -> Option<usize> {
    /// The lowest highest tile that is worth it: 2048.
    const FIRST: u32 = 11;
    let tiles = index as u64;
    if !has_above(tiles, FIRST - 1) {
        return None;
    }
    let missing = highest_missing(present(tiles))?;
    usize::try_from(tiles - above(tiles, missing)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_merges_stays_the_same() {
        assert_eq!(downgraded(0xfec1, 14), 0xedc1);
        assert_eq!(downgraded(0xffc1, 14), 0xeec1);
        assert_eq!(downgraded(0xe0d1, 14), 0xe0d1);
        assert_eq!(downgraded(0xeed1, 13), 0xddc1);
        assert_eq!(downgraded(0xffff, 13), 0xdddd);
        // Nothing is missing, so the lowest tiles become equal.
        assert_eq!(downgraded(0x0123_4567_89ab_cdef, 14), 0x0112_3456_789a_bcde);
        assert_eq!(downgraded(0x0123_4567_89ab_cdef, 13), 0x0111_2345_6789_abcd);
        let board = 0xf0e1_2d34_c501_0b0a;
        let lower = downgraded(board, 13);
        for one in 0..N_CELLS {
            for other in 0..N_CELLS {
                let is_equal = |b: u64| b >> (4 * one) & 15 == b >> (4 * other) & 15;
                assert_eq!(is_equal(board), is_equal(lower));
            }
        }
    }

    #[test]
    fn tiles_too_large_for_four_bits_are_lowered() {
        let mut exponents = [0; 16];
        exponents[..4].copy_from_slice(&[17, 16, 15, 1]);
        assert_eq!(downgraded_exponents(exponents), 0x1def);
        exponents[..4].copy_from_slice(&[15, 15, 14, 1]);
        assert_eq!(downgraded_exponents(exponents), 0x1dee);
        exponents[..4].copy_from_slice(&[15, 14, 13, 1]);
        assert_eq!(downgraded_exponents(exponents), 0x1def);
    }

    #[test]
    fn a_promoted_weight_comes_from_the_next_lower_tiles() {
        assert_eq!(stepped_down(0xc_b001), Some(0xb_a001));
        assert_eq!(stepped_down(0xc_0001), Some(0xb_0001));
        assert_eq!(stepped_down(0xa_0001), None);
    }
}
