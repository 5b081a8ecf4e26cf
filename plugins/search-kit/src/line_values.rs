//! The static value of a board: the sum over its rows and columns.
//!
//! The value of a line consists of its empty cells and its merges, less its disorder
//! and its tiles, of which few large ones are better than many small ones. Differences
//! of high powers make disorder among large tiles expensive and among small ones cheap.
//! Values are integers, so sums are exact in any order and a search that changes
//! one line can replace its part of the sum.

use crate::{LineTable, line_search::LineEvaluation};
use plugin_api::Side;

/// The weights of the parts of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// The cost of a lost board, per line.
    pub lost: f64,
    /// The value of an empty cell.
    pub empty: f64,
    /// The value of a tile next to an equal one.
    pub merges: f64,
    /// The cost of disorder; see `disorder`.
    pub order: f64,
    /// The cost of a tile, times its exponent to the power of `TILE_POWER`.
    pub tiles: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            lost: 200_000.0,
            empty: 1800.0,
            merges: 700.0,
            order: 24.0,
            tiles: 11.0,
        }
    }
}

/// The number of lines of the largest board; on smaller boards a loss costs the same.
const N_LINES: f64 = 8.0;
const ORDER_POWER: f64 = 4.0;
const TILE_POWER: f64 = 3.5;

/// The values of all lines of boards of one side.
pub struct LineValues {
    lines: LineTable<i32>,
    lost: i32,
}

impl LineValues {
    /// The values for boards of this side.
    #[must_use]
    pub fn new(weights: &Weights, side: Side) -> Self {
        let order_powers = powers(ORDER_POWER);
        let tile_powers = powers(TILE_POWER);
        let value = |line: &[u8]| {
            let tiles: f64 = line
                .iter()
                .map(|&tile| tile_powers[usize::from(tile)])
                .sum();
            let value = weights.empty * count(line.iter().filter(|&&tile| tile == 0))
                + weights.merges * merging_tiles(line)
                - weights.order * disorder(line, &order_powers)
                - weights.tiles * tiles;
            rounded(value)
        };
        Self {
            lines: LineTable::new(side, value),
            lost: rounded(-N_LINES * weights.lost),
        }
    }
}

impl LineEvaluation for LineValues {
    #[inline]
    fn of_row(&self, _number: usize, row: u16) -> i32 {
        self.lines.of(row)
    }

    #[inline]
    fn of_column(&self, _number: usize, column: u16) -> i32 {
        self.lines.of(column)
    }

    #[inline]
    fn of_lost_board(&self) -> i32 {
        self.lost
    }
}

fn powers(power: f64) -> [f64; 16] {
    let mut exponent = -1.0;
    [(); 16].map(|()| {
        exponent += 1.0;
        f64::powf(exponent, power)
    })
}

/// The number of tiles of a line that could merge with a neighbour, ignoring empty
/// cells between them.
fn merging_tiles(line: &[u8]) -> f64 {
    let tiles: Vec<u8> = line.iter().copied().filter(|&tile| tile > 0).collect();
    count(
        tiles
            .chunk_by(|a, b| a == b)
            .filter(|equal| equal.len() > 1)
            .flatten(),
    )
}

/// The distance of a line from rising throughout or falling throughout, whichever is
/// smaller: the sum of its falls, or rises, in powers of exponents.
fn disorder(line: &[u8], powers: &[f64; 16]) -> f64 {
    let steps = || {
        line.windows(2)
            .map(|pair| powers[usize::from(pair[1])] - powers[usize::from(pair[0])])
    };
    let rises: f64 = steps().filter(|&step| step > 0.0).sum();
    let falls: f64 = steps().filter(|&step| step < 0.0).sum();
    rises.min(-falls)
}

fn count<T>(items: impl Iterator<Item = T>) -> f64 {
    items.fold(0.0, |n_items, _| n_items + 1.0)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "weights are limited so that a line's value is far below 2^28"
)]
fn rounded(value: f64) -> i32 {
    value.round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Weights = Weights {
        lost: 0.0,
        empty: 0.0,
        merges: 0.0,
        order: 0.0,
        tiles: 0.0,
    };

    #[track_caller]
    fn check(weights: &Weights, line: u16, value: i32) {
        assert_eq!(LineValues::new(weights, Side::FOUR).of_row(0, line), value);
    }

    #[test]
    fn empty_cells_are_those_of_the_side() {
        let weights = Weights {
            empty: 10.0,
            ..NOTHING
        };
        check(&weights, 0x0020, 30);
        let small = LineValues::new(&weights, Side::new(3).unwrap());
        assert_eq!(small.of_row(0, 0x0020), 20);
    }

    #[test]
    fn tiles_merge_over_empty_cells() {
        let weights = Weights {
            merges: 1.0,
            ..NOTHING
        };
        check(&weights, 0x1011, 3);
        check(&weights, 0x2211, 4);
        check(&weights, 0x1212, 0);
        check(&weights, 0x0000, 0);
    }

    #[test]
    fn disorder_is_the_smaller_of_rises_and_falls() {
        let weights = Weights {
            order: 1.0,
            ..NOTHING
        };
        check(&weights, 0x4321, 0);
        check(&weights, 0x1234, 0);
        // 3, 1, 2, 0: one rise, 2^4 − 1^4.
        check(&weights, 0x0213, -15);
        // 1, 3, 1, 0: one rise, 3^4 − 1; the falls are 3^4.
        check(&weights, 0x0131, -80);
    }

    #[test]
    fn tiles_cost_a_power_of_their_exponent() {
        let weights = Weights {
            tiles: 1.0,
            ..NOTHING
        };
        // 4^3.5 = 128 and 1^3.5 = 1.
        check(&weights, 0x0141, -130);
    }
}
