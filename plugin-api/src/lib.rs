//! The rules of 2048, and the contract between Arena 2048 and its agents.
#![warn(missing_docs)]

mod board;
mod direction;

pub use board::{Board, BoardError, Side, Slide, face_value};
pub use direction::Direction;
