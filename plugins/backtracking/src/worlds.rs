//! Deterministic games in place of a random one.
//!
//! In a world, a fixed rule says for every board which tile appears where. The tiles of
//! different worlds are independent, so a mean over many worlds considers what may
//! happen, and within a world a plan is as certain as in deterministic 2048.

use plugin_api::{PackedBoard, RowTables, Rules, Tiles};

/// An odd number without a pattern: 2^64 divided by the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
/// An odd number with a similar number of ones and zeros in every part.
const MIXER: u64 = 0xd6e8_feb8_6659_fd93;

/// The worlds of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worlds {
    tables: &'static RowTables,
    /// How many of 2^32 new tiles are 4s; `None` if the game is deterministic itself.
    fours: Option<u64>,
}

impl Worlds {
    /// The worlds of the game with these rules; `None` if no packed board has their side.
    pub(crate) fn of(rules: &Rules) -> Option<Self> {
        let tables = RowTables::of(rules.side)?;
        let fours = match rules.tiles {
            Tiles::Deterministic => None,
            Tiles::Random => Some(share_of_32_bits(rules.four.as_f64())),
        };
        Some(Self { tables, fours })
    }

    /// Whether there is only one.
    pub(crate) fn is_one(self) -> bool {
        self.fours.is_none()
    }

    /// The board with the tile that appears in a world. At least one cell is empty.
    #[inline]
    pub(crate) fn put_tile(self, world: u64, moved: PackedBoard) -> PackedBoard {
        let empty = self.tables.empty_mask(moved);
        let (place, exponent) = match self.fours {
            None => (0, 1),
            Some(fours) => {
                let hash = mixed(moved.bits() ^ world.wrapping_mul(FACTOR));
                let (high, low) = (hash >> 32, hash & 0xffff_ffff);
                let place = (high * u64::from(empty.n_cells())) >> 32;
                (place, if low < fours { 2 } else { 1 })
            }
        };
        let mut cells = empty.into_iter();
        for _ in 0..place {
            cells.next();
        }
        match cells.next() {
            Some(cell) => moved.with_new_tile(cell, exponent),
            None => moved,
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share is 0 to 1, so the product is 0 to 2^32"
)]
fn share_of_32_bits(share: f64) -> u64 {
    (share * 2f64.powi(32)) as u64
}

/// Every bit of the result depends on every bit of the number.
#[inline]
fn mixed(number: u64) -> u64 {
    let once = (number ^ number >> 32).wrapping_mul(MIXER);
    let twice = (once ^ once >> 32).wrapping_mul(MIXER);
    twice ^ twice >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    const WORLDS: u64 = 40_000;

    #[test]
    fn over_many_worlds_a_tile_is_as_likely_as_in_the_game() {
        let worlds = Worlds::of(&Rules::default()).unwrap();
        // Four cells are empty.
        let moved = PackedBoard::from_bits(0x0123_1230_2301_3012);
        let mut counts: HashMap<PackedBoard, f64> = HashMap::new();
        for world in 0..WORLDS {
            *counts.entry(worlds.put_tile(world, moved)).or_default() += 1.0;
        }
        assert_eq!(counts.len(), 8);
        for cell in RowTables::of(plugin_api::Side::FOUR)
            .unwrap()
            .empty_mask(moved)
        {
            for (exponent, share) in [(1, 0.9), (2, 0.1)] {
                let expected = 10_000.0 * share;
                let found = counts[&moved.with_new_tile(cell, exponent)];
                // Five standard deviations.
                assert!(
                    (found - expected).abs() < 5.0 * f64::sqrt(expected),
                    "{found}"
                );
            }
        }
    }

    #[test]
    fn a_deterministic_game_is_its_only_world() {
        let rules = Rules {
            tiles: Tiles::Deterministic,
            ..Rules::default()
        };
        let worlds = Worlds::of(&rules).unwrap();
        let moved = PackedBoard::from_bits(0x0000_0000_0000_2031);
        assert!(worlds.is_one());
        assert_eq!(worlds.put_tile(7, moved).bits(), 0x2131);
    }
}
