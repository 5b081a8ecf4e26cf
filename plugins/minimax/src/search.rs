//! Minimax against an opponent of limited power, to a given depth in turns.
//!
//! As in `expectimax`, depth is spent on new tiles, the usual one costs one and a rare
//! one two, late moves are searched one level shallower, and moved boards are stored.
//! Alpha-beta skips what cannot change the result: the opponent's other tiles when a
//! move is already no better than another one, and the player's other moves when a tile
//! is already of no use to the opponent.
//!
//! The table lookup and the loop over the new tiles are also in `search_kit::line_search`. What
//! is done with a tile differs, and sharing the loop would put a callback into the place where
//! both searches spend their time.

use plugin_api::{
    RowTables, Rules, Turn,
    explain::{Cut, CutReason, Node, NodeKind, Relation},
};
use search_kit::{
    CountedSearch, DepthSearch, JudgedSearch, LineValues, NoRecorder, NodeCount, PossibleTiles,
    Recorder, from_static,
    line_search::{Judge, JudgedMove, NewTile, SearchedBoards, TwoWayBoard, best_first},
    recorder::{after_move, after_tile, known_from_table},
};

use crate::worst_tiles::WorstTiles;

/// A 2 or a 4 on any cell.
const MAX_TILES: usize = 32;

/// A search. It exists as long as its agent.
pub(crate) struct OpponentSearch<R = NoRecorder> {
    judge: Judge<LineValues>,
    tiles: PossibleTiles,
    /// The chance of the tiles that the opponent can choose.
    choice: f32,
    /// By how much the depth of all moves except the first is reduced.
    reduction: i32,
    boards: SearchedBoards<Limited>,
    nodes: NodeCount,
    recorder: R,
}

/// The value of a moved board, and the depth to which it was searched at least.
#[derive(Clone, Copy, Debug, Default)]
struct Limited {
    value: f32,
    depth: i32,
    /// Whether the true value may be lower.
    is_at_most: bool,
}

/// A tile that the opponent may place.
#[derive(Clone, Copy, Debug, Default)]
struct Placed {
    /// The best static value after it, which decides the order.
    best: i32,
    chance: f32,
    cost: i32,
    cell: u8,
    exponent: u8,
    answers: [JudgedMove; 4],
}

impl OpponentSearch {
    /// A search against an opponent of this power; `None` if no packed board has the side
    /// of the rules.
    pub(crate) fn new(values: LineValues, power: f32, rules: &Rules) -> Option<Self> {
        Some(Self {
            judge: Judge {
                tables: RowTables::of(rules.side)?,
                values,
            },
            tiles: PossibleTiles::of(rules),
            choice: power.recip(),
            reduction: 1,
            boards: SearchedBoards::new(),
            nodes: NodeCount::new(Turn::unlimited().budget()),
            recorder: NoRecorder,
        })
    }
}

impl<R: Recorder> OpponentSearch<R> {
    /// The same search, recorded.
    pub(crate) fn with_recorder<T>(self, recorder: T) -> OpponentSearch<T> {
        OpponentSearch {
            judge: self.judge,
            tiles: self.tiles,
            choice: self.choice,
            reduction: self.reduction,
            boards: self.boards,
            nodes: self.nodes,
            recorder,
        }
    }

    /// What was recorded.
    pub(crate) fn into_recorder(self) -> R {
        self.recorder
    }

    /// The same search without the approximations: every move is searched to the full
    /// depth.
    #[cfg(test)]
    pub(crate) fn exact(self) -> Self {
        Self {
            reduction: 0,
            ..self
        }
    }

    /// The value of a moved board, exact if it is above `alpha`.
    fn value_above(&mut self, alpha: f32, board: TwoWayBoard, depth: i32) -> Option<f32> {
        self.recorder.open(NodeKind::Min);
        let value = self.worst_value(alpha, board, depth)?;
        self.recorder.close(|node| {
            node.value = Some(value.into());
            if node.kind == NodeKind::Min {
                node.alpha = Some(alpha.into());
            }
        });
        Some(value)
    }

    fn worst_value(&mut self, alpha: f32, board: TwoWayBoard, depth: i32) -> Option<f32> {
        if depth <= 0 {
            self.judge.explain(board, &mut self.recorder);
            return Some(from_static(self.judge.static_value(board)));
        }
        let packed = board.packed();
        if let Some(known) = self.boards.get(packed, depth)
            && known.depth >= depth
            && (!known.is_at_most || known.value <= alpha)
        {
            self.recorder.add(|node| {
                node.cut = known_from_table();
                if known.is_at_most {
                    node.relation = Relation::AtMost;
                }
            });
            return Some(known.value);
        }
        let cells = self.tiles.cells(self.judge.empty_cells(packed));
        self.nodes
            .spend(4 * u64::from(cells.n_cells()) * self.tiles.n_tiles())?;
        let slides = self.judge.bare_slides(board);
        let mut worst = WorstTiles::of_choice(self.choice);
        let mut placed = [Placed::default(); MAX_TILES];
        let mut n_placed = 0;
        for cell in cells.numbers() {
            for possible in self.tiles.iter() {
                let tile = NewTile::new(cell, possible.exponent.into());
                let answers = self.judge.answers(board.with_tile(tile), tile, &slides);
                let best = self.judge.best_static(&answers);
                let chance = possible.share / cells.n_cells_single();
                if depth == 1 {
                    if R::IS_ON {
                        self.open_tile(board, tile, f64::INFINITY, chance);
                        self.judge.record_answers(&answers, &mut self.recorder);
                        self.recorder
                            .close(|node| node.value = Some(from_static(best).into()));
                    }
                    worst.add(from_static(best), chance);
                } else {
                    placed[n_placed] = Placed {
                        best,
                        chance,
                        cost: possible.cost,
                        cell: cell.to_le_bytes()[0],
                        exponent: possible.exponent,
                        answers,
                    };
                    n_placed += 1;
                }
            }
        }
        let mut is_at_most = false;
        placed[..n_placed].sort_unstable_by_key(|placed| placed.best);
        for (number, tile) in placed[..n_placed].iter().enumerate() {
            let beta = worst.useless();
            let new_tile = NewTile::new(tile.cell.into(), tile.exponent.into());
            self.open_tile(board, new_tile, beta.into(), tile.chance);
            let value = self.best_below(beta, &tile.answers, depth - tile.cost)?;
            self.recorder.close(|node| node.value = Some(value.into()));
            worst.add(value, tile.chance);
            if worst.is_enough() && worst.value() <= alpha {
                is_at_most = true;
                self.record_cut(CutReason::Alpha, alpha, n_placed - number - 1);
                break;
            }
        }
        let searched = Limited {
            value: worst.value(),
            depth,
            is_at_most,
        };
        self.boards.put(packed, depth, searched);
        Some(searched.value)
    }

    /// The value of a board with its new tile, exact if it is below `beta`.
    fn best_below(&mut self, beta: f32, answers: &[JudgedMove; 4], depth: i32) -> Option<f32> {
        let order = best_first(answers);
        let Some(first_number) = order[0] else {
            self.recorder.add(|node| node.kind = NodeKind::Dead);
            return Some(from_static(self.judge.value_of_lost_board()));
        };
        let first = answers[first_number];
        if depth <= 0 {
            self.judge.record_answers(answers, &mut self.recorder);
            return Some(from_static(first.value));
        }
        self.recorder
            .announce(|| after_move(JudgedMove::DIRECTIONS[first_number]));
        let mut best = self.value_above(f32::NEG_INFINITY, first.moved, depth)?;
        for (place, number) in (1..).zip(order[1..].iter().map_while(|&number| number)) {
            if best >= beta {
                let n_left = order[place..].iter().flatten().count();
                self.record_cut(CutReason::Beta, beta, n_left);
                break;
            }
            let JudgedMove { moved, value, .. } = answers[number];
            let is_static = self.reduction > 0 && depth <= self.reduction;
            self.recorder
                .announce(|| after_move(JudgedMove::DIRECTIONS[number]));
            if is_static && from_static(value) <= best {
                self.judge.record_leaf(&answers[number], &mut self.recorder);
            }
            if !is_static || from_static(value) > best {
                best = best.max(self.value_if_above(best, moved, depth)?);
            }
        }
        Some(best)
    }

    /// Opens the node of a new tile.
    fn open_tile(&mut self, moved: TwoWayBoard, tile: NewTile, beta: f64, chance: f32) {
        let side = self.judge.tables.side();
        self.recorder.announce(|| Node {
            probability: Some(chance.into()),
            beta: Some(beta),
            ..after_tile(moved.packed(), moved.with_tile(tile).packed(), side)
        });
        self.recorder.open(NodeKind::Max);
    }

    fn record_cut(&mut self, reason: CutReason, bound: f32, n_left: usize) {
        self.recorder.add(|node| {
            node.relation = match reason {
                CutReason::Alpha => Relation::AtMost,
                _ => Relation::AtLeast,
            };
            node.cut = (n_left > 0).then_some(Cut {
                reason,
                bound: Some(bound.into()),
                skipped: Some(n_left as u64),
            });
        });
    }
}

impl<R: Recorder> DepthSearch for OpponentSearch<R> {
    type Moved = TwoWayBoard;
    type Recorder = R;

    fn recorder(&mut self) -> &mut R {
        &mut self.recorder
    }

    fn value_of_moved(&mut self, moved: TwoWayBoard, depth: i32) -> Option<f32> {
        self.value_above(f32::NEG_INFINITY, moved, depth)
    }

    fn value_if_above(&mut self, best: f32, moved: TwoWayBoard, depth: i32) -> Option<f32> {
        let value = self.value_above(best, moved, depth - self.reduction)?;
        if value > best && self.reduction > 0 {
            self.recorder.search_again();
            self.value_above(best, moved, depth)
        } else {
            Some(value)
        }
    }
}

impl<R: Recorder> CountedSearch for OpponentSearch<R> {
    fn nodes(&mut self) -> &mut NodeCount {
        &mut self.nodes
    }
}

impl<R: Recorder> JudgedSearch for OpponentSearch<R> {
    type Values = LineValues;

    fn judge(&self) -> &Judge<LineValues> {
        &self.judge
    }
}

#[cfg(test)]
mod tests;
