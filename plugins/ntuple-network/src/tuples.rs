//! The tuples of the network, and where the weights of a board lie.
//!
//! There are four tuples of six cells: one and a half rows, and two rows of three cells, each
//! once at the edge and once in the middle; the eight images of the board put them everywhere
//! else (Wu et al., "Multi-stage temporal difference learning for 2048-like games", 2014).
//! Five tuples of four cells, rows and squares, are parts of them. They add nothing that the
//! large ones could not express, but they see the same tiles more often, so they learn
//! earlier ("redundant encoding", Jaśkowski 2018). The cells of a tuple lie side by side in
//! a packed board, so an index is one or two shifts.

/// The number of tuples of six cells.
pub const N_LARGE: usize = 4;
/// The number of tuples of four cells.
pub const N_SMALL: usize = 5;
/// The weights of a tuple of six cells of four bits.
pub const LARGE_SIZE: usize = 1 << 24;
/// The weights of a tuple of four cells.
pub const SMALL_SIZE: usize = 1 << 16;
/// The weights of the network: the tables of the large tuples, then those of the small ones.
pub const N_WEIGHTS: usize = N_LARGE * LARGE_SIZE + N_SMALL * SMALL_SIZE;

/// The weights of one image of a board, as indices into the tables of the tuples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indices {
    /// One per tuple of six cells.
    pub large: [usize; N_LARGE],
    /// One per tuple of four cells.
    pub small: [usize; N_SMALL],
}

impl Indices {
    /// The indices of an image.
    ///
    /// ```
    /// # use ntuple_network::Indices;
    /// let indices = Indices::of(0xfedc_ba98_7654_3210);
    /// assert_eq!(indices.large, [0x54_3210, 0x98_7654, 0x65_4210, 0xa9_8654]);
    /// assert_eq!(indices.small, [0x3210, 0x7654, 0x5410, 0x6521, 0xa965]);
    /// ```
    #[must_use]
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "an index has at most 24 bits"
    )]
    pub fn of(image: u64) -> Self {
        let rectangle = |cells: u64| cells & 0xfff | cells >> 4 & 0xff_f000;
        let square = |cells: u64| cells & 0xff | cells >> 8 & 0xff00;
        let middle = image >> 16;
        let large = [
            image & 0xff_ffff,
            middle & 0xff_ffff,
            rectangle(image),
            rectangle(middle),
        ];
        let small = [
            image & 0xffff,
            middle & 0xffff,
            square(image),
            square(image >> 4),
            square(image >> 20),
        ];
        Self {
            large: large.map(|index| index as usize),
            small: small.map(|index| index as usize),
        }
    }
}

/// Where the tables of the tuples begin in the list of all weights, and their sizes.
pub fn tables() -> impl Iterator<Item = (usize, usize)> {
    let large = (0..N_LARGE).map(|number| (number * LARGE_SIZE, LARGE_SIZE));
    let start = N_LARGE * LARGE_SIZE;
    let small = (0..N_SMALL).map(move |number| (start + number * SMALL_SIZE, SMALL_SIZE));
    large.chain(small)
}
