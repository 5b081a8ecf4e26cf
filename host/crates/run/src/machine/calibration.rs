//! How fast this machine searches: nodes per second of a search that is always the same.
//!
//! Equal time means equal work only on equal machines. Every run measures the speed of its
//! machine before the first game, so that the report of a run on several machines can say
//! when they differ too much for a time budget.

use std::{hint::black_box, time::Duration};

use nix::time::{ClockId, clock_gettime};
use plugin_api::{Direction, PackedBoard, RowTables, Side};

/// A board in the middle of a game.
const BOARD: PackedBoard = PackedBoard::from_bits(0x0001_0012_0123_1479);
/// Four moves with three new tiles between them: a few milliseconds.
const DEPTH: u32 = 3;
/// The search is repeated until this much CPU time is used, about ten times, and the fastest
/// counts, because other programs on the same core can only slow a search down. (On a busy
/// machine the highest of 30 medians was 1.65 times the lowest.)
const ENOUGH: Duration = Duration::from_millis(25);

/// Nodes per second of this thread's CPU time; a node is one slide of a board.
#[must_use]
pub(super) fn nodes_per_second() -> u64 {
    let tables = RowTables::of(Side::FOUR).expect("packed boards of side 4 exist");
    let beginning = cpu_time();
    let mut quickest = Duration::MAX;
    // The first search also builds the tables and fills the caches.
    loop {
        let start = cpu_time();
        let mut n_nodes = 0;
        black_box(best_value(tables, black_box(BOARD), DEPTH, &mut n_nodes));
        let end = cpu_time();
        quickest = quickest.min(end.saturating_sub(start));
        // Without a clock once is enough.
        if end.saturating_sub(beginning) > ENOUGH || end == start {
            let per_second = u128::from(n_nodes) * 1_000_000_000 / quickest.as_nanos().max(1);
            return u64::try_from(per_second).unwrap_or(u64::MAX);
        }
    }
}

/// The value of the best move, averaged over all new tiles; a leaf is worth its number of
/// empty cells.
fn best_value(tables: &RowTables, board: PackedBoard, depth: u32, n_nodes: &mut u64) -> u64 {
    let mut best = 0;
    for direction in Direction::ALL {
        let moved = tables.slide(board, direction);
        *n_nodes += 1;
        if moved == board {
            continue;
        }
        let empty = tables.empty_mask(moved);
        let value = if depth == 0 {
            u64::from(empty.n_cells())
        } else {
            let values = empty.into_iter().map(|cell| {
                let with_2 = best_value(tables, moved.with_new_tile(cell, 1), depth - 1, n_nodes);
                let with_4 = best_value(tables, moved.with_new_tile(cell, 2), depth - 1, n_nodes);
                9 * with_2 + with_4
            });
            values.sum::<u64>() / u64::from(empty.n_cells().max(1))
        };
        best = best.max(value);
    }
    best
}

/// The CPU time of this thread, which leaves out the time of other programs.
fn cpu_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Speeds from different versions are comparable only while the search stays the same.
    /// A second program, which represents boards as lists of tiles, gave the same numbers.
    #[test]
    fn the_search_is_always_the_same() {
        let tables = RowTables::of(Side::FOUR).unwrap();
        let mut n_nodes = 0;
        let value = best_value(tables, BOARD, DEPTH, &mut n_nodes);
        assert_eq!((n_nodes, value), (271_580, 9_561));
    }

    #[test]
    fn a_machine_has_a_speed() {
        let speed = nodes_per_second();
        assert!((100_000..100_000_000_000).contains(&speed), "{speed}");
    }
}
