//! Counts paths by board instead of one by one.
//!
//! Boards after different numbers of moves have different sums, so the boards after `n`
//! moves are computed only from those after `n - 1`. Two layers are all the memory it
//! needs, and every board is visited once. A board carries the number of paths that
//! lead to it, an integer of any size.

use std::collections::hash_map::Entry;

use num_bigint::BigUint;
use plugin_api::{Direction, solve::SolveProgress};

use super::{Ending, Problem, Reporter};
use crate::board_hash::BoardMap;

/// The number of boards between two checks of memory and reporter.
const STRIDE: usize = 1024;

pub(super) struct Count {
    pub(super) solutions: BigUint,
    pub(super) fewest_moves: Option<u64>,
    pub(super) most_moves: Option<u64>,
    /// The number of different boards without the goal.
    pub(super) states: u64,
    /// The number of paths to these boards: the nodes whose moves are tried.
    pub(super) expanded: BigUint,
    /// The number of paths that end with a move that changes nothing.
    pub(super) killed: BigUint,
    pub(super) ending: Ending,
}

type Layer = BoardMap<BigUint>;

impl Count {
    /// The nodes of the tree of all paths: the root, and one for every move that is tried.
    pub(super) fn generated(&self) -> BigUint {
        &self.expanded * Direction::ALL.len() + 1u32
    }
}

/// Counts all paths to the goal; if it is interrupted, those found so far.
///
/// With `unpruned`, no path is killed: a move that changes nothing leads to the same board, as
/// far as so many moves.
pub(super) fn count(problem: Problem, unpruned: Option<u64>, reporter: &mut Reporter) -> Count {
    let mut count = Count {
        solutions: BigUint::ZERO,
        fewest_moves: None,
        most_moves: None,
        states: 0,
        expanded: BigUint::ZERO,
        killed: BigUint::ZERO,
        ending: Ending::Complete,
    };
    let mut layer = Layer::default();
    layer.insert(problem.model.start(), 1u32.into());
    let mut n_moves = 0;
    while !layer.is_empty() && unpruned.is_none_or(|depth| n_moves < depth) {
        n_moves += 1;
        let kills = unpruned.is_none();
        match next_layer(problem, layer, (n_moves, kills), &mut count, reporter) {
            Ok(next) => layer = next,
            Err(ending) => {
                count.ending = ending;
                break;
            }
        }
    }
    count
}

fn next_layer(
    problem: Problem,
    layer: Layer,
    (n_moves, kills): (u64, bool),
    count: &mut Count,
    reporter: &mut Reporter,
) -> Result<Layer, Ending> {
    let mut next = Layer::default();
    let table_before = table_bytes(layer.capacity());
    // A board has at most four predecessors.
    let count_before = layer.values().map(bytes).max().unwrap_or(0);
    let count_bytes = count_before + size_of::<u64>() as u64;
    let n_boards = layer.len();
    for (place, (board, n_paths)) in layer.into_iter().enumerate() {
        if place % STRIDE == 0 {
            let counts = (n_boards - place) as u64 * count_before + next.len() as u64 * count_bytes;
            let memory = table_before + table_bytes_soon(&next) + counts;
            if memory > problem.memory {
                return Err(Ending::OutOfMemory);
            }
            reporter.progress(|| SolveProgress {
                stage: format!("counting, move {n_moves}"),
                visited: count.states,
                solutions: Some(count.solutions.to_string()),
                memory,
            });
            if reporter.is_stopped() {
                return Err(Ending::Stopped);
            }
        }
        count.states += 1;
        count.expanded += &n_paths;
        for direction in Direction::ALL {
            let after = match problem.model.slide(board, direction) {
                None if kills => {
                    count.killed += &n_paths;
                    continue;
                }
                None => board,
                Some(moved) if problem.goal.is_on(moved) => {
                    count.solutions += &n_paths;
                    count.fewest_moves.get_or_insert(n_moves);
                    count.most_moves = Some(n_moves);
                    continue;
                }
                Some(moved) => problem.model.put_tile(moved),
            };
            match next.entry(after) {
                Entry::Occupied(mut entry) => *entry.get_mut() += &n_paths,
                Entry::Vacant(entry) => {
                    entry.insert(n_paths.clone());
                }
            }
        }
    }
    Ok(next)
}

/// The bytes of a number outside its table, including the allocator's overhead.
fn bytes(number: &BigUint) -> u64 {
    const ALLOCATION: u64 = 16;
    const FEWEST_WORDS: u64 = 4;
    let words = number.bits().div_ceil(64).max(FEWEST_WORDS);
    words * size_of::<u64>() as u64 + ALLOCATION
}

/// The bytes of a table with room for this many boards: it is at most seven eighths
/// full and has an extra byte per slot.
fn table_bytes(capacity: usize) -> u64 {
    let place = size_of::<(plugin_api::PackedBoard, BigUint)>() + 1;
    (capacity * place) as u64 * 8 / 7
}

/// The bytes of a table until the next check, including what is needed to double it.
fn table_bytes_soon(layer: &Layer) -> u64 {
    let now = table_bytes(layer.capacity());
    let grows = layer.len() + Direction::ALL.len() * STRIDE > layer.capacity();
    if grows { 3 * now } else { now }
}
