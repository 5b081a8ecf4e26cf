//! Plans for games with random tiles, as if they were deterministic.
//!
//! Depth-first search with backtracking: every new tile is assumed to be a 2 in the
//! first empty cell, and the first move of the best line is played. The assumption soon
//! turns out wrong. Therefore the boards on the way count as well as the last one: a
//! line that is tidy throughout also works with other tiles. The depth grows by one
//! move as long as the budget lasts.

use plugin_api::{Board, Budget, PackedBoard};
use search_kit::{MoveValues, OrderEvaluation, TranspositionTable, root_moves};

use crate::model::{Model, PAPER_ORDER};

/// The weight of a board relative to everything that follows it on its line.
const SHARE_OF_NOW: f32 = 0.1;
/// The number of stored boards: 2^16 of 16 bytes are 1 MiB.
const N_REMEMBERED: usize = 1 << 16;

/// The largest number of nodes between two clock readings. Stored boards take no time,
/// so the speed so far says little about the next ones.
const LONGEST_STRIDE: u64 = 2048;

/// A planner for games with random tiles.
pub(crate) struct Guess {
    model: Model,
    evaluation: OrderEvaluation,
    known: TranspositionTable<Known>,
    max_depth: u8,
}

/// The value of a board for a line of this many more moves.
#[derive(Clone, Copy, Default)]
struct Known {
    depth: u8,
    value: f32,
}

/// The best moves, and the depth of the search.
#[derive(Clone, Debug)]
pub(crate) struct Plans {
    /// The value of each first move.
    pub(crate) values: MoveValues,
    /// The moves of a line.
    pub(crate) depth: u8,
}

impl Guess {
    /// A planner of lines of up to `max_depth` moves.
    #[must_use]
    pub(crate) fn new(model: Model, max_depth: u8) -> Self {
        Self {
            model,
            evaluation: OrderEvaluation::new(model.side()),
            known: TranspositionTable::with_places(N_REMEMBERED),
            max_depth,
        }
    }

    /// Searches with increasing depth; `None` if the budget does not suffice for one
    /// move.
    pub(crate) fn plan(&mut self, board: &Board, budget: &mut Budget) -> Option<Plans> {
        let first_moves = root_moves(board, PAPER_ORDER)?;
        let mut plans = None;
        for depth in 1..=self.max_depth {
            let mut values = MoveValues::default();
            for first in &first_moves {
                if !spend_one(budget) {
                    return plans;
                }
                let board = self.model.put_tile(first.moved);
                let Some(value) = self.value(board, depth - 1, budget) else {
                    return plans;
                };
                values.add(first.direction, f64::from(value));
            }
            plans = Some(Plans { values, depth });
        }
        plans
    }

    /// The value of the best line of `depth` more moves; `None` if the budget is spent.
    fn value(&mut self, board: PackedBoard, depth: u8, budget: &mut Budget) -> Option<f32> {
        let now = self.evaluation.order(board);
        if depth == 0 {
            return Some(now);
        }
        if let Some(known) = self.known.get(board)
            && known.depth == depth
        {
            return Some(known.value);
        }
        let mut best = OrderEvaluation::LOST;
        for direction in PAPER_ORDER {
            if !spend_one(budget) {
                return None;
            }
            if let Some(moved) = self.model.slide(board, direction) {
                let board = self.model.put_tile(moved);
                best = best.max(self.value(board, depth - 1, budget)?);
            }
        }
        let value = SHARE_OF_NOW * now + (1.0 - SHARE_OF_NOW) * best;
        self.known.put(board, Known { depth, value });
        Some(value)
    }
}

fn spend_one(budget: &mut Budget) -> bool {
    budget.spend(1) && (!budget.nodes().is_multiple_of(LONGEST_STRIDE) || budget.look())
}

impl std::fmt::Debug for Guess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Guess({:?}, {} moves)", self.model, self.max_depth)
    }
}
