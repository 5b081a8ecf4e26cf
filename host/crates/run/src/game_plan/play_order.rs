//! The order of the agents within a seed, shuffled by the salt.
//!
//! In a fixed order an agent would know who played a seed before it. The order of a round
//! is a stride and an offset drawn from the salt, so that every series is equally likely to
//! have every position, and to come before or after every other. It is computed, not
//! stored: a plan of a million games needs no memory.

use plugin_api::Salt;
use sha2::{Digest, Sha256};

/// Shuffles the series of every round of a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayOrder {
    salt: Salt,
    /// How many series a round has.
    length: u64,
}

impl PlayOrder {
    /// Without a salt everyone could compute the order: it is that of the tournament file.
    pub(super) fn new(salt: Salt, length: u64) -> Self {
        Self { salt, length }
    }

    /// The series that plays at this position of a round.
    pub(super) fn series_at(self, round: u64, position: u64) -> u64 {
        let Some((stride, offset)) = self.draw(round) else {
            return position;
        };
        multiply(position, stride, self.length).wrapping_add(offset) % self.length
    }

    /// The position at which a series plays in a round.
    pub(super) fn position_of(self, round: u64, series: u64) -> u64 {
        let Some((stride, offset)) = self.draw(round) else {
            return series;
        };
        let shifted = (series + self.length - offset) % self.length;
        multiply(shifted, inverse(stride, self.length), self.length)
    }

    /// Stride and offset of a round; the stride has no factor in common with the length.
    fn draw(self, round: u64) -> Option<(u64, u64)> {
        if self.salt.is_none() || self.length < 2 {
            return None;
        }
        let mut hash = Sha256::new();
        hash.update(b"arena2048 play order");
        hash.update(self.salt.to_string());
        hash.update(round.to_le_bytes());
        let hash = hash.finalize();
        let word = |from: usize| {
            let bytes = hash[from..from + 8].try_into().expect("eight bytes");
            u64::from_le_bytes(bytes)
        };
        let mut stride = 1 + word(0) % (self.length - 1);
        while greatest_common_divisor(stride, self.length) != 1 {
            stride = 1 + stride % (self.length - 1);
        }
        Some((stride, word(8) % self.length))
    }
}

fn multiply(a: u64, b: u64, modulus: u64) -> u64 {
    let product = u128::from(a) * u128::from(b) % u128::from(modulus);
    u64::try_from(product).expect("below the modulus")
}

/// The number that undoes a stride; there are few series, so that it is looked for.
fn inverse(stride: u64, length: u64) -> u64 {
    (1..length)
        .find(|candidate| multiply(stride, *candidate, length) == 1)
        .unwrap_or(1)
}

pub(crate) fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    const SALT: Salt = Salt::from_bytes([7; Salt::N_BYTES]);

    #[test]
    fn every_series_plays_once_in_every_round() {
        for length in 1..40 {
            let order = PlayOrder::new(SALT, length);
            for round in 0..20 {
                let mut series: Vec<u64> = (0..length).map(|p| order.series_at(round, p)).collect();
                for (position, series) in (0..).zip(&series) {
                    assert_eq!(order.position_of(round, *series), position);
                }
                series.sort_unstable();
                assert_eq!(series, (0..length).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn everyone_comes_first_and_before_everyone_else_equally_often() {
        let order = PlayOrder::new(SALT, 5);
        let rounds = 4_000;
        for a in 0..5 {
            let firsts = (0..rounds).filter(|r| order.series_at(*r, 0) == a).count();
            assert!((680..920).contains(&firsts), "series {a}: {firsts}");
            for b in (0..5).filter(|b| *b != a) {
                let is_before = |r: &u64| order.position_of(*r, a) < order.position_of(*r, b);
                let n_before = (0..rounds).filter(is_before).count();
                assert!(
                    (1_850..2_150).contains(&n_before),
                    "{a} before {b}: {n_before}"
                );
            }
        }
    }

    #[test]
    fn without_a_salt_the_order_is_that_of_the_file() {
        let order = PlayOrder::new(Salt::NONE, 5);
        let series: Vec<u64> = (0..5)
            .map(|position| order.series_at(3, position))
            .collect();
        assert_eq!(series, [0, 1, 2, 3, 4]);
    }
}
