//! A person's game: the rules and tiles are the server's, the moves come from the page.
//!
//! Every request brings all moves so far, so that nothing has to be kept here and a
//! reload loses nothing.

use plugin_api::{Direction, FourShare, Game, Rules, Salt, Side, Status};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{refusal::Refusal, show::check_seed, views::StepView};

/// A game of more moves than a perfect one has.
const MOST_MOVES: usize = 50_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PersonRequest {
    seed: Value,
    size: u8,
    four_share: f64,
    moves: String,
}

#[derive(Debug, Serialize)]
pub(super) struct PersonView {
    board: Vec<u8>,
    score: u64,
    highest: u64,
    n: u64,
    /// The moves that are possible.
    legal: String,
    over: bool,
    /// The last move.
    step: Option<StepView>,
}

impl PersonRequest {
    /// Plays all moves.
    ///
    /// # Errors
    /// When a field is wrong or a move impossible.
    pub(super) fn play(&self) -> Result<PersonView, Refusal> {
        let seed = check_seed(&self.seed).map_err(|mistake| Refusal::of_fields(vec![mistake]))?;
        let side = Side::new(self.size)
            .ok_or_else(|| Refusal::of_field("size", "a board's side is from 2 to 8"))?;
        let four = FourShare::new(self.four_share)
            .ok_or_else(|| Refusal::of_field("four_share", "a share is from 0 to 1"))?;
        if self.moves.len() > MOST_MOVES {
            return Err(Refusal::of_field("moves", "no game has so many moves"));
        }
        let rules = Rules {
            side,
            four,
            ..Rules::default()
        };
        let mut game = Game::start(rules, &Salt::NONE, seed);
        let mut step = None;
        for letter in self.moves.chars() {
            let before = *game.board();
            let played = Direction::from_letter(letter)
                .and_then(|direction| Some((direction, game.play(direction)?)));
            let Some((direction, gain)) = played else {
                let number = game.n_moves() + 1;
                let message = format!("move {number}, {letter:?}, is not possible");
                return Err(Refusal::of_field("moves", message));
            };
            step = Some((before, direction, gain));
        }
        let board = game.board();
        Ok(PersonView {
            board: board.exponents().to_vec(),
            score: game.score(),
            highest: board.highest(),
            n: game.n_moves(),
            legal: board.legal_moves().map(Direction::letter).collect(),
            over: game.status() != Status::Running,
            step: step
                .map(|(before, direction, gain)| StepView::new(&before, direction, gain, board)),
        })
    }
}
