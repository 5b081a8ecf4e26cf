//! Replays a record move by move, without the agent that played it.
//!
//! Verification and everything that shows a recorded game use it, so only this file turns the
//! moves of a record into boards.

use std::str::Chars;

use plugin_api::{Board, Direction, Game, Rules, Salt, Spawn};

use text::plugin_words::name_as_code;

use crate::game_record::{GameCourse, GameRecord};

/// One move of a game and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedMove {
    /// The number of the move, from 1.
    pub number: u64,
    pub direction: Direction,
    /// What the move added to the score.
    pub gain: u64,
    /// The score after the move.
    pub score: u64,
    /// The new tile that appeared after the move.
    pub spawn: Spawn,
    /// The board including the new tile.
    pub board: Board,
}

/// Why a record cannot be replayed to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    #[error("move {number} is {}, which is not a direction", name_as_code(&letter.to_string()))]
    NotADirection { number: u64, letter: char },
    #[error("move {number}, {direction}, is illegal in the replay")]
    IllegalMove { number: u64, direction: Direction },
}

/// The moves of a record, played one after the other.
#[derive(Clone, Debug)]
pub struct Replay<'r> {
    game: Game,
    moves: Chars<'r>,
}

impl<'r> Replay<'r> {
    /// A replay that is before the first move.
    #[must_use]
    pub fn new(rules: Rules, salt: &Salt, record: &'r GameRecord) -> Self {
        Self::of_moves(rules, salt, record.seed, &record.moves)
    }

    /// A replay of moves that are not recorded.
    #[must_use]
    pub fn of_moves(rules: Rules, salt: &Salt, seed: u64, moves: &'r str) -> Self {
        Self {
            game: Game::start(rules, salt, seed),
            moves: moves.chars(),
        }
    }

    /// The game as far as it has been replayed.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The current board.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.game.board()
    }

    /// Plays all remaining moves and returns the game at its end, with its course.
    ///
    /// # Errors
    /// When a move cannot be played.
    pub fn finish(mut self) -> Result<(Game, GameCourse), ReplayError> {
        let mut course = GameCourse::start(self.game.board());
        for letter in self.moves {
            play_letter(&mut self.game, letter)?;
            course.after_move(&self.game);
        }
        Ok((self.game, course))
    }
}

impl Iterator for Replay<'_> {
    type Item = Result<ReplayedMove, ReplayError>;

    fn next(&mut self) -> Option<Self::Item> {
        let letter = self.moves.next()?;
        let before = *self.game.board();
        let played = play_letter(&mut self.game, letter);
        if played.is_err() {
            // The moves after one that cannot be played are meaningless.
            self.moves = "".chars();
        }
        let board = *self.game.board();
        Some(played.map(|(direction, gain)| ReplayedMove {
            number: self.game.n_moves(),
            direction,
            gain,
            score: self.game.score(),
            spawn: spawn_after(&before, direction, &board),
            board,
        }))
    }
}

/// Plays the move that a record spells with this letter; returns its direction and gain.
fn play_letter(game: &mut Game, letter: char) -> Result<(Direction, u64), ReplayError> {
    let number = game.n_moves() + 1;
    let direction =
        Direction::from_letter(letter).ok_or(ReplayError::NotADirection { number, letter })?;
    let gain = game
        .play(direction)
        .ok_or(ReplayError::IllegalMove { number, direction })?;
    Ok((direction, gain))
}

/// The new tile that turns `before`, after a legal move, into `after`.
pub fn spawn_after(before: &Board, direction: Direction, after: &Board) -> Spawn {
    let moved = before.slide(direction).map(|slide| slide.board);
    let moved = moved.expect("the move was legal");
    let cells = moved.exponents().iter().zip(after.exponents());
    let (cell, exponent) = cells
        .enumerate()
        .find_map(|(cell, (moved, after))| (moved != after).then_some((cell, *after)))
        .expect("a new tile follows every legal move");
    Spawn { cell, exponent }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::record;
    use plugin_api::{Side, Tiles};

    /// Every move of a record, and the end as [`Replay::finish`] returns it.
    fn replay(
        moves: &str,
    ) -> (
        Vec<Result<ReplayedMove, ReplayError>>,
        Result<Game, ReplayError>,
    ) {
        let rules = Rules {
            side: Side::new(2).unwrap(),
            tiles: Tiles::Deterministic,
            ..Rules::default()
        };
        let record = GameRecord {
            moves: moves.into(),
            ..record("a", 1, 0)
        };
        let replay = Replay::new(rules, &Salt::NONE, &record);
        let end = replay.clone().finish().map(|(game, _)| game);
        (replay.collect(), end)
    }

    #[test]
    fn a_short_game_matches_the_one_computed_by_hand() {
        // 2 2  left  4 .  tile  4 2  down  . .  tile  2 .
        // . .        . .        . .        4 2        4 2
        let (moves, end) = replay("LD");
        let moves: Vec<ReplayedMove> = moves.into_iter().map(Result::unwrap).collect();
        assert_eq!(moves[0].board, "4 2 / 0 0".parse().unwrap());
        assert_eq!((moves[0].gain, moves[0].spawn.cell), (4, 1));
        assert_eq!(moves[1].board, "2 0 / 4 2".parse().unwrap());
        let last = (moves[1].gain, moves[1].score, moves[1].spawn.cell);
        assert_eq!(last, (0, 4, 0));
        let end = end.unwrap();
        assert_eq!((*end.board(), end.score()), (moves[1].board, 4));
    }

    #[test]
    fn a_move_that_cannot_be_played_ends_the_replay() {
        for (text, expected) in [
            ("LUXL", "move 2, up, is illegal in the replay"),
            ("Lx", "move 2 is `x`, which is not a direction"),
        ] {
            let (moves, end) = replay(text);
            assert_eq!(moves.len(), 2);
            assert_eq!(moves[1].clone().unwrap_err().to_string(), expected);
            assert_eq!(end.unwrap_err().to_string(), expected);
        }
    }
}
