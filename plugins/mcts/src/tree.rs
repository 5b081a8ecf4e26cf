//! Monte Carlo tree search: selection, expansion, simulation, back-propagation.
//!
//! Decisions are made by UCT; a chance node draws the tile with its probability, so a
//! direction's mean is its expected value. Rewards are values of boards, whose
//! spread changes over a game by orders of magnitude. Therefore exploration is measured
//! in standard deviations of the values seen in the search. A play-out is short and
//! plays the move that looks best, because random games of 2048 end long before they
//! distinguish good boards from bad ones.

use plugin_api::{
    Dice, Direction, PackedBoard,
    explain::{self, NodeKind},
};
use search_kit::{
    OrderEvaluation, Recorder, TreeRecorder,
    recorder::{after_move, after_tile},
};

use crate::{
    counted_budget::CountedBudget,
    node_table::{Edge, Node, NodeTable, Place},
    world::World,
};

const LOST: f32 = OrderEvaluation::LOST;
/// The value of reaching the goal: more than any board.
const WON: f32 = -LOST;
/// The longest line of moves in the tree.
const MAX_DEPTH: usize = 100;
/// Nodes of the tree: 2^16 of 64 bytes are 4 MiB.
const TABLE_BITS: u32 = 16;
/// How fast the estimate of the spread follows new values.
const SPREAD_RATE: f32 = 0.01;
/// The spread at the start of a search: about one empty cell.
const FIRST_SPREAD: f32 = 2000.0;

/// A search tree that exists for one game.
#[derive(Debug)]
pub(crate) struct Tree {
    world: World,
    evaluation: OrderEvaluation,
    /// The bonus of an untried direction, in standard deviations.
    exploration: f32,
    /// The number of moves of a play-out.
    play_out_moves: u32,
    nodes: NodeTable,
    path: Vec<Visit>,
    spread: Spread,
    search: u32,
}

/// The result of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finding {
    /// The statistics of each direction, by its number.
    pub(crate) edges: [Edge; 4],
    /// The longest line of moves in the tree.
    pub(crate) depth: u32,
}

/// A running estimate of mean and variance.
#[derive(Clone, Copy, Debug)]
struct Spread {
    mean: f32,
    variance: f32,
}

/// A move on the way from the root to a leaf.
#[derive(Clone, Copy, Debug)]
struct Visit {
    board: PackedBoard,
    /// The slot of the board's node.
    place: usize,
    direction: Direction,
}

/// The budget was spent during an iteration.
struct Spent;

impl Tree {
    /// An empty tree.
    #[must_use]
    pub(crate) fn new(world: World, exploration: f32, play_out_moves: u32) -> Self {
        let evaluation = OrderEvaluation::new(world.tables().side());
        Self {
            world,
            evaluation,
            exploration,
            play_out_moves,
            nodes: NodeTable::new(TABLE_BITS),
            path: Vec::with_capacity(MAX_DEPTH),
            spread: Spread::around(0.0),
            search: 0,
        }
    }

    /// Grows the tree from a board until the budget is spent.
    pub(crate) fn search(
        &mut self,
        root: PackedBoard,
        budget: &mut CountedBudget,
        dice: &mut Dice,
    ) -> Finding {
        self.search += 1;
        self.spread = Spread::around(self.evaluation.order(root));
        let mut depth = 0;
        // A view may have no legal move although the board has one, because it cannot
        // show 65536. An iteration would then cost nothing, and the budget would never
        // end.
        let has_moves = Direction::ALL
            .into_iter()
            .any(|direction| self.world.slide(root, direction).is_some());
        while has_moves && self.iterate(root, budget, dice).is_ok() {
            depth = depth.max(self.path.len());
        }
        let edges = match self.nodes.find(root) {
            Place::Known(place) => self.nodes.node(place).edges,
            Place::Free(_) => [Edge::default(); 4],
        };
        Finding {
            edges,
            depth: u32::try_from(depth).unwrap_or(u32::MAX),
        }
    }

    /// Records the nodes of the last search below a board, as deep as they were visited twice.
    pub(crate) fn record(&self, board: PackedBoard, recorder: &mut TreeRecorder, rest: &mut u64) {
        let place = self.nodes.find(board);
        recorder.open(NodeKind::Max);
        let Place::Known(place) = place else {
            recorder.close(|node| node.kind = NodeKind::Leaf);
            return;
        };
        let node = self.nodes.node(place);
        let has_moves = node.edges.iter().any(|edge| edge.n_visits > 0);
        for direction in Direction::ALL {
            let edge = node.edges[direction.index()];
            if edge.n_visits == 0 || *rest == 0 {
                continue;
            }
            *rest -= 1;
            recorder.announce(|| after_move(direction));
            recorder.open(NodeKind::Chance);
            let moved = self.world.tables().slide(board, direction);
            if edge.n_visits > 1 && !self.world.is_goal(moved) {
                self.record_tiles(moved, recorder, rest);
            }
            recorder.close(|node| {
                node.visits = Some(edge.n_visits.into());
                node.value = Some(edge.mean.into());
                if self.world.is_goal(moved) {
                    node.kind = NodeKind::Goal;
                }
            });
        }
        recorder.close(|recorded| {
            recorded.visits = Some(node.n_visits.into());
            if !has_moves {
                recorded.kind = NodeKind::Dead;
            }
        });
    }

    fn record_tiles(&self, moved: PackedBoard, recorder: &mut TreeRecorder, rest: &mut u64) {
        let side = self.world.tables().side();
        for (board, probability) in self.world.possible_spawns(moved) {
            let is_of_this_search = match self.nodes.find(board) {
                Place::Known(place) => self.nodes.node(place).last_search == self.search,
                Place::Free(_) => false,
            };
            if is_of_this_search && *rest > 0 {
                *rest -= 1;
                recorder.announce(|| explain::Node {
                    probability: Some(probability),
                    ..after_tile(moved, board, side)
                });
                self.record(board, recorder, rest);
            }
        }
    }

    fn iterate(
        &mut self,
        root: PackedBoard,
        budget: &mut CountedBudget,
        dice: &mut Dice,
    ) -> Result<(), Spent> {
        let value = self.walk_to_leaf(root, budget, dice)?;
        self.spread.add(value);
        for visit in &self.path {
            let node = self.nodes.node_mut(visit.place);
            // In a full table, the leaf may have replaced a node above it.
            if node.board() == visit.board {
                node.n_visits += 1;
                node.last_search = self.search;
                node.edges[visit.direction.index()].add(value);
            }
        }
        Ok(())
    }

    /// Selects down the tree, expands a leaf and simulates from it.
    fn walk_to_leaf(
        &mut self,
        root: PackedBoard,
        budget: &mut CountedBudget,
        dice: &mut Dice,
    ) -> Result<f32, Spent> {
        self.path.clear();
        let mut board = root;
        loop {
            let place = match self.nodes.find(board) {
                Place::Known(place) => place,
                Place::Free(place) => {
                    *self.nodes.node_mut(place) = self.expanded(board, budget)?;
                    return self.simulate(board, place, budget, dice);
                }
            };
            let weight = self.exploration * self.spread.deviation();
            let Some(direction) = most_promising(self.nodes.node(place), weight) else {
                return Ok(LOST);
            };
            if !budget.take(1) {
                return Err(Spent);
            }
            self.path.push(Visit {
                board,
                place,
                direction,
            });
            let moved = self.world.tables().slide(board, direction);
            if self.world.is_goal(moved) {
                return Ok(WON);
            }
            if self.path.len() == MAX_DEPTH {
                return Ok(self.evaluation.order(moved));
            }
            board = self.world.spawn(moved, dice);
        }
    }

    /// A node for a board, with a first evaluation of every direction.
    fn expanded(&self, board: PackedBoard, budget: &mut CountedBudget) -> Result<Node, Spent> {
        let looks = self.look(board, budget)?;
        let edges = looks.map(|look| {
            look.map_or_else(Edge::default, |(_, value)| Edge {
                n_visits: 1,
                mean: value,
            })
        });
        Ok(Node::new(board, edges, self.search))
    }

    /// The boards that the four directions lead to, and their values.
    #[inline]
    fn look(
        &self,
        board: PackedBoard,
        budget: &mut CountedBudget,
    ) -> Result<[Option<(PackedBoard, f32)>; 4], Spent> {
        if !budget.take(4) {
            return Err(Spent);
        }
        Ok(Direction::ALL.map(|direction| {
            self.world
                .slide(board, direction)
                .map(|moved| (moved, self.promise(moved)))
        }))
    }

    fn promise(&self, moved: PackedBoard) -> f32 {
        if self.world.is_goal(moved) {
            WON
        } else {
            self.evaluation.order(moved)
        }
    }

    /// The result of a play-out from a new node.
    fn simulate(
        &self,
        board: PackedBoard,
        place: usize,
        budget: &mut CountedBudget,
        dice: &mut Dice,
    ) -> Result<f32, Spent> {
        let edges = &self.nodes.node(place).edges;
        let legal = Direction::ALL
            .into_iter()
            .filter(|direction| edges[direction.index()].n_visits > 0);
        let best = legal.max_by(|a, b| edges[a.index()].mean.total_cmp(&edges[b.index()].mean));
        let Some(best) = best else {
            return Ok(LOST);
        };
        let mut value = edges[best.index()].mean;
        let mut moved = self.world.tables().slide(board, best);
        for _ in 0..self.play_out_moves {
            if self.world.is_goal(moved) {
                return Ok(WON);
            }
            let board = self.world.spawn(moved, dice);
            let looks = self.look(board, budget)?.into_iter().flatten();
            let Some(look) = looks.max_by(|a, b| a.1.total_cmp(&b.1)) else {
                return Ok(LOST);
            };
            (moved, value) = look;
        }
        Ok(value)
    }
}

impl Spread {
    fn around(mean: f32) -> Self {
        Self {
            mean,
            variance: FIRST_SPREAD * FIRST_SPREAD,
        }
    }

    fn add(&mut self, value: f32) {
        let difference = value - self.mean;
        self.mean += SPREAD_RATE * difference;
        self.variance += SPREAD_RATE * (difference * difference - self.variance);
    }

    fn deviation(self) -> f32 {
        self.variance.sqrt()
    }
}

/// The legal direction with the highest upper confidence bound.
#[inline]
#[expect(clippy::cast_precision_loss, reason = "a bound needs no more digits")]
fn most_promising(node: &Node, weight: f32) -> Option<Direction> {
    let benefit = weight * ((node.n_visits + 1) as f32).ln().sqrt();
    let bound = |edge: Edge| edge.mean + benefit / (edge.n_visits as f32).sqrt();
    let mut best = (None, f32::NEG_INFINITY);
    for direction in Direction::ALL {
        let edge = node.edges[direction.index()];
        if edge.n_visits > 0 && bound(edge) > best.1 {
            best = (Some(direction), bound(edge));
        }
    }
    best.0
}
