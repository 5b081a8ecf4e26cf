//! Deterministic 2048: every new tile is a 2 in the first empty cell.
//!
//! A move has one outcome, so a sequence of moves is a path through boards, and every
//! board on it has the sum 4 + 2 × moves: no board repeats, and boards after different
//! numbers of moves differ.

use plugin_api::{Direction, PackedBoard, RowTables, Side};
use search_kit::Goal;

/// The paper's order of directions, in which solutions are listed.
pub(crate) const PAPER_ORDER: [Direction; 4] = [
    Direction::Up,
    Direction::Left,
    Direction::Down,
    Direction::Right,
];

/// The deterministic game on boards of one side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    tables: &'static RowTables,
}

impl Model {
    /// The game on this side; `None` if no packed board has it.
    #[must_use]
    pub(crate) fn of(side: Side) -> Option<Self> {
        RowTables::of(side).map(|tables| Self { tables })
    }

    /// The side of the boards.
    #[must_use]
    pub(crate) fn side(self) -> Side {
        self.tables.side()
    }

    /// The board at the start of a game: 2s in the first two cells.
    #[must_use]
    pub(crate) fn start(self) -> PackedBoard {
        self.put_tile(self.put_tile(PackedBoard::EMPTY))
    }

    /// The board after a slide, before the new tile; `None` if nothing moves.
    #[must_use]
    #[inline]
    pub(crate) fn slide(self, board: PackedBoard, direction: Direction) -> Option<PackedBoard> {
        Some(self.tables.slide(board, direction)).filter(|&moved| moved != board)
    }

    /// The board with the new tile; a full board is returned unchanged.
    #[must_use]
    #[inline]
    pub(crate) fn put_tile(self, moved: PackedBoard) -> PackedBoard {
        match self.tables.empty_mask(moved).into_iter().next() {
            Some(cell) => moved.with_new_tile(cell, 1),
            None => moved,
        }
    }
}

/// The smallest number of moves to a goal G: G/2 + log2(G) − 3.
///
/// A tile merges once per move, and becomes part of 2^k by k − 1 merges; so the 2s that
/// follow the last k − 2 moves before the end are not part of the goal. The sum after
/// the last slide, 2 + 2 × moves, contains the goal and these.
#[must_use]
pub(crate) fn fewest_moves(goal: Goal) -> u64 {
    let exponent = u64::from(goal.exponent());
    ((1 << exponent) / 2 + exponent).saturating_sub(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_new_tile_appears_in_the_first_empty_cell() {
        let model = Model::of(Side::MIN).unwrap();
        assert_eq!(
            model.start().to_board(Side::MIN),
            "2 2 / 0 0".parse().unwrap()
        );
        assert_eq!(model.slide(model.start(), Direction::Up), None);
        let moved = model.slide(model.start(), Direction::Down).unwrap();
        let board = model.put_tile(moved).to_board(Side::MIN);
        assert_eq!(board, "2 0 / 2 2".parse().unwrap());
    }

    #[test]
    fn the_fewest_moves_match_the_formula() {
        // 4/2 + 2 - 3, 8/2 + 3 - 3, 2048/2 + 11 - 3
        let fewest = |exponent| fewest_moves(Goal::with_exponent(exponent).unwrap());
        assert_eq!([2, 3, 11].map(fewest), [1, 4, 1032]);
    }
}
