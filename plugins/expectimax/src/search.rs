//! The mean over the new tiles of the best over the moves, a given number of turns deep.
//!
//! Depth is spent on new tiles: the usual tile costs one, a rare one two, for what
//! hardly happens need not be known as well. When nothing is left, the board that a
//! move made is judged as it stands. Of the moves of a board the one with the best
//! static value is searched first, and the others one shallower: only one that still
//! looks better gets the whole depth. A memory of moved boards spares transpositions
//! within a turn and what the turn before has searched already.

use plugin_api::{Budget, CellMask, PackedBoard, RowTables, Rules, Tiles, Turn};
use search_kit::TranspositionTable;

use crate::{
    line_values::LineValues,
    two_way_board::{NewTile, Slides, TwoWayBoard},
};

/// Boards remembered with more than one tile to come, and with one. They are kept
/// apart, for the many cheap ones would drive out the others; and they are few, for
/// a search of a millisecond has no more, and they stay in the nearest caches.
const N_FAR: usize = 1 << 15;
const N_NEAR: usize = 1 << 12;
/// A tile with this share or less is rare.
const RARE: f64 = 0.2;

/// A search. It lives as long as its agent.
pub(crate) struct Search {
    tables: &'static RowTables,
    values: LineValues,
    /// Which tiles come: exponent, share, and what it costs in depth.
    tiles: Vec<PossibleTile>,
    /// New tiles come in the first empty cell only.
    first_cell_only: bool,
    /// How much shallower all moves but the first are searched.
    reduction: i32,
    far: Memory,
    near: Memory,
    budget: Budget,
    n_nodes: u64,
}

#[derive(Clone, Copy, Debug)]
struct PossibleTile {
    exponent: u64,
    share: f32,
    cost: i32,
}

/// A moved board's value, and the depth it was searched to at least.
#[derive(Clone, Copy, Debug, Default)]
struct Searched {
    value: f32,
    depth: i32,
}

type Memory = TranspositionTable<Searched>;

impl Search {
    /// A search of the game with these rules; `None` when no packed board has their side.
    pub(crate) fn new(values: LineValues, rules: &Rules) -> Option<Self> {
        let first_cell_only = rules.tiles == Tiles::Deterministic;
        let four = if first_cell_only {
            0.0
        } else {
            rules.four.as_f64()
        };
        Some(Self {
            tables: RowTables::of(rules.side)?,
            values,
            tiles: [(1, 1.0 - four), (2, four)]
                .into_iter()
                .filter(|&(_, share)| share > 0.0)
                .map(|(exponent, share)| PossibleTile {
                    exponent,
                    share: single(share),
                    cost: if share <= RARE { 2 } else { 1 },
                })
                .collect(),
            first_cell_only,
            reduction: 1,
            far: Memory::with_places(N_FAR),
            near: Memory::with_places(N_NEAR),
            budget: Turn::unlimited().budget(),
            n_nodes: 0,
        })
    }

    /// The same search without what makes it quick and inexact: every move is
    /// searched to the whole depth.
    #[cfg(test)]
    fn exact(self) -> Self {
        Self {
            reduction: 0,
            ..self
        }
    }

    /// Gives the search something to spend.
    pub(crate) fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
        self.n_nodes = 0;
    }

    /// The slides made since there was something to spend.
    pub(crate) fn n_nodes(&self) -> u64 {
        self.n_nodes
    }

    /// What a moved board is worth as it stands.
    pub(crate) fn static_value_of_moved(&self, board: TwoWayBoard) -> f32 {
        from_static(self.static_value(board))
    }

    #[inline]
    fn static_value(&self, board: TwoWayBoard) -> i32 {
        self.values.of_all(board.rows()) + self.values.of_all(board.columns())
    }

    /// The value of a board that a move has made, before the new tile; `None` when the
    /// budget does not suffice.
    pub(crate) fn value_of_moved(&mut self, board: TwoWayBoard, depth: i32) -> Option<f32> {
        if depth <= 0 {
            return Some(from_static(self.static_value(board)));
        }
        let packed = board.packed();
        let memory = if depth == 1 { &self.near } else { &self.far };
        if let Some(known) = memory.get(packed)
            && known.depth >= depth
        {
            return Some(known.value);
        }
        let cells = self.cells_for_tiles(packed);
        if depth == 1 {
            let value = self.mean_of_best_static(board, cells)?;
            self.near.put(packed, Searched { value, depth });
            return Some(value);
        }
        let slides = Slides::of(board, self.tables);
        let mut sum = 0.0;
        for cell in set_bits(cells) {
            for number in 0..self.tiles.len() {
                let PossibleTile {
                    exponent,
                    share,
                    cost,
                } = self.tiles[number];
                let tile = NewTile::new(cell, exponent);
                let with_tile = board.with_tile(tile);
                let slides = slides.with_tile(with_tile, tile, self.tables);
                sum += share * self.best_of(with_tile, &slides, depth - cost)?;
            }
        }
        let value = sum / n_bits(cells);
        self.far.put(packed, Searched { value, depth });
        Some(value)
    }

    /// The value of a board with its new tile, of which these are the slides.
    fn best_of(&mut self, board: TwoWayBoard, slides: &Slides, depth: i32) -> Option<f32> {
        self.spend(4)?;
        let mut moves = [(TwoWayBoard::default(), 0); 4];
        let mut n_moves = 0;
        for moved in [slides.left, slides.right, slides.up, slides.down] {
            if moved == board {
                continue;
            }
            let value = self.static_value(moved);
            let mut place = n_moves;
            while place > 0 && moves[place - 1].1 < value {
                moves[place] = moves[place - 1];
                place -= 1;
            }
            moves[place] = (moved, value);
            n_moves += 1;
        }
        let [(first, first_value), others @ ..] = moves;
        if n_moves == 0 {
            return Some(from_static(self.values.of_lost_board()));
        }
        if depth <= 0 {
            return Some(from_static(first_value));
        }
        let mut best = self.value_of_moved(first, depth)?;
        for &(moved, static_value) in &others[..n_moves - 1] {
            // A search reduced to nothing would judge the board as it stands again.
            let value = if depth <= self.reduction {
                from_static(static_value)
            } else {
                self.value_of_moved(moved, depth - self.reduction)?
            };
            best = best.max(self.confirmed(value, best, moved, depth)?);
        }
        Some(best)
    }

    /// The value of a moved board that has a better one beside it; it is exact only
    /// when it is above `best`.
    #[inline]
    pub(crate) fn value_if_above(
        &mut self,
        best: f32,
        moved: TwoWayBoard,
        depth: i32,
    ) -> Option<f32> {
        let value = self.value_of_moved(moved, depth - self.reduction)?;
        self.confirmed(value, best, moved, depth)
    }

    /// The value of a reduced search, or that of a whole one where it is above `best`.
    #[inline]
    fn confirmed(
        &mut self,
        reduced: f32,
        best: f32,
        moved: TwoWayBoard,
        depth: i32,
    ) -> Option<f32> {
        if reduced > best && self.reduction > 0 {
            self.value_of_moved(moved, depth)
        } else {
            Some(reduced)
        }
    }

    /// The value of a moved board at depth 1, where every answer is judged as it
    /// stands: almost all of a search's time is spent here.
    #[inline(never)]
    fn mean_of_best_static(&mut self, board: TwoWayBoard, cells: u64) -> Option<f32> {
        let n_cells = u64::from(cells.count_ones());
        self.spend(4 * n_cells * self.tiles.len() as u64)?;
        let slides = Slides::of(board, self.tables);
        let left = self.without_each(slides.left.rows());
        let right = self.without_each(slides.right.rows());
        let up = self.without_each(slides.up.columns());
        let down = self.without_each(slides.down.columns());
        let mut mean = 0.0;
        for &PossibleTile {
            exponent, share, ..
        } in &self.tiles
        {
            let mut sum = 0;
            for cell in set_bits(cells) {
                let tile = NewTile::new(cell, exponent);
                let with_tile = board.with_tile(tile);
                let (row, column) = (tile.row(), tile.column());
                let in_row = with_tile.row(row);
                let in_column = with_tile.column(column);
                let turned = with_tile.turned();
                let horizontal = |slid: TwoWayBoard, others: &[i32; 4], line: u16| {
                    self.static_with_row(
                        slid.with_row(row, line),
                        others[row as usize],
                        line,
                        with_tile,
                    )
                };
                let vertical = |slid: TwoWayBoard, others: &[i32; 4], line: u16| {
                    let slid = slid.turned().with_row(column, line);
                    self.static_with_row(slid, others[column as usize], line, turned)
                };
                let best = horizontal(slides.left, &left, self.tables.left(in_row))
                    .max(horizontal(slides.right, &right, self.tables.right(in_row)))
                    .max(vertical(slides.up, &up, self.tables.left(in_column)))
                    .max(vertical(slides.down, &down, self.tables.right(in_column)));
                sum += i64::from(best);
            }
            mean += share * mean_of(sum, n_cells);
        }
        Some(mean)
    }

    /// The static value of `slid`, of which one row is `line` and the others are worth
    /// `others`; that of a lost board when the slide has changed nothing.
    #[inline]
    fn static_with_row(
        &self,
        slid: TwoWayBoard,
        others: i32,
        line: u16,
        before: TwoWayBoard,
    ) -> i32 {
        let value = others + self.values.of(line) + self.values.of_all(slid.columns());
        if slid.has_columns_of(before) {
            self.values.of_lost_board()
        } else {
            value
        }
    }

    /// What three lines are worth together, for each that is left out.
    #[inline]
    fn without_each(&self, lines: [u16; 4]) -> [i32; 4] {
        let values = lines.map(|line| self.values.of(line));
        let sum: i32 = values.iter().sum();
        values.map(|value| sum - value)
    }

    /// The lowest bits of the cells where a tile may come.
    #[inline]
    fn cells_for_tiles(&self, board: PackedBoard) -> u64 {
        let empty = CellMask::bits(self.tables.empty_mask(board));
        if self.first_cell_only {
            empty & empty.wrapping_neg()
        } else {
            empty
        }
    }

    /// Asks for nodes before they are searched, so that a limit is never passed.
    #[inline]
    fn spend(&mut self, n_nodes: u64) -> Option<()> {
        if !self.budget.spend(n_nodes) {
            return None;
        }
        self.n_nodes += n_nodes;
        Some(())
    }
}

/// The numbers of the cells whose lowest bits these are.
#[inline]
fn set_bits(mut cells: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let cell = cells.trailing_zeros() / 4;
        (cells != 0).then(|| {
            cells &= cells - 1;
            cell
        })
    })
}

#[inline]
fn n_bits(cells: u64) -> f32 {
    single(f64::from(cells.count_ones()))
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "seven digits tell moves apart"
)]
fn single(number: f64) -> f32 {
    number as f32
}

#[inline]
#[expect(clippy::cast_precision_loss, reason = "seven digits tell moves apart")]
fn from_static(value: i32) -> f32 {
    value as f32
}

#[inline]
#[expect(clippy::cast_precision_loss, reason = "seven digits tell moves apart")]
fn mean_of(sum: i64, n_items: u64) -> f32 {
    sum as f32 / n_items as f32
}

#[cfg(test)]
mod tests;
