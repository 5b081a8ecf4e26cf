//! Plans in deterministic 2048.

pub mod beam;
pub mod board_hash;
pub mod model;
pub mod row_values;
pub mod solver;
