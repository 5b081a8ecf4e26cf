//! Arranges the tiles along a snake-shaped path: expectimax over the path's weights.
//!
//! Without a budget it is the paper's agent: it searches one move deep on an open
//! board, and two or three on a crowded one; it does not avoid a lost board as long as
//! the tiles are well placed. With a budget it searches as deep as it can, and values
//! every rise along the path (`path_values`) instead of the paper's weights, with
//! which it gained nothing from more time.

mod orientation;
mod path_values;

use plugin_api::{
    Agent, Board, Budget, Choice, Direction, GameSetup, Info, Limit, Limits, Refusal, Side, Turn,
    export_agent, parameters,
};
use search_kit::{
    BudgetSearch, ChanceSearch, LineSearch, LostBoard, RootMove, SnakeScore, root_moves,
};

use crate::{orientation::Orientation, path_values::PathValues};

parameters! {
    /// Parameters of snake.
    pub struct Params {
        /// The factor by which the weights of the paper grow along the path. With a budget, the
        /// agent uses other values.
        #[schemars(range(min = 1.0, max = 16.0))]
        pub r: f64 = 4.0,
    }
}

/// The agent.
pub struct Snake(Mode);

enum Mode {
    Paper(Box<ChanceSearch<SnakeScore>>),
    Budget {
        search: Box<BudgetSearch<LineSearch<PathValues>>>,
        side: Side,
    },
}

/// The paper's depth for a number of empty cells.
fn paper_depth(n_empty: u32) -> u32 {
    match n_empty {
        0..=2 => 3,
        3..=5 => 2,
        _ => 1,
    }
}

impl Agent for Snake {
    const INFO: Info = Info::new("snake", env!("CARGO_PKG_VERSION"))
        .author("The Arena 2048 developers")
        .description("arranges the tiles along a snake-shaped path")
        .boards(2, 4)
        .honours(&[Limits::Time, Limits::Nodes]);
    type Params = Params;

    fn new(params: Params, setup: &GameSetup) -> Result<Self, Refusal> {
        let mode = match setup.limit {
            Limit::None => Mode::paper(params.r, setup),
            Limit::Nodes(_) | Limit::Time { .. } => Mode::budget(setup),
        };
        Ok(Self(mode.ok_or("snake supports boards up to 4×4")?))
    }

    fn choose(&mut self, board: &Board, turn: &Turn) -> Choice {
        let moves = root_moves(board, Direction::ALL).expect("`new` accepts sides up to 4 only");
        let choice = match &mut self.0 {
            Mode::Paper(search) => choose_as_in_the_paper(search, board, &moves),
            Mode::Budget { search, side } => {
                search.choose(&along_path(search, &moves, *side), turn)
            }
        };
        choice.expect("a turn has a legal move")
    }
}

impl Mode {
    fn paper(ratio: f64, setup: &GameSetup) -> Option<Self> {
        let score = SnakeScore::new(setup.rules.side, ratio)?;
        let search = ChanceSearch::new(score, &setup.rules, LostBoard::AsEvaluated)?;
        Some(Self::Paper(Box::new(search.with_depth_cap(paper_depth))))
    }

    fn budget(setup: &GameSetup) -> Option<Self> {
        let side = setup.rules.side;
        let search = LineSearch::new(PathValues::new(side), &setup.rules)?;
        Some(Self::Budget {
            search: Box::new(BudgetSearch::new(search, setup.limit)),
            side,
        })
    }
}

fn choose_as_in_the_paper(
    search: &mut ChanceSearch<SnakeScore>,
    board: &Board,
    moves: &[RootMove],
) -> Option<Choice> {
    let mut budget: Budget = Turn::unlimited().budget();
    let depth = paper_depth(u32::try_from(board.n_empty()).unwrap_or(u32::MAX));
    let values = search.move_values(moves, depth, &mut budget)?;
    Some(values.to_choice()?.depth(depth).nodes(budget.nodes()))
}

/// The moves seen in the way in which the best of them follows the path best.
fn along_path(
    search: &BudgetSearch<LineSearch<PathValues>>,
    moves: &[RootMove],
    side: Side,
) -> Vec<RootMove> {
    let seen = |way: Orientation| -> Vec<RootMove> {
        let turned = moves.iter().map(|root| RootMove {
            moved: way.of(root.moved, side),
            ..*root
        });
        turned.collect()
    };
    let best = |moves: &[RootMove]| {
        let values = moves.iter().map(|root| search.static_value(root.moved));
        values.max()
    };
    let ways = Orientation::all().map(seen);
    // The first of equals.
    let follows_best = ways.reduce(|one, other| {
        if best(&other) > best(&one) {
            other
        } else {
            one
        }
    });
    follows_best.unwrap_or_default()
}

export_agent!(Snake);
