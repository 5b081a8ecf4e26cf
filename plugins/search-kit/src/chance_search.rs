//! Depth-limited expectimax: the player takes the best move, and the tile is random.
//!
//! The value of a board is the best over the legal moves of the mean over all possible
//! tiles. Depth counts the player's moves; at depth 0 an evaluation is used. A board
//! with moves to come is stored with the depth to which it was searched, and reused
//! only at exactly that depth: the table saves time and changes no value.

use plugin_api::{
    Budget, CellMask, Direction, PackedBoard, RowTables, Rules,
    explain::{Node, NodeKind},
};

use crate::{
    Evaluation, MoveValues, NoRecorder, Recorder, RootMove, TranspositionTable, is_lost,
    recorder::{after_move, after_tile, known_from_table},
};

/// The number of table entries: 3 megabytes, which fit in the cache of most machines.
const N_PLACES: usize = 1 << 17;

/// The number of cells of the largest packed board.
const MOST_CELLS: usize = 16;

/// The value of a board without a legal move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LostBoard {
    /// A fixed value.
    Worth(f64),
    /// The evaluation, as for any other board.
    AsEvaluated,
}

/// A search over an evaluation. It exists as long as its agent and becomes faster as
/// its table fills.
pub struct ChanceSearch<E, R = NoRecorder> {
    tables: &'static RowTables,
    evaluation: E,
    /// The share of 4s among the new tiles.
    four: f64,
    lost: LostBoard,
    /// The most moves to look ahead from a moved board, by the number of its empty cells.
    depth_cap: [u32; MOST_CELLS + 1],
    memory: TranspositionTable<Searched>,
    /// Whether it stores boards.
    remembers: bool,
    recorder: R,
}

/// The value of a moved board, and the depth to which it was searched.
#[derive(Clone, Copy, Debug, Default)]
struct Searched {
    value: f64,
    depth: u32,
}

impl<E: Evaluation> ChanceSearch<E> {
    /// A search of the game with these rules; `None` if no packed board has their side.
    /// The evaluation must be for the same side.
    #[must_use]
    pub fn new(evaluation: E, rules: &Rules, lost: LostBoard) -> Option<Self> {
        Some(Self {
            tables: RowTables::of(rules.side)?,
            evaluation,
            four: rules.four.as_f64(),
            lost,
            depth_cap: [u32::MAX; MOST_CELLS + 1],
            memory: TranspositionTable::with_places(N_PLACES),
            remembers: true,
            recorder: NoRecorder,
        })
    }
}

impl<E: Evaluation, R: Recorder> ChanceSearch<E, R> {
    /// The same search, recorded.
    #[must_use]
    pub fn with_recorder<T>(self, recorder: T) -> ChanceSearch<E, T> {
        ChanceSearch {
            tables: self.tables,
            evaluation: self.evaluation,
            four: self.four,
            lost: self.lost,
            depth_cap: self.depth_cap,
            memory: self.memory,
            remembers: self.remembers,
            recorder,
        }
    }

    /// What was recorded.
    #[must_use]
    pub fn into_recorder(self) -> R {
        self.recorder
    }

    /// The same search with a depth that depends on the board: after each move, the
    /// remaining depth is limited to what `depth_cap` returns for the number of empty
    /// cells.
    #[must_use]
    pub fn with_depth_cap(mut self, depth_cap: impl Fn(u32) -> u32) -> Self {
        for (n_empty, depth) in (0..).zip(&mut self.depth_cap) {
            *depth = depth_cap(n_empty);
        }
        // The stored values were searched under a different cap.
        self.memory.clear();
        self
    }

    /// The same search without its table: it finds the same values with more nodes.
    #[must_use]
    pub fn with_table(self, remembers: bool) -> Self {
        Self { remembers, ..self }
    }

    /// The value of each move, searched `depth` moves deep, including itself; `None` if
    /// the budget does not suffice.
    pub fn move_values(
        &mut self,
        moves: &[RootMove],
        depth: u32,
        budget: &mut Budget,
    ) -> Option<MoveValues> {
        let rest = depth.saturating_sub(1);
        self.recorder.begin();
        self.recorder.open(NodeKind::Max);
        let values: MoveValues = moves
            .iter()
            .map(|root| {
                self.recorder.announce(|| after_move(root.direction));
                let value = self.value_of_moved(root.moved, rest, budget)?;
                Some((root.direction, value))
            })
            .collect::<Option<_>>()?;
        self.recorder
            .close(|node| node.value = values.best().map(|(_, value)| value));
        Some(values)
    }

    /// The mean over the possible tiles after a move, with `depth` moves of the player
    /// to follow; `None` if the budget does not suffice.
    pub fn value_of_moved(
        &mut self,
        moved: PackedBoard,
        depth: u32,
        budget: &mut Budget,
    ) -> Option<f64> {
        self.recorder.open(NodeKind::Chance);
        let value = self.mean_value(moved, depth, budget)?;
        self.recorder.close(|node| node.value = Some(value));
        Some(value)
    }

    fn mean_value(&mut self, moved: PackedBoard, depth: u32, budget: &mut Budget) -> Option<f64> {
        let empty = self.tables.empty_mask(moved);
        let depth = depth.min(self.depth_cap[empty.n_cells() as usize]);
        if depth > 0
            && self.remembers
            && let Some(known) = self.memory.get(moved)
            && known.depth == depth
        {
            self.recorder.add(|node| node.cut = known_from_table());
            return Some(known.value);
        }
        let none_is_lost = empty.n_cells() > 1 || self.lost == LostBoard::AsEvaluated;
        if depth == 0 && none_is_lost && !empty.is_empty() {
            self.record_leaves(moved, empty);
            return Some(self.evaluation.mean_with_new_tile(moved, empty, self.four));
        }
        let mut sum = 0.0;
        for cell in empty {
            for (exponent, share) in [(1, 1.0 - self.four), (2, self.four)] {
                // A tile with probability 0 does not matter, however bad it would be.
                if share > 0.0 {
                    let board = moved.with_new_tile(cell, exponent);
                    self.announce_tile(moved, board, share / f64::from(empty.n_cells()));
                    sum += share * self.value(board, depth, budget)?;
                }
            }
        }
        let value = sum / f64::from(empty.n_cells().max(1));
        if depth > 0 && self.remembers {
            self.memory.put(moved, Searched { value, depth });
        }
        Some(value)
    }

    /// The value of a board on which the player has `depth` moves to play; `None` if
    /// the budget does not suffice.
    pub fn value(&mut self, board: PackedBoard, depth: u32, budget: &mut Budget) -> Option<f64> {
        self.recorder.open(NodeKind::Max);
        let value = self.best_value(board, depth, budget)?;
        self.recorder.close(|node| node.value = Some(value));
        Some(value)
    }

    fn best_value(&mut self, board: PackedBoard, depth: u32, budget: &mut Budget) -> Option<f64> {
        if depth == 0 {
            self.record_leaf(board);
            return Some(self.value_at_the_end(board));
        }
        let mut best = None;
        for direction in Direction::ALL {
            if !budget.spend(1) {
                return None;
            }
            let moved = self.tables.slide(board, direction);
            if moved != board {
                self.recorder.announce(|| after_move(direction));
                let value = self.value_of_moved(moved, depth - 1, budget)?;
                best = Some(best.map_or(value, |best: f64| best.max(value)));
            }
        }
        if best.is_none() {
            self.recorder.add(|node| node.kind = NodeKind::Dead);
        }
        Some(best.unwrap_or_else(|| self.value_of_lost(board)))
    }

    fn announce_tile(&mut self, moved: PackedBoard, board: PackedBoard, probability: f64) {
        let side = self.tables.side();
        self.recorder.announce(|| Node {
            probability: Some(probability),
            ..after_tile(moved, board, side)
        });
    }

    /// The open node gets its value from the evaluation.
    fn record_leaf(&mut self, board: PackedBoard) {
        let (evaluation, lost, tables) = (&self.evaluation, self.lost, self.tables);
        self.recorder.add(|node| match lost {
            LostBoard::Worth(_) if is_lost(tables, board) => node.kind = NodeKind::Dead,
            _ => {
                node.kind = NodeKind::Leaf;
                evaluation.explain(board, node);
            }
        });
    }

    /// The leaves of a mean that was computed as a whole.
    fn record_leaves(&mut self, moved: PackedBoard, empty: CellMask) {
        if !R::IS_ON {
            return;
        }
        for cell in empty {
            for (exponent, share) in [(1, 1.0 - self.four), (2, self.four)] {
                if share > 0.0 {
                    let board = moved.with_new_tile(cell, exponent);
                    self.announce_tile(moved, board, share / f64::from(empty.n_cells()));
                    self.recorder.open(NodeKind::Leaf);
                    self.record_leaf(board);
                    let value = self.evaluation.value(board);
                    self.recorder.close(|node| node.value = Some(value));
                }
            }
        }
    }

    fn value_at_the_end(&self, board: PackedBoard) -> f64 {
        match self.lost {
            LostBoard::Worth(value) if is_lost(self.tables, board) => value,
            _ => self.evaluation.value(board),
        }
    }

    fn value_of_lost(&self, board: PackedBoard) -> f64 {
        match self.lost {
            LostBoard::Worth(value) => value,
            LostBoard::AsEvaluated => self.evaluation.value(board),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PaperEvaluation;
    use plugin_api::{FourShare, Side, Turn};

    fn search(four: f64) -> ChanceSearch<PaperEvaluation> {
        let rules = Rules {
            side: Side::MIN,
            four: FourShare::new(four).unwrap(),
            ..Rules::default()
        };
        let evaluation = PaperEvaluation::new(rules.side).unwrap();
        ChanceSearch::new(evaluation, &rules, LostBoard::Worth(-1e9)).unwrap()
    }

    fn board(text: &str) -> PackedBoard {
        PackedBoard::try_from(&text.parse().unwrap()).unwrap()
    }

    #[test]
    fn a_tile_counts_by_its_share() {
        let moved = board("2 4 / 8 0");
        let value = |four| {
            search(four)
                .value_of_moved(moved, 0, &mut Turn::unlimited().budget())
                .unwrap()
        };
        // With a 2: 2-8, 8-2, 2-4, 4-2 differ by 6, 6, 2, 2 and nothing merges: lost.
        // With a 4: the 4s merge, and 2-8, 8-4, 2-4, 4-4 differ by 6, 4, 2, 0.
        assert!((value(1.0) + 120.0).abs() < 1e-9);
        assert!((value(0.0) + 1e9).abs() < 1e-9);
        assert!((value(0.25) - (0.75 * -1e9 - 0.25 * 120.0)).abs() < 1e-6);
    }

    #[test]
    fn a_spent_budget_gives_no_value_and_is_not_overdrawn() {
        let mut search = search(0.1);
        for nodes in 0..40 {
            let mut budget = Turn::with_nodes(nodes).budget();
            let value = search.value(board("2 0 / 0 4"), 3, &mut budget);
            assert_eq!(value.is_none(), budget.is_spent());
            assert!(budget.nodes() <= nodes);
        }
    }
}
