//! The game of a person: the server has the rules and tiles, the page sends the moves.
//!
//! Every request contains all moves so far. The server therefore stores nothing, and
//! reloading the page loses nothing.

use std::collections::BTreeMap;

use plugin_api::{Board, Direction, FourShare, Game, Salt, Side, Status, Tiles};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use run::{game_record::Ending, replay::spawn_after};

use super::{
    error_response::{ApiResult, ErrorResponse},
    game_moves::{GameMoves, game_rules},
    live_session::check_seed,
    views::{EndingView, StepView},
};

/// More moves than a game can have in practice.
const MAX_MOVES: usize = 50_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PersonRequest {
    seed: Value,
    size: u8,
    /// `None` for the usual one, as in a request for a live session.
    #[serde(default)]
    four_share: Option<f64>,
    moves: String,
    #[serde(default)]
    tiles: Tiles,
    #[serde(default)]
    goal: Option<u64>,
}

#[derive(Debug, Serialize)]
pub(super) struct PersonView {
    board: Vec<u8>,
    score: u64,
    highest: u64,
    n: u64,
    /// The letters of the legal moves.
    legal: String,
    /// `None` while a move is left.
    ending: Option<EndingView>,
    /// The last move.
    step: Option<StepView>,
    /// If tiles are deterministic: all cells in the order in which they get new tiles.
    order: Option<Vec<usize>>,
    /// If tiles are deterministic: where the new tile will be after each legal move.
    next: Option<BTreeMap<char, usize>>,
}

/// Where the new tile will be after each move that can be played.
fn next_cells(game: &Game) -> BTreeMap<char, usize> {
    let before = game.board();
    let after = |direction| {
        let mut later = game.clone();
        later.play(direction)?;
        let spawn = spawn_after(before, direction, later.board());
        Some((direction.letter(), spawn.cell))
    };
    before.legal_moves().filter_map(after).collect()
}

impl PersonRequest {
    /// What the request says about the game; its moves may be illegal.
    ///
    /// # Errors
    /// When a field is invalid.
    pub(super) fn moves(&self) -> ApiResult<GameMoves> {
        let seed = check_seed(&self.seed)
            .map_err(|diagnostic| ErrorResponse::of_fields(vec![diagnostic]))?;
        let side = Side::new(self.size).ok_or_else(|| {
            ErrorResponse::of_field("size", "is not a valid board size; use 2 to 8")
        })?;
        let four = self.four_share.unwrap_or(FourShare::default().as_f64());
        let four = ("four_share", four);
        let rules = game_rules(side, four, self.tiles, self.goal)?;
        if self.moves.len() > MAX_MOVES {
            let message = format!("too many moves; the limit is {MAX_MOVES}");
            return Err(ErrorResponse::of_field("moves", message));
        }
        Ok(GameMoves {
            rules,
            salt: Salt::NONE,
            seed,
            moves: self.moves.clone(),
        })
    }

    /// Plays all moves from the start.
    ///
    /// # Errors
    /// When a field is invalid or a move is illegal.
    pub(super) fn play(&self) -> ApiResult<PersonView> {
        let moves = self.moves()?;
        let mut replay = moves.replay();
        let (mut before, mut step) = (*replay.board(), None);
        for made in &mut replay {
            let made = made.map_err(|error| ErrorResponse::of_field("moves", error.to_string()))?;
            let after = made.board;
            step = Some((before, made));
            before = after;
        }
        let game = replay.game();
        let board = game.board();
        let is_deterministic = self.tiles == Tiles::Deterministic;
        Ok(PersonView {
            board: board.exponents().to_vec(),
            score: game.score(),
            highest: board.highest(),
            n: game.n_moves(),
            legal: board.legal_moves().map(Direction::letter).collect(),
            ending: match game.status() {
                Status::Running => None,
                Status::GoalReached => Some(EndingView::new(Ending::GoalReached, None)),
                Status::NoMoveLeft | Status::MoveLimit => {
                    Some(EndingView::new(Ending::NoMoveLeft, None))
                }
            },
            step: step.map(|(before, made)| StepView::of_replay(&before, &made)),
            order: is_deterministic.then(|| Board::empty(board.side()).empty_cells().collect()),
            next: is_deterministic.then(|| next_cells(game)),
        })
    }
}
