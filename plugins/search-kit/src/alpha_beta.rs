//! Depth-limited minimax: an opponent puts the tile that hurts most.
//!
//! Depth counts plies, the moves of both players: a move, a tile, a move, … At depth 0
//! an evaluation judges, and a player without a legal move has lost: minus infinity.
//! Alpha-beta leaves out what cannot change the result, and finds it faster when the
//! best is tried first: moves and tiles are ordered by what they make of the
//! evaluation, and the tile that hurt most before comes first of all. Moved boards
//! are remembered with their depth and believed only at that very depth. So neither
//! changes a value: it is plain minimax, sooner.

use plugin_api::{Direction, PackedBoard, RowTables, Rules};

use crate::{Evaluation, MoveValues, RootMove, SearchBudget, TranspositionTable, is_lost};

/// Places of the memory: 4 megabytes.
const N_PLACES: usize = 1 << 17;

/// The most tiles that may come: a 2 or a 4 on any cell.
const MAX_TILES: usize = 32;

/// A search over an evaluation. It lives as long as its agent.
pub struct AlphaBeta<E> {
    tables: &'static RowTables,
    evaluation: E,
    /// The exponents of the tiles that may come.
    new_tiles: &'static [u8],
    memory: TranspositionTable<Searched>,
}

/// What is known about a moved board.
#[derive(Clone, Copy, Debug, Default)]
struct Searched {
    value: f64,
    /// The board with the tile that hurt most.
    worst: PackedBoard,
    depth: u8,
    bound: Bound,
}

/// What a remembered value says about the true one.
#[derive(Clone, Copy, Debug, Default)]
enum Bound {
    #[default]
    Exact,
    AtLeast,
    AtMost,
}

/// Between which values a result matters: the player has `alpha` for certain
/// elsewhere, the opponent `beta`.
#[derive(Clone, Copy, Debug)]
struct Window {
    alpha: f64,
    beta: f64,
}

/// What a search of all moves found.
#[derive(Clone, Debug)]
pub struct BestMoves {
    /// The best move and those that were the best before it, with their values. Of
    /// the others it is only known that they are not better.
    pub values: MoveValues,
    /// Whether all moves were searched. If not, the budget was spent on the way, and
    /// the best may be among the rest.
    pub is_complete: bool,
}

impl<E: Evaluation> AlphaBeta<E> {
    /// A search of the game with these rules; `None` when no packed board has their
    /// side. The evaluation has to be one of that side.
    #[must_use]
    pub fn new(evaluation: E, rules: &Rules) -> Option<Self> {
        let four = rules.four.as_f64();
        let new_tiles: &[u8] = match () {
            () if four <= 0.0 => &[1],
            () if four >= 1.0 => &[2],
            () => &[1, 2],
        };
        Some(Self {
            tables: RowTables::of(rules.side)?,
            evaluation,
            new_tiles,
            memory: TranspositionTable::with_places(N_PLACES),
        })
    }

    /// Searches all moves `plies` deep, the move itself included.
    pub fn best_moves(
        &mut self,
        moves: &[RootMove],
        plies: u8,
        budget: &mut SearchBudget,
    ) -> BestMoves {
        let mut values = MoveValues::default();
        let mut window = Window::OPEN;
        for root in moves {
            let rest = plies.saturating_sub(1);
            let Some(value) = self.value_of_moved_within(root.moved, rest, window, budget) else {
                return BestMoves {
                    values,
                    is_complete: false,
                };
            };
            if value > window.alpha || values.best().is_none() {
                values.add(root.direction, value);
                window.alpha = value;
            }
        }
        BestMoves {
            values,
            is_complete: true,
        }
    }

    /// The value of a moved board, the opponent to put a tile, with `plies` to follow;
    /// `None` when the budget does not suffice.
    pub fn value_of_moved(
        &mut self,
        moved: PackedBoard,
        plies: u8,
        budget: &mut SearchBudget,
    ) -> Option<f64> {
        self.value_of_moved_within(moved, plies, Window::OPEN, budget)
    }

    fn value_of_moved_within(
        &mut self,
        moved: PackedBoard,
        plies: u8,
        window: Window,
        budget: &mut SearchBudget,
    ) -> Option<f64> {
        if plies == 0 {
            return Some(self.evaluation.value(moved));
        }
        let known = self.memory.get(moved);
        if let Some(known) = known
            && known.depth == plies
            && known.decides(window)
        {
            return Some(known.value);
        }
        let mut tiles = NewTiles::default();
        let empty = self.tables.empty_mask(moved);
        budget.evaluate(2 * empty.n_cells())?;
        for cell in empty {
            for &exponent in self.new_tiles {
                let board = moved.with_new_tile(cell, exponent);
                let rank = match known {
                    _ if plies == 1 => 0.0,
                    Some(known) if known.worst == board => f64::NEG_INFINITY,
                    _ => self.evaluation.value(board),
                };
                tiles.add(board, rank);
            }
        }
        let mut rest = window;
        let mut least = f64::INFINITY;
        let mut worst = PackedBoard::EMPTY;
        while let Some(board) = tiles.next_lowest() {
            let value = self.value_within(board, plies - 1, rest, budget)?;
            if value < least || worst == PackedBoard::EMPTY {
                (least, worst) = (value, board);
                rest.beta = rest.beta.min(value);
            }
            if least <= window.alpha {
                break;
            }
        }
        let searched = Searched {
            value: least,
            worst,
            depth: plies,
            bound: window.bound(least),
        };
        self.memory.put(moved, searched);
        Some(least)
    }

    fn value_within(
        &mut self,
        board: PackedBoard,
        plies: u8,
        window: Window,
        budget: &mut SearchBudget,
    ) -> Option<f64> {
        if plies == 0 {
            return Some(if is_lost(self.tables, board) {
                f64::NEG_INFINITY
            } else {
                self.evaluation.value(board)
            });
        }
        let mut results = Moves::default();
        for direction in Direction::ALL {
            budget.slide()?;
            let moved = self.tables.slide(board, direction);
            if moved != board {
                let rank = match plies {
                    1 => 0.0,
                    _ => -self.evaluation.value(moved),
                };
                results.add(moved, rank);
            }
        }
        let mut rest = window;
        let mut most = f64::NEG_INFINITY;
        while let Some(moved) = results.next_lowest() {
            let value = self.value_of_moved_within(moved, plies - 1, rest, budget)?;
            most = most.max(value);
            rest.alpha = rest.alpha.max(value);
            if most >= window.beta {
                break;
            }
        }
        Some(most)
    }
}

impl Window {
    const OPEN: Self = Self {
        alpha: f64::NEG_INFINITY,
        beta: f64::INFINITY,
    };

    /// What a value found within this window says about the true one.
    fn bound(self, value: f64) -> Bound {
        if value <= self.alpha {
            Bound::AtMost
        } else if value >= self.beta {
            Bound::AtLeast
        } else {
            Bound::Exact
        }
    }
}

impl Searched {
    /// Whether the value is as good as the true one within a window.
    fn decides(&self, window: Window) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => self.value >= window.beta,
            Bound::AtMost => self.value <= window.alpha,
        }
    }
}

type NewTiles = Queue<MAX_TILES>;
type Moves = Queue<4>;

/// Boards to be searched, the one with the lowest rank first. A cut-off often comes
/// after one or two, so that each is looked for when it is asked for.
struct Queue<const N: usize> {
    boards: [(f64, PackedBoard); N],
    n_taken: usize,
    n_boards: usize,
}

impl<const N: usize> Default for Queue<N> {
    #[inline]
    fn default() -> Self {
        Self {
            boards: [(0.0, PackedBoard::EMPTY); N],
            n_taken: 0,
            n_boards: 0,
        }
    }
}

impl<const N: usize> Queue<N> {
    #[inline]
    fn add(&mut self, board: PackedBoard, rank: f64) {
        self.boards[self.n_boards] = (rank, board);
        self.n_boards += 1;
    }

    #[inline]
    fn next_lowest(&mut self) -> Option<PackedBoard> {
        let waiting = &mut self.boards[self.n_taken..self.n_boards];
        let mut lowest = 0;
        for place in 1..waiting.len() {
            if waiting[place].0 < waiting[lowest].0 {
                lowest = place;
            }
        }
        if waiting.is_empty() {
            return None;
        }
        waiting.swap(0, lowest);
        self.n_taken += 1;
        Some(waiting[0].1)
    }
}
