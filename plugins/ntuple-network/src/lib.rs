//! An n-tuple network for 2048: which weights belong to a board, and how weights are stored.
//!
//! The value of a board is a sum of weights, one for each tuple of cells in each of the
//! board's eight images. The agent reads the weights, the trainer learns them, and the
//! agent's build script unpacks them; this crate is what the three have in common. Boards
//! are the bits of a packed board: four per cell, exponent 0 for an empty cell.

mod downgrade;
mod folding;
mod images;
mod late_boards;
mod packed_weights;
mod range_coder;
mod tuples;
mod weights_file;

pub use downgrade::{downgraded, downgraded_exponents, stepped_down};
pub use folding::{N_FOLDED, fold, for_each_part};
pub use images::images;
pub use late_boards::{LATE_REACH, LOST_LATE, LateBoard, N_LATE};
pub use packed_weights::{PackedWeightsError, pack, unpack};
pub use tuples::{Indices, LARGE_SIZE, N_LARGE, N_SMALL, N_WEIGHTS, SMALL_SIZE, tables};
pub use weights_file::{HEADER_SIZE, WeightsFileError, WeightsHeader, write_unpacked};
