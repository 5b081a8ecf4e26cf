#![doc = include_str!("../README.md")]
#![warn(missing_docs, clippy::missing_errors_doc, clippy::must_use_candidate)]

mod boundary;
mod contract;
mod rules;

pub use boundary::{
    abi, c_abi,
    loaded_plugin::{Answer, Failure, Incompatible, LoadedAgent, LoadedPlugin},
    wire,
};
pub use contract::{
    agent::{Agent, Refusal},
    budget::Budget,
    choice::Choice,
    clock::Clock,
    explain,
    extension::Extension,
    game_setup::{GameSetup, Limit},
    info::{BoardRange, Info, Limits, PluginInfo},
    notes::{Notes, collect_notes},
    parameter_mistake::{ParameterMistake, mistakes as parameter_mistakes},
    parameters::{NoParameters, Parameters},
    solve,
    stop_flag::{StartStopFlag, StopFlag, provide_stop_flag},
    turn::{Allowance, Turn},
};
pub use rules::{
    board::{Board, BoardError, face_value},
    cell_mask::{CellMask, Cells, PackedCell},
    dice::Dice,
    direction::Direction,
    empty_cells::EmptyCells,
    four_share::FourShare,
    game::{Game, Rules, RulesName, Status, Tiles},
    packed_board::{PackedBoard, PackedBoardError},
    play_out::{PlayOut, RandomGame},
    row_tables::RowTables,
    salt::{Salt, SaltError},
    side::Side,
    slide::Slide,
    tile_sequence::{MAX_SEED, Spawn, TileSequence, agent_random_seed},
};

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

// Lets the macros' paths work inside this crate as well.
extern crate self as plugin_api;
