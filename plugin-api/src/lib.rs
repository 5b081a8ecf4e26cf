#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

// The rules.
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

// The contract, as an author sees it.
mod agent;
mod budget;
mod choice;
mod clock;
mod export_agent;
mod extension;
mod game_setup;
mod info;
mod parameters;
pub mod solve;
mod turn;

// The border, as the host sees it.
pub mod abi;
pub mod c_abi;
mod loaded_plugin;
pub mod wire;

pub use agent::{Agent, Refusal};
pub use board::{Board, BoardError, face_value};
pub use budget::Budget;
pub use cell_mask::{CellMask, Cells, PackedCell};
pub use choice::Choice;
pub use clock::Clock;
pub use dice::Dice;
pub use direction::Direction;
pub use empty_cells::EmptyCells;
pub use extension::Extension;
pub use four_share::FourShare;
pub use game::{Game, Rules, Status, Tiles};
pub use game_setup::{GameSetup, Limit};
pub use info::{BoardRange, Info, Limits, PluginInfo};
pub use loaded_plugin::{Answer, Failure, Incompatible, LoadedAgent, LoadedPlugin};
pub use packed_board::{PackedBoard, PackedBoardError};
pub use parameters::{NoParameters, ParameterMistake, Parameters, mistakes as parameter_mistakes};
pub use play_out::{PlayOut, RandomGame};
pub use row_tables::RowTables;
pub use salt::{Salt, SaltError};
pub use side::Side;
pub use slide::Slide;
pub use tile_sequence::{MAX_SEED, Spawn, TileSequence, agent_random_seed};
pub use turn::{Allowance, Turn};

#[doc(hidden)]
pub mod __private {
    pub use abi_stable;
    pub use schemars;
    pub use serde;

    pub use crate::abi::exported;

    pub mod module_ref {
        pub use crate::abi::PluginModuleRef;
    }
}

// So that the macros' own paths work inside this crate, too.
extern crate self as plugin_api;
