//! The effect of a move on a board: tiles slide to an edge, and equal ones merge.
//!
//! The rule itself is written once, in `lanes`, for all lines at the same time. This
//! module applies it to the rows or columns of a board; the row tables of the packed
//! board are computed from it too.

use crate::{Board, Direction, rules::lanes};

/// The result of a move, before the new tile appears.
///
/// ```
/// # use plugin_api::{Board, Direction, Slide};
/// let board: Board = "2 2 / 0 4".parse().unwrap();
/// let Slide { board: after, gain } = board.slide(Direction::Left).unwrap();
/// assert_eq!((after, gain), ("4 0 / 4 0".parse().unwrap(), 4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slide {
    /// The board after the move.
    pub board: Board,
    /// The sum of the face values of the tiles made by merging: the score of the move.
    pub gain: u64,
}

impl Board {
    /// The result of a move; `None` if it changes nothing, because then it is illegal.
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
        let mut board = *self;
        let gain = board.slide_in_place(direction)?;
        Some(Slide { board, gain })
    }

    /// Makes a move and returns its gain; `None` if it changes nothing.
    pub(crate) fn slide_in_place(&mut self, direction: Direction) -> Option<u64> {
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
        let is_over = match self.side().length() {
            2 => is_over::<2>,
            3 => is_over::<3>,
            4 => is_over::<4>,
            5 => is_over::<5>,
            6 => is_over::<6>,
            7 => is_over::<7>,
            _ => is_over::<8>,
        };
        is_over(self)
    }
}

/// Slides every line of a board of side `N` and returns the gain; `None` if nothing moves.
fn slide_lines<const N: usize>(board: &mut Board, direction: Direction) -> Option<u64> {
    let is_horizontal = matches!(direction, Direction::Left | Direction::Right);
    let is_to_end = matches!(direction, Direction::Right | Direction::Down);
    // Every lane is a line, and its first position is at the edge that the tiles slide
    // to.
    let mut before = rows::<N>(board);
    if is_horizontal {
        before = lanes::transpose(before);
    }
    if is_to_end {
        before.reverse();
    }
    let mut after = before;
    let made = lanes::slide(&mut after, Board::MAX_EXPONENT);
    let differences = before
        .iter()
        .zip(after)
        .map(|(before, after)| before ^ after);
    if differences.fold(0, |all, difference| all | difference) == 0 {
        return None;
    }
    if is_to_end {
        after.reverse();
    }
    if is_horizontal {
        after = lanes::transpose(after);
    }
    if N == 4 {
        // Written in units as large as the next reads: a read that spans two writes would stall.
        let halves = board.cells_mut().as_chunks_mut::<8>().0;
        for (cells, rows) in halves.iter_mut().zip(after.as_chunks::<2>().0) {
            *cells = lanes::unpack(rows[0] | rows[1] << 32);
        }
    } else {
        let cells = board.cells_mut().as_chunks_mut::<N>().0;
        for (cells, row) in cells.iter_mut().zip(after) {
            *cells = lanes::unpack(row);
        }
    }
    let gain = made
        .into_iter()
        .map(lanes::sum_of_face_values::<N>)
        .fold(0, u64::saturating_add);
    Some(gain)
}

/// The rows of a board of side `N`, with one lane per column.
fn rows<const N: usize>(board: &Board) -> [u64; N] {
    let rows = board.cells().as_chunks::<N>().0;
    std::array::from_fn(|row| lanes::pack(rows[row]))
}

/// Whether no move changes a board of side `N`.
fn is_over<const N: usize>(board: &Board) -> bool {
    let rows = rows::<N>(board);
    // The lanes of a row that have a right neighbour, and all lanes.
    let (pairs, lanes) = (u64::MAX >> (8 * (9 - N)), u64::MAX >> (8 * (8 - N)));
    let has_gap = rows.iter().any(|&row| lanes::zero_flags(row) & lanes != 0);
    if has_gap {
        // If there are tiles and empty cells, some tile has an empty neighbour. Without
        // tiles nothing can move.
        return rows == [0; N];
    }
    let merges = |a, b| lanes::merge_flags(a, b, Board::MAX_EXPONENT);
    let in_rows = rows.iter().any(|&row| merges(row, row >> 8) & pairs != 0);
    let in_columns = rows
        .windows(2)
        .any(|rows| merges(rows[0], rows[1]) & lanes != 0);
    !in_rows && !in_columns
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
    fn a_tile_merges_once_per_move() {
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
    fn the_pair_at_the_edge_merges_first() {
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
    fn tiles_of_the_largest_exponent_do_not_merge() {
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
    fn one_equal_pair_anywhere_leaves_a_legal_move() {
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
