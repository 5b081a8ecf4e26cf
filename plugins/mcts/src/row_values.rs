//! What a board promises, as a sum over its rows and columns: where a play-out is cut.
//!
//! A line is worth more with empty cells and neighbours that merge, and less when it
//! rises and falls or when its tiles are many and large. The terms are those that
//! expectimax programs for 2048 use, with the weights that an exploration found.

use plugin_api::{PackedBoard, Side};

/// The value of a lost game, below that of every board.
pub const LOST: f32 = -1_600_000.0;
/// The value of reaching the goal, above that of every board.
pub const WON: f32 = 1_600_000.0;

const N_ROWS: u32 = 1 << 16;
const EMPTY_CELL: f32 = 1800.0;
const MERGE: f32 = 700.0;
const RISE_AND_FALL: f32 = 30.0;
const TILES: f32 = 11.0;

/// The values of all rows of boards of one side.
#[derive(Clone, Debug)]
pub struct RowValues(Box<[f32]>);

impl RowValues {
    /// The values for boards of this side.
    #[must_use]
    pub fn of(side: Side) -> Self {
        let value = |row| row_value(row, side.length());
        Self((0..N_ROWS).map(value).collect())
    }

    /// What a board promises; higher is better.
    #[must_use]
    #[inline]
    pub fn value(&self, board: PackedBoard) -> f32 {
        let columns = board.transposed();
        let line = |row: u16| self.0[usize::from(row)];
        (0..4)
            .map(|number| line(board.row(number)) + line(columns.row(number)))
            .sum()
    }
}

fn row_value(row: u32, length: usize) -> f32 {
    let exponents: Vec<u8> = (0..length)
        .map(|place| u8::try_from(row >> (4 * place) & 15).unwrap_or(0))
        .collect();
    let tiles = exponents.iter().filter(|&&exponent| exponent > 0);
    let empty_cells = exponents.iter().filter(|&&exponent| exponent == 0);
    let mut value: f32 = empty_cells.map(|_| EMPTY_CELL).sum();
    value -= TILES * tiles.map(|&tile| f32::from(tile).powf(3.5)).sum::<f32>();
    let (mut rise, mut fall) = (0.0, 0.0);
    for pair in exponents.windows(2) {
        let [before, behind] = [pair[0], pair[1]].map(|exponent| f32::from(exponent).powi(4));
        if pair[0] == pair[1] && pair[0] > 0 {
            value += MERGE;
        }
        rise += (behind - before).max(0.0);
        fall += (before - behind).max(0.0);
    }
    value - RISE_AND_FALL * rise.min(fall)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_merges_and_room_are_worth_something() {
        let value = |row| row_value(row, 4);
        assert!(value(0x1234) > value(0x1324), "in order or not");
        assert!(value(0x0055) > value(0x0045), "a merge or none");
        assert!(value(0x0005) > value(0x0044), "room or none");
        assert!((value(0x1234) - value(0x4321)).abs() < 1.0, "both ways");
    }

    #[test]
    fn no_board_is_as_bad_as_a_lost_game() {
        let values = RowValues::of(Side::FOUR);
        let worst = PackedBoard::from_bits(0xf1f1_1f1f_f1f1_1f1f);
        let packed_with_large_tiles = PackedBoard::from_bits(0xfedc_89ab_7654_0123);
        assert!(values.value(packed_with_large_tiles) > LOST);
        assert!(values.value(worst) < values.value(packed_with_large_tiles));
    }
}
