//! The order of the agents within a seed, shuffled by the salt.
//!
//! In a fixed order an agent would know which agents played a seed before it. The order of a
//! round is a stride and an offset drawn from the salt, so every series is equally likely to
//! have every position, and to come before or after every other. It is computed, not
//! stored: a plan of a million games needs no memory.

use plugin_api::Salt;
use sha2::{Digest, Sha256};

/// Shuffles the series of every round of a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlayOrder {
    salt: Salt,
    /// How many series a round has.
    length: u64,
}

/// The order of one round.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundOrder {
    length: u64,
    /// The stride has no factor in common with the length.
    stride: u64,
    offset: u64,
}

impl PlayOrder {
    pub(super) fn new(salt: Salt, length: u64) -> Self {
        Self { salt, length }
    }

    /// Without a salt everyone could compute the order: it is that of the tournament file.
    pub(super) fn of_round(self, round: u64) -> RoundOrder {
        let Self { salt, length } = self;
        if salt.is_none() || length < 2 {
            return RoundOrder {
                length,
                stride: 1,
                offset: 0,
            };
        }
        let mut hash = Sha256::new();
        hash.update(b"arena2048 play order");
        hash.update(salt.to_string());
        hash.update(round.to_le_bytes());
        let hash = hash.finalize();
        let word = |from: usize| {
            let bytes = hash[from..from + 8].try_into().expect("eight bytes");
            u64::from_le_bytes(bytes)
        };
        let mut stride = 1 + word(0) % (length - 1);
        while greatest_common_divisor(stride, length) != 1 {
            stride = 1 + stride % (length - 1);
        }
        RoundOrder {
            length,
            stride,
            offset: word(8) % length,
        }
    }
}

impl RoundOrder {
    /// The series that plays at this position.
    pub(super) fn series_at(self, position: u64) -> u64 {
        multiply(position, self.stride, self.length).wrapping_add(self.offset) % self.length
    }

    /// The position at which a series plays.
    pub(super) fn position_of(self, series: u64) -> u64 {
        let shifted = (series + self.length - self.offset) % self.length;
        multiply(shifted, inverse(self.stride, self.length), self.length)
    }
}

fn multiply(a: u64, b: u64, modulus: u64) -> u64 {
    let product = u128::from(a) * u128::from(b) % u128::from(modulus);
    u64::try_from(product).expect("below the modulus")
}

/// The number that undoes a stride, found by trying: there are few series.
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
                let mut series: Vec<u64> = (0..length)
                    .map(|p| order.of_round(round).series_at(p))
                    .collect();
                for (position, series) in (0..).zip(&series) {
                    assert_eq!(order.of_round(round).position_of(*series), position);
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
            let firsts = (0..rounds)
                .filter(|r| order.of_round(*r).series_at(0) == a)
                .count();
            assert!((680..920).contains(&firsts), "series {a}: {firsts}");
            for b in (0..5).filter(|b| *b != a) {
                let is_before =
                    |r: &u64| order.of_round(*r).position_of(a) < order.of_round(*r).position_of(b);
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
            .map(|position| order.of_round(3).series_at(position))
            .collect();
        assert_eq!(series, [0, 1, 2, 3, 4]);
    }
}
