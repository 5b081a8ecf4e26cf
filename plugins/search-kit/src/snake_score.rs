//! An evaluation of how well the tiles of a board follow a snake-shaped path.
//!
//! The weights grow by the factor `r` along a path that runs back and forth through the
//! rows, so a board has the highest value if its tiles descend along such a path.
//! The path may start in any corner and run in either direction: the best of the 8
//! symmetries counts.

use plugin_api::{
    Board, CellMask, PackedBoard, Side,
    explain::{Grid, Node, Term},
    face_value,
};

use crate::{Evaluation, LineTable};

/// The largest sum, over the 8 symmetries, of weight times face value.
#[must_use]
pub fn exact_snake_score(board: &Board, ratio: f64) -> f64 {
    let length = board.side().length();
    let tiles = board.tiles();
    let weighted = |place: &dyn Fn(usize, usize) -> (usize, usize)| {
        let mut weight = 1.0;
        let mut sum = 0.0;
        for row in 0..length {
            for step in 0..length {
                let column = if row % 2 == 0 {
                    step
                } else {
                    length - 1 - step
                };
                let (row, column) = place(row, column);
                sum += weight * as_f64(tiles[row][column]);
                weight *= ratio;
            }
        }
        sum
    };
    let flip = |number: usize| length - 1 - number;
    let symmetries: [&dyn Fn(usize, usize) -> (usize, usize); 8] = [
        &|row, column| (row, column),
        &|row, column| (row, flip(column)),
        &|row, column| (flip(row), column),
        &|row, column| (flip(row), flip(column)),
        &|row, column| (column, row),
        &|row, column| (flip(column), row),
        &|row, column| (column, flip(row)),
        &|row, column| (flip(column), flip(row)),
    ];
    symmetries.into_iter().map(weighted).fold(0.0, f64::max)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a face value has a single bit: it fits exactly"
)]
fn as_f64(face: u64) -> f64 {
    face as f64
}

/// [`exact_snake_score`] on packed boards.
///
/// A row contributes as a whole: it is read forwards or backwards, and the result is
/// scaled by its position on the path. Therefore one table with both readings serves
/// all rows, columns and symmetries.
pub struct SnakeScore {
    side: Side,
    /// A line read from its first cell and from its last, with weights from 1 up.
    readings: LineTable<[f64; 2]>,
    /// The weight with which the line of each number starts, for paths that start at
    /// the first line; 0 after the last.
    from_first: [f64; 4],
    /// The same for paths that start at the last line.
    from_last: [f64; 4],
    /// The weight of each cell of the 4×4 layout on each of the eight paths.
    cell_weights: [[f64; 8]; 16],
    /// The largest weight of each cell.
    heaviest: [f64; 16],
}

impl SnakeScore {
    /// The score of boards of a side with weights that grow by `ratio`; `None` if no
    /// packed board has that side.
    #[must_use]
    pub fn new(side: Side, ratio: f64) -> Option<Self> {
        let length = side.length();
        if length > PackedBoard::MAX_LENGTH {
            return None;
        }
        let weights: Vec<f64> = std::iter::successors(Some(1.0), |weight| Some(weight * ratio))
            .take(side.n_cells())
            .collect();
        let readings = LineTable::new(side, |line| {
            let faces = line.iter().map(|&exponent| as_f64(face_value(exponent)));
            let read = |(face, weight): (f64, &f64)| face * weight;
            [
                faces.clone().zip(&weights).map(read).sum(),
                faces.rev().zip(&weights).map(read).sum(),
            ]
        });
        let scale = |number: usize| weights.get(number * length).copied().unwrap_or(0.0);
        let mut score = Self {
            side,
            readings,
            from_first: std::array::from_fn(scale),
            from_last: std::array::from_fn(|number| {
                (length - 1).checked_sub(number).map_or(0.0, scale)
            }),
            cell_weights: [[0.0; 8]; 16],
            heaviest: [0.0; 16],
        };
        for cell in 0..16 {
            // A weight is half the value of a single 2.
            let lone = score.sums(PackedBoard::from_bits(1 << (4 * cell)));
            score.cell_weights[cell] = lone.map(|sum| sum / 2.0);
            score.heaviest[cell] = highest(lone) / 2.0;
        }
        Some(score)
    }

    /// The weights of the eight paths, named after where the heaviest ones are.
    #[must_use]
    pub fn grids(&self) -> Vec<Grid> {
        let length = self.side.length();
        let last = length - 1;
        (0..8)
            .map(|path| {
                let weight = |row: usize, column: usize| self.cell_weights[4 * row + column][path];
                let corners = [
                    ("top left", 0, 0),
                    ("top right", 0, last),
                    ("bottom left", last, 0),
                    ("bottom right", last, last),
                ];
                let heaviest = corners
                    .into_iter()
                    .max_by(|one, other| weight(one.1, one.2).total_cmp(&weight(other.1, other.2)));
                let corner = heaviest.map_or("", |(name, ..)| name);
                let lines = if path < 4 { "rows" } else { "columns" };
                Grid {
                    name: format!("heaviest {corner}, along the {lines}"),
                    weights: (0..length)
                        .map(|row| (0..length).map(|column| weight(row, column)).collect())
                        .collect(),
                }
            })
            .collect()
    }

    /// The sums of the four paths along the rows and the four along the columns, in
    /// the order of `cell_weights`.
    #[inline]
    fn sums(&self, board: PackedBoard) -> [f64; 8] {
        let mut sums = [0.0; 8];
        sums[..4].copy_from_slice(&self.sums_along_rows(board));
        sums[4..].copy_from_slice(&self.sums_along_rows(board.transposed()));
        sums
    }

    #[inline]
    fn sums_along_rows(&self, board: PackedBoard) -> [f64; 4] {
        let mut sums = [0.0; 4];
        for number in 0..4 {
            let readings = self.readings.of(board.row(number));
            let (forwards, backwards) = (readings[number % 2], readings[1 - number % 2]);
            sums[0] += self.from_first[number] * forwards;
            sums[1] += self.from_first[number] * backwards;
            sums[2] += self.from_last[number] * forwards;
            sums[3] += self.from_last[number] * backwards;
        }
        sums
    }
}

#[inline]
fn highest(sums: [f64; 8]) -> f64 {
    let of_four: [f64; 4] = std::array::from_fn(|path| larger(sums[path], sums[path + 4]));
    larger(
        larger(of_four[0], of_four[2]),
        larger(of_four[1], of_four[3]),
    )
}

/// `f64::max` without the handling of NaN: one instruction.
#[inline]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

impl Evaluation for SnakeScore {
    #[inline]
    fn value(&self, board: PackedBoard) -> f64 {
        highest(self.sums(board))
    }

    /// The sum along the best path, and which one it is.
    fn explain(&self, board: PackedBoard, node: &mut Node) {
        let sums = self.sums(board).into_iter().enumerate();
        // The first of equals.
        let best = sums.reduce(|best, other| if other.1 > best.1 { other } else { best });
        if let Some((path, sum)) = best {
            node.terms = vec![Term::new("Σ weight × tile", sum)];
            node.grid = Some(path);
        }
    }

    /// A tile adds to each path's sum its face value times the weight of its cell. If
    /// one path leads by more than any tile adds, it is the best for all resulting
    /// boards, and the mean over them is a sum of weights.
    #[inline]
    fn mean_with_new_tile(&self, moved: PackedBoard, empty: CellMask, four: f64) -> f64 {
        let sums = self.sums(moved);
        let best = highest(sums);
        let n_cells = f64::from(empty.n_cells());
        let heaviest = empty
            .into_iter()
            .map(|cell| self.heaviest[cell.index()])
            .fold(0.0, larger);
        let mut leaders = (0..8).filter(|&path| sums[path] + 4.0 * heaviest >= best);
        if let (Some(path), None) = (leaders.next(), leaders.next()) {
            let weights: f64 = empty
                .into_iter()
                .map(|cell| self.cell_weights[cell.index()][path])
                .sum();
            return best + (2.0 * (1.0 - four) + 4.0 * four) * weights / n_cells;
        }
        let mut sum = 0.0;
        for cell in empty {
            let weights = &self.cell_weights[cell.index()];
            for (face, share) in [(2.0, 1.0 - four), (4.0, four)] {
                let with_tile = std::array::from_fn(|path| sums[path] + face * weights[path]);
                sum += share * highest(with_tile);
            }
        }
        sum / n_cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snake_is_worth_the_same_in_every_corner() {
        let texts = ["8 4 / 0 2", "4 8 / 2 0", "0 2 / 8 4", "8 0 / 4 2"];
        for text in texts {
            let board: Board = text.parse().unwrap();
            // 2·r + 4·r² + 8·r³ with r = 4
            assert!((exact_snake_score(&board, 4.0) - 584.0).abs() < f64::EPSILON);
            let fast = SnakeScore::new(board.side(), 4.0).unwrap();
            let packed = PackedBoard::try_from(&board).unwrap();
            assert!((fast.value(packed) - 584.0).abs() < f64::EPSILON);
        }
    }

    #[test]
    fn boards_beyond_four_by_four_have_no_fast_version() {
        assert!(SnakeScore::new(Side::new(5).unwrap(), 4.0).is_none());
    }
}
