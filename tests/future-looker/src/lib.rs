//! Recognises the seed of a game by its first tiles, and then knows all that follow.
//!
//! It shows why contests use a salt: with predictable tiles it plays each seed as a puzzle
//! without luck; under a salt no seed fits, and it is as good as its one-move search. A test
//! that gives it the salt plants the oracle that private seeds must reveal.

use plugin_api::{
    Agent, Board, Choice, Direction, Game, GameSetup, Info, Refusal, Salt, Turn, export_agent,
};
/// How far it reads in the future it knows.
const DEPTH: u32 = 5;

plugin_api::parameters! {
    /// What it knows.
    pub struct Params {
        /// The salt; without it, it knows predictable tiles only.
        salt: String = Salt::NONE.to_string(),
        /// The last of the seeds that it knows.
        last_seed: u64 = 10_000,
    }
}

struct FutureLooker {
    setup: GameSetup,
    salt: Salt,
    last_seed: u64,
    /// Games that went like this one so far.
    candidates: Vec<Game>,
}

impl Agent for FutureLooker {
    const INFO: Info = Info::new("future-looker", env!("CARGO_PKG_VERSION"))
        .author("The Arena 2048 developers")
        .description("looks up the tiles of seeds it knows");
    type Params = Params;

    fn new(params: Params, setup: &GameSetup) -> Result<Self, Refusal> {
        let salt = Salt::from_hex(&params.salt)?;
        Ok(Self {
            setup: setup.clone(),
            salt,
            last_seed: params.last_seed,
            candidates: Vec::new(),
        })
    }

    fn choose(&mut self, board: &Board, turn: &Turn) -> Choice {
        if turn.move_number == 1 {
            let start = |seed| Game::start(self.setup.rules, &self.salt, seed);
            self.candidates = (0..=self.last_seed).map(start).collect();
        }
        self.candidates.retain(|game| game.board() == board);
        let direction = match self.candidates.as_slice() {
            [] => best_now(board),
            [game, ..] => best_in(game),
        };
        for game in &mut self.candidates {
            game.play(direction);
        }
        direction.into()
    }
}

fn best_now(board: &Board) -> Direction {
    let gain = |direction: &Direction| board.slide(*direction).map(|slide| slide.gain);
    let best = board.legal_moves().max_by_key(gain);
    best.expect("a turn has a legal move")
}

fn best_in(game: &Game) -> Direction {
    let value = |direction: &Direction| {
        let mut next = game.clone();
        next.play(*direction);
        prospect(&next, DEPTH)
    };
    let best = game.board().legal_moves().max_by_key(value);
    best.expect("a turn has a legal move")
}

/// The best that can come of a game whose tiles are known.
fn prospect(game: &Game, depth: u32) -> u64 {
    let here = game.score() + 100 * game.board().n_empty() as u64;
    if depth == 0 {
        return here;
    }
    let moves = game.board().legal_moves();
    let best = moves.map(|direction| {
        let mut next = game.clone();
        next.play(direction);
        prospect(&next, depth - 1)
    });
    // Without a move the game is over, which is worse than any board.
    best.max().unwrap_or(game.score() / 2)
}

export_agent!(FutureLooker);
