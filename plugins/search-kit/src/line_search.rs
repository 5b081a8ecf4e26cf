//! The mean over the new tiles of the best over the moves, to a given depth in turns.
//!
//! Depth is spent on new tiles: the usual tile costs one, a rare one two, because
//! unlikely boards need less precision. At depth zero, the board after a move gets its
//! static value. The move with the best static value is searched first and the others
//! shallower (`late_moves`); only a move that still looks better is searched to the full
//! depth. A table of moved boards avoids repeated work on transpositions within a turn
//! and on boards searched in the previous turn.

mod answer_order;
mod judge;
mod late_moves;
mod searched_boards;
mod two_way_board;

use plugin_api::{RowTables, Rules, Turn};

use crate::{
    CountedSearch, DepthSearch, JudgedSearch, NewTileCells, NodeCount, PossibleTile, PossibleTiles,
    from_static,
};

pub use answer_order::best_first;
pub use judge::{BareSlides, Judge, JudgedMove, LineEvaluation};
pub use late_moves::LateMoves;
pub use searched_boards::SearchedBoards;
pub use two_way_board::{NewTile, TwoWayBoard};

/// A value from a search that is shallower by at most this much is better for the order
/// of moves than a static one.
const SHALLOWER_IN_ORDER: i32 = 2;

/// A search. It exists as long as its agent.
pub struct LineSearch<E> {
    judge: Judge<E>,
    tiles: PossibleTiles,
    late_moves: LateMoves,
    boards: SearchedBoards<Searched>,
    /// The slides of this turn.
    nodes: NodeCount,
}

/// The value of a moved board, and the depth to which it was searched at least.
#[derive(Clone, Copy, Debug, Default)]
struct Searched {
    value: f32,
    depth: i32,
}

impl<E: LineEvaluation> LineSearch<E> {
    /// A search of the game with these rules; `None` if no packed board has their side.
    #[must_use]
    pub fn new(values: E, rules: &Rules) -> Option<Self> {
        Some(Self {
            judge: Judge {
                tables: RowTables::of(rules.side)?,
                values,
            },
            tiles: PossibleTiles::of(rules),
            late_moves: LateMoves::OneShallower,
            boards: SearchedBoards::new(),
            nodes: NodeCount::new(Turn::unlimited().budget()),
        })
    }

    /// The same search with a different depth for the moves after the first.
    #[must_use]
    pub fn with_late_moves(self, late_moves: LateMoves) -> Self {
        Self { late_moves, ..self }
    }

    /// The value of a board with its new tile, given its answers.
    fn best_of(&mut self, mut answers: [JudgedMove; 4], depth: i32) -> Option<f32> {
        if depth > 1 && self.late_moves.uses_searched_values() {
            self.recall(&mut answers, depth);
        }
        let order = best_first(&answers);
        let Some(first) = order[0].map(|number| answers[number]) else {
            return Some(from_static(self.judge.value_of_lost_board()));
        };
        if depth <= 0 {
            return Some(from_static(first.value));
        }
        let mut best = self.value_of_moved(first.moved, depth)?;
        for number in order[1..].iter().map_while(|&number| number) {
            let JudgedMove { moved, value, .. } = answers[number];
            let reduction = self.late_moves.reduction(first.value, value);
            // A search reduced to depth zero would only compute the static value again.
            let value = if depth <= reduction {
                from_static(value)
            } else {
                self.value_of_moved(moved, depth - reduction)?
            };
            best = best.max(self.confirmed(value, best, moved, depth)?);
        }
        Some(best)
    }

    /// Replaces static values by those of a recent search that was not much shallower.
    fn recall(&self, answers: &mut [JudgedMove; 4], depth: i32) {
        for answer in answers.iter_mut().filter(|answer| answer.is_legal) {
            if let Some(known) = self.boards.get(answer.moved.packed(), depth)
                && known.depth >= depth - SHALLOWER_IN_ORDER
            {
                answer.value = to_static(known.value);
            }
        }
    }

    /// The value of a reduced search, or that of a full one if it is above `best`.
    #[inline]
    fn confirmed(
        &mut self,
        reduced: f32,
        best: f32,
        moved: TwoWayBoard,
        depth: i32,
    ) -> Option<f32> {
        if reduced > best && self.late_moves != LateMoves::AsDeep {
            self.value_of_moved(moved, depth)
        } else {
            Some(reduced)
        }
    }

    /// The value of a moved board at depth 1, where every answer gets its static value.
    /// Almost all of the search time is spent here.
    #[inline(never)]
    fn mean_of_best_static(&mut self, board: TwoWayBoard, cells: NewTileCells) -> Option<f32> {
        let n_cells = u64::from(cells.n_cells());
        self.nodes.spend(4 * n_cells * self.tiles.n_tiles())?;
        let slides = self.judge.bare_slides(board);
        let mut mean = 0.0;
        for PossibleTile {
            exponent, share, ..
        } in self.tiles.iter()
        {
            let mut sum = 0;
            for cell in cells.numbers() {
                let tile = NewTile::new(cell, exponent.into());
                let answers = self.judge.answers(board.with_tile(tile), tile, &slides);
                sum += i64::from(self.judge.best_static(&answers));
            }
            mean += share * mean_of(sum, n_cells);
        }
        Some(mean)
    }
}

impl<E: LineEvaluation> DepthSearch for LineSearch<E> {
    type Moved = TwoWayBoard;

    fn value_of_moved(&mut self, board: TwoWayBoard, depth: i32) -> Option<f32> {
        if depth <= 0 {
            return Some(from_static(self.judge.static_value(board)));
        }
        let packed = board.packed();
        if let Some(known) = self.boards.get(packed, depth)
            && known.depth >= depth
        {
            return Some(known.value);
        }
        let cells = self.tiles.cells(self.judge.empty_cells(packed));
        if depth == 1 {
            let value = self.mean_of_best_static(board, cells)?;
            self.boards.put(packed, depth, Searched { value, depth });
            return Some(value);
        }
        let slides = self.judge.bare_slides(board);
        let mut sum = 0.0;
        for cell in cells.numbers() {
            for PossibleTile {
                exponent,
                share,
                cost,
            } in self.tiles.iter()
            {
                let tile = NewTile::new(cell, exponent.into());
                self.nodes.spend(4)?;
                let answers = self.judge.answers(board.with_tile(tile), tile, &slides);
                sum += share * self.best_of(answers, depth - cost)?;
            }
        }
        let value = sum / cells.n_cells_single();
        self.boards.put(packed, depth, Searched { value, depth });
        Some(value)
    }

    #[inline]
    fn value_if_above(&mut self, best: f32, moved: TwoWayBoard, depth: i32) -> Option<f32> {
        let reduction = self.late_moves.least_reduction();
        let value = self.value_of_moved(moved, depth - reduction)?;
        self.confirmed(value, best, moved, depth)
    }
}

impl<E: LineEvaluation> CountedSearch for LineSearch<E> {
    fn nodes(&mut self) -> &mut NodeCount {
        &mut self.nodes
    }
}

impl<E: LineEvaluation> JudgedSearch for LineSearch<E> {
    type Values = E;

    fn judge(&self) -> &Judge<E> {
        &self.judge
    }
}

#[inline]
#[expect(
    clippy::cast_precision_loss,
    reason = "seven digits are enough to compare moves"
)]
fn mean_of(sum: i64, n_items: u64) -> f32 {
    sum as f32 / n_items as f32
}

#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "a mean of static values is in their range"
)]
fn to_static(value: f32) -> i32 {
    value as i32
}

#[cfg(test)]
mod tests;
