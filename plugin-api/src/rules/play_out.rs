//! Random play on packed boards, the inner loop of Monte Carlo searches.
//!
//! A move of a play-out takes about twenty nanoseconds, and every mispredicted branch
//! is a large part of that. Therefore tiles are placed without a branch.

use std::hint::select_unpredictable;

use crate::{Dice, Direction, FourShare, PackedBoard, RowTables, Side};

/// Random moves and tiles on boards of one side.
///
/// ```
/// # use plugin_api::{Dice, FourShare, PackedBoard, PlayOut, Side};
/// let play_out = PlayOut::new(Side::FOUR, FourShare::DEFAULT).unwrap();
/// let mut dice = Dice::new(1);
/// let board = play_out.spawn(PackedBoard::EMPTY, &mut dice);
/// assert_eq!(play_out.tables().n_empty(board), 15);
/// assert!(play_out.play(board, &mut dice).n_moves > 10);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PlayOut {
    tables: &'static RowTables,
    four_threshold: u64,
}

impl PlayOut {
    /// Play-outs on boards of this side; `None` if no packed board has it.
    #[must_use]
    pub fn new(side: Side, four: FourShare) -> Option<Self> {
        RowTables::of(side).map(|tables| Self {
            tables,
            four_threshold: four.threshold(),
        })
    }

    /// The row tables of the boards.
    #[must_use]
    pub const fn tables(&self) -> &'static RowTables {
        self.tables
    }

    /// The board with a new tile in a random empty cell; a full board is returned
    /// unchanged.
    #[must_use]
    #[inline]
    pub fn spawn(&self, board: PackedBoard, dice: &mut Dice) -> PackedBoard {
        self.put_tile(board, self.tables.n_empty(board), dice.next_u64())
    }

    /// A random legal move, each equally likely, with its gain; `None` if there is
    /// none.
    ///
    /// ```
    /// # use plugin_api::{Dice, FourShare, PackedBoard, PlayOut, Side};
    /// let play_out = PlayOut::new(Side::FOUR, FourShare::DEFAULT).unwrap();
    /// let (moved, gain) = play_out.slide(PackedBoard::from_bits(0x0001), &mut Dice::new(1)).unwrap();
    /// assert_ne!(moved, PackedBoard::from_bits(0x0001));
    /// assert_eq!(gain, 0);
    /// ```
    #[must_use]
    #[inline]
    pub fn slide(&self, board: PackedBoard, dice: &mut Dice) -> Option<(PackedBoard, u32)> {
        let first = dice.below(4);
        let slide = self.slide_towards(board, first);
        if slide.0 != board {
            return Some(slide);
        }
        self.slide_elsewhere(board, first, dice)
    }

    /// A random legal move other than the one that was tried.
    fn slide_elsewhere(
        &self,
        board: PackedBoard,
        tried: u32,
        dice: &mut Dice,
    ) -> Option<(PackedBoard, u32)> {
        // The other three are tried in one of their six orders.
        let second = 1 + dice.below(3);
        let third = 1 + (second + dice.below(2)) % 3;
        let fourth = 6 - second - third;
        [second, third, fourth]
            .into_iter()
            .map(|turn| self.slide_towards(board, tried ^ turn))
            .find(|slide| slide.0 != board)
    }

    /// Each of the four moves is a branch. Which one is taken depends on the dice only, so the
    /// processor knows it while it still works on the board of the move before: a
    /// misprediction costs little, and a horizontal move transposes nothing.
    #[inline]
    fn slide_towards(&self, board: PackedBoard, direction: u32) -> (PackedBoard, u32) {
        match direction & 3 {
            0 => self.tables.slide_with_gain(board, Direction::Up),
            1 => self.tables.slide_with_gain(board, Direction::Right),
            2 => self.tables.slide_with_gain(board, Direction::Down),
            _ => self.tables.slide_with_gain(board, Direction::Left),
        }
    }

    /// Plays a random game from a board to its end.
    ///
    /// A game and its mirror image are equally likely. Therefore columns that became
    /// rows for a move stay rows, and the choice between the two is made before the
    /// tile is placed, while the count of empty cells is not yet available. The score
    /// is not summed move by move: it can be computed from the tiles at the end.
    #[must_use]
    pub fn play(&self, board: PackedBoard, dice: &mut Dice) -> RandomGame {
        let worth_before = merging_worth(board);
        let (mut n_moves, mut n_fours) = (0, 0);
        let mut random = dice.next_u64();
        let mut board = turned(board, random);
        loop {
            // One random number serves a tile and the move after it: the two lowest
            // bits, which choose the move, hardly affect the choice of the tile.
            let moved = self.tables.slide_rows(board, random & 2 == 0);
            random = dice.next_u64();
            if moved == board {
                // A tile next to an empty cell can move, so most of these boards are
                // not over.
                let has_no_gap = self.tables.n_empty(board) == 0 || board == PackedBoard::EMPTY;
                if has_no_gap && self.tables.is_over(board) {
                    let gained = merging_worth(board) - worth_before;
                    return RandomGame {
                        score: gained - n_fours * merging_worth_of(2),
                        n_moves,
                    };
                }
                board = turned(board, random);
                continue;
            }
            n_moves += 1;
            n_fours += u64::from(self.is_four(random));
            let n_empty = self.tables.n_empty(moved);
            board = self.put_tile(turned(moved, random), n_empty, random);
        }
    }

    /// The board with a new tile determined by a random number.
    #[inline]
    fn put_tile(&self, board: PackedBoard, n_empty: u32, random: u64) -> PackedBoard {
        let number = ((random >> 32) * u64::from(n_empty)) >> 32;
        let bit = self.tables.empty_mask(board).nth_bit(number);
        PackedBoard::from_bits(board.bits() | bit << u32::from(self.is_four(random)))
    }

    #[inline]
    fn is_four(&self, random: u64) -> bool {
        (random & 0xffff_ffff) < self.four_threshold
    }
}

/// The score for making the tiles of a board out of 2s. A game's score is the growth of
/// this number, less what appeared as a 4.
fn merging_worth(board: PackedBoard) -> u64 {
    (0..16)
        .map(|cell| merging_worth_of(board.bits() >> (4 * cell) & 15))
        .sum()
}

/// The tile 2^e is made by merges in e − 1 rounds, each of which scores 2^e in total.
const fn merging_worth_of(exponent: u64) -> u64 {
    exponent.saturating_sub(1) << exponent
}

/// The board or its mirror image, as determined by the lowest bit of a random number.
#[inline]
fn turned(board: PackedBoard, random: u64) -> PackedBoard {
    select_unpredictable(random & 1 == 0, board.transposed(), board)
}

/// The result of a random game.
///
/// ```
/// # use plugin_api::{Dice, FourShare, PackedBoard, PlayOut, RandomGame, Side};
/// let play_out = PlayOut::new(Side::FOUR, FourShare::DEFAULT).unwrap();
/// let (mut one, mut other) = (Dice::new(3), Dice::new(3));
/// let game: RandomGame = play_out.play(PackedBoard::from_bits(0x12), &mut one);
/// assert_eq!(game, play_out.play(PackedBoard::from_bits(0x12), &mut other));
/// assert!(game.score > 0 && game.n_moves > 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RandomGame {
    /// The sum of the gains of its moves.
    pub score: u64,
    /// The number of its moves.
    pub n_moves: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean number of moves of random games, and its standard error.
    fn mean_n_moves(n_games: u32, play: impl FnMut(u32) -> u64) -> (f64, f64) {
        #[expect(clippy::cast_precision_loss, reason = "no game has 2^53 moves")]
        let counts: Vec<f64> = (0..n_games)
            .map(play)
            .map(|n_moves| n_moves as f64)
            .collect();
        let n_games = f64::from(n_games);
        let mean = counts.iter().sum::<f64>() / n_games;
        let squares = counts.iter().map(|count| (count - mean).powi(2));
        (mean, (squares.sum::<f64>() / n_games / n_games).sqrt())
    }

    #[test]
    fn the_score_of_a_game_can_be_computed_from_its_tiles() {
        let play_out = PlayOut::new(Side::FOUR, FourShare::DEFAULT).unwrap();
        for seed in 0..200 {
            let mut dice = Dice::new(seed);
            let mut board = play_out.spawn(PackedBoard::EMPTY, &mut dice);
            let (mut score, mut came_as_tiles) = (0, merging_worth(board));
            while let Some((moved, gain)) = play_out.slide(board, &mut dice) {
                board = play_out.spawn(moved, &mut dice);
                score += u64::from(gain);
                came_as_tiles += merging_worth(board) - merging_worth(moved);
            }
            assert_eq!(merging_worth(board) - came_as_tiles, score);
        }
    }

    #[test]
    fn whole_games_are_as_long_as_games_played_move_by_move() {
        let play_out = PlayOut::new(Side::FOUR, FourShare::DEFAULT).unwrap();
        let start = |dice: &mut Dice| {
            let board = play_out.spawn(PackedBoard::EMPTY, dice);
            play_out.spawn(board, dice)
        };
        let in_one_go = mean_n_moves(20_000, |seed| {
            let mut dice = Dice::new(u64::from(seed));
            play_out.play(start(&mut dice), &mut dice).n_moves
        });
        let move_by_move = mean_n_moves(20_000, |seed| {
            let mut dice = Dice::new(u64::from(seed));
            let mut board = start(&mut dice);
            let mut n_moves = 0;
            while let Some((moved, _)) = play_out.slide(board, &mut dice) {
                board = play_out.spawn(moved, &mut dice);
                n_moves += 1;
            }
            n_moves
        });
        let standard_error = in_one_go.1.hypot(move_by_move.1);
        assert!((in_one_go.0 - move_by_move.0).abs() < 3.0 * standard_error);
    }

    #[test]
    fn a_board_without_moves_ends_at_once() {
        let play_out = PlayOut::new(Side::MIN, FourShare::DEFAULT).unwrap();
        for bits in [0, 0x0012_0021] {
            let board = PackedBoard::from_bits(bits);
            let game = play_out.play(board, &mut Dice::new(1));
            assert_eq!(game, RandomGame::default());
        }
    }

    #[test]
    fn the_four_moves_are_equally_likely() {
        let play_out = PlayOut::new(Side::FOUR, FourShare::DEFAULT).unwrap();
        // A single tile in the middle: every move is legal and each has a different
        // result.
        let board = PackedBoard::from_bits(0x0000_0010_0000_0000);
        let mut dice = Dice::new(1);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..40_000 {
            *counts
                .entry(play_out.slide(board, &mut dice))
                .or_insert(0i32) += 1;
        }
        // Five standard deviations of a binomial count are 433.
        assert_eq!(counts.len(), 4);
        assert!(counts.values().all(|count| (count - 10_000).abs() < 433));
    }
}
