//! Plays against an opponent who puts the worst tile: minimax over the paper's `H`.
//!
//! With `depth` it is the paper's agent: so many plies, whatever they take. Without,
//! and with a budget, it searches ply by ply deeper as long as the budget lasts, and
//! plays the best move of what it finished. Minimax is a pessimist: when the worst
//! tiles would end the game whatever it does, a deeper look tells its moves apart no
//! longer, and it keeps what it thought before.

use plugin_api::{
    Agent, Board, Budget, Choice, GameSetup, Info, Limits, Refusal, Turn, export_agent, parameters,
};
use search_kit::{
    AlphaBeta, MoveValues, PAPER_ORDER, PaperEvaluation, RootMove, nodes_searched, root_moves,
};

/// The plies without a budget and without the parameter: the paper's quick agent.
const DEFAULT_PLIES: u8 = 4;
/// No search with a budget goes deeper: beyond, the board is all but decided.
const MOST_PLIES: u8 = 40;

parameters! {
    /// Parameters of minimax.
    pub struct Params {
        /// Plies to look ahead, moves and tiles counted alike: the paper's agent, which
        /// heeds no budget. Without it the budget decides, or 4 plies if there is none.
        #[schemars(range(min = 1, max = 20))]
        pub depth: Option<u8> = None,
    }
}

/// The agent.
pub struct Minimax {
    search: AlphaBeta<PaperEvaluation>,
    plies: Option<u8>,
}

impl Agent for Minimax {
    const INFO: Info = Info::new("minimax", env!("CARGO_PKG_VERSION"))
        .author("The Arena 2048 developers")
        .description("plays against an opponent who puts the worst tile")
        .boards(2, 4)
        .honours(&[Limits::Time, Limits::Nodes]);
    type Params = Params;

    fn new(params: Params, setup: &GameSetup) -> Result<Self, Refusal> {
        let search = PaperEvaluation::new(setup.rules.side)
            .and_then(|evaluation| AlphaBeta::new(evaluation, &setup.rules))
            .ok_or("minimax plays boards up to 4×4")?;
        Ok(Self {
            search,
            plies: params.depth,
        })
    }

    fn choose(&mut self, board: &Board, turn: &Turn) -> Choice {
        let moves = root_moves(board, PAPER_ORDER).expect("`new` accepts sides up to 4 only");
        let mut budget = turn.budget();
        let (values, plies) = match self.plies {
            None if budget.is_limited() => self.deepen(moves.clone(), &mut budget),
            plies => {
                let plies = plies.unwrap_or(DEFAULT_PLIES);
                budget = Turn::unlimited().budget();
                (
                    self.search.best_moves(&moves, plies, &mut budget).values,
                    plies,
                )
            }
        };
        let choice = values.to_choice().unwrap_or_else(|| {
            let first = moves.first().expect("a turn has a legal move");
            first.direction.into()
        });
        choice
            .depth(u32::from(plies.div_ceil(2)))
            .nodes(nodes_searched(&budget))
    }
}

impl Minimax {
    /// Searches deeper and deeper. Returns the values of the deepest search that could
    /// be used, and its plies.
    fn deepen(&mut self, mut moves: Vec<RootMove>, budget: &mut Budget) -> (MoveValues, u8) {
        let mut used = (MoveValues::default(), 0);
        for plies in 1..=MOST_PLIES {
            let found = self.search.best_moves(&moves, plies, budget);
            let Some((best, value)) = found.values.best() else {
                break;
            };
            // Unfinished, but the best of before was searched again, and what beat it is
            // better: good to use, unless it only says that all is lost.
            if value == f64::NEG_INFINITY {
                if used.1 == 0 {
                    used = (found.values, plies);
                }
                break;
            }
            used = (found.values, plies);
            if !found.is_complete {
                break;
            }
            moves.sort_by_key(|root| root.direction != best);
        }
        used
    }
}

export_agent!(Minimax);
