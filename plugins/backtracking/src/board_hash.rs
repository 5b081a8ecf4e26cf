//! Hash tables over boards.
//!
//! Tables hold millions of boards, and the standard hash costs more than the slide that
//! made the board. Boards are not chosen by an attacker, so one multiplication is
//! enough.

use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasherDefault, Hasher},
};

use plugin_api::PackedBoard;

/// A map from boards.
pub(crate) type BoardMap<V> = HashMap<PackedBoard, V, BuildHasherDefault<BoardHasher>>;
/// A set of boards.
pub(crate) type BoardSet = HashSet<PackedBoard, BuildHasherDefault<BoardHasher>>;

/// 2^128 divided by the golden ratio, an odd number without a pattern.
const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

/// Mixes the bits of one board.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BoardHasher(u64);

impl Hasher for BoardHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "both halves of the product are used"
    )]
    fn write_u64(&mut self, bits: u64) {
        let product = u128::from(self.0 ^ bits).wrapping_mul(FACTOR);
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
