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
    Agent, Allowance, Board, Budget, Choice, Direction, Extension, GameSetup, Info, Limits,
    PackedBoard, Refusal, Tiles, Turn,
    explain::{self, ExplainExtension, ExplainRequest, Explainer, Explanation, NodeKind, Term},
    export_agent, parameters,
    solve::{self, SolveExtension},
};
use search_kit::{Goal, Recorder, TreeRecorder, check_is_seen_exactly};

use crate::{
    guess::Guess,
    model::Model,
    planner::Planner,
    solver::{ExhaustiveSolver, order_of, state_space_tree},
};

/// The most moves of the parameter `depth`.
const MOST_MOVES: u8 = 64;

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
        /// Order in which an explanation tries the moves of a path to the goal.
        pub order: String = "ULDR".to_owned(),
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
        .extensions(&[solve::NAME, explain::NAME]);
    type Params = Params;

    fn new(params: Params, setup: &GameSetup) -> Result<Self, Refusal> {
        let side = setup.rules.side;
        let model = Model::of(side)
            .ok_or_else(|| format!("it supports boards of 2×2 to 4×4, not {side}"))?;
        let guess = Guess::new(&setup.rules, params.depth);
        let guess = guess.expect("packed boards of the side exist, as for the model");
        order_of(&params.order)?;
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
        guessed(&mut self.guess, board, &mut budget)
    }

    fn extension(name: &str) -> Option<Box<dyn Extension>> {
        match name {
            solve::NAME => Some(Box::new(SolveExtension(ExhaustiveSolver))),
            explain::NAME => Some(Box::new(ExplainExtension::<Self>::new())),
            _ => None,
        }
    }
}

impl Explainer for Backtracking {
    fn explain(
        params: Params,
        board: &Board,
        request: &ExplainRequest,
    ) -> Result<Explanation, Refusal> {
        check_is_seen_exactly(board)?;
        let rules = &request.setup.rules;
        let depth = match request.depth {
            None => params.depth,
            Some(depth) if rules.tiles == Tiles::Deterministic => {
                return Err(format!(
                    "depth {depth}: a path to the goal has no depth; its parameter `nodes` or a \
                     budget decides how many boards it visits"
                )
                .into());
            }
            Some(depth) => {
                let moves = u8::try_from(depth).ok();
                moves.filter(|moves| (1..=MOST_MOVES).contains(moves)).ok_or_else(|| {
                    format!("depth {depth}: it plans 1 to {MOST_MOVES} moves, as its parameter `depth`")
                })?
            }
        };
        let guess = Guess::new(rules, depth)
            .ok_or_else(|| format!("it supports boards of 2×2 to 4×4, not {}", rules.side))?;
        let recorder = TreeRecorder::new(request.nodes);
        match (rules.tiles, Goal::of(rules)) {
            (Tiles::Random, _) => {
                let mut guess = guess.with_recorder(recorder);
                let mut budget = match request.turn() {
                    turn if turn.budget().is_limited() => turn.budget(),
                    _ => Turn::with_nodes(params.nodes).budget(),
                };
                let choice = guessed(&mut guess, board, &mut budget);
                let recorder = guess.into_recorder();
                let method = "plans in games with made-up tiles; shown is the last";
                let mut explanation = recorder.into_explanation(method.to_owned(), &choice);
                explanation.turns = [(NodeKind::Max, guess::TURN.to_owned())].into();
                explanation.formula =
                    Some("the first move with the best mean over all games is chosen".to_owned());
                for node in explanation.nodes.iter_mut().filter(|node| node.parent == Some(0)) {
                    let direction = node.direction.unwrap_or(choice.direction);
                    node.note = choice.values[direction.index()]
                        .map(|mean| format!("mean over all games {mean:.0}"));
                }
                Ok(explanation)
            }
            (Tiles::Deterministic, Some(goal)) => {
                let effort = match request.turn().allowance {
                    Allowance::Nodes(nodes) => nodes,
                    _ => params.nodes,
                };
                let order = order_of(&params.order)?;
                explain_paths(board, goal, order, effort, recorder)
            }
            (Tiles::Deterministic, None) => Err(
                "without a goal it keeps the best boards of each move, which is no tree; name a goal"
                    .into(),
            ),
        }
    }
}

/// The paper's search: every path to the goal, as far as `effort` boards lead.
fn explain_paths(
    board: &Board,
    goal: Goal,
    order: [Direction; 4],
    effort: u64,
    mut recorder: TreeRecorder,
) -> Result<Explanation, Refusal> {
    let model = Model::of(board.side()).ok_or("it supports boards of 2×2 to 4×4")?;
    let start = PackedBoard::try_from(board)?;
    if goal.is_on(start) {
        return Err("the goal is on the board".into());
    }
    let listing = state_space_tree(model, goal, start, order, effort, &mut recorder);
    let tile = plugin_api::face_value(goal.exponent());
    let first_legal = board.legal_moves().next().unwrap_or(Direction::Up);
    let method = format!("backtracking to the goal {tile}");
    let mut explanation = recorder.into_explanation(method, &first_legal.into());
    explanation.turns = [(NodeKind::Max, "no goal yet, node expanded".to_owned())].into();
    explanation.line = shortest_line(&explanation);
    let first = explanation.line.get(1).copied();
    explanation.choice = first.and_then(|node| explanation.nodes[node].direction);
    explanation.counts = [
        ("expanded", listing.visited),
        ("solutions", listing.n_solutions),
        ("killed", listing.killed),
    ]
    .map(|(name, number)| Term::new(name, as_f64(number)))
    .into();
    if listing.visited >= effort {
        explanation.formula = Some(format!("the search ended after {effort} boards"));
    }
    Ok(explanation)
}

/// The nodes from the root to the first of the nearest goals; none without a goal.
fn shortest_line(explanation: &Explanation) -> Vec<usize> {
    let line_to = |node: usize| {
        let up = std::iter::successors(Some(node), |&node| explanation.nodes[node].parent);
        let mut line: Vec<usize> = up.collect();
        line.reverse();
        line
    };
    let nodes = explanation.nodes.iter().enumerate();
    let goals = nodes.filter(|(_, node)| node.kind == NodeKind::Goal);
    let lines = goals.map(|(node, _)| line_to(node));
    lines.min_by_key(Vec::len).unwrap_or_default()
}

#[expect(clippy::cast_precision_loss, reason = "a number to look at")]
fn as_f64(number: u64) -> f64 {
    number as f64
}

/// A choice in games with random tiles.
fn guessed<R: Recorder>(guess: &mut Guess<R>, board: &Board, budget: &mut Budget) -> Choice {
    let plans = (!budget.is_spent())
        .then(|| guess.plan(board, budget))
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
