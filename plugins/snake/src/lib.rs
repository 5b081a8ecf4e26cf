//! Lays the tiles along a snake's path: expectimax over the path's weights.
//!
//! Without a budget it is the paper's agent: one move deep with room on the board, two
//! or three when it gets crowded.

use plugin_api::{
    Agent, Board, Choice, Direction, GameSetup, Info, Limits, Refusal, Turn, export_agent,
    parameters,
};
use search_kit::{ChanceSearch, LostBoard, SnakeScore, nodes_searched, root_moves};

parameters! {
    /// Parameters of snake.
    pub struct Params {
        /// By how much the weights grow along the path.
        #[schemars(range(min = 1.0, max = 16.0))]
        pub r: f64 = 4.0,
    }
}

/// The agent.
pub struct Snake {
    search: ChanceSearch<SnakeScore>,
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
        .description("lays the tiles along a snake's path")
        .boards(2, 4)
        .honours(&[Limits::Time, Limits::Nodes]);
    type Params = Params;

    fn new(params: Params, setup: &GameSetup) -> Result<Self, Refusal> {
        let search = SnakeScore::new(setup.rules.side, params.r)
            .and_then(|score| ChanceSearch::new(score, &setup.rules, LostBoard::AsEvaluated))
            .ok_or("snake plays boards up to 4×4")?;
        Ok(Self {
            search: search.with_depth_cap(paper_depth),
        })
    }

    fn choose(&mut self, board: &Board, turn: &Turn) -> Choice {
        let moves = root_moves(board, Direction::ALL).expect("`new` accepts sides up to 4 only");
        let mut budget = turn.budget();
        let n_empty = u32::try_from(board.n_empty()).unwrap_or(u32::MAX);
        let depth = paper_depth(n_empty);
        let values = self.search.move_values(&moves, depth, &mut budget);
        let choice = values
            .and_then(|values| values.to_choice())
            .unwrap_or_else(|| {
                let first = moves.first().expect("a turn has a legal move");
                first.direction.into()
            });
        choice.depth(depth).nodes(nodes_searched(&budget))
    }
}

export_agent!(Snake);
