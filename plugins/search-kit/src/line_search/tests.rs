//! The search compared with a slow version written directly from the definition.

use plugin_api::{Direction, FourShare, PackedBoard, Side, Tiles};

use super::*;
use crate::{LineValues, Weights};

const BOARDS: [&str; 5] = [
    "0 2 0 4 / 4 0 16 2 / 2 32 8 128 / 8 64 16 256",
    "2 4 8 16 / 4 8 16 32 / 8 16 32 64 / 2 0 4 0",
    "32768 16384 2 4 / 32768 2 4 0 / 2 4 8 16 / 4 2 4 2",
    "2 0 4 / 0 8 2 / 4 16 0",
    "2 4 / 8 0",
];

fn rules(side: Side, four: f64) -> Rules {
    Rules {
        side,
        four: FourShare::new(four).unwrap(),
        ..Rules::default()
    }
}

fn search(rules: &Rules) -> LineSearch<LineValues> {
    LineSearch::new(LineValues::new(&Weights::default(), rules.side), rules).unwrap()
}

/// The definition, without any optimisation.
struct SlowTwin {
    tables: &'static RowTables,
    values: LineValues,
    rules: Rules,
}

impl SlowTwin {
    fn value_of_moved(&self, moved: PackedBoard, depth: i32) -> f64 {
        if depth <= 0 {
            return f64::from(self.static_value(moved));
        }
        let four = self.rules.four.as_f64();
        let n_cells = match self.rules.tiles {
            Tiles::Deterministic => 1,
            Tiles::Random => self.tables.n_empty(moved),
        };
        let cells = self.tables.empty_mask(moved).into_iter();
        let sum: f64 = cells
            .take(n_cells as usize)
            .map(|cell| {
                let best = |exponent, cost| {
                    self.best_of(moved.with_new_tile(cell, exponent), depth - cost)
                };
                match four {
                    0.0 => best(1, 1),
                    1.0 => best(2, 1),
                    _ => (1.0 - four) * best(1, 1) + four * best(2, 2),
                }
            })
            .sum();
        sum / f64::from(n_cells)
    }

    fn best_of(&self, board: PackedBoard, depth: i32) -> f64 {
        Direction::ALL
            .into_iter()
            .map(|direction| self.tables.slide(board, direction))
            .filter(|&moved| moved != board)
            .map(|moved| self.value_of_moved(moved, depth))
            .reduce(f64::max)
            .unwrap_or_else(|| f64::from(self.values.of_lost_board()))
    }

    fn static_value(&self, board: PackedBoard) -> i32 {
        let lines = |board: PackedBoard| -> i32 {
            (0..4)
                .map(|number| self.values.of_row(0, board.row(number)))
                .sum()
        };
        lines(board) + lines(board.transposed())
    }
}

#[track_caller]
fn check_against_twin(rules: Rules, board: PackedBoard, deepest: i32) {
    let twin = SlowTwin {
        tables: RowTables::of(rules.side).unwrap(),
        values: LineValues::new(&Weights::default(), rules.side),
        rules,
    };
    for depth in 0..=deepest {
        let mut search = search(&rules).with_late_moves(LateMoves::AsDeep);
        let quick = search.value_of_moved(TwoWayBoard::new(board), depth);
        let quick = f64::from(quick.expect("the budget has no limit"));
        let slow = twin.value_of_moved(board, depth);
        assert!(
            (quick - slow).abs() <= 1e-5 * slow.abs(),
            "{quick} is not {slow} at depth {depth} of {board:?}"
        );
    }
}

fn packed(text: &str) -> (Side, PackedBoard) {
    let board = text.parse().unwrap();
    (
        plugin_api::Board::side(&board),
        PackedBoard::try_from(&board).unwrap(),
    )
}

#[test]
fn the_exact_search_equals_the_slow_version() {
    for text in BOARDS {
        let (side, board) = packed(text);
        for four in [0.0, 0.1, 0.2, 1.0] {
            check_against_twin(rules(side, four), board, 3);
        }
    }
}

#[test]
fn with_deterministic_tiles_the_search_knows_the_next_tile() {
    let (side, board) = packed(BOARDS[0]);
    let rules = Rules {
        tiles: Tiles::Deterministic,
        ..rules(side, 0.0)
    };
    check_against_twin(rules, board, 4);
}

#[test]
fn a_search_never_exceeds_its_nodes() {
    let (side, board) = packed(BOARDS[0]);
    for allowed in [0, 3, 4, 100, 1000, 20_000] {
        let mut search = search(&rules(side, 0.1));
        *search.nodes() = NodeCount::new(Turn::with_nodes(allowed).budget());
        assert_eq!(search.value_of_moved(TwoWayBoard::new(board), 20), None);
        // One step of a search has at most two tiles on fifteen cells with four slides
        // each.
        assert!(search.nodes().nodes() <= allowed && search.nodes().nodes() + 120 > allowed);
    }
}

#[test]
fn a_value_above_the_best_is_exact_and_others_are_below() {
    let (side, board) = packed(BOARDS[0]);
    let moved = TwoWayBoard::new(board);
    let value = search(&rules(side, 0.1)).value_of_moved(moved, 3).unwrap();
    let if_above = |best: f32| {
        search(&rules(side, 0.1))
            .value_if_above(best, moved, 3)
            .unwrap()
    };
    assert_eq!(if_above(f32::NEG_INFINITY).to_bits(), value.to_bits());
    assert!(if_above(f32::INFINITY) < f32::INFINITY);
}
