//! Dice for agents: a small and fast random generator.
//!
//! Agents that use randomness must play the same game from the same seed in every
//! version. The generator is xoshiro256++, which `rand` provides as a named, portable
//! generator; the known values below check this. It is not used for the tiles of a
//! game, which must be unpredictable.

use rand::{Rng, SeedableRng, rngs::Xoshiro256PlusPlus};

/// A random generator for search.
///
/// ```
/// # use plugin_api::Dice;
/// let mut dice = Dice::new(7);
/// assert!((0..100).all(|_| dice.below(6) < 6));
/// assert_eq!(Dice::new(7).next_u64(), Dice::new(7).next_u64());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dice(Xoshiro256PlusPlus);

impl Dice {
    /// The dice determined by this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// The upper half of the next 64 random bits.
    ///
    /// ```
    /// # use plugin_api::Dice;
    /// assert_eq!(u64::from(Dice::new(7).next_u32()), Dice::new(7).next_u64() >> 32);
    /// ```
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    /// A number below `n`; 0 if `n` is 0.
    ///
    /// The numbers are equally likely up to a difference of n / 2^32, which no search
    /// can notice.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.next_u32()) * u64::from(n)) >> 32) as u32
    }

    /// True in `threshold` of 2^32 cases; see [`FourShare::threshold`](crate::FourShare::threshold).
    ///
    /// ```
    /// # use plugin_api::{Dice, FourShare};
    /// let mut dice = Dice::new(7);
    /// let threshold = FourShare::DEFAULT.threshold();
    /// let n_fours = (0..10_000).filter(|_| dice.chance(threshold)).count();
    /// assert!((800..1200).contains(&n_fours), "about a tenth");
    /// ```
    #[inline]
    pub fn chance(&mut self, threshold: u64) -> bool {
        u64::from(self.next_u32()) < threshold
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From xoshiro256++ and `SplitMix64` written in Python, which were checked against
    /// the outputs that their authors published.
    #[test]
    fn a_seed_gives_the_same_numbers_in_every_version() {
        let first_three = |seed| {
            let mut dice = Dice::new(seed);
            [(); 3].map(|()| dice.next_u64())
        };
        assert_eq!(
            first_three(0),
            [
                0x5317_5d61_490b_23df,
                0x61da_6f3d_c380_d507,
                0x5c0f_df91_ec9a_7bfc
            ]
        );
        assert_eq!(
            first_three(u64::MAX),
            [
                0x56cc_f8ce_948e_27b2,
                0xe685_8843_2e5a_5b90,
                0xe3e9_b5a4_8119_ca8b
            ]
        );
    }

    #[test]
    fn numbers_below_n_are_the_upper_bits_scaled() {
        // 0x53175d61 / 2^32 = 0.3246 and 0x61da6f3d / 2^32 = 0.3822
        let mut dice = Dice::new(0);
        assert_eq!((dice.below(10), dice.below(10)), (3, 3));
        let mut dice = Dice::new(0);
        assert_eq!((dice.below(100), dice.below(100)), (32, 38));
        assert_eq!(Dice::new(0).below(0), 0);
        assert!(Dice::new(0).chance(0x5317_5d62) && !Dice::new(0).chance(0x5317_5d61));
    }
}
