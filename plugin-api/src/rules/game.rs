//! One game: a board, its score, and its tile sequence.
//!
//! Referee and replay both play games through this type, so a record has the same
//! meaning everywhere. A move has these steps: slide, score, check the moved board for
//! the goal, add the next tile. A tile is added after the last move too.

use serde::{Deserialize, Serialize};

use crate::{Board, Direction, FourShare, Salt, Side, TileSequence};

/// The rules of a game. The default is the ordinary game.
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
    /// How new tiles are chosen.
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

/// The name of the rules of the game, which `docs/rules.md` states.
///
/// ```
/// # use plugin_api::RulesName;
/// assert_eq!(serde_json::to_string(&RulesName::default()).unwrap(), "\"2048-v1\"");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RulesName {
    /// `2048-v1`; also of plans and records that give no name.
    #[default]
    #[serde(rename = "2048-v1")]
    V1,
}

/// How new tiles are chosen.
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
    /// Determined by salt and seed; see [`TileSequence::random`].
    #[default]
    Random,
    /// Always a 2 in the first empty cell in reading order.
    Deterministic,
}

/// Whether a game is running, or why it ended.
///
/// If several reasons apply, the first in this order is given: a game that reaches its
/// goal with its last move is a success, and a board without moves would have ended the
/// game under any limit.
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
    /// The next move can be played.
    Running,
    /// A move made the goal, or the board contained it when one was made.
    GoalReached,
    /// No move would change the board.
    NoMoveLeft,
    /// The number of moves that the rules allow has been played.
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

    /// A game that goes on from a board, with a score of 0 and no moves. Salt and seed matter
    /// only if tiles are random.
    ///
    /// ```
    /// # use plugin_api::{Direction, Game, Rules, Salt, Side, Status};
    /// let board = "2 2 / 0 0".parse().unwrap();
    /// let rules = Rules { side: Side::new(2).unwrap(), ..Rules::default() };
    /// let mut game = Game::from_board(rules, board, &Salt::NONE, 7);
    /// assert_eq!((game.board(), game.status()), (&board, Status::Running));
    /// assert_eq!(game.play(Direction::Left), Some(4));
    /// ```
    ///
    /// # Panics
    /// If the board does not have the side of the rules.
    #[must_use]
    pub fn from_board(rules: Rules, board: Board, salt: &Salt, seed: u64) -> Self {
        assert_eq!(board.side(), rules.side, "the board has another side");
        let mut game = Self::start(rules, salt, seed);
        game.board = board;
        game.status = game.status_without_goal();
        game
    }

    /// The rules of the game.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The current board, for which the next move is chosen.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The sum of the gains of all moves.
    #[must_use]
    pub const fn score(&self) -> u64 {
        self.score
    }

    /// The number of moves played.
    #[must_use]
    pub const fn n_moves(&self) -> u64 {
        self.n_moves
    }

    /// Whether the game is running, or why it ended.
    #[must_use]
    pub const fn status(&self) -> Status {
        self.status
    }

    /// Plays a move and returns its gain. Returns `None` and changes nothing if the
    /// move is illegal, because it would change nothing or the game has ended.
    pub fn play(&mut self, direction: Direction) -> Option<u64> {
        if self.status != Status::Running {
            return None;
        }
        let gain = self.board.slide_in_place(direction)?;
        self.score = self.score.saturating_add(gain);
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
        Some(gain)
    }

    fn put_tile(&mut self, number: u64) {
        let spawn = self.tiles.spawn(number, &self.board).expect(
            "two tiles leave an empty cell on the smallest board, and so does every legal move",
        );
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
    fn a_short_deterministic_game_matches_one_played_by_hand() {
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
    fn the_goal_ends_the_game_and_the_tile_is_still_added() {
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
    fn a_lost_board_takes_precedence_over_the_move_limit() {
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
    fn rules_use_the_keys_of_the_tournament_file() {
        let text = r#"{"board":3,"four":0.2,"tiles":"deterministic","goal":8,"max_moves":null}"#;
        let rules: Rules = serde_json::from_str(text).unwrap();
        assert_eq!((rules.side.length(), rules.goal), (3, Some(8)));
        assert_eq!(serde_json::to_string(&rules).unwrap(), text);
    }
}
