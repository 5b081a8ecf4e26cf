//! The rules checked by counting: the paths of moves and new tiles from a position, and the
//! boards that they reach.
//!
//! An error in a slide, a merge or the end of the game changes the counts of
//! `docs/vectors/perft.jsonl`, which come from programs in Python. Both boards are checked
//! against them, the packed one if it can hold the tiles.

use std::{collections::HashMap, hash::Hash};

use plugin_api::{Board, Direction, PackedBoard, RowTables};
use serde::Deserialize;

#[derive(Deserialize)]
struct Position {
    id: String,
    board: Vec<Vec<u64>>,
    counts: Vec<Count>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Count {
    depth: usize,
    paths: u64,
    boards: usize,
}

fn positions() -> Vec<(Position, Board)> {
    let lines = include_str!("../../docs/vectors/perft.jsonl").lines();
    lines
        .map(|line| {
            let position: Position = serde_json::from_str(line).unwrap();
            let rows: Vec<String> = position
                .board
                .iter()
                .map(|row| row.iter().map(u64::to_string).collect::<Vec<_>>().join(" "))
                .collect();
            let board = rows.join(" / ").parse().unwrap();
            (position, board)
        })
        .collect()
}

/// Counts the paths to every board, ply by ply.
#[track_caller]
fn check<B: Copy + Eq + Hash>(position: &Position, start: B, after_a_ply: impl Fn(B) -> Vec<B>) {
    let mut paths = HashMap::from([(start, 1)]);
    for (depth, expected) in (1..).zip(&position.counts) {
        let mut following = HashMap::new();
        for (board, n_paths) in paths {
            for after in after_a_ply(board) {
                *following.entry(after).or_insert(0) += n_paths;
            }
        }
        let count = Count {
            depth,
            paths: following.values().sum(),
            boards: following.len(),
        };
        assert_eq!(count, *expected, "{}", position.id);
        paths = following;
    }
}

#[test]
fn the_exact_board_has_the_independently_counted_paths() {
    for (position, board) in positions() {
        check(&position, board, |board| {
            let slides = Direction::ALL.map(|direction| board.slide(direction));
            let slides = slides.into_iter().flatten();
            slides
                .flat_map(|slide| slide.board.empty_cells().map(move |cell| (slide, cell)))
                .flat_map(|(slide, cell)| [1, 2].map(|tile| slide.board.with_tile(cell, tile)))
                .collect()
        });
    }
}

#[test]
fn the_packed_board_has_the_independently_counted_paths() {
    let mut n_checked = 0;
    for (position, board) in positions() {
        // Merging keeps the sum of all tiles, so this sum bounds every later tile.
        let sum: u64 = board.tiles().iter().flatten().sum();
        let Some(tables) = RowTables::of(board.side()).filter(|_| sum < 65_000) else {
            continue;
        };
        let packed = PackedBoard::try_from(&board).unwrap();
        check(&position, packed, |board| {
            let slides = Direction::ALL.map(|direction| tables.slide(board, direction));
            let slides = slides.into_iter().filter(|&moved| moved != board);
            slides
                .flat_map(|moved| {
                    let empty = tables.empty_mask(moved).into_iter();
                    empty.flat_map(move |cell| [1, 2].map(|tile| moved.with_new_tile(cell, tile)))
                })
                .collect()
        });
        n_checked += 1;
    }
    assert!(n_checked >= 9, "only {n_checked} positions fit");
}
