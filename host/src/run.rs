//! A run on disk: its folder, its plan, its game log and the records in it.
//!
//! A tournament and its agents enter; a plan and records on disk leave. Records are
//! replayed and verified here, without the agent that played them.
//!
//! Imports `text`, `tournament`, `worker`, `agents`.

pub mod atomic_file;
pub mod calibration;
#[cfg(test)]
pub(crate) mod example;
pub mod game_log;
pub mod game_plan;
pub mod game_record;
pub mod machine;
pub mod move_times;
mod play_order;
pub mod replay;
pub mod run_files;
pub mod run_folder;
pub mod run_plan;
pub mod shard;
pub mod stderr_files;
pub mod tile_paths;
pub mod verification;
