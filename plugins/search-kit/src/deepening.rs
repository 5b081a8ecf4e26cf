//! The root of a search with chance: iterative deepening until the budget is spent.
//!
//! A shallow search costs a fraction of the next one and provides the move order, which
//! decides how much of the next search is reduced. A search that the budget interrupts
//! still counts if it has found a better move than the first one at the new depth.

use plugin_api::{
    Choice, Direction,
    explain::{NodeKind, SearchedDepth},
};

use crate::{NodeCount, Recorder, recorder::after_move};

/// A search to a given depth. It returns `None` when its budget is spent.
pub trait DepthSearch {
    /// A board after a move, before the new tile.
    type Moved: Copy;
    /// What records the tree.
    type Recorder: Recorder;

    /// What records the tree.
    fn recorder(&mut self) -> &mut Self::Recorder;

    /// The value of a moved board.
    fn value_of_moved(&mut self, moved: Self::Moved, depth: i32) -> Option<f32>;

    /// The value of a moved board that has a better alternative; it is exact only if it is
    /// above `best`.
    fn value_if_above(&mut self, best: f32, moved: Self::Moved, depth: i32) -> Option<f32>;
}

/// A search that counts its nodes and ends when their budget is spent.
pub trait CountedSearch: DepthSearch {
    /// The slides of this turn.
    fn nodes(&mut self) -> &mut NodeCount;
}

/// The moves of a turn, the best of the deepest search first.
pub struct Deepening<M> {
    moves: Vec<RankedMove<M>>,
    depth: i32,
}

/// A move and its value.
#[derive(Clone, Copy, Debug)]
pub struct RankedMove<M> {
    /// The move.
    pub direction: Direction,
    /// The board it makes.
    pub moved: M,
    /// The value of that board.
    pub value: f32,
}

impl<M: Copy> Deepening<M> {
    /// Ranks moves by their static values.
    pub fn new(moves: impl IntoIterator<Item = RankedMove<M>>) -> Self {
        let mut moves: Vec<RankedMove<M>> = moves.into_iter().collect();
        sort_best_first(&mut moves);
        Self { moves, depth: 0 }
    }

    /// Searches deeper until the budget of the search is spent or `deepest` is reached.
    /// Spends nothing on a turn with a single legal move.
    pub fn search(&mut self, search: &mut impl DepthSearch<Moved = M>, deepest: i32) {
        while self.moves.len() > 1 && self.depth < deepest {
            if self.search_to(self.depth + 1, search).is_none() {
                break;
            }
            self.depth += 1;
        }
    }

    fn search_to(&mut self, depth: i32, search: &mut impl DepthSearch<Moved = M>) -> Option<()> {
        let (first, _) = self.moves.split_first_mut()?;
        search.recorder().begin();
        search.recorder().open(NodeKind::Max);
        search.recorder().announce(|| after_move(first.direction));
        let mut best = search.value_of_moved(first.moved, depth)?;
        first.value = best;
        for number in 1..self.moves.len() {
            let candidate = &mut self.moves[number];
            search
                .recorder()
                .announce(|| after_move(candidate.direction));
            let value = search.value_if_above(best, candidate.moved, depth)?;
            candidate.value = value;
            if value > best {
                best = value;
                self.moves[..=number].rotate_right(1);
            }
        }
        search
            .recorder()
            .close(|node| node.value = Some(best.into()));
        search.recorder().complete(|| SearchedDepth {
            depth: depth.unsigned_abs(),
            direction: self.moves[0].direction,
            value: Some(best.into()),
        });
        sort_best_first(&mut self.moves[1..]);
        Some(())
    }

    /// The value of the best move; `None` if there was nothing to choose.
    #[must_use]
    pub fn best_value(&self) -> Option<f64> {
        match self.moves.as_slice() {
            [best, _, ..] => Some(best.value.into()),
            _ => None,
        }
    }

    /// By how much the best move is ahead of the others; `None` if there was nothing to choose.
    #[must_use]
    pub fn lead(&self) -> Option<f64> {
        let (best, others) = self.moves.split_first()?;
        let second = others.iter().map(|ranked| ranked.value).reduce(f32::max)?;
        Some(f64::from(best.value) - f64::from(second))
    }

    /// The best move with the values of all moves; `None` if there is no legal move.
    #[must_use]
    pub fn choice(&self) -> Option<Choice> {
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
fn sort_best_first<M>(moves: &mut [RankedMove<M>]) {
    moves.sort_by(|a, b| b.value.total_cmp(&a.value));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lead_is_over_the_second_best_move() {
        let lead = |values: &[f32]| {
            let moves = values.iter().zip(Direction::ALL);
            let ranked = moves.map(|(&value, direction)| RankedMove {
                direction,
                moved: (),
                value,
            });
            Deepening::new(ranked).lead()
        };
        assert_eq!(lead(&[3.0, 5.0, 4.5]), Some(0.5));
        assert_eq!(lead(&[3.0]), None);
    }
}
