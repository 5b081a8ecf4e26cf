//! Plans in deterministic 2048, where every new tile is a 2 in the first empty cell.
//!
//! In a tournament with `tiles: deterministic`, the plan is for the real game. With
//! random tiles it plans in many deterministic games instead, in each of which other
//! tiles appear, and plays the move that is best on average. The model, searched
//! exhaustively, is the engine of `host solve`.

mod beam;
mod board_hash;
mod guess;
mod model;
mod planner;
mod row_values;
pub mod solver;
mod worlds;

use plugin_api::{
    Agent, Board, Choice, Extension, GameSetup, Info, Limits, PackedBoard, Refusal, Tiles, Turn,
    export_agent, parameters,
    solve::{self, SolveExtension},
};
use search_kit::Goal;

use crate::{guess::Guess, model::Model, planner::Planner, solver::ExhaustiveSolver};

parameters! {
    /// Parameters of the agent.
    pub struct Params {
        /// Boards kept for each move of a plan, if tiles are deterministic.
        #[schemars(range(min = 1, max = 65536))]
        pub width: u32 = 500,
        /// Largest number of moves to plan ahead, if tiles are random.
        #[schemars(range(min = 1, max = 64))]
        pub depth: u8 = 5,
        /// Nodes per move if the tournament sets no limit.
        #[schemars(range(min = 100, max = 1_000_000_000))]
        pub nodes: u64 = 20_000,
    }
}

/// The agent.
#[derive(Debug)]
pub struct Backtracking {
    /// For deterministic tiles.
    planner: Option<Planner>,
    guess: Guess,
    nodes: u64,
}

impl Agent for Backtracking {
    const INFO: Info = Info::new("backtracking", env!("CARGO_PKG_VERSION"))
        .author("The Arena 2048 developers")
        .description("plans as if it knew which new tiles appear")
        .boards(2, 4)
        .honours(&[Limits::Time, Limits::Nodes])
        .extensions(&[solve::NAME]);
    type Params = Params;

    fn new(params: Params, setup: &GameSetup) -> Result<Self, Refusal> {
        let side = setup.rules.side;
        let model = Model::of(side)
            .ok_or_else(|| format!("it supports boards of 2×2 to 4×4, not {side}"))?;
        let guess = Guess::new(&setup.rules, params.depth);
        let guess = guess.expect("packed boards of the side exist, as for the model");
        let goal = Goal::of(&setup.rules);
        let planner = match setup.rules.tiles {
            Tiles::Deterministic => Some(Planner::new(model, goal, params.width as usize)),
            Tiles::Random => None,
        };
        Ok(Self {
            planner,
            guess,
            nodes: params.nodes,
        })
    }

    fn choose(&mut self, board: &Board, turn: &Turn) -> Choice {
        let mut budget = turn.budget();
        if !budget.is_limited() {
            budget = Turn::with_nodes(self.nodes).budget();
        }
        if let Some(planner) = &mut self.planner
            && let Some(exact) = exact_for_long(board)
        {
            let planned = planner.next_move(exact, &mut budget);
            let depth = u32::try_from(planner.depth()).unwrap_or(u32::MAX);
            if let Some(direction) = planned {
                return Choice::from(direction).depth(depth).nodes(budget.nodes());
            }
        }
        let plans = (!budget.is_spent())
            .then(|| self.guess.plan(board, &mut budget))
            .flatten();
        let depth = plans.as_ref().map_or(0, |plans| plans.depth);
        let choice = plans.and_then(|plans| plans.values.to_choice());
        choice
            .unwrap_or_else(|| {
                let legal = board.legal_moves().next();
                legal.expect("a turn has a legal move").into()
            })
            .depth(u32::from(depth))
            .nodes(budget.nodes())
    }

    fn extension(name: &str) -> Option<Box<dyn Extension>> {
        (name == solve::NAME).then(|| Box::new(SolveExtension(ExhaustiveSolver)) as _)
    }
}

export_agent!(Backtracking);

/// The board in the model; `None` if it contains, or will soon contain, a tile that a
/// packed board cannot hold.
fn exact_for_long(board: &Board) -> Option<PackedBoard> {
    let is_highest = |&&exponent: &&u8| exponent == PackedBoard::MAX_EXPONENT;
    let may_merge_beyond = board.exponents().iter().filter(is_highest).nth(1).is_some();
    PackedBoard::try_from(board)
        .ok()
        .filter(|_| !may_merge_beyond)
}
