//! What a move does to a board: tiles slide to a border, and equal ones merge.
//!
//! The rule is written once, for one line of cells. The exact board applies it to
//! its rows or columns; the row tables of the packed board are filled from it.

use std::hint::select_unpredictable;

use crate::{Board, Direction};

/// What a move makes of a board, before the new tile appears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slide {
    /// The board after the move.
    pub board: Board,
    /// The face values of the tiles made by merging, added up: what the move scores.
    pub gain: u64,
}

impl Board {
    /// What a move makes of the board; `None` when it changes nothing, for then
    /// it is not a legal move.
    ///
    /// ```
    /// # use plugin_api::{Board, Direction};
    /// let board: Board = "2 2 4 / 0 0 0 / 8 0 8".parse().unwrap();
    /// let slide = board.slide(Direction::Right).unwrap();
    /// assert_eq!(slide.board, "0 4 4 / 0 0 0 / 0 0 16".parse().unwrap());
    /// assert_eq!(slide.gain, 4 + 16);
    /// assert_eq!(slide.board.slide(Direction::Right), Some(plugin_api::Slide {
    ///     board: "0 0 8 / 0 0 0 / 0 0 16".parse().unwrap(),
    ///     gain: 8,
    /// }));
    /// ```
    #[must_use]
    pub fn slide(&self, direction: Direction) -> Option<Slide> {
        // A length known to the compiler lets it unroll the loops.
        let slide = match self.side().length() {
            2 => slide_lines::<2>,
            3 => slide_lines::<3>,
            4 => slide_lines::<4>,
            5 => slide_lines::<5>,
            6 => slide_lines::<6>,
            7 => slide_lines::<7>,
            _ => slide_lines::<8>,
        };
        slide(self, direction)
    }

    /// The moves that change the board.
    ///
    /// ```
    /// # use plugin_api::{Board, Direction};
    /// let board: Board = "2 4 / 2 8".parse().unwrap();
    /// assert!(board.legal_moves().eq([Direction::Up, Direction::Down]));
    /// ```
    pub fn legal_moves(&self) -> impl Iterator<Item = Direction> {
        Direction::ALL
            .into_iter()
            .filter(|&direction| self.slide(direction).is_some())
    }

    /// Whether no move is left.
    ///
    /// ```
    /// # use plugin_api::Board;
    /// assert!("2 4 / 4 2".parse::<Board>().unwrap().is_over());
    /// assert!(!"2 4 / 4 4".parse::<Board>().unwrap().is_over());
    /// ```
    #[must_use]
    pub fn is_over(&self) -> bool {
        let n_empty = self.n_empty();
        if n_empty > 0 {
            // Where tiles and empty cells are, some tile has an empty neighbour.
            // Without tiles there is nothing to move.
            return n_empty == self.side().n_cells();
        }
        let length = self.side().length();
        let cells = self.exponents();
        let merge = |a: u8, b: u8| a == b && a < Self::MAX_EXPONENT;
        let in_columns = cells
            .iter()
            .zip(&cells[length..])
            .any(|(&above, &below)| merge(above, below));
        let in_rows = || {
            self.rows()
                .any(|row| row.windows(2).any(|pair| merge(pair[0], pair[1])))
        };
        !in_columns && !in_rows()
    }
}

/// Slides every line of a board of side `N`; `None` when nothing moves.
fn slide_lines<const N: usize>(board: &Board, direction: Direction) -> Option<Slide> {
    // Where the lines begin, at the border the tiles slide to; how far it is from
    // one line to the next; and from one cell of a line to its next.
    let (first, to_next_line, to_next_cell) = match direction {
        Direction::Up => (0, 1, N),
        Direction::Right => (N - 1, N, 1usize.wrapping_neg()),
        Direction::Down => (N * (N - 1), 1, N.wrapping_neg()),
        Direction::Left => (0, N, 1),
    };
    let mut slide = Slide {
        board: *board,
        gain: 0,
    };
    let cells = slide.board.cells_mut();
    let mut has_moved = false;
    for line in 0..N {
        let start = first + line * to_next_line;
        let cell =
            |step: usize| start.wrapping_add(step.wrapping_mul(to_next_cell)) % Board::MAX_CELLS;
        let before = Line::of(std::array::from_fn::<u8, N, _>(|step| cells[cell(step)]));
        let (after, gain) = before.slide::<N>(Board::MAX_EXPONENT);
        for (step, exponent) in after.exponents::<N>().into_iter().enumerate() {
            cells[cell(step)] = exponent;
        }
        has_moved |= after != before;
        slide.gain = slide.gain.saturating_add(gain);
    }
    has_moved.then_some(slide)
}

/// The exponents of up to eight cells, a byte each: a row or column in a register.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line(u64);

impl Line {
    pub(crate) fn of<const N: usize>(exponents: [u8; N]) -> Self {
        let bytes = exponents.into_iter().rev();
        Self(bytes.fold(0, |line, exponent| line << 8 | u64::from(exponent)))
    }

    pub(crate) fn exponents<const N: usize>(self) -> [u8; N] {
        std::array::from_fn(|place| self.exponent(place))
    }

    fn exponent(self, place: usize) -> u8 {
        self.0.to_le_bytes()[place]
    }

    /// Slides a line of `N` cells towards its first one: the rule of the game.
    ///
    /// Returns the line and the face values made by merging. Two tiles of the `largest`
    /// exponent do not merge. To the processor's guesses boards are as good as random,
    /// so the steps are selections, without a branch.
    pub(crate) fn slide<const N: usize>(self, largest: u8) -> (Self, u64) {
        let mut slid = 0;
        let mut n_bits_placed = 0;
        // The tile that goes to the next place, unless the tile behind it is its equal;
        // 0 when there is none, also right after a merge: a tile merges once a move.
        let mut waiting = 0;
        let mut gain = 0u64;
        for place in 0..N {
            let exponent = self.exponent(place);
            let is_tile = exponent != 0;
            let merges = is_tile && exponent == waiting && exponent < largest;
            let is_placed = is_tile && waiting != 0;
            let placed = select_unpredictable(is_placed, waiting + u8::from(merges), 0);
            slid |= u64::from(placed) << n_bits_placed;
            n_bits_placed += 8 * u32::from(is_placed);
            gain = gain.saturating_add((2 * u64::from(merges)) << exponent);
            let still_waiting = select_unpredictable(is_tile, exponent, waiting);
            waiting = select_unpredictable(merges, 0, still_waiting);
        }
        slid |= u64::from(waiting) << n_bits_placed;
        (Self(slid), gain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, direction: Direction, after: &str, gain: u64) {
        let slide = before.parse::<Board>().unwrap().slide(direction).unwrap();
        assert_eq!(slide.board, after.parse().unwrap());
        assert_eq!(slide.gain, gain);
    }

    #[test]
    fn a_tile_merges_once_a_move() {
        let before = "2 2 4 / 2 2 2 / 4 2 2";
        check(before, Direction::Left, "4 4 0 / 4 2 0 / 4 4 0", 12);
        check(before, Direction::Right, "0 4 4 / 0 2 4 / 0 4 4", 12);
        check("2 2 / 2 2", Direction::Down, "0 0 / 4 4", 8);
        let pairs = "2 2 2 2 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0";
        check(
            pairs,
            Direction::Left,
            "4 4 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0",
            8,
        );
    }

    #[test]
    fn the_pair_at_the_border_merges_first() {
        check(
            "2 0 0 / 2 0 0 / 2 0 0",
            Direction::Up,
            "4 0 0 / 2 0 0 / 0 0 0",
            4,
        );
        check(
            "2 0 0 / 2 0 0 / 2 0 0",
            Direction::Down,
            "0 0 0 / 2 0 0 / 4 0 0",
            4,
        );
    }

    #[test]
    fn the_largest_tiles_merge_exactly() {
        check("32768 32768 / 0 0", Direction::Left, "65536 0 / 0 0", 65536);
        check(
            "65536 0 / 65536 0",
            Direction::Down,
            "0 0 / 131072 0",
            131_072,
        );
    }

    #[test]
    fn tiles_at_the_end_of_the_numbers_stay_apart() {
        let side = crate::Side::MIN;
        let full = Board::from_exponents(side, &[Board::MAX_EXPONENT; 4]).unwrap();
        assert!(full.is_over());
        assert!(full.legal_moves().next().is_none());
    }

    #[test]
    fn a_move_that_changes_nothing_is_none() {
        let board: Board = "2 4 / 4 2".parse().unwrap();
        assert!(board.is_over());
        assert_eq!(board.slide(Direction::Up), None);
        assert!(Board::empty(crate::Side::FOUR).is_over());
    }

    #[test]
    fn one_equal_pair_anywhere_keeps_the_game_going() {
        let checkered: Board = "2 4 2 / 4 2 4 / 2 4 2".parse().unwrap();
        assert!(checkered.is_over());
        for cell in 0..9 {
            let exponent = 3 - checkered.exponents()[cell];
            assert!(!checkered.with_tile(cell, exponent).is_over());
            assert!(!checkered.with_tile(cell, 0).is_over());
            assert!(checkered.with_tile(cell, 3).is_over());
        }
    }
}
