//! Lists paths one by one, as in the paper: depth-first with backtracking.
//!
//! A board from which no path reaches the goal is stored and not visited again. This
//! does not change the list, but it finds the few paths faster when most branches fail.

use plugin_api::{
    Direction, PackedBoard,
    explain::{Node, NodeKind},
    solve::{Solution, SolveProgress},
};
use search_kit::{
    Recorder,
    recorder::{after_move, after_tile, known_from_table},
};

use super::{Ending, Problem, Reporter};
use crate::board_hash::BoardSet;

/// The number of boards to visit in search of examples; some goals have none within
/// reach of an uninformed search.
pub(super) const EXAMPLE_EFFORT: u64 = 2_000_000;

/// The number of boards between two checks of the reporter.
const STRIDE: u64 = 1024;

pub(crate) struct Listing {
    pub(crate) n_solutions: u64,
    pub(super) shortest: Option<Solution>,
    pub(super) most_moves: Option<u64>,
    /// The number of visits to boards, including repeated ones.
    pub(crate) visited: u64,
    /// The number of moves that changed nothing.
    pub(crate) killed: u64,
    pub(crate) ending: Ending,
}

/// A board on the current path.
struct Visit {
    board: PackedBoard,
    /// The index of the next direction in the order of the problem.
    next: usize,
    leads_to_goal: bool,
}

/// Sends the first `n_wanted` paths from a board, as far as they are found by visiting
/// `effort` boards.
pub(crate) fn list(
    problem: Problem,
    start: PackedBoard,
    n_wanted: u64,
    effort: u64,
    reporter: &mut Reporter,
    recorder: &mut impl Recorder,
) -> Listing {
    let model = problem.model;
    let mut listing = Listing {
        n_solutions: 0,
        shortest: None,
        most_moves: None,
        visited: 1,
        killed: 0,
        ending: Ending::Complete,
    };
    let mut lost = BoardSet::default();
    let mut line: Vec<Direction> = Vec::new();
    let mut path = vec![Visit::of(start)];
    recorder.begin();
    recorder.open(NodeKind::Max);
    while let Some(visit) = path.last_mut() {
        let Some(&direction) = problem.order.get(visit.next) else {
            if problem.remembers && !visit.leads_to_goal && has_room(&lost, problem.memory) {
                lost.insert(visit.board);
            }
            let leads_to_goal = visit.leads_to_goal;
            path.pop();
            line.pop();
            recorder.close(|_| {});
            if let Some(before) = path.last_mut() {
                before.leads_to_goal |= leads_to_goal;
            }
            continue;
        };
        visit.next += 1;
        let Some(moved) = model.slide(visit.board, direction) else {
            listing.killed += 1;
            recorder.announce(|| after_move(direction));
            recorder.open(NodeKind::Dead);
            recorder.close(|node| node.note = Some("the board does not change".to_owned()));
            continue;
        };
        let board = model.put_tile(moved);
        recorder.announce(|| Node {
            direction: Some(direction),
            ..after_tile(moved, board, model.side())
        });
        if problem.goal.is_on(moved) {
            visit.leads_to_goal = true;
            recorder.open(NodeKind::Goal);
            recorder.close(|_| {});
            line.push(direction);
            listing.add(
                Solution {
                    moves: line.iter().copied().map(Direction::letter).collect(),
                    board: board.to_board(model.side()).tiles(),
                },
                reporter,
            );
            line.pop();
        } else if lost.contains(&board) {
            recorder.open(NodeKind::Dead);
            recorder.close(|node| node.cut = known_from_table());
        } else {
            recorder.open(NodeKind::Max);
            listing.visited += 1;
            line.push(direction);
            path.push(Visit::of(board));
            if listing.visited.is_multiple_of(STRIDE) {
                reporter.progress(|| listing.progress(&lost));
            }
        }
        if reporter.is_stopped() {
            listing.ending = Ending::Stopped;
            break;
        }
        if listing.n_solutions == n_wanted || listing.visited >= effort {
            break;
        }
    }
    for _ in path {
        recorder.close(|_| {});
    }
    listing
}

impl Visit {
    fn of(board: PackedBoard) -> Self {
        Self {
            board,
            next: 0,
            leads_to_goal: false,
        }
    }
}

impl Listing {
    fn add(&mut self, solution: Solution, reporter: &mut Reporter) {
        let n_moves = super::n_moves(&solution);
        self.n_solutions += 1;
        self.most_moves = self.most_moves.max(Some(n_moves));
        let is_shorter = |shortest: &Solution| n_moves < super::n_moves(shortest);
        if self.shortest.as_ref().is_none_or(is_shorter) {
            self.shortest = Some(solution.clone());
        }
        reporter.solution(solution);
    }

    fn progress(&self, lost: &BoardSet) -> SolveProgress {
        SolveProgress {
            stage: "listing".to_owned(),
            visited: self.visited,
            solutions: Some(self.n_solutions.to_string()),
            memory: table_bytes(lost.capacity()),
        }
    }
}

/// Whether one more board fits, even if the table has to be doubled for it.
fn has_room(lost: &BoardSet, memory: u64) -> bool {
    lost.len() < lost.capacity() || 3 * table_bytes(lost.capacity()) <= memory
}

fn table_bytes(capacity: usize) -> u64 {
    (capacity * (size_of::<PackedBoard>() + 1)) as u64 * 8 / 7
}
