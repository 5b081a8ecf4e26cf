//! The tile sequence of one game: which tile appears on each turn, and where.
//!
//! A new tile is a pure function of salt, seed and spawn number: nothing that an agent
//! does affects the stream, and spawn `k` of a seed uses the same random words for
//! every agent. The words come from `ChaCha` with 8 rounds, which other languages can
//! reproduce. An agent's own random seed comes from a different stream of the same
//! key, from which the tiles cannot be derived.

use rand::{Rng, SeedableRng, rngs::ChaCha8Rng};
use sha2::{Digest, Sha256};

use crate::{Board, FourShare, Salt};

/// The largest seed, 2^53 − 1, which every JSON parser represents exactly.
///
/// ```
/// # use plugin_api::MAX_SEED;
/// assert_eq!(MAX_SEED, 9_007_199_254_740_991);
/// ```
pub const MAX_SEED: u64 = (1 << 53) - 1;

/// A new tile.
///
/// ```
/// # use plugin_api::{Board, Side, Spawn};
/// let spawn = Spawn { cell: 3, exponent: 2 };
/// let board = Board::empty(Side::FOUR).with_tile(spawn.cell, spawn.exponent);
/// assert_eq!(board.highest(), 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spawn {
    /// The cell where it appears, in reading order from 0.
    pub cell: usize,
    /// Its exponent: 1 for a 2, 2 for a 4.
    pub exponent: u8,
}

/// The tiles of one game.
///
/// ```
/// # use plugin_api::{Board, FourShare, Salt, Side, Spawn, TileSequence};
/// let board = Board::empty(Side::FOUR);
/// let mut tiles = TileSequence::random(&Salt::NONE, 7, FourShare::DEFAULT);
/// let first = tiles.spawn(0, &board).unwrap();
/// assert_eq!(tiles.spawn(0, &board), Some(first), "asking changes nothing");
///
/// let mut tiles = TileSequence::deterministic();
/// assert_eq!(tiles.spawn(123, &board), Some(Spawn { cell: 0, exponent: 1 }));
/// ```
#[derive(Clone, Debug)]
pub struct TileSequence(Source);

#[derive(Clone, Debug)]
enum Source {
    Deterministic,
    Random {
        words: SpawnWords,
        /// A second word below this number makes a 4.
        four_threshold: u64,
    },
}

impl TileSequence {
    /// The tiles determined by a tournament's salt and a game's seed.
    #[must_use]
    pub fn random(salt: &Salt, seed: u64, four: FourShare) -> Self {
        Self(Source::Random {
            words: SpawnWords::new(key(salt, seed)),
            four_threshold: four.threshold(),
        })
    }

    /// The tiles of deterministic 2048: always a 2 in the first empty cell.
    #[must_use]
    pub fn deterministic() -> Self {
        Self(Source::Deterministic)
    }

    /// The new tile with this number on a board; `None` if no cell is empty.
    ///
    /// Numbers 0 and 1 are the start tiles; number `k + 1` follows move `k`, counted
    /// from 1. The answer depends only on number and board; calls in ascending order
    /// are fastest.
    pub fn spawn(&mut self, number: u64, board: &Board) -> Option<Spawn> {
        let mut empty = board.empty_cells();
        let (cell_word, tile_word, four_threshold) = match &mut self.0 {
            Source::Deterministic => (0, 0, 0),
            Source::Random {
                words,
                four_threshold,
            } => {
                let (cell_word, tile_word) = words.get(number);
                (cell_word, tile_word, *four_threshold)
            }
        };
        // The product is below 2^32 · n_empty: the shift leaves a number below n_empty.
        let index = (u64::from(cell_word) * empty.len() as u64) >> 32;
        Some(Spawn {
            cell: empty.nth(usize::try_from(index).ok()?)?,
            exponent: 1 + u8::from(u64::from(tile_word) < four_threshold),
        })
    }
}

/// The random seed that an agent gets for its own use in a game.
///
/// It is the start of a stream whose odd number comes from the agent's name; the tiles
/// are stream 0.
///
/// ```
/// # use plugin_api::{Salt, agent_random_seed};
/// let seed = agent_random_seed(&Salt::NONE, 7, "expectimax");
/// assert_eq!(seed, 0x161d_c83a_8865_199c, "the same everywhere");
/// assert_ne!(seed, agent_random_seed(&Salt::NONE, 7, "minimax"));
/// ```
#[must_use]
pub fn agent_random_seed(salt: &Salt, seed: u64, agent_name: &str) -> u64 {
    let hash = Sha256::digest(agent_name);
    let stream = hash
        .iter()
        .take(8)
        .rev()
        .fold(0, |number, &byte| number << 8 | u64::from(byte));
    let mut words = ChaCha8Rng::from_seed(key(salt, seed));
    words.set_stream(stream | 1);
    words.next_u64()
}

fn key(salt: &Salt, seed: u64) -> [u8; 32] {
    let mut key = [0; 32];
    let (seed_bytes, salt_bytes) = key.split_at_mut(8);
    seed_bytes.copy_from_slice(&seed.to_le_bytes());
    salt_bytes.copy_from_slice(salt.as_bytes());
    key
}

/// The first two words of every block of a key's stream 0.
///
/// The generator computes four blocks at once, so the words of four spawns are kept:
/// one computation serves four moves.
#[derive(Clone, Debug)]
struct SpawnWords {
    key: [u8; 32],
    /// The number of the first spawn in `ahead`: a multiple of four.
    first: u64,
    ahead: [(u32, u32); Self::N_AHEAD],
}

impl SpawnWords {
    const N_AHEAD: usize = 4;
    const N_BLOCK_WORDS: usize = 16;

    fn new(key: [u8; 32]) -> Self {
        let mut words = Self {
            key,
            first: 0,
            ahead: [(0, 0); Self::N_AHEAD],
        };
        words.compute_from(0);
        words
    }

    #[expect(clippy::cast_possible_truncation, reason = "the index is below four")]
    fn get(&mut self, number: u64) -> (u32, u32) {
        let first = number - number % Self::N_AHEAD as u64;
        if first != self.first {
            self.compute_from(first);
        }
        self.ahead[(number % Self::N_AHEAD as u64) as usize]
    }

    fn compute_from(&mut self, first: u64) {
        let mut generator = ChaCha8Rng::from_seed(self.key);
        generator.set_word_pos(u128::from(first) * Self::N_BLOCK_WORDS as u128);
        let mut blocks = [[0; 4 * Self::N_BLOCK_WORDS]; Self::N_AHEAD];
        generator.fill_bytes(blocks.as_flattened_mut());
        self.ahead = blocks.map(|block| {
            let word = |place: usize| std::array::from_fn(|byte| block[4 * place + byte]);
            (u32::from_le_bytes(word(0)), u32::from_le_bytes(word(1)))
        });
        self.first = first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Side;

    #[track_caller]
    fn check_words(salt: &Salt, seed: u64, known: &[(u64, u32, u32)]) {
        let mut words = SpawnWords::new(key(salt, seed));
        for &(number, w0, w1) in known {
            assert_eq!(words.get(number), (w0, w1), "seed {seed}, spawn {number}");
        }
    }

    #[test]
    fn words_without_salt_match_the_documentation() {
        check_words(&Salt::NONE, 0, &[(0, 0x2fef_003e, 0xd640_5f89)]);
        check_words(&Salt::NONE, 1, &[(0, 0xa0e9_5ecf, 0x61a9_4a49)]);
        let of_seed_7 = [
            (1, 0x69b9_ff4d, 0x9ac7_3dc1),
            (1000, 0x3f5a_0387, 0x96b6_1ec9),
            (1, 0x69b9_ff4d, 0x9ac7_3dc1),
        ];
        check_words(&Salt::NONE, 7, &of_seed_7);
        check_words(&Salt::NONE, MAX_SEED, &[(2, 0xeae0_a165, 0x471f_0aac)]);
    }

    /// The numbers of this test and the next come from a `ChaCha8` written in Python.
    #[test]
    fn a_salt_changes_every_word() {
        let salt = Salt::from_bytes(std::array::from_fn(|place| {
            u8::try_from(place + 1).unwrap()
        }));
        let known = [
            (0, 0x7743_df78, 0x47d7_3f37),
            (1, 0x8cb1_69c5, 0xcb2a_0b8f),
            (5, 0x176a_d083, 0x9cdb_ce43),
            (1 << 40, 0x1fe0_ee6a, 0xab07_869a),
        ];
        check_words(&salt, 7, &known);
        assert_eq!(
            agent_random_seed(&salt, 7, "expectimax"),
            0xeb23_f685_d4ba_936e
        );
    }

    #[test]
    fn an_agents_random_seed_depends_on_name_and_seed() {
        let agent_seed = |seed, name| agent_random_seed(&Salt::NONE, seed, name);
        assert_eq!(agent_seed(7, "expectimax"), 0x161d_c83a_8865_199c);
        assert_eq!(agent_seed(0, ""), 0x8441_8699_46c2_627e);
        assert_eq!(agent_seed(MAX_SEED, "minimax-d4"), 0xc6f1_c695_98f5_15d6);
    }

    #[test]
    fn words_choose_among_the_empty_cells_and_the_two_tiles() {
        let board = Board::empty(Side::FOUR).with_tile(0, 5).with_tile(7, 5);
        let mut tiles = TileSequence::random(&Salt::NONE, 7, FourShare::DEFAULT);
        // 0x69b9ff4d / 2^32 = 0.41299: of 14 empty cells number 5, which is cell 6.
        let two = Spawn {
            cell: 6,
            exponent: 1,
        };
        assert_eq!(tiles.spawn(1, &board), Some(two));
        // 0x9ac73dc1 / 2^32 = 0.60460: a 4 when the share of 4s is above that.
        let mut tiles = TileSequence::random(&Salt::NONE, 7, FourShare::new(0.605).unwrap());
        assert_eq!(tiles.spawn(1, &board), Some(Spawn { exponent: 2, ..two }));
    }

    #[test]
    fn a_full_board_gets_no_tile() {
        let board: Board = "2 4 / 4 2".parse().unwrap();
        assert_eq!(TileSequence::deterministic().spawn(0, &board), None);
        let mut tiles = TileSequence::random(&Salt::NONE, 7, FourShare::DEFAULT);
        assert_eq!(tiles.spawn(0, &board), None);
    }
}
