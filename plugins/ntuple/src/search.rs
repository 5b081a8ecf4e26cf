//! The mean over the new tiles of the best over the moves, to a given depth in turns.
//!
//! Depth is spent on new tiles: the usual tile costs one, a rare one two. The move whose
//! static value is best is searched first and the others one level shallower; only a move
//! that still looks better is searched to the full depth. A value is what the network
//! expects to be scored from a board on, so moves are compared by gain plus value. Before
//! the leaves only the usual tile is tried.

use ntuple_network::{LOST_LATE, LateBoard};
use plugin_api::{Direction, PackedBoard, RowTables, Rules, Side, Turn};
use search_kit::{
    CountedSearch, DepthSearch, Goal, NewTileCells, NoRecorder, NodeCount, PossibleTile,
    PossibleTiles, RankedMove, TranspositionTable,
};

use crate::slides::{BareSlides, Moved, upright};

/// The slots for searched boards and for static values. A search of ten milliseconds needs no
/// more of the former; the latter stay in the nearest caches.
const N_SEARCHED: usize = 1 << 16;
const N_STATIC: usize = 1 << 13;
/// The value of reaching the goal: above any sum of values and gains.
const WON: f32 = 1e7;
/// By how much the depth of all moves except the first is reduced.
const REDUCTION: i32 = 1;

/// What boards are worth where the search ends.
pub trait BoardValues {
    /// What is expected to be scored from a board after a move on.
    fn value(&self, board: PackedBoard) -> f32;
}

/// A search. It exists as long as its agent.
pub struct Search<V> {
    values: V,
    tables: &'static RowTables,
    tiles: PossibleTiles,
    goal: Option<Goal>,
    searched: TranspositionTable<Searched>,
    /// New tiles in neighbouring cells often slide to the same board.
    statics: TranspositionTable<f32>,
    /// The value of a board without a legal move in this turn.
    lost: f32,
    /// The slides of this turn.
    nodes: NodeCount,
    recorder: NoRecorder,
}

/// The value of a moved board, and the depth to which it was searched at least.
#[derive(Clone, Copy, Debug, Default)]
struct Searched {
    value: f32,
    depth: i32,
}

impl<V: BoardValues> Search<V> {
    /// A search of the game with these rules.
    #[must_use]
    pub fn new(values: V, rules: &Rules) -> Self {
        Self {
            values,
            tables: RowTables::of(Side::FOUR).expect("packed boards are 4×4"),
            tiles: PossibleTiles::of(rules),
            goal: Goal::of(rules),
            searched: TranspositionTable::with_places(N_SEARCHED),
            statics: TranspositionTable::with_places(N_STATIC),
            lost: 0.0,
            nodes: NodeCount::new(Turn::unlimited().budget()),
            recorder: NoRecorder,
        }
    }

    /// Forgets all boards, because their values have changed.
    pub fn forget(&mut self) {
        self.searched.clear();
        self.statics.clear();
    }

    /// The legal moves of a turn with their static values.
    pub fn root_moves(&mut self, board: PackedBoard) -> Vec<RankedMove<Moved>> {
        self.lost = match LateBoard::of(board.bits()) {
            Some(_) => LOST_LATE,
            None => 0.0,
        };
        let directions = Direction::ALL.into_iter();
        let legal = directions.filter_map(|direction| {
            let (moved, gain) = self.tables.slide_with_gain(board, direction);
            (moved != board).then(|| {
                let moved = Moved::new(moved, gain);
                RankedMove {
                    direction,
                    moved,
                    value: moved.gain + self.static_value(moved.board),
                }
            })
        });
        legal.collect()
    }

    #[inline]
    fn static_value(&mut self, board: PackedBoard) -> f32 {
        if let Some(value) = self
            .value_at_goal(board)
            .or_else(|| self.statics.get(board))
        {
            return value;
        }
        let value = self.values.value(board);
        self.statics.put(board, value);
        value
    }

    /// The value of a moved board where the game ends.
    #[inline]
    fn value_at_goal(&self, board: PackedBoard) -> Option<f32> {
        self.goal.filter(|goal| goal.is_on(board)).map(|_| WON)
    }

    /// The value of a board after a move, before the new tile.
    fn value_of_board(&mut self, board: PackedBoard, depth: i32) -> Option<f32> {
        if depth <= 0 {
            return Some(self.static_value(board));
        }
        if let Some(won) = self.value_at_goal(board) {
            return Some(won);
        }
        if let Some(known) = self.searched.get(board)
            && known.depth >= depth
        {
            return Some(known.value);
        }
        let cells = self.tiles.cells(self.tables.empty_mask(board).bits());
        let value = if depth == 1 {
            self.mean_of_best_static(board, cells)?
        } else {
            self.mean_of_best(board, cells, depth)?
        };
        self.searched.put(board, Searched { value, depth });
        Some(value)
    }

    fn mean_of_best(&mut self, board: PackedBoard, cells: NewTileCells, depth: i32) -> Option<f32> {
        let slides = BareSlides::new(board, self.tables);
        let mut sum = 0.0;
        for PossibleTile {
            exponent,
            share,
            cost,
        } in self.tiles.iter()
        {
            let mut sum_of_tile = 0.0;
            for cell in cells.numbers() {
                self.nodes.spend(4)?;
                let moves = slides.with_tile(cell, exponent.into());
                sum_of_tile += if depth > cost {
                    self.best_of(upright(moves), depth - cost)?
                } else {
                    self.best_static(moves)
                };
            }
            sum += share * sum_of_tile;
        }
        Some(sum / cells.n_cells_single())
    }

    /// The value of a moved board at depth 1. Almost all of the search time is spent here.
    fn mean_of_best_static(&mut self, board: PackedBoard, cells: NewTileCells) -> Option<f32> {
        self.nodes.spend(4 * u64::from(cells.n_cells()))?;
        let exponent = self.tiles.usual().exponent;
        let slides = BareSlides::new(board, self.tables);
        let sum: f32 = cells
            .numbers()
            .map(|cell| self.best_static(slides.with_tile(cell, exponent.into())))
            .sum();
        Some(sum / cells.n_cells_single())
    }

    /// The best of some moves by gain and static value.
    #[inline]
    fn best_static(&mut self, moves: [Option<Moved>; 4]) -> f32 {
        let mut best: Option<f32> = None;
        for moved in moves.into_iter().flatten() {
            let value = moved.gain + self.static_value(moved.board);
            best = Some(best.map_or(value, |best| best.max(value)));
        }
        best.unwrap_or(self.lost)
    }

    /// The best of some moves, to a depth of at least 1.
    fn best_of(&mut self, moves: [Option<Moved>; 4], depth: i32) -> Option<f32> {
        let mut ranked = [(f32::NEG_INFINITY, Moved::default()); 4];
        let mut n_moves = 0;
        for moved in moves.into_iter().flatten() {
            let value = moved.gain + self.static_value(moved.board);
            let place = ranked[..n_moves].partition_point(|&(other, _)| other >= value);
            ranked[place..=n_moves].rotate_right(1);
            ranked[place] = (value, moved);
            n_moves += 1;
        }
        let Some((&(_, first), others)) = ranked[..n_moves].split_first() else {
            return Some(self.lost);
        };
        let mut best = self.value_of_moved(first, depth)?;
        for &(value, moved) in others {
            // A search reduced to depth zero would only find the static value again.
            if depth <= REDUCTION && value <= best {
                continue;
            }
            best = best.max(self.value_if_above(best, moved, depth)?);
        }
        Some(best)
    }
}

impl<V: BoardValues> DepthSearch for Search<V> {
    type Moved = Moved;
    type Recorder = NoRecorder;

    fn recorder(&mut self) -> &mut NoRecorder {
        &mut self.recorder
    }

    fn value_of_moved(&mut self, moved: Moved, depth: i32) -> Option<f32> {
        Some(moved.gain + self.value_of_board(moved.board, depth)?)
    }

    #[inline]
    fn value_if_above(&mut self, best: f32, moved: Moved, depth: i32) -> Option<f32> {
        let value = self.value_of_moved(moved, depth - REDUCTION)?;
        if value > best {
            self.value_of_moved(moved, depth)
        } else {
            Some(value)
        }
    }
}

impl<V: BoardValues> CountedSearch for Search<V> {
    fn nodes(&mut self) -> &mut NodeCount {
        &mut self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Network;
    use plugin_api::Board;

    /// The definition, on exact boards: the mean over new 2s of the best gain plus value.
    #[test]
    fn a_turn_ahead_is_the_mean_over_new_tiles_of_the_best_move() {
        let program = std::env::current_exe().unwrap();
        let weights = program.ancestors().nth(2).unwrap().join("ntuple.weights");
        let network = || Network::open(&weights).unwrap();
        let mut search = Search::new(network(), &Rules::default());
        let reference = network();
        let packed = |board: &Board| PackedBoard::try_from(board).unwrap();
        for text in [
            "0 2 0 4 / 4 0 16 2 / 2 32 8 128 / 8 64 16 256",
            "2 4 8 16 / 4 8 16 32 / 8 16 32 64 / 2 0 4 128",
            "32768 16384 2 4 / 8192 2 4 0 / 2 4 8 16 / 4 2 4 2",
            "16384 8192 4096 2048 / 16 32 64 128 / 8 4 2 0 / 0 0 0 0",
        ] {
            let board: Board = text.parse().unwrap();
            let (mut sum, mut n_cells) = (0.0, 0.0);
            for cell in (0..16).filter(|&cell| board.exponents()[cell] == 0) {
                let with_tile = board.with_tile(cell, 1);
                let best = Direction::ALL
                    .into_iter()
                    .filter_map(|direction| with_tile.slide(direction))
                    .map(|slide| {
                        let gain = f32::from(u16::try_from(slide.gain).unwrap());
                        gain + reference.value(packed(&slide.board))
                    })
                    .reduce(f32::max);
                sum += best.unwrap_or(0.0);
                n_cells += 1.0;
            }
            let mean: f32 = sum / n_cells;
            let found = search.value_of_moved(Moved::new(packed(&board), 0), 1);
            let found = found.unwrap();
            assert!((found - mean).abs() < 1.0, "{text}: {found} is not {mean}");
        }
    }

    /// Any new tile ends the game on this board.
    #[test]
    fn losing_is_worse_than_any_late_board_and_worth_nothing_before() {
        let program = std::env::current_exe().unwrap();
        let weights = program.ancestors().nth(2).unwrap().join("ntuple.weights");
        let mut search = Search::new(Network::open(&weights).unwrap(), &Rules::default());
        for (row, lost) in [
            ("16384 8192 4096 2048", LOST_LATE),
            ("512 256 512 256", 0.0),
        ] {
            let text = format!("{row} / 4 8 16 32 / 64 128 4 8 / 16 32 64 0");
            let board = PackedBoard::try_from(&text.parse::<Board>().unwrap()).unwrap();
            search.root_moves(board);
            let value = search.value_of_moved(Moved::new(board, 0), 1).unwrap();
            assert!((value - lost).abs() < 1.0, "{row}: {value}");
        }
    }
}
