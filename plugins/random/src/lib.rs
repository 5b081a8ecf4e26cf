//! Plays a random legal move: the bottom of every ranking, and the smallest example of
//! an agent that uses randomness. The same random seed results in the same play.

use plugin_api::{
    Agent, Board, Choice, Dice, Direction, GameSetup, Info, NoParameters, Refusal, Turn,
    export_agent,
};

struct Random {
    dice: Dice,
}

impl Agent for Random {
    const INFO: Info = Info::new("random", env!("CARGO_PKG_VERSION"))
        .author("The Arena 2048 developers")
        .description("plays a random legal move");
    type Params = NoParameters;

    fn new(_params: NoParameters, setup: &GameSetup) -> Result<Self, Refusal> {
        Ok(Random {
            dice: Dice::new(setup.random_seed),
        })
    }

    fn choose(&mut self, board: &Board, _turn: &Turn) -> Choice {
        let legal: Vec<Direction> = board.legal_moves().collect();
        let n_legal = u32::try_from(legal.len()).expect("there are four directions");
        legal[self.dice.below(n_legal) as usize].into()
    }
}

export_agent!(Random);
