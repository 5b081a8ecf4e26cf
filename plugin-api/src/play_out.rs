//! Random play on packed boards: what Monte Carlo searches do all day.
//!
//! A move of a play-out takes some twenty nanoseconds, less than two wrong guesses of
//! the processor; hence tiles are placed without a branch.

use std::hint::select_unpredictable;

use crate::{Dice, FourShare, PackedBoard, RowTables, Side};

/// Random moves and tiles on boards of one side.
///
/// ```
/// # use plugin_api::{Dice, FourShare, PackedBoard, PlayOut, Side};
/// let play_out = PlayOut::new(Side::FOUR, FourShare::DEFAULT).unwrap();
/// let mut dice = Dice::new(1);
/// let board = play_out.spawn(PackedBoard::EMPTY, &mut dice);
/// assert_eq!(play_out.tables().n_empty(board), 15);
/// assert!(play_out.score_of_random_game(board, &mut dice) > 0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PlayOut {
    tables: &'static RowTables,
    four_threshold: u64,
}

impl PlayOut {
    /// Play-outs on boards of this side; `None` when no packed board has it.
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

    /// The board with a new tile in a random empty cell; a full board stays as it is.
    #[must_use]
    #[inline]
    pub fn spawn(&self, board: PackedBoard, dice: &mut Dice) -> PackedBoard {
        let empty = self.tables.empty_mask(board);
        let random = dice.next_u64();
        let number = ((random >> 32) * u64::from(empty.n_cells())) >> 32;
        let is_four = (random & 0xffff_ffff) < self.four_threshold;
        PackedBoard::from_bits(board.bits() | empty.nth_bit(number) << u32::from(is_four))
    }

    /// A random legal move, each equally likely, and its gain; `None` when none is left.
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

    /// A random legal move that is not the one tried already.
    fn slide_elsewhere(
        &self,
        board: PackedBoard,
        tried: u32,
        dice: &mut Dice,
    ) -> Option<(PackedBoard, u32)> {
        // The three others are tried in one of their six orders.
        let second = 1 + dice.below(3);
        let third = 1 + (second + dice.below(2)) % 3;
        let fourth = 6 - second - third;
        [second, third, fourth]
            .into_iter()
            .map(|turn| self.slide_towards(board, tried ^ turn))
            .find(|slide| slide.0 != board)
    }

    #[inline]
    fn slide_towards(&self, board: PackedBoard, direction: u32) -> (PackedBoard, u32) {
        let is_vertical = direction.is_multiple_of(2);
        let lines = select_unpredictable(is_vertical, board.transposed(), board);
        let (moved, gain) = self
            .tables
            .slide_lines(lines, direction == 1 || direction == 2);
        let moved = select_unpredictable(is_vertical, moved.transposed(), moved);
        (moved, gain)
    }

    /// The gains of a random game from a board on, to its end.
    #[must_use]
    pub fn score_of_random_game(&self, mut board: PackedBoard, dice: &mut Dice) -> u64 {
        let mut score = 0;
        while let Some((moved, gain)) = self.slide(board, dice) {
            score += u64::from(gain);
            board = self.spawn(moved, dice);
        }
        score
    }
}
