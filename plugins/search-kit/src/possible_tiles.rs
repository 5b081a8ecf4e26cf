//! The new tiles that a search has to expect, and the cells in which they may appear.

use plugin_api::{Rules, Tiles};

/// A tile with this share or less is rare.
const RARE: f64 = 0.2;

/// The possible new tiles of a game.
#[derive(Clone, Debug)]
pub struct PossibleTiles {
    tiles: Vec<PossibleTile>,
    /// Whether new tiles appear only in the first empty cell.
    first_cell_only: bool,
}

/// A possible new tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PossibleTile {
    /// Its exponent: 1 or 2.
    pub exponent: u8,
    /// The share of new tiles that are like it.
    pub share: f32,
    /// The depth that it costs: the usual tile one, a rare one two, because unlikely boards
    /// need less precision.
    pub cost: i32,
}

impl PossibleTiles {
    /// The new tiles under these rules.
    ///
    /// ```
    /// # use plugin_api::Rules;
    /// # use search_kit::PossibleTiles;
    /// let tiles = PossibleTiles::of(&Rules::default());
    /// let costs: Vec<i32> = tiles.iter().map(|tile| tile.cost).collect();
    /// assert_eq!(costs, [1, 2]);
    /// assert_eq!(tiles.usual().exponent, 1);
    /// assert_eq!(tiles.cells(0x1001).numbers().collect::<Vec<u32>>(), [0, 3]);
    /// ```
    #[must_use]
    pub fn of(rules: &Rules) -> Self {
        let first_cell_only = rules.tiles == Tiles::Deterministic;
        let four = if first_cell_only {
            0.0
        } else {
            rules.four.as_f64()
        };
        Self {
            tiles: [(1, 1.0 - four), (2, four)]
                .into_iter()
                .filter(|&(_, share)| share > 0.0)
                .map(|(exponent, share)| PossibleTile {
                    exponent,
                    share: single(share),
                    cost: if share <= RARE { 2 } else { 1 },
                })
                .collect(),
            first_cell_only,
        }
    }

    /// Every possible tile.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = PossibleTile> + use<> {
        let mut tiles = self.tiles.iter().copied();
        [tiles.next(), tiles.next()].into_iter().flatten()
    }

    /// The number of possible tiles.
    #[must_use]
    pub fn n_tiles(&self) -> u64 {
        self.tiles.len() as u64
    }

    /// The most frequent tile.
    #[must_use]
    pub fn usual(&self) -> PossibleTile {
        let by_share = |one: &PossibleTile, other: &PossibleTile| one.share.total_cmp(&other.share);
        let usual = self.iter().max_by(by_share);
        usual.expect("the shares of 2s and 4s are not both 0")
    }

    /// The numbers of the cells in which a tile may appear, given the lowest bits of the
    /// empty ones.
    #[must_use]
    #[inline]
    pub fn cells(&self, empty: u64) -> NewTileCells {
        NewTileCells(if self.first_cell_only {
            empty & empty.wrapping_neg()
        } else {
            empty
        })
    }
}

/// The cells in which a new tile may appear, by their numbers in the 4×4 layout.
#[derive(Clone, Copy, Debug)]
pub struct NewTileCells(u64);

impl NewTileCells {
    /// The numbers of the cells, in reading order.
    #[inline]
    pub fn numbers(self) -> impl Iterator<Item = u32> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let cell = left.trailing_zeros() / 4;
            (left != 0).then(|| {
                left &= left - 1;
                cell
            })
        })
    }

    /// How many there are.
    #[must_use]
    #[inline]
    pub fn n_cells(self) -> u32 {
        self.0.count_ones()
    }

    /// The same number to divide by.
    #[must_use]
    #[inline]
    pub fn n_cells_single(self) -> f32 {
        single(f64::from(self.n_cells()))
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "seven digits are enough to compare moves"
)]
fn single(number: f64) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use plugin_api::FourShare;

    #[test]
    fn rules_decide_tiles_and_cells() {
        let tiles = |four, tiles| {
            PossibleTiles::of(&Rules {
                four: FourShare::new(four).unwrap(),
                tiles,
                ..Rules::default()
            })
        };
        let exponents =
            |tiles: &PossibleTiles| -> Vec<u8> { tiles.iter().map(|tile| tile.exponent).collect() };
        let often = tiles(0.7, Tiles::Random);
        assert_eq!(exponents(&often), [1, 2]);
        assert_eq!((often.usual().exponent, often.usual().cost), (2, 1));
        assert_eq!(exponents(&tiles(1.0, Tiles::Random)), [2]);
        let deterministic = tiles(0.7, Tiles::Deterministic);
        assert_eq!(exponents(&deterministic), [1]);
        assert_eq!(
            deterministic.cells(0x0110).numbers().collect::<Vec<_>>(),
            [1]
        );
    }
}
