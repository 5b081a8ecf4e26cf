//! Static evaluations: the value of a board where a search stops.
//!
//! `H` is the evaluation of the paper on minimax and expectimax: empty cells are good,
//! differences between neighbours and tiles away from the edge are bad. It is
//! implemented twice: once as in the paper, on the exact board, and once with look-ups
//! of lines. Tests check that the two agree.

use plugin_api::{
    Board, CellMask, PackedBoard, RowTables, Side,
    explain::{Node, Term},
    face_value,
};

use crate::LineTable;

/// Evaluates boards.
pub trait Evaluation {
    /// The value of the board; higher is better for the player.
    fn value(&self, board: PackedBoard) -> f64;

    /// The mean value over the possible tiles: a 2, or with probability `four` a 4, on
    /// one of the `empty` cells, of which there is at least one. An evaluation that can
    /// compute this faster than one by one overrides it.
    #[inline]
    fn mean_with_new_tile(&self, moved: PackedBoard, empty: CellMask, four: f64) -> f64 {
        let mut sum = 0.0;
        for cell in empty {
            for (exponent, share) in [(1, 1.0 - four), (2, four)] {
                sum += share * self.value(moved.with_new_tile(cell, exponent));
            }
        }
        sum / f64::from(empty.n_cells())
    }

    /// Adds the parts of the value of a board to its node.
    fn explain(&self, board: PackedBoard, node: &mut Node) {
        let _ = (board, node);
    }
}

/// The evaluation of the paper as a formula.
pub const PAPER_FORMULA: &str = "H = 4096·E − 10·D − 10·P";
const EMPTY_WEIGHT: i32 = 4096;
const DIFFERENCE_WEIGHT: i32 = 10;
const INNER_WEIGHT: i32 = 10;

/// `H = 4096·E − 10·D − 10·P`.
///
/// `E` counts the empty cells. `D` is the sum of the absolute differences of the face
/// values of neighbours, each pair once, with an empty cell counting as 0. `P` is the
/// sum of face value times distance to the nearest edge, which is 0 for cells on the
/// edge.
#[must_use]
pub fn exact_paper_value(board: &Board) -> i128 {
    let [empty, differences, inner] = paper_terms(board);
    i128::from(EMPTY_WEIGHT) * empty
        - i128::from(DIFFERENCE_WEIGHT) * differences
        - i128::from(INNER_WEIGHT) * inner
}

/// E, D and P.
fn paper_terms(board: &Board) -> [i128; 3] {
    let rows = board.tiles();
    let length = rows.len();
    let mut differences = 0;
    let mut inner = 0;
    for (row, tiles) in rows.iter().enumerate() {
        for (column, &tile) in tiles.iter().enumerate() {
            let right = tiles.get(column + 1);
            let below = rows.get(row + 1).map(|tiles| &tiles[column]);
            for &neighbour in right.into_iter().chain(below) {
                differences += i128::from(tile.abs_diff(neighbour));
            }
            let to_border = row
                .min(column)
                .min(length - 1 - row)
                .min(length - 1 - column);
            inner += i128::from(tile) * to_border as i128;
        }
    }
    [board.n_empty() as i128, differences, inner]
}

/// [`exact_paper_value`] on packed boards.
pub struct PaperEvaluation {
    tables: &'static RowTables,
    /// The cost of a line, by [`Place`].
    costs: LineTable<[i32; 2]>,
    /// The place of each row.
    row_places: [Place; 4],
}

/// Whether all cells of a line are on the edge or only its ends. Inner cells are
/// charged once, as parts of their row.
#[derive(Clone, Copy)]
enum Place {
    OnBorder = 0,
    Inside = 1,
}

impl PaperEvaluation {
    /// The evaluation of boards of a side; `None` if no packed board has it.
    #[must_use]
    pub fn new(side: Side) -> Option<Self> {
        let tables = RowTables::of(side)?;
        let costs = LineTable::new(side, |line| {
            let face = |place: usize| i32::try_from(face_value(line[place])).unwrap_or(i32::MAX);
            let differences: i32 = (1..line.len())
                .map(|place| (face(place) - face(place - 1)).abs())
                .sum();
            // Inside a board of side 3 or 4, every cell is one step from the edge.
            let inner: i32 = (1..line.len() - 1).map(face).sum();
            let difference_cost = DIFFERENCE_WEIGHT * differences;
            [difference_cost, difference_cost + INNER_WEIGHT * inner]
        });
        let row_places = std::array::from_fn(|row| {
            if (1..side.length() - 1).contains(&row) {
                Place::Inside
            } else {
                Place::OnBorder
            }
        });
        Some(Self {
            tables,
            costs,
            row_places,
        })
    }
}

impl Evaluation for PaperEvaluation {
    #[inline]
    fn value(&self, board: PackedBoard) -> f64 {
        let columns = board.transposed();
        let mut cost = 0;
        for number in 0..4 {
            cost += self.costs.of(board.row(number))[self.row_places[number] as usize];
            cost += self.costs.of(columns.row(number))[Place::OnBorder as usize];
        }
        let n_empty = self.tables.n_empty(board).cast_signed();
        f64::from(EMPTY_WEIGHT * n_empty - cost)
    }

    fn explain(&self, board: PackedBoard, node: &mut Node) {
        let weights = [EMPTY_WEIGHT, -DIFFERENCE_WEIGHT, -INNER_WEIGHT];
        let terms = paper_terms(&board.to_board(self.tables.side()));
        let named = ["E", "D", "P"].into_iter().zip(terms).zip(weights);
        node.terms = named
            .map(|((name, term), weight)| {
                // The tiles of a packed board are small.
                let term = i32::try_from(term).unwrap_or(i32::MAX);
                Term::new(name, term.into()).times(weight.into())
            })
            .collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_value_of_a_board_matches_a_manual_calculation() {
        let board: Board = "2 4 0 / 8 16 2 / 0 0 0".parse().unwrap();
        // Rows differ by 2 + 4, 8 + 14 and 0; columns by 6 + 8, 12 + 16 and 2 + 2. Four
        // cells are empty; 16 is one step from the edge.
        let expected = 4096 * 4 - 10 * (6 + 22 + 14 + 28 + 4) - 10 * 16;
        assert_eq!(exact_paper_value(&board), expected);
        let packed = PackedBoard::try_from(&board).unwrap();
        let fast = PaperEvaluation::new(board.side()).unwrap().value(packed);
        assert!((fast - 15_484.0).abs() < f64::EPSILON);
    }

    #[test]
    fn boards_beyond_four_by_four_have_no_fast_version() {
        assert!(PaperEvaluation::new(Side::new(5).unwrap()).is_none());
    }
}
