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
    Agent, Board, Budget, Choice, Direction, Extension, GameSetup, Info, Limit, Limits, Refusal,
    Side, Turn,
    explain::{self, ExplainExtension, ExplainRequest, Explainer, Explanation},
    export_agent, parameters,
};
use search_kit::{
    BudgetSearch, ChanceSearch, LineSearch, LostBoard, NoRecorder, Recorder, RootMove, SnakeScore,
    TreeRecorder, check_is_seen_exactly, root_moves,
};

use crate::{orientation::Orientation, path_values::PathValues};

parameters! {
    /// Parameters of snake.
    pub struct Params {
        /// The factor by which the weights of the paper grow along the path. With a budget, the
        /// agent uses other values.
        #[schemars(range(min = 1.0, max = 16.0))]
        pub r: f64 = 4.0,
        /// Without a budget: the most empty cells of a board that is searched two moves deep; with
        /// more it is one.
        #[schemars(range(min = 0, max = 16))]
        pub two_moves: u32 = 5,
        /// Without a budget: the most empty cells of a board that is searched three moves deep.
        #[schemars(range(min = 0, max = 16))]
        pub three_moves: u32 = 2,
    }
}

/// The agent.
pub struct Snake(Mode<NoRecorder>);

/// How it plays; the recorder sees the tree.
enum Mode<R> {
    Paper {
        search: Box<ChanceSearch<SnakeScore, R>>,
        depths: PaperDepths,
    },
    Budget {
        search: Box<BudgetSearch<LineSearch<PathValues, R>>>,
        side: Side,
    },
}

/// The most empty cells of boards that are searched two and three moves deep.
#[derive(Clone, Copy)]
struct PaperDepths {
    two_moves: u32,
    three_moves: u32,
}

impl PaperDepths {
    /// Refuses a search that is deeper than that of the board.
    fn check(self, board: &Board, depth: u32) -> Result<(), Refusal> {
        let n_empty = u32::try_from(board.n_empty()).unwrap_or(u32::MAX);
        let deepest = self.depth(n_empty);
        if depth <= deepest {
            return Ok(());
        }
        Err(format!(
            "depth {depth}: with {n_empty} empty cells it searches {deepest} deep; its parameters \
             `two_moves` and `three_moves` decide, or a budget"
        )
        .into())
    }

    /// The depth for a number of empty cells.
    fn depth(self, n_empty: u32) -> u32 {
        if n_empty <= self.three_moves {
            3
        } else if n_empty <= self.two_moves {
            2
        } else {
            1
        }
    }
}

impl Agent for Snake {
    const INFO: Info = Info::new("snake", env!("CARGO_PKG_VERSION"))
        .author("The Arena 2048 developers")
        .description("arranges the tiles along a snake-shaped path")
        .boards(2, 4)
        .honours(&[Limits::Time, Limits::Nodes])
        .extensions(&[explain::NAME]);
    type Params = Params;

    fn new(params: Params, setup: &GameSetup) -> Result<Self, Refusal> {
        Mode::new(&params, setup, NoRecorder).map(Self)
    }

    fn choose(&mut self, board: &Board, turn: &Turn) -> Choice {
        self.0.choose(board, turn, u32::MAX)
    }

    fn extension(name: &str) -> Option<Box<dyn Extension>> {
        (name == explain::NAME).then(|| Box::new(ExplainExtension::<Self>::new()) as _)
    }
}

impl Explainer for Snake {
    fn explain(
        params: Params,
        board: &Board,
        request: &ExplainRequest,
    ) -> Result<Explanation, Refusal> {
        check_is_seen_exactly(board)?;
        let recorder = TreeRecorder::new(request.nodes);
        let mut mode = Mode::new(&params, &request.setup, recorder)?;
        let deepest = request.depth.unwrap_or(u32::MAX);
        if let (Mode::Budget { search, .. }, Some(depth)) = (&mut mode, request.depth) {
            search.set_deepest(depth);
        }
        if let (Mode::Paper { depths, .. }, Some(depth)) = (&mode, request.depth) {
            depths.check(board, depth)?;
        }
        let choice = mode.choose(board, &request.turn(), deepest);
        Ok(match mode {
            Mode::Paper { search, .. } => {
                let grids = SnakeScore::new(board.side(), params.r).map(|score| score.grids());
                let method = "snake expectimax".to_owned();
                Explanation {
                    formula: Some(format!(
                        "highest of 8 sums of weight × tile, weights growing by r = {}",
                        params.r
                    )),
                    grids: grids.unwrap_or_default(),
                    ..search.into_recorder().into_explanation(method, &choice)
                }
            }
            Mode::Budget { search, side } => {
                let moves = root_moves(board, Direction::ALL).unwrap_or_default();
                let (way, _) = along_path(&search, &moves, side);
                let recorder = search.into_search().into_recorder();
                let method = "expectimax along a snake-shaped path".to_owned();
                let mut explanation = recorder.into_explanation(method, &choice);
                // The search saw the board this way after the first move.
                for node in &mut explanation.nodes {
                    if node.parent != Some(0) {
                        node.direction = node.direction.map(|seen| way.origin_of_direction(seen));
                    }
                    node.cell = node.cell.map(|cell| {
                        let length = side.length();
                        let (row, column) = way.origin(cell / length, cell % length, side);
                        row * length + column
                    });
                }
                explanation
            }
        })
    }
}

impl<R: Recorder> Mode<R> {
    fn new(params: &Params, setup: &GameSetup, recorder: R) -> Result<Self, Refusal> {
        let mode = match setup.limit {
            Limit::None => Self::paper(params, setup, recorder),
            Limit::Nodes(_) | Limit::Time { .. } => Self::budget(setup, recorder),
        };
        mode.ok_or_else(|| "snake supports boards up to 4×4".into())
    }

    fn paper(params: &Params, setup: &GameSetup, recorder: R) -> Option<Self> {
        let score = SnakeScore::new(setup.rules.side, params.r)?;
        let depths = PaperDepths {
            two_moves: params.two_moves,
            three_moves: params.three_moves,
        };
        let search = ChanceSearch::new(score, &setup.rules, LostBoard::AsEvaluated)?;
        let search = search.with_depth_cap(|n_empty| depths.depth(n_empty));
        Some(Self::Paper {
            search: Box::new(search.with_recorder(recorder)),
            depths,
        })
    }

    fn budget(setup: &GameSetup, recorder: R) -> Option<Self> {
        let side = setup.rules.side;
        let search = LineSearch::new(PathValues::new(side), &setup.rules)?;
        let search = search.with_recorder(recorder);
        Some(Self::Budget {
            search: Box::new(BudgetSearch::new(search, setup.limit)),
            side,
        })
    }

    fn choose(&mut self, board: &Board, turn: &Turn, deepest: u32) -> Choice {
        let moves = root_moves(board, Direction::ALL).expect("`new` accepts sides up to 4 only");
        let choice = match self {
            Self::Paper { search, depths } => {
                let n_empty = u32::try_from(board.n_empty()).unwrap_or(u32::MAX);
                let depth = depths.depth(n_empty).min(deepest).max(1);
                choose_as_in_the_paper(search, &moves, depth)
            }
            Self::Budget { search, side } => {
                search.choose(&along_path(search, &moves, *side).1, turn)
            }
        };
        choice.expect("a turn has a legal move")
    }
}

fn choose_as_in_the_paper<R: Recorder>(
    search: &mut ChanceSearch<SnakeScore, R>,
    moves: &[RootMove],
    depth: u32,
) -> Option<Choice> {
    let mut budget: Budget = Turn::unlimited().budget();
    let values = search.move_values(moves, depth, &mut budget)?;
    Some(values.to_choice()?.depth(depth).nodes(budget.nodes()))
}

/// The moves seen in the way in which the best of them follows the path best.
fn along_path<R: Recorder>(
    search: &BudgetSearch<LineSearch<PathValues, R>>,
    moves: &[RootMove],
    side: Side,
) -> (Orientation, Vec<RootMove>) {
    let seen = |way: Orientation| -> (Orientation, Vec<RootMove>) {
        let turned = moves.iter().map(|root| RootMove {
            moved: way.of(root.moved, side),
            ..*root
        });
        (way, turned.collect())
    };
    let best = |seen: &(Orientation, Vec<RootMove>)| {
        let values = seen.1.iter().map(|root| search.static_value(root.moved));
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
    follows_best.expect("there are eight ways")
}

export_agent!(Snake);
