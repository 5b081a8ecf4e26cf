//! The moves that a search chooses among, and their values.
//!
//! The exact board determines which moves are legal and what they result in; the search
//! continues from packed views of the results. All views of one turn use the same
//! scale, so that their values can be compared: if only the board with a 65536 were
//! lowered, it would look worse than all others.

use plugin_api::{Board, Choice, Direction, PackedBoard, Refusal};

/// The order in which the paper on minimax and expectimax tries moves, which decides
/// between equals.
pub const PAPER_ORDER: [Direction; 4] = [
    Direction::Up,
    Direction::Down,
    Direction::Right,
    Direction::Left,
];

/// A legal move and a view of the board it makes, before the new tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The move.
    pub direction: Direction,
    /// The board after the move; exact if no tile is above 32768.
    pub moved: PackedBoard,
}

/// The legal moves of a board in the given order; `None` if the side is above 4.
///
/// With a tile above 32768, or two of 32768 that could merge into one, all exponents
/// are lowered by the same number, and tiles too small for that become 2s, as in
/// [`PackedBoard::shrunk`].
///
/// ```
/// # use plugin_api::{Board, Direction, PackedBoard};
/// # use search_kit::{PAPER_ORDER, RootMove, root_moves};
/// let board: Board = "2 4 / 2 8".parse().unwrap();
/// let moves = root_moves(&board, PAPER_ORDER).unwrap();
/// assert_eq!(moves[0].direction, Direction::Up);
/// assert_eq!(moves[0].moved.to_board(board.side()), "4 4 / 0 8".parse().unwrap());
/// ```
#[must_use]
pub fn root_moves(board: &Board, order: [Direction; 4]) -> Option<Vec<RootMove>> {
    let lowered_by = lowered_by(board);
    order
        .into_iter()
        .filter_map(|direction| board.slide(direction).map(|slide| (direction, slide.board)))
        .map(|(direction, moved)| {
            let view = view(&moved, lowered_by)?;
            Some(RootMove {
                direction,
                moved: view,
            })
        })
        .collect()
}

/// By how much exponents are lowered, so that the merges of the highest tiles fit.
fn lowered_by(board: &Board) -> u8 {
    let mut exponents = board.exponents().to_vec();
    exponents.sort_unstable_by(|a, b| b.cmp(a));
    let merge = u8::from(exponents[0] == exponents[1]);
    (exponents[0] + merge).saturating_sub(PackedBoard::MAX_EXPONENT)
}

/// Refuses a board whose numbers a search sees lowered: an explanation would show the wrong ones.
///
/// # Errors
/// With a tile above 32768, or two of 32768.
pub fn check_is_seen_exactly(board: &Board) -> Result<(), Refusal> {
    match lowered_by(board) {
        0 => Ok(()),
        _ => Err(
            "it explains boards up to one tile of 32768, because it sees larger tiles as \
                  smaller ones"
                .into(),
        ),
    }
}

fn view(board: &Board, lowered_by: u8) -> Option<PackedBoard> {
    let lowered = board
        .exponents()
        .iter()
        .zip(0..)
        .filter(|&(&exponent, _)| exponent > 0)
        .fold(*board, |view, (&exponent, cell)| {
            view.with_tile(cell, exponent.saturating_sub(lowered_by).max(1))
        });
    PackedBoard::try_from(&lowered).ok()
}

/// The values of the moves of one turn.
#[derive(Clone, Debug, Default)]
pub struct MoveValues {
    values: Vec<(Direction, f64)>,
}

impl MoveValues {
    /// Adds the value of a move.
    pub fn add(&mut self, direction: Direction, value: f64) {
        self.values.push((direction, value));
    }

    /// The best move and its value: among equals, the one that was added first, even if
    /// all are minus infinity.
    #[must_use]
    pub fn best(&self) -> Option<(Direction, f64)> {
        self.values
            .iter()
            .copied()
            .reduce(|best, other| if other.1 > best.1 { other } else { best })
    }

    /// The value of a move, if it was added.
    #[must_use]
    pub fn of(&self, direction: Direction) -> Option<f64> {
        let found = self.values.iter().find(|(moved, _)| *moved == direction);
        found.map(|&(_, value)| value)
    }

    /// The best move as an agent's answer; `None` if no move was added.
    #[must_use]
    pub fn to_choice(&self) -> Option<Choice> {
        let (direction, _) = self.best()?;
        let thoughts = self
            .values
            .iter()
            .fold(Choice::from(direction), |choice, &(direction, value)| {
                choice.value(direction, value)
            });
        Some(thoughts)
    }
}

impl FromIterator<(Direction, f64)> for MoveValues {
    fn from_iter<I: IntoIterator<Item = (Direction, f64)>>(values: I) -> Self {
        Self {
            values: values.into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(board: &str, expected: &[(Direction, &str)]) {
        let board: Board = board.parse().unwrap();
        let moves = root_moves(&board, Direction::ALL).unwrap();
        let found: Vec<(Direction, Board)> = moves
            .iter()
            .map(|root| (root.direction, root.moved.to_board(board.side())))
            .collect();
        let expected: Vec<(Direction, Board)> = expected
            .iter()
            .map(|&(direction, text)| (direction, text.parse().unwrap()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn moves_are_those_of_the_exact_board_on_one_scale() {
        use Direction::{Down, Left, Right, Up};
        check("2 4 / 2 8", &[(Up, "4 4 / 0 8"), (Down, "0 4 / 4 8")]);
        check(
            "32768 32768 / 2 4",
            &[(Right, "0 32768 / 2 2"), (Left, "32768 0 / 2 2")],
        );
        check(
            "65536 2 / 65536 8",
            &[(Up, "32768 2 / 0 2"), (Down, "0 2 / 32768 2")],
        );
        check(
            "131072 0 / 4 2",
            &[(Up, "32768 2 / 2 0"), (Right, "0 32768 / 2 2")],
        );
    }

    #[test]
    fn the_first_of_equals_is_best() {
        let best = |values: [f64; 3]| {
            let moves: MoveValues = PAPER_ORDER.into_iter().zip(values).collect();
            moves.best().unwrap().0
        };
        assert_eq!(best([1.0, 2.0, 2.0]), Direction::Down);
        assert_eq!(best([f64::NEG_INFINITY; 3]), Direction::Up);
        assert_eq!(best([f64::NEG_INFINITY, -1e300, 0.0]), Direction::Right);
    }
}
