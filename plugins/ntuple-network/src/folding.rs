//! The network to play with: the large tuples alone.
//!
//! Every tuple of four cells is a part of a tuple of six, so its weight can be added to the
//! weights of that tuple. The values stay the same, and a board has 32 weights instead of 72.

use crate::tuples::{LARGE_SIZE, N_LARGE, SMALL_SIZE};

/// The weights of the network to play with.
pub const N_FOLDED: usize = N_LARGE * LARGE_SIZE;

/// Adds the weights of the small tuples to those of the large ones, which are returned.
///
/// # Panics
/// If these are not all weights of the network.
pub fn fold(weights: &mut [i16]) -> &[i16] {
    let (large, small) = weights.split_at_mut(N_FOLDED);
    for_each_part(|whole, part| {
        large[whole] = large[whole].saturating_add(small[part - N_FOLDED]);
    });
    large
}

/// Calls a function with every weight of a large tuple and each weight of a small one that is
/// added to it, as their places in the list of all weights.
#[inline]
pub fn for_each_part(mut add: impl FnMut(usize, usize)) {
    let mut add_tuple = |large: usize, small: usize, part: fn(usize) -> usize| {
        for tiles in 0..LARGE_SIZE {
            let place = N_FOLDED + small * SMALL_SIZE + part(tiles) % SMALL_SIZE;
            add(large * LARGE_SIZE + tiles, place);
        }
    };
    let row = |tiles: usize| tiles & 0xffff;
    let first_two_columns = |tiles: usize| tiles & 0xff | tiles >> 8 & 0xff00;
    let last_two_columns = |tiles: usize| tiles >> 4 & 0xff | tiles >> 8 & 0xff00;
    add_tuple(0, 0, row);
    add_tuple(0, 2, first_two_columns);
    add_tuple(1, 1, row);
    add_tuple(2, 3, last_two_columns);
    add_tuple(3, 4, last_two_columns);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Indices, N_WEIGHTS, images};

    #[test]
    fn values_stay_the_same() {
        let mut weights: Vec<i16> = (0..N_WEIGHTS)
            .map(|weight| i16::try_from(weight.wrapping_mul(0x9e37_79b9) >> 24 & 0xfff).unwrap())
            .collect();
        let boards = [
            0x0123_4567_89ab_cdef,
            0x1122_0301_4004_d0d0,
            0x0000_0021_0010_0300,
        ];
        let value = |weights: &[i16], board, n_small| -> i64 {
            let weight = |place: usize| i64::from(weights[place]);
            images(board)
                .map(Indices::of)
                .iter()
                .map(|Indices { large, small }| {
                    let large = large
                        .iter()
                        .zip(0..)
                        .map(|(index, n)| weight(n * LARGE_SIZE + index));
                    let small = small[..n_small].iter().zip(0..);
                    let small = small.map(|(index, n)| weight(N_FOLDED + n * SMALL_SIZE + index));
                    large.chain(small).sum::<i64>()
                })
                .sum()
        };
        let before = boards.map(|board| value(&weights, board, 5));
        let folded = fold(&mut weights);
        assert_eq!(folded.len(), N_FOLDED);
        assert_eq!(boards.map(|board| value(folded, board, 0)), before);
    }
}
