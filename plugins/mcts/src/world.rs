//! The game as the search sees it: random moves, and the possible tiles.

use plugin_api::{Dice, Direction, PackedBoard, PlayOut, Refusal, RowTables, Rules, Tiles};
use search_kit::{Goal, PossibleTiles};

/// The rules of a game on packed boards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct World {
    play_out: PlayOut,
    rules: Rules,
    /// The tile that ends the game when a move makes it.
    goal: Option<Goal>,
}

impl World {
    /// The world with these rules.
    ///
    /// # Errors
    /// If no packed board has the side.
    pub(crate) fn new(rules: &Rules) -> Result<Self, Refusal> {
        let play_out = PlayOut::new(rules.side, rules.four)
            .ok_or_else(|| format!("it supports boards of 2×2 to 4×4, not {}", rules.side))?;
        Ok(Self {
            play_out,
            rules: *rules,
            goal: Goal::of(rules),
        })
    }

    /// The row tables of the boards.
    #[must_use]
    pub(crate) fn tables(&self) -> &'static RowTables {
        self.play_out.tables()
    }

    /// The board after a move, without the new tile; `None` if nothing moves.
    #[must_use]
    #[inline]
    pub(crate) fn slide(&self, board: PackedBoard, direction: Direction) -> Option<PackedBoard> {
        Some(self.tables().slide(board, direction)).filter(|&moved| moved != board)
    }

    /// A random legal move and its gain; `None` if there is none.
    #[must_use]
    #[inline]
    pub(crate) fn random_slide(
        &self,
        board: PackedBoard,
        dice: &mut Dice,
    ) -> Option<(PackedBoard, u32)> {
        self.play_out.slide(board, dice)
    }

    /// The board after a move with a possible next tile.
    #[must_use]
    #[inline]
    pub(crate) fn spawn(&self, moved: PackedBoard, dice: &mut Dice) -> PackedBoard {
        match self.rules.tiles {
            Tiles::Random => self.play_out.spawn(moved, dice),
            Tiles::Deterministic => match self.tables().empty_mask(moved).into_iter().next() {
                Some(cell) => moved.with_new_tile(cell, 1),
                None => moved,
            },
        }
    }

    /// The boards to which a new tile can lead after a move, with their probabilities.
    #[must_use]
    pub(crate) fn possible_spawns(&self, moved: PackedBoard) -> Vec<(PackedBoard, f64)> {
        let possible = PossibleTiles::of(&self.rules);
        let empty = self.tables().empty_mask(moved);
        let cells = possible.cells(empty.bits());
        let with_cell = empty
            .into_iter()
            .take(cells.n_cells() as usize)
            .flat_map(|cell| possible.iter().map(move |tile| (cell, tile)));
        with_cell
            .map(|(cell, tile)| {
                let board = moved.with_new_tile(cell, tile.exponent);
                (board, f64::from(tile.share) / f64::from(cells.n_cells()))
            })
            .collect()
    }

    /// Whether a board after a move ends the game with success.
    #[must_use]
    #[inline]
    pub(crate) fn is_goal(&self, moved: PackedBoard) -> bool {
        self.goal.is_some_and(|goal| goal.is_on(moved))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_found_on_the_board_after_the_move() {
        let rules = Rules {
            goal: Some(8),
            ..Rules::default()
        };
        let world = World::new(&rules).unwrap();
        let board = PackedBoard::from_bits(0x0022);
        assert!(!world.is_goal(board));
        assert!(world.is_goal(world.slide(board, Direction::Left).unwrap()));
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
