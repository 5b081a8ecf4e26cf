//! The network to play with: the large tuples alone.
//!
//! Every tuple of four cells is a part of a tuple of six, so its weight can be added to the
//! weights of that tuple. The values stay the same, and a board has 32 weights instead of 72.

use crate::tuples::{LARGE_SIZE, N_LARGE, SMALL_SIZE};

/// The weights of a stage of the network to play with.
pub const N_FOLDED: usize = N_LARGE * LARGE_SIZE;

/// Adds the weights of the small tuples of a stage to those of the large ones, which are
/// returned.
///
/// # Panics
/// If these are not all weights of a stage.
pub fn fold(weights: &mut [i16]) -> &[i16] {
    let (weights, small) = weights.split_at_mut(N_FOLDED);
    let (small, _) = small.as_chunks::<SMALL_SIZE>();
    let [rows, middle_rows, corners, edges, middles] = small else {
        panic!("the network has other tuples");
    };
    let (large, _) = weights.as_chunks_mut::<LARGE_SIZE>();
    let [long, middle_long, rectangles, middle_rectangles] = large else {
        panic!("the network has other tuples");
    };
    add(long, rows, |tiles| tiles & 0xffff);
    add(long, corners, |tiles| tiles & 0xff | tiles >> 8 & 0xff00);
    add(middle_long, middle_rows, |tiles| tiles & 0xffff);
    let last_two_columns = |tiles: usize| tiles >> 4 & 0xff | tiles >> 8 & 0xff00;
    add(rectangles, edges, last_two_columns);
    add(middle_rectangles, middles, last_two_columns);
    weights
}

/// Adds weights of a part of a tuple; `part` picks its tiles.
fn add(tuple: &mut [i16; LARGE_SIZE], weights: &[i16; SMALL_SIZE], part: impl Fn(usize) -> usize) {
    for (tiles, weight) in tuple.iter_mut().enumerate() {
        *weight = weight.saturating_add(weights[part(tiles) % SMALL_SIZE]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Indices, STAGE_SIZE, images};

    #[test]
    fn values_stay_the_same() {
        let mut weights: Vec<i16> = (0..STAGE_SIZE)
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
