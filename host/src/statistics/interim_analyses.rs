//! When a tournament with a stop rule analyses its games.

/// The seeds of the first analysis; fewer rarely separate agents.
const FEWEST_SEEDS: u64 = 20;

/// The numbers of complete seeds after which the games are analysed: 20, 40, 80 and so on, up to
/// the maximum. The seeds of the tournament file are always played, so the first analysis comes
/// after them.
#[must_use]
pub fn interim_analyses(n_seeds: u64, max_seeds: u64) -> Vec<u64> {
    let first = n_seeds.max(FEWEST_SEEDS).min(max_seeds);
    let mut analyses: Vec<u64> = std::iter::successors(Some(first), |seeds| seeds.checked_mul(2))
        .take_while(|&seeds| seeds < max_seeds)
        .collect();
    analyses.push(max_seeds);
    analyses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seeds_double_up_to_the_maximum() {
        assert_eq!(
            interim_analyses(20, 2_000),
            [20, 40, 80, 160, 320, 640, 1_280, 2_000]
        );
        assert_eq!(interim_analyses(5, 80), [20, 40, 80]);
        assert_eq!(interim_analyses(50, 120), [50, 100, 120]);
        assert_eq!(interim_analyses(3, 10), [10]);
        assert_eq!(interim_analyses(1, u64::MAX).len(), 61);
    }
}
