//! Searches for a shortest path to a goal with beams of increasing width.
//!
//! A path as long as the proven bound is a shortest one, and so is any path from a beam
//! that dropped nothing. On 4×4 a beam of a hundred boards meets the bound for every
//! goal up to 8192, one of a thousand up to 32768.

use std::rc::Rc;

use plugin_api::{Direction, Turn, solve::SolveProgress};

use super::{Problem, Reporter};
use crate::{
    beam::{Beam, Growth},
    model::fewest_moves,
    row_values::RowValues,
};

/// The number of nodes between two checks of the reporter.
const STRIDE: u64 = 20_000;
const FIRST_WIDTH: usize = 100;
const LAST_QUICK_WIDTH: usize = 10_000;

#[derive(Debug, Default)]
pub(super) struct ShortestPath {
    moves: Option<Vec<Direction>>,
    /// The widest beam so far.
    width: usize,
    /// Whether the widest beam dropped nothing: there is nothing else to be found.
    is_exhausted: bool,
}

impl ShortestPath {
    pub(super) fn moves(&self) -> Option<&[Direction]> {
        self.moves.as_deref()
    }

    /// Searches with beams that take a few seconds at most.
    pub(super) fn look_quickly(&mut self, problem: Problem, reporter: &mut Reporter) {
        let bound = fewest_moves(problem.goal);
        self.look(bound, LAST_QUICK_WIDTH, problem, reporter);
    }

    /// Searches for a path if one may exist, up to the known length.
    pub(super) fn look_until(
        &mut self,
        n_moves: Option<u64>,
        problem: Problem,
        reporter: &mut Reporter,
    ) {
        if let Some(n_moves) = n_moves {
            self.look(n_moves, Beam::MAX_WIDTH, problem, reporter);
        }
    }

    fn look(&mut self, wanted: u64, max_width: usize, problem: Problem, reporter: &mut Reporter) {
        let values = Rc::new(RowValues::of(problem.model.side()));
        let affordable = problem.memory / Beam::BYTES_A_BOARD;
        let max_width = usize::try_from(affordable).map_or(max_width, |most| most.min(max_width));
        while !self.is_exhausted && self.n_moves().is_none_or(|found| found > wanted) {
            let width = (self.width * 10).max(FIRST_WIDTH);
            if width > max_width || reporter.is_stopped() {
                return;
            }
            self.width = width;
            self.follow_beam(problem, &values, reporter);
        }
    }

    fn follow_beam(&mut self, problem: Problem, values: &Rc<RowValues>, reporter: &mut Reporter) {
        let model = problem.model;
        let mut beam = Beam::new(
            model,
            Rc::clone(values),
            Some(problem.goal),
            model.start(),
            self.width,
        );
        let mut visited = 0;
        while !reporter.is_stopped() {
            let mut budget = Turn::with_nodes(STRIDE).budget();
            let growth = beam.grow(&mut budget);
            visited += budget.nodes();
            match growth {
                Growth::Deeper | Growth::OutOfBudget => {}
                Growth::DeadEnd => {
                    self.is_exhausted = !beam.has_dropped();
                    return;
                }
                Growth::Goal(moves) => {
                    self.is_exhausted = !beam.has_dropped();
                    if self
                        .n_moves()
                        .is_none_or(|found| moves.len() as u64 <= found)
                    {
                        self.moves = Some(moves);
                    }
                    return;
                }
            }
            reporter.progress(|| SolveProgress {
                stage: format!(
                    "shortest path, move {} in a beam of {}",
                    beam.depth(),
                    self.width
                ),
                visited,
                solutions: None,
                memory: self.width as u64 * Beam::BYTES_A_BOARD,
            });
        }
    }

    fn n_moves(&self) -> Option<u64> {
        self.moves.as_ref().map(|moves| moves.len() as u64)
    }
}
