//! Depth-limited minimax: an opponent places the most harmful tile.
//!
//! Depth counts plies, the moves of both players: a move, a tile, a move, … At depth 0
//! an evaluation is used, and a player without a legal move has lost: minus infinity.
//! Alpha-beta skips what cannot change the result, and skips more if the best is tried
//! first. Therefore moves and tiles are ordered by their evaluation, and the tile that
//! was most harmful before comes first. Moved boards are stored with their depth and
//! reused only at exactly that depth. None of this changes a value: the result is that
//! of plain minimax.

use plugin_api::{
    Direction, PackedBoard, RowTables, Rules,
    explain::{Cut, CutReason, Node, NodeKind, Relation},
};

use crate::{
    Evaluation, MoveValues, NoRecorder, Recorder, RootMove, SearchBudget, TranspositionTable,
    is_lost,
    recorder::{after_move, after_tile, known_from_table},
};

/// The number of table entries: 4 megabytes.
const N_PLACES: usize = 1 << 17;

/// The largest number of possible tiles: a 2 or a 4 on any cell.
const MAX_TILES: usize = 32;

/// A search over an evaluation. It exists as long as its agent.
pub struct AlphaBeta<E, R = NoRecorder> {
    tables: &'static RowTables,
    evaluation: E,
    /// The exponents of the possible tiles.
    new_tiles: &'static [u8],
    memory: TranspositionTable<Searched>,
    /// Whether it skips what cannot change the result.
    prunes: bool,
    /// Whether it stores boards.
    remembers: bool,
    recorder: R,
}

/// What is known about a moved board.
#[derive(Clone, Copy, Debug, Default)]
struct Searched {
    value: f64,
    /// The board with the most harmful tile.
    worst: PackedBoard,
    depth: u8,
    bound: Bound,
}

/// The relation of a stored value to the true one.
#[derive(Clone, Copy, Debug, Default)]
enum Bound {
    #[default]
    Exact,
    AtLeast,
    AtMost,
}

/// The range in which a result matters: elsewhere, `alpha` is guaranteed to the player
/// and `beta` to the opponent.
#[derive(Clone, Copy, Debug)]
struct Window {
    alpha: f64,
    beta: f64,
}

/// The result of searching all moves.
#[derive(Clone, Debug)]
pub struct BestMoves {
    /// The best move and those that were the best before it, with their values. All
    /// others are known to be no better.
    pub values: MoveValues,
    /// Whether all moves were searched. If not, the budget was spent first, and the
    /// best move may be among the rest.
    pub is_complete: bool,
}

impl<E: Evaluation> AlphaBeta<E> {
    /// A search of the game with these rules; `None` if no packed board has their side.
    /// The evaluation must be for the same side.
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
            prunes: true,
            remembers: true,
            recorder: NoRecorder,
        })
    }
}

impl<E: Evaluation, R: Recorder> AlphaBeta<E, R> {
    /// The same search, recorded.
    #[must_use]
    pub fn with_recorder<T>(self, recorder: T) -> AlphaBeta<E, T> {
        AlphaBeta {
            tables: self.tables,
            evaluation: self.evaluation,
            new_tiles: self.new_tiles,
            memory: self.memory,
            prunes: self.prunes,
            remembers: self.remembers,
            recorder,
        }
    }

    /// The same search without cut-offs, without its table, or without both: it finds the same
    /// values with more nodes.
    #[must_use]
    pub fn with_savings(self, prunes: bool, remembers: bool) -> Self {
        Self {
            prunes,
            remembers,
            ..self
        }
    }

    /// What was recorded.
    #[must_use]
    pub fn into_recorder(self) -> R {
        self.recorder
    }

    /// Searches all moves `plies` deep, including the move itself.
    pub fn best_moves(
        &mut self,
        moves: &[RootMove],
        plies: u8,
        budget: &mut SearchBudget,
    ) -> BestMoves {
        let mut values = MoveValues::default();
        let mut window = Window::OPEN;
        self.recorder.begin();
        self.recorder.open(NodeKind::Max);
        for root in moves {
            let rest = plies.saturating_sub(1);
            self.recorder.announce(|| after_move(root.direction));
            let Some(value) = self.value_of_moved_within(root.moved, rest, window, budget) else {
                return BestMoves {
                    values,
                    is_complete: false,
                };
            };
            if !self.prunes || value > window.alpha || values.best().is_none() {
                values.add(root.direction, value);
                if self.prunes {
                    window.alpha = value;
                }
            }
        }
        self.recorder.close(|node| {
            Window::OPEN.explain(node);
            node.value = values.best().map(|(_, value)| value);
        });
        BestMoves {
            values,
            is_complete: true,
        }
    }

    /// The value of a moved board, before the opponent's tile, with `plies` to follow;
    /// `None` if the budget does not suffice.
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
        self.recorder.open(NodeKind::Min);
        let value = self.least_value(moved, plies, window, budget)?;
        self.recorder.close(|node| {
            window.explain(node);
            node.value = Some(value);
        });
        Some(value)
    }

    fn least_value(
        &mut self,
        moved: PackedBoard,
        plies: u8,
        window: Window,
        budget: &mut SearchBudget,
    ) -> Option<f64> {
        if plies == 0 {
            self.record_leaf(moved);
            return Some(self.evaluation.value(moved));
        }
        let known = self.memory.get(moved).filter(|_| self.remembers);
        if let Some(known) = known
            && known.depth == plies
            && known.decides(window)
        {
            self.recorder.add(|node| {
                node.relation = known.bound.into();
                node.cut = known_from_table();
            });
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
            let side = self.tables.side();
            self.recorder.announce(|| after_tile(moved, board, side));
            let value = self.value_within(board, plies - 1, rest, budget)?;
            if value < least || worst == PackedBoard::EMPTY {
                (least, worst) = (value, board);
                if self.prunes {
                    rest.beta = rest.beta.min(value);
                }
            }
            if self.prunes && least <= window.alpha {
                break;
            }
        }
        self.record_bound(window.bound(least), window, plies, tiles.n_waiting());
        let searched = Searched {
            value: least,
            worst,
            depth: plies,
            bound: window.bound(least),
        };
        if self.remembers {
            self.memory.put(moved, searched);
        }
        Some(least)
    }

    fn value_within(
        &mut self,
        board: PackedBoard,
        plies: u8,
        window: Window,
        budget: &mut SearchBudget,
    ) -> Option<f64> {
        self.recorder.open(NodeKind::Max);
        let value = self.most_value(board, plies, window, budget)?;
        self.recorder.close(|node| {
            window.explain(node);
            node.value = Some(value);
        });
        Some(value)
    }

    fn most_value(
        &mut self,
        board: PackedBoard,
        plies: u8,
        window: Window,
        budget: &mut SearchBudget,
    ) -> Option<f64> {
        if plies == 0 {
            return Some(if is_lost(self.tables, board) {
                self.recorder.add(|node| node.kind = NodeKind::Dead);
                f64::NEG_INFINITY
            } else {
                self.record_leaf(board);
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
        if results.n_waiting() == 0 {
            self.recorder.add(|node| node.kind = NodeKind::Dead);
        }
        while let Some(moved) = results.next_lowest() {
            let tables = self.tables;
            self.recorder.announce(|| {
                let leads = |&direction: &Direction| tables.slide(board, direction) == moved;
                let direction = Direction::ALL.into_iter().find(leads);
                direction.map(after_move).unwrap_or_default()
            });
            let value = self.value_of_moved_within(moved, plies - 1, rest, budget)?;
            most = most.max(value);
            if self.prunes {
                rest.alpha = rest.alpha.max(value);
            }
            if self.prunes && most >= window.beta {
                break;
            }
        }
        self.record_bound(window.bound(most), window, plies, results.n_waiting());
        Some(most)
    }

    fn record_leaf(&mut self, board: PackedBoard) {
        let evaluation = &self.evaluation;
        self.recorder.add(|node| {
            node.kind = NodeKind::Leaf;
            evaluation.explain(board, node);
        });
    }

    /// What the value of the open node says about the true one, with this many children left.
    fn record_bound(&mut self, bound: Bound, window: Window, plies: u8, n_left: usize) {
        self.recorder.add(|node| {
            let (reason, decisive) = match bound {
                // All children are leaves.
                _ if plies == 1 && n_left == 0 => return,
                Bound::Exact => return,
                Bound::AtMost => (CutReason::Alpha, window.alpha),
                Bound::AtLeast => (CutReason::Beta, window.beta),
            };
            node.relation = bound.into();
            node.cut = (n_left > 0).then_some(Cut {
                reason,
                bound: Some(decisive),
                skipped: Some(n_left as u64),
            });
        });
    }
}

impl From<Bound> for Relation {
    fn from(bound: Bound) -> Self {
        match bound {
            Bound::Exact => Self::Exact,
            Bound::AtLeast => Self::AtLeast,
            Bound::AtMost => Self::AtMost,
        }
    }
}

impl Window {
    const OPEN: Self = Self {
        alpha: f64::NEG_INFINITY,
        beta: f64::INFINITY,
    };

    fn explain(self, node: &mut Node) {
        if matches!(node.kind, NodeKind::Max | NodeKind::Min) {
            (node.alpha, node.beta) = (Some(self.alpha), Some(self.beta));
        }
    }

    /// The relation of a value found within this window to the true one.
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
    /// Whether the value can replace the true one within a window.
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

/// Boards to be searched, lowest rank first. A cut-off often comes after one or two, so
/// each is selected only when it is needed.
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

    fn n_waiting(&self) -> usize {
        self.n_boards - self.n_taken
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
