//! The rules of 2048, and the contract between Arena 2048 and its agents.
#![warn(missing_docs)]

mod board;
mod cell_mask;
mod dice;
mod direction;
mod empty_cells;
mod four_share;
mod game;
mod lanes;
mod packed_board;
mod play_out;
mod row_tables;
mod salt;
mod side;
mod slide;
mod tile_sequence;

pub use board::{Board, BoardError, face_value};
pub use cell_mask::{CellMask, Cells, PackedCell};
pub use dice::Dice;
pub use direction::Direction;
pub use empty_cells::EmptyCells;
pub use four_share::FourShare;
pub use game::{Game, Rules, Status, Tiles};
pub use packed_board::{PackedBoard, PackedBoardError};
pub use play_out::{PlayOut, RandomGame};
pub use row_tables::RowTables;
pub use salt::{Salt, SaltError};
pub use side::Side;
pub use slide::Slide;
pub use tile_sequence::{MAX_SEED, Spawn, TileSequence, agent_random_seed};
