//! A value for every line of a packed board: features of rows and columns as look-ups.

use plugin_api::Side;

const N_LINES: usize = 1 << 16;

/// The value of each of the 65536 lines of four exponents.
///
/// ```
/// # use plugin_api::Side;
/// # use search_kit::LineTable;
/// let n_tiles = LineTable::new(Side::FOUR, |line| line.iter().filter(|&&tile| tile > 0).count());
/// assert_eq!(n_tiles.of(0x3020), 2);
/// ```
pub struct LineTable<T>(Box<[T; N_LINES]>);

impl<T: Copy> LineTable<T> {
    /// The table of a function of a line's exponents. The function gets as many cells
    /// as the side has, at most four.
    #[must_use]
    pub fn new(side: Side, value: impl Fn(&[u8]) -> T) -> Self {
        let length = side.length().min(4);
        let values: Vec<T> = (0..=u16::MAX)
            .map(|line| {
                let exponents: [u8; 4] =
                    std::array::from_fn(|place| (line >> (4 * place) & 15) as u8);
                value(&exponents[..length])
            })
            .collect();
        Self(
            values
                .try_into()
                .ok()
                .expect("there is one line per 16-bit value"),
        )
    }

    /// The value of a row as returned by
    /// [`PackedBoard::row`](plugin_api::PackedBoard::row), or of a column as a row of
    /// the transposed board.
    #[must_use]
    #[inline]
    pub fn of(&self, line: u16) -> T {
        self.0[usize::from(line)]
    }
}
