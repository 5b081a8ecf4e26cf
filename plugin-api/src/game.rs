//! One game: a board, its score, and the tiles that come.
//!
//! Whoever plays a game, referee or replay, plays it through this type, so that a
//! record means the same everywhere. A move is: slide, score, look for the goal on
//! the moved board, put the next tile. The tile is put after the last move too.

use serde::{Deserialize, Serialize};

use crate::{Board, Direction, FourShare, Salt, Side, TileSequence};

/// What a game is played by. The default is the ordinary game.
///
/// ```
/// # use plugin_api::{FourShare, Rules, Side, Tiles};
/// let rules = Rules { goal: Some(2048), ..Rules::default() };
/// assert_eq!((rules.side, rules.four), (Side::FOUR, FourShare::DEFAULT));
/// assert_eq!((rules.tiles, rules.max_moves), (Tiles::Random, None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// The side of the board.
    #[serde(rename = "board")]
    pub side: Side,
    /// The share of 4s among the new tiles, if they are random.
    pub four: FourShare,
    /// How new tiles come.
    pub tiles: Tiles,
    /// The tile, as a face value, that ends the game when a move makes it.
    pub goal: Option<u64>,
    /// The number of moves after which the game ends.
    pub max_moves: Option<u64>,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            side: Side::FOUR,
            four: FourShare::DEFAULT,
            tiles: Tiles::Random,
            goal: None,
            max_moves: None,
        }
    }
}

/// How new tiles come.
///
/// ```
/// # use plugin_api::{Game, Rules, Salt, Tiles};
/// let rules = Rules { tiles: Tiles::Deterministic, ..Rules::default() };
/// let (one, other) = (Game::start(rules, &Salt::NONE, 1), Game::start(rules, &Salt::NONE, 2));
/// assert_eq!(one.board(), other.board(), "there is no luck to differ in");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tiles {
    /// Salt and seed decide; see [`TileSequence::random`].
    #[default]
    Random,
    /// Always a 2 in the first empty cell in reading order.
    Deterministic,
}

/// Whether a game goes on, or why it ended.
///
/// Where several reasons hold, the first in this order is given: a game that reaches
/// its goal with its last move is a success, and a board without moves would have
/// ended the game under any limit.
///
/// ```
/// # use plugin_api::{Game, Rules, Salt, Status};
/// let rules = Rules { max_moves: Some(1), ..Rules::default() };
/// let mut game = Game::start(rules, &Salt::NONE, 7);
/// assert_eq!((game.rules().max_moves, game.status()), (Some(1), Status::Running));
/// let direction = game.board().legal_moves().next().unwrap();
/// game.play(direction);
/// assert_eq!(game.status(), Status::MoveLimit);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The next move is asked for.
    Running,
    /// A move made the goal, or the board held it when one was made.
    GoalReached,
    /// No move would change the board.
    NoMoveLeft,
    /// As many moves as the rules allow have been made.
    MoveLimit,
}

/// A game from its start tiles to its end.
///
/// ```
/// # use plugin_api::{Direction, Game, Rules, Salt, Status, Tiles};
/// let rules = Rules { tiles: Tiles::Deterministic, ..Rules::default() };
/// let mut game = Game::start(rules, &Salt::NONE, 1);
/// assert_eq!(game.board(), &"2 2 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0".parse().unwrap());
/// assert_eq!(game.play(Direction::Up), None, "nothing would move");
/// assert_eq!(game.play(Direction::Left), Some(4));
/// assert_eq!(game.board(), &"4 2 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0".parse().unwrap());
/// assert_eq!((game.score(), game.n_moves(), game.status()), (4, 1, Status::Running));
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    tiles: TileSequence,
    board: Board,
    score: u64,
    n_moves: u64,
    status: Status,
}

impl Game {
    /// A game with its two start tiles. Salt and seed matter only if tiles are random.
    #[must_use]
    pub fn start(rules: Rules, salt: &Salt, seed: u64) -> Self {
        let tiles = match rules.tiles {
            Tiles::Random => TileSequence::random(salt, seed, rules.four),
            Tiles::Deterministic => TileSequence::deterministic(),
        };
        let mut game = Self {
            rules,
            tiles,
            board: Board::empty(rules.side),
            score: 0,
            n_moves: 0,
            status: Status::Running,
        };
        game.put_tile(0);
        game.put_tile(1);
        game.status = game.status_without_goal();
        game
    }

    /// The rules of the game.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The board as it stands: what the next move is chosen for.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The gains of all moves, added up.
    #[must_use]
    pub const fn score(&self) -> u64 {
        self.score
    }

    /// How many moves were made.
    #[must_use]
    pub const fn n_moves(&self) -> u64 {
        self.n_moves
    }

    /// Whether the game goes on, or why it ended.
    #[must_use]
    pub const fn status(&self) -> Status {
        self.status
    }

    /// Makes a move and returns what it scores. `None` when the move is illegal, for
    /// it would change nothing or the game has ended; the game then stays as it is.
    pub fn play(&mut self, direction: Direction) -> Option<u64> {
        if self.status != Status::Running {
            return None;
        }
        let slide = self.board.slide(direction)?;
        self.board = slide.board;
        self.score = self.score.saturating_add(slide.gain);
        self.n_moves += 1;
        let reached = self
            .rules
            .goal
            .is_some_and(|goal| self.board.highest() >= goal);
        self.put_tile(self.n_moves + 1);
        self.status = if reached {
            Status::GoalReached
        } else {
            self.status_without_goal()
        };
        Some(slide.gain)
    }

    fn put_tile(&mut self, number: u64) {
        let spawn = self
            .tiles
            .spawn(number, &self.board)
            .expect("two tiles leave room on the smallest board, and so does every legal move");
        self.board.set_tile(spawn.cell, spawn.exponent);
    }

    fn status_without_goal(&self) -> Status {
        if self.board.is_over() {
            Status::NoMoveLeft
        } else if self.rules.max_moves.is_some_and(|max| self.n_moves >= max) {
            Status::MoveLimit
        } else {
            Status::Running
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{Down, Left, Right, Up};

    fn deterministic(side: u8) -> Rules {
        Rules {
            side: Side::new(side).unwrap(),
            tiles: Tiles::Deterministic,
            ..Rules::default()
        }
    }

    #[track_caller]
    fn play_all(rules: Rules, seed: u64, moves: &[Direction]) -> Game {
        let mut game = Game::start(rules, &Salt::NONE, seed);
        for &direction in moves {
            assert_ne!(
                game.play(direction),
                None,
                "{direction} in {:?}",
                game.board
            );
        }
        game
    }

    #[test]
    fn a_short_deterministic_game_comes_out_as_by_hand() {
        // 2 2  left  4 .  tile  4 2  down  . .  tile  2 .  right  . 2  tile  2 2
        // . .        . .        . .        4 2        4 2         4 2        4 2
        let game = play_all(deterministic(2), 0, &[Left, Down]);
        assert_eq!(game.board(), &"2 0 / 4 2".parse().unwrap());
        let mut game = play_all(deterministic(2), 0, &[Left, Down, Right]);
        assert_eq!(game.board(), &"2 2 / 4 2".parse().unwrap());
        assert_eq!((game.score(), game.n_moves()), (4, 3));
        assert_eq!(game.play(Up), Some(4));
        assert_eq!(game.board(), &"2 4 / 4 2".parse().unwrap());
        assert_eq!(game.status(), Status::NoMoveLeft);
        assert_eq!(game.play(Up), None);
        assert_eq!((game.score(), game.n_moves()), (8, 4));
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut game = Game::start(deterministic(4), &Salt::NONE, 0);
        let before = *game.board();
        assert_eq!(game.play(Up), None);
        assert_eq!(
            (game.board(), game.score(), game.n_moves()),
            (&before, 0, 0)
        );
        assert_eq!(game.status(), Status::Running);
    }

    #[test]
    fn the_goal_ends_the_game_and_the_tile_is_still_put() {
        let rules = Rules {
            goal: Some(4),
            max_moves: Some(1),
            ..deterministic(2)
        };
        let game = play_all(rules, 0, &[Right]);
        assert_eq!(game.status(), Status::GoalReached);
        assert_eq!(game.board(), &"2 4 / 0 0".parse().unwrap());
    }

    #[test]
    fn a_limit_of_moves_ends_the_game_behind_a_lost_board() {
        let limited = |max_moves| Rules {
            max_moves: Some(max_moves),
            ..deterministic(2)
        };
        let at_once = Game::start(limited(0), &Salt::NONE, 0);
        assert_eq!(at_once.status(), Status::MoveLimit);
        let game = play_all(limited(3), 0, &[Left, Down, Right]);
        assert_eq!(game.status(), Status::MoveLimit);
        let game = play_all(limited(4), 0, &[Left, Down, Right, Up]);
        assert_eq!(game.status(), Status::NoMoveLeft);
    }

    #[test]
    fn rules_are_read_with_the_words_of_the_tournament_file() {
        let text = r#"{"board":3,"four":0.2,"tiles":"deterministic","goal":8,"max_moves":null}"#;
        let rules: Rules = serde_json::from_str(text).unwrap();
        assert_eq!((rules.side.length(), rules.goal), (3, Some(8)));
        assert_eq!(serde_json::to_string(&rules).unwrap(), text);
    }
}
