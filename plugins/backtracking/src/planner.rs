//! Plans for games with deterministic tiles, in which a plan stays valid.
//!
//! A beam looks ahead, a little further every turn, and drops the lines that do not
//! start with the move that was played. When all of its lines end, the longest is kept
//! as the plan and a wider beam starts from the current board; it takes over as soon as
//! it has come further. A line to the goal is followed to its end.

use std::{collections::VecDeque, rc::Rc};

use plugin_api::{Budget, Direction, PackedBoard};
use search_kit::Goal;

use crate::{
    beam::{Beam, Growth},
    model::Model,
    row_values::RowValues,
};

/// A sufficient number of moves ahead: the rest can wait for later turns.
const HORIZON: usize = 1000;
/// How much wider a beam is than the one whose lines all ended.
const WIDENING: usize = 4;
const MAX_WIDTH: usize = 1 << 16;

/// A plan for a game, and the search for a better one.
#[derive(Debug)]
pub(crate) struct Planner {
    model: Model,
    values: Rc<RowValues>,
    goal: Option<Goal>,
    width: usize,
    beam: Beam,
    plan: VecDeque<Direction>,
    /// Whether no better plan exists: the plan ends with the goal, or it is the longest
    /// possible.
    is_final: bool,
    /// The board that the plan is for.
    board: PackedBoard,
}

impl Planner {
    /// A planner that starts with beams of `width` boards.
    #[must_use]
    pub(crate) fn new(model: Model, goal: Option<Goal>, width: usize) -> Self {
        let values = Rc::new(RowValues::of(model.side()));
        let board = model.start();
        Self {
            beam: Beam::new(model, Rc::clone(&values), goal, board, width),
            model,
            values,
            goal,
            width,
            plan: VecDeque::new(),
            is_final: false,
            board,
        }
    }

    /// The number of moves in the plan.
    #[must_use]
    pub(crate) fn depth(&self) -> usize {
        self.plan.len()
    }

    /// The next move on this board; `None` if the budget did not suffice to find one.
    pub(crate) fn next_move(
        &mut self,
        board: PackedBoard,
        budget: &mut Budget,
    ) -> Option<Direction> {
        if board != self.board {
            self.board = board;
            self.plan.clear();
            self.is_final = false;
            self.begin_again();
        }
        self.look_ahead(budget);
        let direction = self.plan.pop_front()?;
        self.board = self.model.put_tile(self.model.slide(board, direction)?);
        if !self.is_final && !self.beam.advance(direction) {
            self.begin_again();
        }
        Some(direction)
    }

    fn look_ahead(&mut self, budget: &mut Budget) {
        while !self.is_final && self.beam.depth() < HORIZON {
            match self.beam.grow(budget) {
                Growth::Deeper => {}
                Growth::OutOfBudget => break,
                Growth::DeadEnd => {
                    self.adopt_line_of_beam();
                    self.is_final = !self.beam.has_dropped() || self.width >= MAX_WIDTH;
                    self.width *= WIDENING;
                    self.begin_again();
                }
                Growth::Goal(moves) => {
                    self.plan = moves.into();
                    self.is_final = true;
                }
            }
        }
        if !self.is_final {
            self.adopt_line_of_beam();
        }
    }

    fn adopt_line_of_beam(&mut self) {
        if self.beam.depth() >= self.plan.len() {
            self.plan = self.beam.best_line().into();
        }
    }

    fn begin_again(&mut self) {
        let values = Rc::clone(&self.values);
        self.beam = Beam::new(self.model, values, self.goal, self.board, self.width);
    }
}
