//! Arranges the tiles along a snake-shaped path: expectimax over the path's weights.
//!
//! Without a budget it is the paper's agent: it searches one move deep on an open
//! board, and two or three on a crowded one; it does not avoid a lost board as long as
//! the tiles are well placed. With a budget it searches as deep as it can, searches
//! rare tiles less deeply, and values a lost board at nothing. The last makes it
//! strong: 99,722 ± 10,591 against 43,495 ± 5,707 with 0.3 ms per move (± is one
//! standard error, 16 games).
//!
//! Searching late moves less deeply was tried: half a move more depth, and no better
//! score (89,350 ± 4,022 against 92,240 ± 4,971 with 0.25 ms per move, 80 games).

use plugin_api::{
    Agent, Board, Choice, Direction, GameSetup, Info, Limit, Limits, Refusal, Turn, export_agent,
    parameters,
};
use search_kit::{ChanceSearch, LostBoard, SnakeScore, root_moves, search_budget};

parameters! {
    /// Parameters of snake.
    pub struct Params {
        /// The factor by which the weights grow along the path.
        #[schemars(range(min = 1.0, max = 16.0))]
        pub r: f64 = 4.0,
    }
}

/// The agent.
pub struct Snake {
    search: ChanceSearch<SnakeScore>,
    depth: Depth,
}

/// How deep to search.
enum Depth {
    /// As deep as in the paper.
    Paper,
    /// As deep as the budget allows.
    Budget,
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
        let search = |lost| {
            let score = SnakeScore::new(setup.rules.side, params.r)?;
            ChanceSearch::new(score, &setup.rules, lost)
        };
        let (search, depth) = match setup.limit {
            Limit::None => {
                let search = search(LostBoard::AsEvaluated);
                let search = search.map(|search| search.with_depth_cap(paper_depth));
                (search, Depth::Paper)
            }
            Limit::Nodes(_) | Limit::Time { .. } => {
                let search = search(LostBoard::Worth(0.0)).map(ChanceSearch::selective);
                (search, Depth::Budget)
            }
        };
        let search = search.ok_or("snake supports boards up to 4×4")?;
        Ok(Self { search, depth })
    }

    fn choose(&mut self, board: &Board, turn: &Turn) -> Choice {
        let moves = root_moves(board, Direction::ALL).expect("`new` accepts sides up to 4 only");
        let mut budget = search_budget(turn);
        let (values, depth) = match self.depth {
            Depth::Paper => {
                let depth = paper_depth(u32::try_from(board.n_empty()).unwrap_or(u32::MAX));
                let values = self.search.move_values(&moves, depth, &mut budget);
                (values.unwrap_or_default(), depth)
            }
            Depth::Budget => self.search.deepen(&moves, &mut budget),
        };
        let choice = values.to_choice().unwrap_or_else(|| {
            let first = moves.first().expect("a turn has a legal move");
            first.direction.into()
        });
        choice.depth(depth).nodes(budget.nodes())
    }
}

export_agent!(Snake);
