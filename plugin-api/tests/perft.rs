//! The rules checked by counting: every path of moves and new tiles from a position.
//!
//! An error in a slide, a merge or the end of the game changes the counts of
//! `perft.txt`. Both boards are checked against them, the packed one if it can hold the
//! tiles.

use plugin_api::{Board, Direction, PackedBoard, RowTables};

struct Position {
    id: String,
    board: Board,
    /// Depth and number of paths.
    counts: Vec<(u32, u64)>,
}

fn positions() -> Vec<Position> {
    include_str!("perft.txt")
        .split("\n\n")
        .filter(|block| block.starts_with("id "))
        .map(|block| {
            let values = |key: &str| {
                let key = format!("{key} ");
                let values: Vec<_> = block
                    .lines()
                    .filter_map(|line| line.strip_prefix(&key).map(str::to_owned))
                    .collect();
                assert!(!values.is_empty(), "no `{key}` in:\n{block}");
                values
            };
            let count = |line: &String| {
                let (depth, count) = line.split_once(' ').unwrap();
                (depth.parse().unwrap(), count.parse().unwrap())
            };
            Position {
                id: values("id").concat(),
                board: values("board").concat().parse().unwrap(),
                counts: values("perft").iter().map(count).collect(),
            }
        })
        .collect()
}

fn n_exact_paths(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    Direction::ALL
        .into_iter()
        .filter_map(|direction| board.slide(direction))
        .flat_map(|slide| slide.board.empty_cells().map(move |cell| (slide, cell)))
        .map(|(slide, cell)| {
            let with = |exponent| n_exact_paths(&slide.board.with_tile(cell, exponent), depth - 1);
            with(1) + with(2)
        })
        .sum()
}

fn n_packed_paths(tables: &RowTables, board: PackedBoard, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    Direction::ALL
        .into_iter()
        .map(|direction| tables.slide(board, direction))
        .filter(|&moved| moved != board)
        .flat_map(|moved| {
            let empty = tables.empty_mask(moved).into_iter();
            empty.flat_map(move |cell| [1, 2].map(|exponent| moved.with_new_tile(cell, exponent)))
        })
        .map(|next| n_packed_paths(tables, next, depth - 1))
        .sum()
}

#[test]
fn the_exact_board_has_the_independently_counted_paths() {
    for Position { id, board, counts } in positions() {
        for (depth, count) in counts {
            assert_eq!(n_exact_paths(&board, depth), count, "{id}, depth {depth}");
        }
    }
}

#[test]
fn the_packed_board_has_the_independently_counted_paths() {
    let mut n_checked = 0;
    for Position { id, board, counts } in positions() {
        // Merging keeps the sum of all tiles, so this sum bounds every later tile.
        let sum: u64 = board.tiles().iter().flatten().sum();
        let Some(tables) = RowTables::of(board.side()).filter(|_| sum < 65_000) else {
            continue;
        };
        let packed = PackedBoard::try_from(&board).unwrap();
        for (depth, count) in counts {
            let n_paths = n_packed_paths(tables, packed, depth);
            assert_eq!(n_paths, count, "{id}, depth {depth}");
        }
        n_checked += 1;
    }
    assert!(n_checked >= 9, "only {n_checked} positions fit");
}
