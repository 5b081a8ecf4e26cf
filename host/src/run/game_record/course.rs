//! The course of a game in a few numbers: when its highest tile was made, and how long the board
//! had been crowded when it ended.
//!
//! The numbers follow from the moves. They are recorded all the same, because a report that
//! replayed every game would take minutes.

use plugin_api::{Board, Game};

/// Whether a board is crowded: fewer than a quarter of its cells are empty.
#[must_use]
pub fn is_crowded(n_empty: usize, n_cells: usize) -> bool {
    n_empty.saturating_mul(4) < n_cells
}

/// What is remembered of a game, move by move. It costs two looks at the board per move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameCourse {
    n_empty: usize,
    highest: u64,
    highest_at: u64,
    /// The number of moves after which the board last had room.
    roomy_at: u64,
}

impl GameCourse {
    /// The course of a game before its first move.
    #[must_use]
    pub fn start(board: &Board) -> Self {
        Self {
            n_empty: board.n_empty(),
            highest: board.highest(),
            highest_at: 0,
            roomy_at: 0,
        }
    }

    /// Takes note of the board after a move and the tile that followed it.
    pub fn after_move(&mut self, game: &Game) {
        let board = game.board();
        self.n_empty = board.n_empty();
        let highest = board.highest();
        if highest > self.highest {
            self.highest = highest;
            self.highest_at = game.n_moves();
        }
        if !is_crowded(self.n_empty, board.exponents().len()) {
            self.roomy_at = game.n_moves();
        }
    }

    /// The number of empty cells of the board as it is now.
    #[must_use]
    pub fn n_empty(&self) -> usize {
        self.n_empty
    }

    /// The number of moves after which the highest tile was on the board.
    #[must_use]
    pub fn highest_at(&self) -> u64 {
        self.highest_at
    }

    /// The moves since the board last had at least a quarter of its cells empty.
    #[must_use]
    pub fn crowded_moves(&self, game: &Game) -> u64 {
        game.n_moves().saturating_sub(self.roomy_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plugin_api::{Rules, Salt};

    /// The same numbers from the list of all boards.
    #[test]
    fn the_course_is_that_of_the_boards() {
        let mut game = Game::start(Rules::default(), &Salt::NONE, 7);
        let mut course = GameCourse::start(game.board());
        let mut boards = vec![*game.board()];
        loop {
            let next = game.board().legal_moves().next();
            let Some(direction) = next else { break };
            game.play(direction).expect("a legal move");
            course.after_move(&game);
            boards.push(*game.board());
        }
        let last = boards.last().expect("a board");
        assert!(boards.len() > 50 && last.n_empty() == 0);
        let first_with_highest = boards.iter().position(|b| b.highest() == last.highest());
        let last_with_four_empty = boards.iter().rposition(|b| b.n_empty() >= 4);
        assert_eq!(course.highest_at(), first_with_highest.unwrap() as u64);
        let crowded = boards.len() - 1 - last_with_four_empty.unwrap();
        assert_eq!(course.crowded_moves(&game), crowded as u64);
    }
}
