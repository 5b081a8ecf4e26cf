//! The root of the search: iterative deepening until the budget is spent.
//!
//! A shallow search costs a fraction of the next one and provides the move order, which
//! decides how much of the next search is reduced. A search that the budget interrupts
//! still counts if it has found a better move than the first one at the new depth.

use plugin_api::{Choice, Direction};
use search_kit::RootMove;

use crate::{search::Search, two_way_board::TwoWayBoard};

/// The moves of a turn, the best of the deepest search first.
pub(crate) struct Deepening {
    moves: Vec<RankedMove>,
    depth: i32,
}

struct RankedMove {
    direction: Direction,
    moved: TwoWayBoard,
    value: f32,
}

impl Deepening {
    /// Ranks moves by their static values.
    pub(crate) fn new(moves: &[RootMove], search: &Search) -> Self {
        let mut moves: Vec<RankedMove> = moves
            .iter()
            .map(|root| {
                let board = TwoWayBoard::new(root.moved);
                RankedMove {
                    direction: root.direction,
                    moved: board,
                    value: search.static_value_of_moved(board),
                }
            })
            .collect();
        sort_best_first(&mut moves);
        Self { moves, depth: 0 }
    }

    /// Searches deeper until the budget of the search is spent or `deepest` is reached.
    /// Spends nothing on a turn with a single legal move.
    pub(crate) fn search(&mut self, search: &mut Search, deepest: i32) {
        while self.moves.len() > 1 && self.depth < deepest {
            if self.search_to(self.depth + 1, search).is_none() {
                break;
            }
            self.depth += 1;
        }
    }

    fn search_to(&mut self, depth: i32, search: &mut Search) -> Option<()> {
        let (first, _) = self.moves.split_first_mut()?;
        let mut best = search.value_of_moved(first.moved, depth)?;
        first.value = best;
        for number in 1..self.moves.len() {
            let candidate = &mut self.moves[number];
            let value = search.value_if_above(best, candidate.moved, depth)?;
            candidate.value = value;
            if value > best {
                best = value;
                self.moves[..=number].rotate_right(1);
            }
        }
        sort_best_first(&mut self.moves[1..]);
        Some(())
    }

    /// The value of the best move; `None` if there was nothing to choose.
    pub(crate) fn best_value(&self) -> Option<f64> {
        match self.moves.as_slice() {
            [best, _, ..] => Some(best.value.into()),
            _ => None,
        }
    }

    /// The best move with the values of all moves; `None` if there is no legal move.
    pub(crate) fn choice(&self) -> Option<Choice> {
        let best = self.moves.first()?;
        let choice = self
            .moves
            .iter()
            .fold(Choice::from(best.direction), |choice, ranked| {
                choice.value(ranked.direction, f64::from(ranked.value))
            });
        Some(choice.depth(self.depth.unsigned_abs()))
    }
}

/// Equal moves keep their order.
fn sort_best_first(moves: &mut [RankedMove]) {
    moves.sort_by(|a, b| b.value.total_cmp(&a.value));
}
