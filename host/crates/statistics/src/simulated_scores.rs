//! Simulated scores with a known mean, distributed like those of real agents, for the tests.
//!
//! The score of a game of 2048 depends mostly on its highest tile. Scores therefore form clusters,
//! each about twice as high as the one before; within a cluster they are roughly log-normal.

use rand::{Rng, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::as_f64;

/// A cluster: its share of the games, its median and the standard deviation of its logarithms.
type Cluster = (f64, f64, f64);

/// Ten scores, for results that were computed with other programs.
pub const TEN_SCORES: [f64; 10] = [
    16_132.0, 35_416.0, 27_320.0, 14_904.0, 61_880.0, 33_240.0, 7_172.0, 30_512.0, 36_708.0,
    26_948.0,
];

/// The scores of another agent on the same seeds.
pub const ANOTHER_TEN_SCORES: [f64; 10] = [
    12_540.0, 16_320.0, 27_104.0, 6_940.0, 36_212.0, 15_668.0, 7_524.0, 14_236.0, 32_884.0,
    12_004.0,
];

/// Asserts that a value equals another one to nine digits.
#[track_caller]
pub fn close(actual: Option<f64>, expected: f64) {
    let actual = actual.expect("a number");
    assert!(
        (actual - expected).abs() <= 1e-9 * expected.abs(),
        "{actual} is not {expected}"
    );
}

pub fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

#[derive(Clone, Copy, Debug)]
pub enum Scores {
    Random,
    Weak,
    Middling,
    Strong,
    /// The next tile is reached in 5% of the games.
    RarelyMore,
    /// 10% of the games end early with a fault.
    Faulty,
    /// The six agents of the default tournament, by the tiles that they reached there.
    Ntuple,
    Expectimax,
    Mcts,
    Snake,
    Backtracking,
    Minimax,
}

impl Scores {
    pub const ALL: [Self; 6] = [
        Self::Random,
        Self::Weak,
        Self::Middling,
        Self::Strong,
        Self::RarelyMore,
        Self::Faulty,
    ];

    pub const DEFAULT_FIELD: [Self; 6] = [
        Self::Ntuple,
        Self::Expectimax,
        Self::Mcts,
        Self::Snake,
        Self::Backtracking,
        Self::Minimax,
    ];

    fn clusters(self) -> &'static [Cluster] {
        match self {
            Self::Random => &[(1.0, 1_050.0, 0.45)],
            Self::Weak => &[(0.25, 3e3, 0.25), (0.5, 7e3, 0.2), (0.25, 14.5e3, 0.15)],
            Self::Middling => &[
                (0.08, 7e3, 0.2),
                (0.27, 15e3, 0.15),
                (0.5, 31e3, 0.12),
                (0.15, 62e3, 0.1),
            ],
            Self::Strong => &[
                (0.05, 15e3, 0.15),
                (0.15, 32e3, 0.15),
                (0.35, 66e3, 0.15),
                (0.4, 140e3, 0.15),
                (0.05, 290e3, 0.15),
            ],
            Self::RarelyMore => &[(0.55, 15e3, 0.15), (0.4, 31e3, 0.12), (0.05, 66e3, 0.1)],
            Self::Faulty => &[(0.1, 300.0, 0.8), (0.4, 15e3, 0.15), (0.5, 31e3, 0.12)],
            Self::Ntuple => &[
                (0.067, 75e3, 0.12),
                (0.1, 150e3, 0.12),
                (0.633, 370e3, 0.06),
                (0.2, 620e3, 0.06),
            ],
            Self::Expectimax => &[
                (0.3, 75e3, 0.15),
                (0.4, 160e3, 0.12),
                (0.267, 300e3, 0.1),
                (0.033, 600e3, 0.05),
            ],
            Self::Mcts => &[(0.07, 36e3, 0.12), (0.6, 75e3, 0.12), (0.33, 150e3, 0.1)],
            Self::Snake => &[(0.22, 33e3, 0.12), (0.55, 70e3, 0.12), (0.23, 145e3, 0.1)],
            Self::Backtracking => &[
                (0.1, 15e3, 0.15),
                (0.35, 33e3, 0.12),
                (0.45, 70e3, 0.12),
                (0.1, 140e3, 0.1),
            ],
            Self::Minimax => &[
                (0.1, 7e3, 0.15),
                (0.4, 16e3, 0.15),
                (0.45, 35e3, 0.12),
                (0.05, 62e3, 0.1),
            ],
        }
    }

    pub fn true_mean(self) -> f64 {
        self.clusters()
            .iter()
            .map(|(share, median, spread)| share * median * (spread * spread / 2.0).exp())
            .sum()
    }

    pub fn draw(self, n_games: usize, random: &mut impl Rng) -> Vec<f64> {
        (0..n_games)
            .map(|_| self.score_of(SeedLuck::draw(random)))
            .collect()
    }

    pub fn score_of(self, luck: SeedLuck) -> f64 {
        let mut left = luck.cluster;
        let clusters = self.clusters();
        let (_, median, spread) = clusters
            .iter()
            .find(|(share, ..)| {
                left -= share;
                left < 0.0
            })
            .unwrap_or(&clusters[clusters.len() - 1]);
        (median * (spread * luck.inside).exp()).round()
    }
}

/// The luck of one game; agents that share the luck of a seed have correlated scores.
#[derive(Clone, Copy)]
pub struct SeedLuck {
    /// Selects the cluster; between 0 and 1.
    cluster: f64,
    /// The position within the cluster; standard normal.
    inside: f64,
}

impl SeedLuck {
    /// Normal by Box and Muller (1958).
    pub fn draw(random: &mut impl Rng) -> Self {
        let mut uniform = || (as_f64(random.next_u64() >> 12) + 0.5) / as_f64(1_u64 << 52);
        Self {
            cluster: uniform(),
            inside: (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos(),
        }
    }
}
