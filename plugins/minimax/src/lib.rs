//! Plays against an opponent who puts the worst tile: minimax over the paper's `H`.
//!
//! Without a budget it is the paper's agent: `depth` plies, whatever they take. With
//! one it searches ply by ply deeper as long as the budget lasts, and plays the best
//! move of the deepest search. Minimax is a pessimist: when the worst tiles would end
//! the game whatever it does, a deeper look tells its moves apart no longer, and it
//! keeps what it thought before. That alone makes it much stronger than the paper's.

use plugin_api::{
    Agent, Board, Choice, GameSetup, Info, Limits, Refusal, Turn, export_agent, parameters,
};
use search_kit::{
    AlphaBeta, MoveValues, PAPER_ORDER, PaperEvaluation, RootMove, SearchBudget, root_moves,
};

/// The plies without a budget and without the parameter: the paper's quick agent.
const DEFAULT_PLIES: u8 = 4;
/// The most plies with a budget and without the parameter.
const MOST_PLIES: u8 = 40;

parameters! {
    /// Parameters of minimax.
    pub struct Params {
        /// Plies to look ahead, moves and tiles counted alike. Without a budget it is
        /// the paper's agent, with 4 plies if this is not set; with a budget it is the
        /// most plies, for it stops when the budget is spent.
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
        let mut budget = SearchBudget::of(turn);
        let (values, plies) = if budget.is_limited() {
            self.deepen(moves.clone(), &mut budget)
        } else {
            let plies = self.plies.unwrap_or(DEFAULT_PLIES);
            let found = self.search.best_moves(&moves, plies, &mut budget);
            (found.values, plies)
        };
        let choice = values.to_choice().unwrap_or_else(|| {
            let first = moves.first().expect("a turn has a legal move");
            first.direction.into()
        });
        choice
            .depth(u32::from(plies.div_ceil(2)))
            .nodes(budget.nodes())
    }
}

impl Minimax {
    /// Searches deeper and deeper. Returns the values of the deepest search that could
    /// be used, and its plies.
    fn deepen(&mut self, mut moves: Vec<RootMove>, budget: &mut SearchBudget) -> (MoveValues, u8) {
        let mut used = (MoveValues::default(), 0);
        for plies in 1..=self.plies.unwrap_or(MOST_PLIES) {
            // Unfinished, it is of use, too: the best of before comes first, and what
            // beats it is better.
            let found = self.search.best_moves(&moves, plies, budget);
            let Some((best, value)) = found.values.best() else {
                break;
            };
            if value == f64::NEG_INFINITY {
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
