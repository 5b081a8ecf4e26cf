//! Stages of a game, for which the trainer has separate weights.
//!
//! A network of one stage learns late boards, on which its own games end soon, with the same
//! weights as the boards before, and spoils these. Therefore boards with a 16384 can have
//! weights of their own, and boards with a 16384 and an 8192 too ("multi-stage" learning, Wu et
//! al. 2014). The agent plays with the first stage alone: it downgrades later boards.

use ntuple_network::N_WEIGHTS;

/// The stages: boards without a 16384, with a 16384, and with an 8192 beside it.
pub(crate) const N_STAGES: usize = 3;
/// The weights of a stage.
pub(crate) const STAGE_SIZE: usize = N_WEIGHTS;

/// The stage of a board whose tiles above 16384 are downgraded.
#[inline]
pub(crate) fn stage(downgraded: u64) -> usize {
    if has_tile(downgraded, 14) || has_tile(downgraded, 15) {
        1 + usize::from(has_tile(downgraded, 13))
    } else {
        0
    }
}

/// Whether a board has a tile with this exponent.
#[inline]
fn has_tile(board: u64, exponent: u64) -> bool {
    /// The lowest bit of every cell.
    const LOWEST: u64 = 0x1111_1111_1111_1111;
    let other_bits = board ^ (exponent * LOWEST);
    let is_other = other_bits | other_bits >> 1 | other_bits >> 2 | other_bits >> 3;
    is_other & LOWEST != LOWEST
}

/// Where the tables of this many stages begin in the list of all weights, and their sizes.
pub(crate) fn tables(n_stages: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n_stages).flat_map(|stage| {
        ntuple_network::tables().map(move |(start, size)| (stage * STAGE_SIZE + start, size))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_highest_tiles_tell_the_stage() {
        let stages = [0xd0d1, 0xe0c1, 0xe0d1, 0xf0c1, 0x1010_1000_0000_000d].map(stage);
        assert_eq!(stages, [0, 1, 2, 1, 0]);
    }
}
