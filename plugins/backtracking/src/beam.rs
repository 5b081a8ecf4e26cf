//! A beam search in deterministic 2048: after each move, the best boards are kept.
//!
//! All boards after the same number of moves have the same sum, so they can be compared
//! fairly: the tidier one has wasted less. The beam stores the parent of every board
//! and drops lines without a living end. Soon all lines share their beginning, and a
//! plan of thousands of moves takes little memory. It can stop within a move and
//! continue later, so a budget is kept to the node.

use std::{collections::VecDeque, rc::Rc};

use plugin_api::{Budget, Direction, PackedBoard};
use search_kit::Goal;

use crate::{
    board_hash::BoardSet,
    model::{Model, PAPER_ORDER},
    row_values::RowValues,
};

/// A search that keeps at most `width` boards per move.
#[derive(Debug)]
pub(crate) struct Beam {
    model: Model,
    values: Rc<RowValues>,
    goal: Option<Goal>,
    width: usize,
    /// The steps after the root, the first move first. Every step except those of the
    /// last layer has a successor.
    layers: VecDeque<Vec<Step>>,
    /// The boards of the last layer; the root if there is none.
    frontier: Vec<PackedBoard>,
    next: NextLayer,
    has_dropped: bool,
}

/// The result of an attempt to look one move further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Growth {
    /// All lines are one move longer.
    Deeper,
    /// The budget is spent; the work done so far is kept.
    OutOfBudget,
    /// No line can be continued.
    DeadEnd,
    /// A line reaches the goal with one more move: the moves from the root.
    Goal(Vec<Direction>),
}

/// The move that leads to a board, and the index of its parent in the previous layer:
/// two bits and thirty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Step(u32);

/// The layer under construction.
#[derive(Debug, Default)]
struct NextLayer {
    n_expanded: usize,
    /// The next direction for the board being expanded, in the paper's order.
    next_direction: usize,
    candidates: Vec<Candidate>,
    seen: BoardSet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    value: i32,
    board: PackedBoard,
    step: Step,
}

impl Beam {
    /// The largest number of boards in a layer.
    pub(crate) const MAX_WIDTH: usize = 1 << 28;
    /// An estimate of the bytes that a board takes while its layer is built.
    pub(crate) const BYTES_A_BOARD: u64 = 256;

    /// A beam that starts at a board, which must not contain the goal.
    #[must_use]
    pub(crate) fn new(
        model: Model,
        values: Rc<RowValues>,
        goal: Option<Goal>,
        root: PackedBoard,
        width: usize,
    ) -> Self {
        Self {
            model,
            values,
            goal,
            width: width.clamp(1, Self::MAX_WIDTH),
            layers: VecDeque::new(),
            frontier: vec![root],
            next: NextLayer::default(),
            has_dropped: false,
        }
    }

    /// How many moves ahead it looks.
    #[must_use]
    pub(crate) fn depth(&self) -> usize {
        self.layers.len()
    }

    /// Whether a board was dropped because the beam is narrow. If not, the search has
    /// seen everything.
    #[must_use]
    pub(crate) fn has_dropped(&self) -> bool {
        self.has_dropped
    }

    /// Looks one move further.
    pub(crate) fn grow(&mut self, budget: &mut Budget) -> Growth {
        while let Some(&board) = self.frontier.get(self.next.n_expanded) {
            while let Some(&direction) = PAPER_ORDER.get(self.next.next_direction) {
                if !budget.spend(1) {
                    return Growth::OutOfBudget;
                }
                self.next.next_direction += 1;
                let Some(moved) = self.model.slide(board, direction) else {
                    continue;
                };
                if self.goal.is_some_and(|goal| goal.is_on(moved)) {
                    let mut line = self.line_to(self.next.n_expanded);
                    line.push(direction);
                    return Growth::Goal(line);
                }
                let board = self.model.put_tile(moved);
                if self.next.seen.insert(board) {
                    self.next.candidates.push(Candidate {
                        value: self.values.value(board),
                        board,
                        step: Step::new(self.next.n_expanded, direction),
                    });
                }
            }
            self.next.next_direction = 0;
            self.next.n_expanded += 1;
        }
        if self.next.candidates.is_empty() {
            return Growth::DeadEnd;
        }
        self.close_layer();
        Growth::Deeper
    }

    /// The moves from the root to the best board of the last layer.
    #[must_use]
    pub(crate) fn best_line(&self) -> Vec<Direction> {
        let best = (0..self.frontier.len()).max_by_key(|&place| {
            (
                self.values.value(self.frontier[place]),
                self.frontier[place],
            )
        });
        best.map(|place| self.line_to(place)).unwrap_or_default()
    }

    /// Plays a move at the root: lines with a different first move are dropped. Returns
    /// false if no line is left; the beam is then useless.
    pub(crate) fn advance(&mut self, direction: Direction) -> bool {
        let Some(first) = self.layers.pop_front() else {
            return false;
        };
        let Some(kept) = first.iter().position(|step| step.direction() == direction) else {
            return false;
        };
        if first.len() > 1 {
            self.keep_descendants(first.len(), kept);
        }
        true
    }

    fn close_layer(&mut self) {
        let candidates = &mut self.next.candidates;
        if candidates.len() > self.width {
            self.has_dropped = true;
            candidates.select_nth_unstable_by(self.width, |a, b| b.cmp(a));
            candidates.truncate(self.width);
        }
        self.frontier.clear();
        self.frontier
            .extend(candidates.iter().map(|candidate| candidate.board));
        self.layers
            .push_back(candidates.iter().map(|candidate| candidate.step).collect());
        self.next.clear();
        self.drop_dead_ends();
    }

    /// Drops the steps without a successor in the next layer. Stops at the first layer
    /// without such steps, because the layers before it have not changed either.
    fn drop_dead_ends(&mut self) {
        for depth in (1..self.layers.len()).rev() {
            let mut is_kept = vec![false; self.layers[depth - 1].len()];
            for step in &self.layers[depth] {
                is_kept[step.parent()] = true;
            }
            if is_kept.iter().all(|&kept| kept) {
                return;
            }
            let new_places = retain_and_renumber(&mut self.layers[depth - 1], &is_kept);
            for step in &mut self.layers[depth] {
                *step = Step::new(new_places[step.parent()], step.direction());
            }
        }
    }

    /// Drops everything that does not descend from one board of a layer that was
    /// removed.
    fn keep_descendants(&mut self, n_before: usize, kept: usize) {
        let mut is_kept = vec![false; n_before];
        is_kept[kept] = true;
        let mut new_places = vec![0; n_before];
        for layer in &mut self.layers {
            let is_kept_here: Vec<bool> = layer.iter().map(|step| is_kept[step.parent()]).collect();
            for step in layer.iter_mut() {
                *step = Step::new(new_places[step.parent()], step.direction());
            }
            new_places = retain_and_renumber(layer, &is_kept_here);
            is_kept = is_kept_here;
        }
        let mut kept = is_kept.iter();
        self.frontier
            .retain(|_| *kept.next().expect("one flag per board"));
        self.next.clear();
    }

    fn line_to(&self, place: usize) -> Vec<Direction> {
        let mut place = place;
        let mut line: Vec<Direction> = self
            .layers
            .iter()
            .rev()
            .map(|layer| {
                let step = layer[place];
                place = step.parent();
                step.direction()
            })
            .collect();
        line.reverse();
        line
    }
}

impl NextLayer {
    fn clear(&mut self) {
        self.n_expanded = 0;
        self.next_direction = 0;
        self.candidates.clear();
        self.seen.clear();
    }
}

impl Step {
    fn new(parent: usize, direction: Direction) -> Self {
        let parent = u32::try_from(parent).expect("a layer has fewer than 2^28 boards");
        Self(parent << 2 | direction as u32)
    }

    fn parent(self) -> usize {
        (self.0 >> 2) as usize
    }

    fn direction(self) -> Direction {
        Direction::ALL[(self.0 & 3) as usize]
    }
}

/// Keeps the marked steps and returns the new index of each.
fn retain_and_renumber(steps: &mut Vec<Step>, is_kept: &[bool]) -> Vec<usize> {
    let mut n_kept = 0;
    let new_places = is_kept
        .iter()
        .map(|&kept| {
            n_kept += usize::from(kept);
            n_kept.saturating_sub(1)
        })
        .collect();
    let mut kept = is_kept.iter();
    steps.retain(|_| *kept.next().expect("one flag per step"));
    new_places
}

#[cfg(test)]
mod tests {
    use super::*;
    use plugin_api::{Side, Turn};

    #[test]
    fn lines_still_lead_to_their_boards_after_moves_were_played() {
        let model = Model::of(Side::FOUR).unwrap();
        let values = Rc::new(RowValues::of(Side::FOUR));
        let mut beam = Beam::new(model, values, None, model.start(), 20);
        let step = |board, direction| model.put_tile(model.slide(board, direction).unwrap());
        let mut root = model.start();
        for _ in 0..100 {
            for _ in 0..3 {
                assert_eq!(beam.grow(&mut Turn::unlimited().budget()), Growth::Deeper);
            }
            let direction = beam.best_line()[0];
            assert!(beam.advance(direction));
            root = step(root, direction);
            for (place, &end) in beam.frontier.iter().enumerate() {
                assert_eq!(beam.line_to(place).into_iter().fold(root, step), end);
            }
        }
        assert_eq!(beam.depth(), 200);
    }
}
