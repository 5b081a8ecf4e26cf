//! An evaluation of how well ordered a board is, as a sum over its rows and columns.
//!
//! The value of a line increases with empty cells and neighbours that merge. It
//! decreases if the line both rises and falls, and with many and large tiles. It takes
//! eight look-ups per board: cheap enough to evaluate every board that a search
//! reaches.

use plugin_api::{PackedBoard, Side};

use crate::{Evaluation, LineTable};

const EMPTY_CELL: f32 = 1800.0;
const MERGE: f32 = 700.0;
const RISE_AND_FALL: f32 = 30.0;
const TILES: f32 = 11.0;

/// Evaluates boards by their order.
pub struct OrderEvaluation(LineTable<f32>);

impl OrderEvaluation {
    /// A value below that of every board that occurs in games, for lost ones.
    pub const LOST: f32 = -1_600_000.0;

    /// The evaluation of boards of a side up to 4.
    #[must_use]
    pub fn new(side: Side) -> Self {
        Self(LineTable::new(side, line_value))
    }

    /// The value of the board, as the integer that the search adds up.
    #[must_use]
    #[inline]
    pub fn order(&self, board: PackedBoard) -> f32 {
        let columns = board.transposed();
        (0..4)
            .map(|number| self.0.of(board.row(number)) + self.0.of(columns.row(number)))
            .sum()
    }
}

impl Evaluation for OrderEvaluation {
    #[inline]
    fn value(&self, board: PackedBoard) -> f64 {
        f64::from(self.order(board))
    }
}

impl std::fmt::Debug for OrderEvaluation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OrderEvaluation")
    }
}

fn line_value(exponents: &[u8]) -> f32 {
    let (mut value, mut rise, mut fall) = (0.0, 0.0, 0.0);
    for &exponent in exponents {
        value += match exponent {
            0 => EMPTY_CELL,
            _ => -TILES * f32::from(exponent).powf(3.5),
        };
    }
    for pair in exponents.windows(2) {
        if pair[0] == pair[1] && pair[0] > 0 {
            value += MERGE;
        }
        let step = f32::from(pair[1]).powi(4) - f32::from(pair[0]).powi(4);
        rise += step.max(0.0);
        fall -= step.min(0.0);
    }
    value - RISE_AND_FALL * rise.min(fall)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_merges_and_empty_cells_increase_the_value() {
        assert!(line_value(&[1, 2, 3, 4]) > line_value(&[1, 3, 2, 4]));
        assert!(line_value(&[0, 0, 5, 5]) > line_value(&[0, 0, 5, 4]));
        assert!(line_value(&[0, 0, 0, 5]) > line_value(&[0, 0, 4, 4]));
        let [there, back] = [[1, 2, 3, 4], [4, 3, 2, 1]].map(|line| line_value(&line));
        assert!((there - back).abs() < 1.0);
    }

    #[test]
    fn the_value_of_a_line_matches_a_manual_calculation() {
        // Two empty cells, and a tile 16: 4^3.5 = 128.
        let expected = 2.0 * 1800.0 - 11.0 * 128.0;
        assert!((line_value(&[0, 0, 4]) - expected).abs() < 0.1);
    }

    #[test]
    fn a_lost_game_is_worse_than_a_crowded_board() {
        let evaluation = OrderEvaluation::new(Side::FOUR);
        let crowded = PackedBoard::from_bits(0xfedc_89ab_7654_0123);
        assert!(evaluation.order(crowded) > OrderEvaluation::LOST);
    }
}
