//! Plans in a game with luck, as if it had none.
//!
//! Depth first, and back where a line is lost: every new tile is taken to be a 2 in
//! the first empty cell, and the first move of the best line is played. The guess
//! about the tiles soon goes wrong, so that the boards on the way count as well as the
//! last one: a line that is tidy all along survives other tiles than those it was
//! made for. It looks one move deeper as long as the budget lasts.

use plugin_api::{Board, Budget, PackedBoard};
use search_kit::{MoveValues, OrderEvaluation, TranspositionTable, root_moves};

use crate::model::{Model, PAPER_ORDER};

/// The weight of a board against all that follows it on its line.
const SHARE_OF_NOW: f32 = 0.1;
/// Boards remembered: 2^16 of 16 bytes are 1 MiB.
const N_REMEMBERED: usize = 1 << 16;

/// Nodes after which the clock is read at the latest. Boards that are remembered take
/// no time, so that the speed so far says little about how long the next will take.
const LONGEST_STRIDE: u64 = 2048;

/// A planner for games with luck.
pub(crate) struct Guess {
    model: Model,
    evaluation: OrderEvaluation,
    known: TranspositionTable<Known>,
    max_depth: u8,
}

/// What a board is worth to a line of so many more moves.
#[derive(Clone, Copy, Default)]
struct Known {
    depth: u8,
    value: f32,
}

/// The best moves, and how many moves ahead they were looked for.
#[derive(Clone, Debug)]
pub(crate) struct Plans {
    /// What each first move is worth.
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

    /// Looks deeper and deeper; `None` when the budget does not suffice for one move.
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

    /// What the best line of `depth` more moves is worth; `None` when the budget ends.
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
