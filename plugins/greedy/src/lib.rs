//! Plays the move with the highest immediate score; among equals, the one that leaves
//! the most empty cells. It looks no further; every search should beat it.

use plugin_api::{
    Agent, Board, Choice, GameSetup, Info, NoParameters, Refusal, Turn, export_agent,
};

struct Greedy;

impl Agent for Greedy {
    const INFO: Info = Info::new("greedy", env!("CARGO_PKG_VERSION"))
        .author("The Arena 2048 developers")
        .description("plays the move with the highest immediate score");
    type Params = NoParameters;

    fn new(_params: NoParameters, _setup: &GameSetup) -> Result<Self, Refusal> {
        Ok(Greedy)
    }

    fn choose(&mut self, board: &Board, _turn: &Turn) -> Choice {
        board
            .legal_moves()
            .max_by_key(|&direction| {
                board
                    .slide(direction)
                    .map(|slide| (slide.gain, slide.board.n_empty()))
            })
            .expect("a turn has a legal move")
            .into()
    }
}

export_agent!(Greedy);
