//! The search compared with a slow version written directly from the definition.

use plugin_api::{Board, Direction, FourShare, PackedBoard};
use search_kit::{Weights, line_search::LineEvaluation};

use super::*;

const BOARDS: [&str; 4] = [
    "0 2 4 4 / 4 2 16 2 / 2 32 8 128 / 8 64 0 256",
    "2 4 8 16 / 4 8 16 32 / 8 16 32 64 / 2 0 4 0",
    "2 0 4 / 0 8 2 / 4 16 0",
    "2 4 / 8 0",
];

/// The definition on exact boards, without any optimisation.
struct SlowTwin {
    values: LineValues,
    power: f64,
    four: f64,
}

impl SlowTwin {
    fn value_of_moved(&self, moved: &Board, depth: i32) -> f64 {
        if depth <= 0 {
            return self.static_value(moved);
        }
        let chance = |share: f64| share / f64::from(u8::try_from(moved.n_empty()).unwrap());
        let mut tiles: Vec<(f64, f64)> = moved
            .empty_cells()
            .flat_map(|cell| {
                let two = self.best(&moved.with_tile(cell, 1), depth - 1);
                let four = self.best(&moved.with_tile(cell, 2), depth - 2);
                [(two, chance(1.0 - self.four)), (four, chance(self.four))]
            })
            .collect();
        tiles.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut rest = 1.0 / self.power;
        let mut sum = 0.0;
        for (value, chance) in tiles {
            let share = chance.min(rest);
            sum += share * value;
            rest -= share;
        }
        sum * self.power
    }

    fn best(&self, board: &Board, depth: i32) -> f64 {
        Direction::ALL
            .into_iter()
            .filter_map(|direction| board.slide(direction))
            .map(|slide| self.value_of_moved(&slide.board, depth))
            .reduce(f64::max)
            .unwrap_or_else(|| f64::from(self.values.of_lost_board()))
    }

    fn static_value(&self, board: &Board) -> f64 {
        let packed = PackedBoard::try_from(board).unwrap();
        let columns = packed.transposed();
        (0..4)
            .map(|number| {
                self.values.of_row(number, packed.row(number))
                    + self.values.of_column(number, columns.row(number))
            })
            .map(f64::from)
            .sum()
    }
}

#[test]
fn the_exact_search_equals_the_slow_version() {
    for text in BOARDS {
        let board: Board = text.parse().unwrap();
        let moved = TwoWayBoard::new(PackedBoard::try_from(&board).unwrap());
        for (power, four) in [(1.0, 0.1), (2.0, 0.1), (3.5, 0.2), (1e6, 0.1)] {
            let rules = Rules {
                side: board.side(),
                four: FourShare::new(four).unwrap(),
                ..Rules::default()
            };
            let values = || LineValues::new(&Weights::default(), board.side());
            let twin = SlowTwin {
                values: values(),
                power,
                four,
            };
            for depth in 0..=3 {
                #[expect(clippy::cast_possible_truncation, reason = "as the agent's parameter")]
                let search = OpponentSearch::new(values(), power as f32, &rules);
                let quick = search.unwrap().exact().value_of_moved(moved, depth);
                let quick = f64::from(quick.expect("the budget has no limit"));
                let slow = twin.value_of_moved(&board, depth);
                assert!(
                    (quick - slow).abs() <= 1e-4 * slow.abs(),
                    "{quick} is not {slow} at depth {depth} of {text}, power {power}"
                );
            }
        }
    }
}

#[test]
fn a_value_is_exact_only_above_the_best_and_otherwise_not_above_it() {
    let board: Board = BOARDS[0].parse().unwrap();
    let moved = TwoWayBoard::new(PackedBoard::try_from(&board).unwrap());
    let search = || {
        let values = LineValues::new(&Weights::default(), board.side());
        OpponentSearch::new(values, 2.0, &Rules::default()).unwrap()
    };
    let value = search().exact().value_of_moved(moved, 3).unwrap();
    for above in [f32::NEG_INFINITY, value - 1000.0, value, value + 1000.0] {
        let found = search().exact().value_if_above(above, moved, 3).unwrap();
        if value > above {
            assert_eq!(found.to_bits(), value.to_bits());
        } else {
            assert!(found <= above);
        }
    }
}
