//! All paths to a goal in deterministic 2048: the engine of `host solve`.
//!
//! There are two modes. When listing, every path is sent in the paper's order, and the
//! work grows with the number of paths. When counting, each board is visited once,
//! however many paths lead to it, and a shortest path comes from a beam whose length is
//! compared with a proven bound. Thus the shortest path is known even if no memory
//! would suffice for the count.

mod counting;
mod listing;
mod reporter;
mod shortest;

use std::{ops::ControlFlow, time::Instant};

use plugin_api::{
    Direction, PackedBoard, Refusal,
    solve::{Solution, SolveAnswer, SolveMessage, SolveRequest, Solver, TreeSize},
};
use search_kit::{Goal, NoRecorder, TreeRecorder};

use crate::model::{Model, PAPER_ORDER};
use counting::Count;
pub(crate) use listing::Listing;
use reporter::Reporter;

/// Solves by exhaustive search.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExhaustiveSolver;

/// The memory limit if the request has none: 2 GiB.
pub const DEFAULT_MEMORY: u64 = 2 << 30;

/// A validated request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Problem {
    model: Model,
    goal: Goal,
    memory: u64,
    /// The order in which moves are tried.
    order: [Direction; 4],
    /// Whether a board from which no path reaches the goal is visited only once.
    remembers: bool,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Complete,
    Stopped,
    OutOfMemory,
}

impl Solver for ExhaustiveSolver {
    fn solve(
        &mut self,
        request: &SolveRequest,
        send: &mut dyn FnMut(SolveMessage) -> ControlFlow<()>,
    ) -> Result<SolveAnswer, Refusal> {
        let started = Instant::now();
        let problem = Problem::from_request(request)?;
        let mut reporter = Reporter::new(send);
        let mut answer = if request.list {
            list(problem, request, &mut reporter)
        } else {
            count(problem, request, &mut reporter)
        };
        answer.micros = u64::try_from(started.elapsed().as_micros()).ok();
        Ok(answer)
    }
}

impl Problem {
    fn from_request(request: &SolveRequest) -> Result<Self, Refusal> {
        let side = request.size;
        let model = Model::of(side)
            .ok_or_else(|| format!("only boards of 2×2 to 4×4 can be solved, not {side}"))?;
        let tile = request.goal;
        if tile < 4 || !tile.is_power_of_two() {
            return Err(
                format!("the goal must be one of the tiles 4, 8, 16, …, not {tile}").into(),
            );
        }
        let goal = Goal::with_exponent(u8::try_from(tile.trailing_zeros())?)
            .ok_or_else(|| format!("only goals up to 32768 can be solved, not {tile}"))?;
        Ok(Self {
            model,
            goal,
            memory: request.memory.unwrap_or(DEFAULT_MEMORY),
            order: match &request.order {
                None => PAPER_ORDER,
                Some(letters) => order_of(letters)?,
            },
            remembers: true,
        })
    }

    /// The path of these moves, with the board at its end.
    fn solution(self, line: &[Direction]) -> Solution {
        let end = line.iter().fold(self.model.start(), |board, &direction| {
            let moved = self.model.slide(board, direction);
            self.model
                .put_tile(moved.expect("the moves of a path are legal"))
        });
        Solution {
            moves: line.iter().copied().map(Direction::letter).collect(),
            board: end.to_board(self.model.side()).tiles(),
        }
    }

    fn incomplete_because(self, ending: Ending) -> Option<String> {
        match ending {
            Ending::Complete => None,
            Ending::Stopped => Some("it was stopped".to_owned()),
            Ending::OutOfMemory => Some(format!(
                "the memory limit of {} MiB was reached",
                self.memory >> 20
            )),
        }
    }
}

/// The state-space tree of the paths from a board to a goal, by visiting `effort` boards.
pub(crate) fn state_space_tree(
    model: Model,
    goal: Goal,
    start: PackedBoard,
    order: [Direction; 4],
    effort: u64,
    recorder: &mut TreeRecorder,
) -> Listing {
    let problem = Problem {
        model,
        goal,
        memory: DEFAULT_MEMORY,
        order,
        remembers: false,
    };
    let mut ignore = |_| ControlFlow::Continue(());
    let mut reporter = Reporter::new(&mut ignore);
    listing::list(problem, start, u64::MAX, effort, &mut reporter, recorder)
}

/// The directions that these letters name, each once.
pub(crate) fn order_of(letters: &str) -> Result<[Direction; 4], Refusal> {
    let directions: Option<Vec<Direction>> = letters.chars().map(Direction::from_letter).collect();
    let order = directions.and_then(|directions| <[Direction; 4]>::try_from(directions).ok());
    let has_all = |order: &[Direction; 4]| Direction::ALL.iter().all(|one| order.contains(one));
    order.filter(has_all).ok_or_else(|| {
        format!("the order must have each of U, L, D and R once, not `{letters}`").into()
    })
}

fn list(problem: Problem, request: &SolveRequest, reporter: &mut Reporter) -> SolveAnswer {
    let listing = listing::list(
        problem,
        problem.model.start(),
        u64::MAX,
        u64::MAX,
        reporter,
        &mut NoRecorder,
    );
    let tree = (listing.ending == Ending::Complete)
        .then(|| counting::count(problem, None, reporter))
        .filter(|count| count.ending == Ending::Complete)
        .map(|count| tree_size(&count, problem, request, reporter));
    SolveAnswer {
        solutions: Some(listing.n_solutions.to_string()),
        min_moves: listing.shortest.as_ref().map(n_moves),
        max_moves: listing.most_moves,
        shortest: listing.shortest,
        states: listing.visited,
        complete: listing.ending == Ending::Complete,
        incomplete_because: problem.incomplete_because(listing.ending),
        tree,
        micros: None,
    }
}

fn count(problem: Problem, request: &SolveRequest, reporter: &mut Reporter) -> SolveAnswer {
    let mut shortest = shortest::ShortestPath::default();
    shortest.look_quickly(problem, reporter);
    if request.examples > 0 {
        let listing = listing::list(
            problem,
            problem.model.start(),
            request.examples,
            listing::EXAMPLE_EFFORT,
            reporter,
            &mut NoRecorder,
        );
        if let (0, Some(moves)) = (listing.n_solutions, shortest.moves()) {
            reporter.solution(problem.solution(moves));
        }
    }
    let count = counting::count(problem, None, reporter);
    if count.ending == Ending::Complete {
        shortest.look_until(count.fewest_moves, problem, reporter);
    }
    let found = count.fewest_moves.is_some();
    let shortest = shortest.moves().map(|moves| problem.solution(moves));
    SolveAnswer {
        solutions: (found || count.ending == Ending::Complete).then(|| count.solutions.to_string()),
        min_moves: count
            .fewest_moves
            .or_else(|| shortest.as_ref().map(n_moves)),
        max_moves: count.most_moves,
        shortest,
        states: count.states,
        complete: count.ending == Ending::Complete,
        incomplete_because: problem.incomplete_because(count.ending),
        tree: Some(tree_size(&count, problem, request, reporter)),
        micros: None,
    }
}

/// The size of the tree that a search visits which stores nothing.
fn tree_size(
    count: &Count,
    problem: Problem,
    request: &SolveRequest,
    reporter: &mut Reporter,
) -> TreeSize {
    let unpruned = count.most_moves.filter(|_| request.unpruned);
    let unpruned = unpruned.map(|depth| counting::count(problem, Some(depth), reporter));
    let unpruned = unpruned.filter(|unpruned| unpruned.ending == Ending::Complete);
    TreeSize {
        generated: count.generated().to_string(),
        expanded: count.expanded.to_string(),
        killed: count.killed.to_string(),
        unpruned: unpruned.map(|unpruned| unpruned.generated().to_string()),
    }
}

fn n_moves(solution: &Solution) -> u64 {
    solution.moves.len() as u64
}
