//! The value of a board by how far its tiles are from descending along the path.
//!
//! The paper adds up weights that grow along the path, so the first tiles outweigh
//! everything else. Here every rise along the path has a cost, which grows with the tiles that are out of order; so has every
//! rise away from the path's first row. Empty cells and tiles that can merge are worth
//! something, as in `expectimax`. All of it is a sum over rows and columns, for which
//! the path starts in the first cell and runs back and forth through the rows; the
//! agent turns the board accordingly.

use plugin_api::Side;
use search_kit::{LineTable, LineValues, Weights, line_search::LineEvaluation};

/// The cost of a rise along the path, times the difference of [`power`]s.
const ALONG: i32 = 24;
/// The cost of a rise from a row to the next one beside the path.
const ACROSS: i32 = 12;
/// What is as in `expectimax`; there, order is judged without a path.
const COMMON: Weights = Weights {
    lost: 200_000.0,
    empty: 1800.0,
    merges: 700.0,
    order: 0.0,
    tiles: 11.0,
};

/// The values of all lines of boards of one side.
pub(crate) struct PathValues {
    /// Of the rows that the path runs through forwards, and backwards.
    rows: [LineTable<i32>; 2],
    /// Of the first column, of the last one, and of those between them.
    columns: [LineTable<i32>; 3],
    /// Which of the three each column is.
    kinds: [usize; 4],
    lost: i32,
}

impl PathValues {
    pub(crate) fn new(side: Side) -> Self {
        let common = LineValues::new(&COMMON, side);
        let value = |line: &[u8], rises: [i32; 3], costs: [i32; 3]| {
            let cost: i32 = rises
                .iter()
                .zip(costs)
                .map(|(rise, cost)| rise * cost)
                .sum();
            common.of_row(0, packed(line)) - cost
        };
        // The path turns into the next row at alternate ends.
        let column = |costs| LineTable::new(side, move |line| value(line, rises(line), costs));
        let last = side.length() - 1;
        Self {
            rows: [
                LineTable::new(side, |line| value(line, rises(line), [ALONG; 3])),
                LineTable::new(side, |line| value(line, falls(line), [ALONG; 3])),
            ],
            columns: [
                column([ACROSS, ALONG, ACROSS]),
                column([ALONG, ACROSS, ALONG]),
                column([ACROSS; 3]),
            ],
            kinds: [0, 1, 2, 3].map(|number| match number {
                0 => 0,
                _ if number == last => 1,
                _ => 2,
            }),
            lost: common.of_lost_board(),
        }
    }
}

impl LineEvaluation for PathValues {
    #[inline]
    fn of_row(&self, number: usize, row: u16) -> i32 {
        self.rows[number % 2].of(row)
    }

    #[inline]
    fn of_column(&self, number: usize, column: u16) -> i32 {
        self.columns[self.kinds[number]].of(column)
    }

    #[inline]
    fn of_lost_board(&self) -> i32 {
        self.lost
    }
}

/// By how much each tile is above the one before it.
fn rises(line: &[u8]) -> [i32; 3] {
    steps(line).map(|step| step.max(0))
}

/// By how much each tile is below the one before it.
fn falls(line: &[u8]) -> [i32; 3] {
    steps(line).map(|step| (-step).max(0))
}

fn steps(line: &[u8]) -> [i32; 3] {
    [1, 2, 3].map(|place| match line.get(place) {
        Some(&tile) => power(tile) - power(line[place - 1]),
        None => 0,
    })
}

/// Disorder among large tiles costs far more than among small ones.
fn power(exponent: u8) -> i32 {
    i32::from(exponent).pow(4)
}

fn packed(line: &[u8]) -> u16 {
    let exponents = line.iter().rev();
    exponents.fold(0, |packed, &exponent| packed << 4 | u16::from(exponent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plugin_api::{Board, PackedBoard};
    use search_kit::line_search::TwoWayBoard;

    fn value(text: &str) -> i32 {
        let board: Board = text.parse().unwrap();
        let values = PathValues::new(board.side());
        let board = TwoWayBoard::new(PackedBoard::try_from(&board).unwrap());
        (0..4)
            .map(|number| {
                values.of_row(number, board.rows()[number])
                    + values.of_column(number, board.columns()[number])
            })
            .sum()
    }

    /// The same tiles in the same lines: only their order differs.
    #[test]
    fn a_rise_costs_most_where_the_path_is() {
        // 4 before 8 in the first row: 3^4 - 2^4.
        assert_eq!(value("8 4 / 0 2") - value("4 8 / 0 2"), 24 * (81 - 16));
        // The path turns into the second row at the end of the first one: there a rise
        // downwards costs twice as much as elsewhere.
        let values = PathValues::new(Side::FOUR);
        let [first, second, last] = [0, 1, 3].map(|column| values.of_column(column, 0x0021));
        assert_eq!((first - second, first - last), (0, 12 * 15));
    }

    #[test]
    fn the_value_of_a_board_matches_a_manual_calculation() {
        // Two empty cells in a row and a column each, and two empty lines outside of the
        // board in both directions; the tiles cost 11·(1 + 2^3.5) twice.
        // Rises along the path 2 4 0 0: 2^4 - 1; none downwards.
        let outside = 2 * 2 * 2 * 1800;
        let tiles = -(11.0 * (1.0 + 2f64.powf(3.5))).round();
        let expected = f64::from(outside + 2 * 2 * 1800 - 24 * 15) + 2.0 * tiles;
        let found = f64::from(value("2 4 / 0 0"));
        assert!((found - expected).abs() <= 2.0, "{found} {expected}");
    }
}
