//! When a tournament that extends itself looks at its games.

/// The first look; fewer seeds seldom prove anything.
const FEWEST_SEEDS: u64 = 20;

/// The numbers of complete seeds at which to look: 20, 40, 80 and so on up to the
/// most that may be played. The seeds of the tournament file are played in any
/// case, so the first look comes after them.
#[must_use]
pub fn looks(n_seeds: u64, max_seeds: u64) -> Vec<u64> {
    let first = n_seeds.max(FEWEST_SEEDS).min(max_seeds);
    let mut looks: Vec<u64> = std::iter::successors(Some(first), |look| look.checked_mul(2))
        .take_while(|&look| look < max_seeds)
        .collect();
    looks.push(max_seeds);
    looks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_double_up_to_the_most_seeds() {
        assert_eq!(looks(20, 2_000), [20, 40, 80, 160, 320, 640, 1_280, 2_000]);
        assert_eq!(looks(5, 80), [20, 40, 80]);
        assert_eq!(looks(50, 120), [50, 100, 120]);
        assert_eq!(looks(3, 10), [10]);
        assert_eq!(looks(1, u64::MAX).len(), 61);
    }
}
