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

/// The constants of the paper's evaluation `H = A·E − B·D − C·P`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaperWeights {
    /// A: what an empty cell is worth.
    pub empty: u32,
    /// B: what a difference between neighbours costs.
    pub difference: u32,
    /// C: what a tile away from the edge costs.
    pub inner: u32,
}

impl Default for PaperWeights {
    fn default() -> Self {
        Self {
            empty: 4096,
            difference: 10,
            inner: 10,
        }
    }
}

impl PaperWeights {
    /// The largest constants with which every value fits into 32 bits.
    pub const LARGEST: Self = Self {
        empty: 1_000_000,
        difference: 2000,
        inner: 2000,
    };

    fn limited(self) -> [i32; 3] {
        let limited = |weight: u32, most: u32| weight.min(most).cast_signed();
        [
            limited(self.empty, Self::LARGEST.empty),
            limited(self.difference, Self::LARGEST.difference),
            limited(self.inner, Self::LARGEST.inner),
        ]
    }

    /// The evaluation as a formula.
    #[must_use]
    pub fn formula(self) -> String {
        let Self {
            empty,
            difference,
            inner,
        } = self;
        format!("H = {empty}·E − {difference}·D − {inner}·P")
    }

    /// The factors of E, D and P.
    fn factors(self) -> [i64; 3] {
        [
            self.empty.into(),
            -i64::from(self.difference),
            -i64::from(self.inner),
        ]
    }
}

/// `H` with the paper's constants: `4096·E − 10·D − 10·P`.
///
/// `E` counts the empty cells. `D` is the sum of the absolute differences of the face
/// values of neighbours, each pair once, with an empty cell counting as 0. `P` is the
/// sum of face value times distance to the nearest edge, which is 0 for cells on the
/// edge.
#[must_use]
pub fn exact_paper_value(board: &Board) -> i128 {
    let factors = PaperWeights::default().factors();
    let terms = factors.into_iter().zip(paper_terms(board));
    terms.map(|(factor, term)| i128::from(factor) * term).sum()
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

/// `H` on packed boards.
pub struct PaperEvaluation {
    tables: &'static RowTables,
    weights: PaperWeights,
    /// What an empty cell is worth.
    empty: i32,
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
        Self::weighted(side, PaperWeights::default())
    }

    /// The same with other constants, at most [`PaperWeights::LARGEST`].
    #[must_use]
    pub fn weighted(side: Side, weights: PaperWeights) -> Option<Self> {
        let tables = RowTables::of(side)?;
        let [empty, difference, inner_weight] = weights.limited();
        let costs = LineTable::new(side, |line| {
            let face = |place: usize| i32::try_from(face_value(line[place])).unwrap_or(i32::MAX);
            let differences: i32 = (1..line.len())
                .map(|place| (face(place) - face(place - 1)).abs())
                .sum();
            // Inside a board of side 3 or 4, every cell is one step from the edge.
            let inner: i32 = (1..line.len() - 1).map(face).sum();
            let difference_cost = difference * differences;
            [difference_cost, difference_cost + inner_weight * inner]
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
            weights,
            empty,
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
        f64::from(self.empty * n_empty - cost)
    }

    fn explain(&self, board: PackedBoard, node: &mut Node) {
        let terms = paper_terms(&board.to_board(self.tables.side()));
        let named = ["E", "D", "P"]
            .into_iter()
            .zip(terms)
            .zip(self.weights.factors());
        node.terms = named
            .map(|((name, term), factor)| {
                // The tiles of a packed board and the constants are small.
                let small = |number: i128| f64::from(i32::try_from(number).unwrap_or(i32::MAX));
                Term::new(name, small(term)).times(small(factor.into()))
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
    fn the_constants_are_factors_of_the_terms() {
        let board: Board = "2 4 0 / 8 16 2 / 0 0 0".parse().unwrap();
        let packed = PackedBoard::try_from(&board).unwrap();
        let weights = PaperWeights {
            empty: 100,
            difference: 7,
            inner: 3,
        };
        let evaluation = PaperEvaluation::weighted(board.side(), weights).unwrap();
        let expected = 100 * 4 - 7 * (6 + 22 + 14 + 28 + 4) - 3 * 16;
        assert!((evaluation.value(packed) - f64::from(expected)).abs() < f64::EPSILON);
        assert_eq!(weights.formula(), "H = 100·E − 7·D − 3·P");
        let mut node = Node::default();
        evaluation.explain(packed, &mut node);
        let terms = node.terms.iter();
        let sum: f64 = terms.map(|term| term.value * term.factor).sum();
        assert!((sum - f64::from(expected)).abs() < f64::EPSILON);
    }

    #[test]
    fn the_largest_values_fit() {
        let weights = PaperWeights::LARGEST;
        let evaluation = PaperEvaluation::weighted(Side::FOUR, weights).unwrap();
        let stripes = "0 32768 0 32768 / 32768 0 32768 0 / 0 32768 0 32768 / 32768 0 32768 0";
        let board: Board = stripes.parse().unwrap();
        let terms = weights.factors().into_iter().zip(paper_terms(&board));
        let expected: i128 = terms.map(|(factor, term)| i128::from(factor) * term).sum();
        let value = evaluation.value(PackedBoard::try_from(&board).unwrap());
        assert_eq!(format!("{value:.0}"), expected.to_string());
    }

    #[test]
    fn boards_beyond_four_by_four_have_no_fast_version() {
        assert!(PaperEvaluation::new(Side::new(5).unwrap()).is_none());
    }
}
