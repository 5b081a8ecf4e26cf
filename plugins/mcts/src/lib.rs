//! Monte Carlo tree search, and the flat Monte Carlo of the papers.
//!
//! With `runs` it plays as in the papers: this many random games per legal move.
//! Otherwise it grows a tree for as long as the budget lasts.

mod counted_budget;
mod flat;
mod node_table;
mod tree;
mod world;

use plugin_api::{
    Agent, Board, Choice, Dice, Direction, Extension, GameSetup, Info, Limits, PackedBoard,
    Refusal, Turn,
    explain::{self, ExplainExtension, ExplainRequest, Explainer, Explanation, NodeKind},
    export_agent, parameters,
};
use search_kit::{Recorder, TreeRecorder, check_is_seen_exactly, recorder::after_move};

use crate::{counted_budget::CountedBudget, tree::Tree, world::World};

parameters! {
    /// Parameters of the agent.
    pub struct Params {
        /// Random games per legal move, as in the papers. Without it, the budget
        /// decides how much is searched.
        #[schemars(range(min = 1, max = 1_000_000))]
        pub runs: Option<u32> = None,
        /// Whether the budget is used for a search tree, or only for random games.
        pub tree: bool = true,
        /// How much the tree search explores moves that look worse, in standard
        /// deviations.
        #[schemars(range(min = 0.0, max = 100.0))]
        pub exploration: f32 = 3.0,
        /// Moves of a play-out of the tree search before the board is evaluated.
        #[schemars(range(min = 0, max = 1000))]
        pub play_out_moves: u32 = 2,
        /// Nodes per move if neither `runs` nor the tournament sets a limit.
        #[schemars(range(min = 100, max = 1_000_000_000))]
        pub nodes: u64 = 20_000,
    }
}

/// The agent.
#[derive(Debug)]
pub struct Mcts {
    world: World,
    dice: Dice,
    method: Method,
    /// Nodes per move if there is no other limit.
    nodes: Option<u64>,
}

#[derive(Debug)]
enum Method {
    Flat { runs: u32 },
    Tree(Box<Tree>),
}

impl Agent for Mcts {
    const INFO: Info = Info::new("mcts", env!("CARGO_PKG_VERSION"))
        .author("The Arena 2048 developers")
        .description("Monte Carlo tree search; flat random games with `runs`")
        .boards(2, 4)
        .honours(&[Limits::Time, Limits::Nodes])
        .extensions(&[explain::NAME]);
    type Params = Params;

    fn new(params: Params, setup: &GameSetup) -> Result<Self, Refusal> {
        let world = World::new(&setup.rules)?;
        let method = match params.runs {
            Some(runs) => Method::Flat { runs },
            None if !params.tree => Method::Flat { runs: u32::MAX },
            None => Method::Tree(Box::new(Tree::new(
                world,
                params.exploration,
                params.play_out_moves,
            ))),
        };
        Ok(Self {
            world,
            dice: Dice::new(setup.random_seed),
            method,
            nodes: params.runs.is_none().then_some(params.nodes),
        })
    }

    fn choose(&mut self, board: &Board, turn: &Turn) -> Choice {
        self.choose_and_hear(board, turn, |_, _, _| {})
    }

    fn extension(name: &str) -> Option<Box<dyn Extension>> {
        (name == explain::NAME).then(|| Box::new(ExplainExtension::<Self>::new()) as _)
    }
}

impl Explainer for Mcts {
    fn explain(
        params: Params,
        board: &Board,
        request: &ExplainRequest,
    ) -> Result<Explanation, Refusal> {
        check_is_seen_exactly(board)?;
        if let Some(depth) = request.depth {
            let parameter = match params.runs {
                Some(_) => "its parameter `runs` decides how many random games it plays",
                None => "its parameter `nodes` or a budget decides how much it searches",
            };
            return Err(format!("depth {depth}: it has no depth; {parameter}").into());
        }
        let mut agent = Self::new(params, &request.setup)?;
        let mut play_outs = Vec::new();
        let choice = agent.choose_and_hear(board, &request.turn(), |direction, score, n_moves| {
            play_outs.push((direction, score, n_moves));
        });
        let mut recorder = TreeRecorder::new(request.nodes);
        recorder.begin();
        let is_flat = matches!(agent.method, Method::Flat { .. });
        let method = match agent.method {
            Method::Flat { .. } => {
                record_play_outs(board, &play_outs, &mut recorder);
                "random games from every legal move"
            }
            Method::Tree(tree) => {
                let root = PackedBoard::shrunk(board).unwrap_or_default();
                let mut rest = MOST_VISITED;
                tree.record(root, &mut recorder, &mut rest);
                "Monte Carlo tree search"
            }
        };
        let mut explanation = recorder.into_explanation(method.to_owned(), &choice);
        if is_flat {
            explanation.turns = [(
                NodeKind::Chance,
                "the mean over its random games".to_owned(),
            )]
            .into();
        }
        Ok(explanation)
    }
}

/// The largest number of nodes of the tree that an explanation looks at.
const MOST_VISITED: u64 = 50_000;

fn record_play_outs(
    board: &Board,
    play_outs: &[(Direction, f64, u64)],
    recorder: &mut TreeRecorder,
) {
    recorder.open(NodeKind::Max);
    for direction in board.legal_moves() {
        let mut visits = 0u32;
        let mut total = 0.0;
        recorder.announce(|| after_move(direction));
        recorder.open(NodeKind::Chance);
        for &(_, score, n_moves) in play_outs.iter().filter(|game| game.0 == direction) {
            visits += 1;
            total += score;
            recorder.open(NodeKind::Leaf);
            recorder.close(|node| {
                node.value = Some(score);
                let plural = if n_moves == 1 { "" } else { "s" };
                node.note = Some(format!("random game of {n_moves} move{plural}"));
            });
        }
        recorder.close(|node| {
            node.visits = Some(visits.into());
            node.value = (visits > 0).then(|| total / f64::from(visits));
        });
    }
    recorder.close(|node| node.visits = Some(play_outs.len() as u64));
}

impl Mcts {
    /// Chooses, and tells about the play-outs of flat Monte Carlo.
    fn choose_and_hear(
        &mut self,
        board: &Board,
        turn: &Turn,
        hear: impl FnMut(Direction, f64, u64),
    ) -> Choice {
        let is_limited = turn.budget().is_limited();
        let turn = match self.nodes {
            Some(nodes) if !is_limited => &Turn::with_nodes(nodes),
            _ => turn,
        };
        let mut budget = CountedBudget::new(turn.budget());
        let choice = match &mut self.method {
            Method::Flat { runs } => {
                let (world, dice) = (&self.world, &mut self.dice);
                let samples = flat::sample(world, board, *runs, &mut budget, dice, hear);
                let n_play_outs: u32 = samples.iter().map(|sample| sample.n_play_outs).sum();
                turn.note_number("play-outs", n_play_outs.into());
                best_of(samples.iter().map(|sample| Opinion {
                    direction: sample.direction,
                    trust: sample.mean().unwrap_or(0.0),
                    value: sample.mean(),
                }))
            }
            Method::Tree(tree) => {
                let root = PackedBoard::shrunk(board).unwrap_or_default();
                let finding = tree.search(root, &mut budget, &mut self.dice);
                let n_visits: u32 = finding.edges.iter().map(|edge| edge.n_visits).sum();
                turn.note_number("visits", n_visits.into());
                let opinions = board.legal_moves().map(|direction| {
                    let edge = finding.edges[direction.index()];
                    Opinion {
                        direction,
                        trust: f64::from(edge.n_visits),
                        value: (edge.n_visits > 0).then_some(f64::from(edge.mean)),
                    }
                });
                best_of(opinions).depth(finding.depth)
            }
        };
        choice.nodes(budget.searched())
    }
}

export_agent!(Mcts);

/// The result of a search for one legal direction.
#[derive(Clone, Copy, Debug)]
struct Opinion {
    direction: Direction,
    /// The highest decides: the mean score of random games, or the visits of a tree,
    /// which concentrate on the best direction.
    trust: f64,
    value: Option<f64>,
}

fn best_of(opinions: impl Iterator<Item = Opinion>) -> Choice {
    let opinions: Vec<Opinion> = opinions.collect();
    let best = opinions
        .iter()
        .max_by(|a, b| a.trust.total_cmp(&b.trust))
        .expect("a turn has a legal move");
    opinions.iter().fold(
        Choice::from(best.direction),
        |choice, opinion| match opinion.value {
            Some(value) => choice.value(opinion.direction, value),
            None => choice,
        },
    )
}
