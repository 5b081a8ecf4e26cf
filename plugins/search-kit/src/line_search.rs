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

use plugin_api::{
    RowTables, Rules, Turn,
    explain::{Node, NodeKind},
};

use crate::{
    CountedSearch, DepthSearch, JudgedSearch, NewTileCells, NoRecorder, NodeCount, PossibleTile,
    PossibleTiles, Recorder, from_static,
    recorder::{after_move, after_tile, known_from_table},
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
pub struct LineSearch<E, R = NoRecorder> {
    judge: Judge<E>,
    tiles: PossibleTiles,
    late_moves: LateMoves,
    boards: SearchedBoards<Searched>,
    /// The slides of this turn.
    nodes: NodeCount,
    recorder: R,
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
            recorder: NoRecorder,
        })
    }
}

impl<E: LineEvaluation, R: Recorder> LineSearch<E, R> {
    /// The same search, recorded.
    #[must_use]
    pub fn with_recorder<T>(self, recorder: T) -> LineSearch<E, T> {
        LineSearch {
            judge: self.judge,
            tiles: self.tiles,
            late_moves: self.late_moves,
            boards: self.boards,
            nodes: self.nodes,
            recorder,
        }
    }

    /// What was recorded.
    #[must_use]
    pub fn into_recorder(self) -> R {
        self.recorder
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
            self.recorder.add(|node| node.kind = NodeKind::Dead);
            return Some(from_static(self.judge.value_of_lost_board()));
        };
        if depth <= 0 {
            self.judge.record_answers(&answers, &mut self.recorder);
            return Some(from_static(first.value));
        }
        let first_number = order[0].unwrap_or_default();
        self.recorder
            .announce(|| after_move(JudgedMove::DIRECTIONS[first_number]));
        let mut best = self.value_of_moved(first.moved, depth)?;
        for number in order[1..].iter().map_while(|&number| number) {
            let JudgedMove { moved, value, .. } = answers[number];
            let reduction = self.late_moves.reduction(first.value, value);
            self.recorder
                .announce(|| after_move(JudgedMove::DIRECTIONS[number]));
            // A search reduced to depth zero would only compute the static value again.
            let value = if depth <= reduction {
                self.judge.record_leaf(&answers[number], &mut self.recorder);
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
            self.recorder.search_again();
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
        if R::IS_ON {
            for cell in cells.numbers() {
                for possible in self.tiles.iter() {
                    let tile = NewTile::new(cell, possible.exponent.into());
                    let answers = self.judge.answers(board.with_tile(tile), tile, &slides);
                    self.announce_tile(board, tile, possible, cells);
                    self.judge.record_answers(&answers, &mut self.recorder);
                    let value = from_static(self.judge.best_static(&answers));
                    self.recorder.close(|node| node.value = Some(value.into()));
                }
            }
        }
        Some(mean)
    }
}

impl<E: LineEvaluation, R: Recorder> LineSearch<E, R> {
    /// Opens the node of a new tile.
    fn announce_tile(
        &mut self,
        moved: TwoWayBoard,
        tile: NewTile,
        possible: PossibleTile,
        cells: NewTileCells,
    ) {
        let side = self.judge.tables.side();
        self.recorder.announce(|| Node {
            probability: Some(f64::from(possible.share) / f64::from(cells.n_cells())),
            ..after_tile(moved.packed(), moved.with_tile(tile).packed(), side)
        });
        self.recorder.open(NodeKind::Max);
    }

    fn mean_value(&mut self, board: TwoWayBoard, depth: i32) -> Option<f32> {
        if depth <= 0 {
            self.judge.explain(board, &mut self.recorder);
            return Some(from_static(self.judge.static_value(board)));
        }
        let packed = board.packed();
        if let Some(known) = self.boards.get(packed, depth)
            && known.depth >= depth
        {
            self.recorder.add(|node| node.cut = known_from_table());
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
            for possible in self.tiles.iter() {
                let tile = NewTile::new(cell, possible.exponent.into());
                self.nodes.spend(4)?;
                let answers = self.judge.answers(board.with_tile(tile), tile, &slides);
                self.announce_tile(board, tile, possible, cells);
                let value = self.best_of(answers, depth - possible.cost)?;
                self.recorder.close(|node| node.value = Some(value.into()));
                sum += possible.share * value;
            }
        }
        let value = sum / cells.n_cells_single();
        self.boards.put(packed, depth, Searched { value, depth });
        Some(value)
    }
}

impl<E: LineEvaluation, R: Recorder> DepthSearch for LineSearch<E, R> {
    type Moved = TwoWayBoard;
    type Recorder = R;

    fn recorder(&mut self) -> &mut R {
        &mut self.recorder
    }

    fn value_of_moved(&mut self, board: TwoWayBoard, depth: i32) -> Option<f32> {
        self.recorder.open(NodeKind::Chance);
        let value = self.mean_value(board, depth)?;
        self.recorder.close(|node| node.value = Some(value.into()));
        Some(value)
    }

    #[inline]
    fn value_if_above(&mut self, best: f32, moved: TwoWayBoard, depth: i32) -> Option<f32> {
        let reduction = self.late_moves.least_reduction();
        let value = self.value_of_moved(moved, depth - reduction)?;
        self.confirmed(value, best, moved, depth)
    }
}

impl<E: LineEvaluation, R: Recorder> CountedSearch for LineSearch<E, R> {
    fn nodes(&mut self) -> &mut NodeCount {
        &mut self.nodes
    }
}

impl<E: LineEvaluation, R: Recorder> JudgedSearch for LineSearch<E, R> {
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
