//! Minimax over the paper's `H`: plays against an opponent who places the worst tile.
//!
//! Without a budget it is the paper's agent: it searches `depth` plies, however long
//! that takes. With a budget it deepens ply by ply as long as the budget lasts, and
//! plays the best move of the deepest search. Minimax is pessimistic: if the worst
//! tiles would end the game whatever it does, a deeper search no longer distinguishes
//! the moves, and it keeps its previous choice.

use plugin_api::{
    Agent, Board, Choice, GameSetup, Info, Limits, Refusal, Turn, export_agent, parameters,
};
use search_kit::{
    AlphaBeta, MoveValues, PAPER_ORDER, PaperEvaluation, RootMove, SearchBudget, root_moves,
};

/// The plies without a budget and without the parameter: the paper's fast agent.
const DEFAULT_PLIES: u8 = 4;
/// The most plies with a budget and without the parameter.
const MOST_PLIES: u8 = 40;

parameters! {
    /// Parameters of minimax.
    pub struct Params {
        /// Plies to look ahead: a move and a new tile are one ply each. Without a budget,
        /// the agent plays as in the paper, with 4 plies by default. With a budget, this
        /// is the largest depth; the search stops when the budget is spent.
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
        .description("plays against an opponent who places the worst tile")
        .boards(2, 4)
        .honours(&[Limits::Time, Limits::Nodes]);
    type Params = Params;

    fn new(params: Params, setup: &GameSetup) -> Result<Self, Refusal> {
        let search = PaperEvaluation::new(setup.rules.side)
            .and_then(|evaluation| AlphaBeta::new(evaluation, &setup.rules))
            .ok_or("minimax supports boards up to 4×4")?;
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
    /// Searches with increasing depth. Returns the values of the deepest usable search,
    /// and its plies.
    fn deepen(&mut self, mut moves: Vec<RootMove>, budget: &mut SearchBudget) -> (MoveValues, u8) {
        let mut used = (MoveValues::default(), 0);
        for plies in 1..=self.plies.unwrap_or(MOST_PLIES) {
            // An interrupted search is useful too: the previous best move comes first, and
            // a move that beats it is better.
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
