//! The game as the search sees it: random moves, and the tiles that may come.

use plugin_api::{Dice, Direction, PackedBoard, PlayOut, Refusal, RowTables, Rules, Tiles};

const LOWEST_BITS: u64 = 0x1111_1111_1111_1111;

/// The rules of a game on packed boards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct World {
    play_out: PlayOut,
    tiles: Tiles,
    /// The exponent that ends the game when a move makes it.
    goal: Option<u8>,
}

impl World {
    /// The world of these rules.
    ///
    /// # Errors
    /// When no packed board has the side.
    pub(crate) fn new(rules: &Rules) -> Result<Self, Refusal> {
        let play_out = PlayOut::new(rules.side, rules.four)
            .ok_or_else(|| format!("it plays boards of 2×2 to 4×4, not {}", rules.side))?;
        let goal = rules
            .goal
            .map(exponent_that_reaches)
            .filter(|&exponent| exponent <= PackedBoard::MAX_EXPONENT);
        Ok(Self {
            play_out,
            tiles: rules.tiles,
            goal,
        })
    }

    /// The row tables of the boards.
    #[must_use]
    pub(crate) fn tables(&self) -> &'static RowTables {
        self.play_out.tables()
    }

    /// The board after a move, without the new tile; `None` when nothing moves.
    #[must_use]
    #[inline]
    pub(crate) fn slide(&self, board: PackedBoard, direction: Direction) -> Option<PackedBoard> {
        Some(self.tables().slide(board, direction)).filter(|&moved| moved != board)
    }

    /// A random legal move and its gain; `None` when none is left.
    #[must_use]
    #[inline]
    pub(crate) fn random_slide(
        &self,
        board: PackedBoard,
        dice: &mut Dice,
    ) -> Option<(PackedBoard, u32)> {
        self.play_out.slide(board, dice)
    }

    /// The board after a move with a tile that may come next.
    #[must_use]
    #[inline]
    pub(crate) fn spawn(&self, moved: PackedBoard, dice: &mut Dice) -> PackedBoard {
        match self.tiles {
            Tiles::Random => self.play_out.spawn(moved, dice),
            Tiles::Deterministic => match self.tables().empty_mask(moved).into_iter().next() {
                Some(cell) => moved.with_new_tile(cell, 1),
                None => moved,
            },
        }
    }

    /// Whether a board after a move ends the game with success.
    #[must_use]
    #[inline]
    pub(crate) fn is_goal(&self, moved: PackedBoard) -> bool {
        self.goal.is_some_and(|goal| holds(moved, goal))
    }
}

/// The exponent of the smallest tile that is not below a goal.
fn exponent_that_reaches(goal: u64) -> u8 {
    (1..=PackedBoard::MAX_EXPONENT)
        .find(|&exponent| plugin_api::face_value(exponent) >= goal)
        .unwrap_or(PackedBoard::MAX_EXPONENT + 1)
}

#[inline]
fn holds(board: PackedBoard, exponent: u8) -> bool {
    let difference = board.bits() ^ (u64::from(exponent) * LOWEST_BITS);
    let pairs = difference | difference >> 1;
    (pairs | pairs >> 2) & LOWEST_BITS != LOWEST_BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_seen_on_the_board_after_the_move() {
        let rules = Rules {
            goal: Some(8),
            ..Rules::default()
        };
        let world = World::new(&rules).unwrap();
        let board = PackedBoard::from_bits(0x0022);
        assert!(!world.is_goal(board));
        assert!(world.is_goal(world.slide(board, Direction::Left).unwrap()));
        assert_eq!(exponent_that_reaches(9), 4);
        assert_eq!(exponent_that_reaches(65536), 16);
    }

    #[test]
    fn deterministic_tiles_are_known_to_the_search() {
        let rules = Rules {
            tiles: Tiles::Deterministic,
            ..Rules::default()
        };
        let world = World::new(&rules).unwrap();
        let board = world.spawn(PackedBoard::from_bits(0x5005), &mut Dice::new(1));
        assert_eq!(board.bits(), 0x5015);
    }
}
