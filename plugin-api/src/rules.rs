//! The rules of 2048: boards, moves and tiles, with fast versions for searches.
//!
//! [`board`] and [`slide`] are exact for every side and every tile. [`packed_board`]
//! and [`row_tables`] are the fast versions for boards up to 4×4; tests check that they
//! agree with the exact ones.

pub(crate) mod board;
pub(crate) mod cell_mask;
pub(crate) mod dice;
pub(crate) mod direction;
pub(crate) mod empty_cells;
pub(crate) mod four_share;
pub(crate) mod game;
pub(crate) mod lanes;
pub(crate) mod packed_board;
pub(crate) mod play_out;
pub(crate) mod row_tables;
pub(crate) mod salt;
pub(crate) mod side;
pub(crate) mod slide;
pub(crate) mod tile_sequence;
