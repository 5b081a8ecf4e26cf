//! Plays a record again, move by move, without the agent that made it.
//!
//! The terminal and the page show games through it: both see the tile that followed
//! each move, and neither knows how tiles are drawn.

use std::str::Chars;

use plugin_api::{Board, Direction, Game, Rules, Salt, Spawn};

use crate::game_record::GameRecord;

/// One move of a game and what followed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// From 1.
    pub number: u64,
    pub direction: Direction,
    /// What the move scored.
    pub gain: u64,
    /// The score after the move.
    pub score: u64,
    /// The tile that was put after the move.
    pub spawn: Spawn,
    /// The board with that tile on it.
    pub board: Board,
}

/// Why a record cannot be played to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    #[error("move {number} is `{letter}`, which is no direction")]
    NoDirection { number: u64, letter: char },
    #[error("move {number}, {direction}, is illegal in the replay")]
    Illegal { number: u64, direction: Direction },
}

/// The moves of a record, played one after the other.
#[derive(Clone, Debug)]
pub struct Replay<'r> {
    game: Game,
    moves: Chars<'r>,
}

impl<'r> Replay<'r> {
    /// Stands before the first move.
    #[must_use]
    pub fn new(rules: Rules, salt: &Salt, record: &'r GameRecord) -> Self {
        Self {
            game: Game::start(rules, salt, record.seed),
            moves: record.moves.chars(),
        }
    }

    /// The board as it stands.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.game.board()
    }
}

impl Iterator for Replay<'_> {
    type Item = Result<Step, ReplayError>;

    fn next(&mut self) -> Option<Self::Item> {
        let letter = self.moves.next()?;
        let step = step(&mut self.game, letter);
        if step.is_err() {
            // What follows a move that cannot be made has no meaning.
            self.moves = "".chars();
        }
        Some(step)
    }
}

fn step(game: &mut Game, letter: char) -> Result<Step, ReplayError> {
    let number = game.n_moves() + 1;
    let direction =
        Direction::from_letter(letter).ok_or(ReplayError::NoDirection { number, letter })?;
    let before = *game.board();
    let Some(gain) = game.play(direction) else {
        return Err(ReplayError::Illegal { number, direction });
    };
    let board = *game.board();
    Ok(Step {
        number,
        direction,
        gain,
        score: game.score(),
        spawn: spawn_after(&before, direction, &board),
        board,
    })
}

/// The tile that was put between a legal move on `before` and the board `after` it.
pub(crate) fn spawn_after(before: &Board, direction: Direction, after: &Board) -> Spawn {
    let moved = before.slide(direction).map(|slide| slide.board);
    let moved = moved.expect("the move was legal");
    let cells = moved.exponents().iter().zip(after.exponents());
    let (cell, exponent) = cells
        .enumerate()
        .find_map(|(cell, (moved, after))| (moved != after).then_some((cell, *after)))
        .expect("a tile follows every legal move");
    Spawn { cell, exponent }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::example::record;
    use plugin_api::{Side, Tiles};

    fn replay(moves: &str) -> Vec<Result<Step, ReplayError>> {
        let rules = Rules {
            side: Side::new(2).unwrap(),
            tiles: Tiles::Deterministic,
            ..Rules::default()
        };
        let record = GameRecord {
            moves: moves.into(),
            ..record("a", 1, 0)
        };
        Replay::new(rules, &Salt::NONE, &record).collect()
    }

    #[test]
    fn a_short_game_comes_out_as_by_hand() {
        // 2 2  left  4 .  tile  4 2  down  . .  tile  2 .
        // . .        . .        . .        4 2        4 2
        let steps: Vec<Step> = replay("LD").into_iter().map(Result::unwrap).collect();
        assert_eq!(steps[0].board, "4 2 / 0 0".parse().unwrap());
        assert_eq!((steps[0].gain, steps[0].spawn.cell), (4, 1));
        assert_eq!(steps[1].board, "2 0 / 4 2".parse().unwrap());
        let last = (steps[1].gain, steps[1].score, steps[1].spawn.cell);
        assert_eq!(last, (0, 4, 0));
    }

    #[test]
    fn a_move_that_cannot_be_made_ends_the_replay() {
        let steps = replay("LUXL");
        assert_eq!(steps.len(), 2);
        let error = steps[1].clone().unwrap_err().to_string();
        assert_eq!(error, "move 2, up, is illegal in the replay");
        let error = replay("Lx")[1].clone().unwrap_err().to_string();
        assert_eq!(error, "move 2 is `x`, which is no direction");
    }
}
