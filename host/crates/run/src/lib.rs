//! A run on disk: its folder, its plan, its game log and the records in it.
//!
//! A tournament and its agents enter; a plan and records leave. Records are replayed, verified and
//! merged here, without the agent that played them, and [`counted`] says which of them count.
//!
//! Start with [`run_plan`] (what is to be played), [`game_record`] (what a finished game left
//! behind) and [`game_log`] (how records survive a power cut).

pub mod agent;
pub mod atomic_file;
pub mod counted;
#[cfg(any(test, feature = "testing"))]
pub mod example;
pub mod game_figures;
pub mod game_log;
pub mod game_plan;
pub mod game_record;
pub mod leftovers;
pub mod machine;
pub mod merge;
pub mod move_times;
pub mod plan_error;
pub mod pseudonyms;
pub mod record_line;
pub mod replay;
pub mod run_files;
pub mod run_folder;
pub mod run_plan;
pub mod salt_commitment;
pub mod salt_file;
pub mod shard;
pub mod stage;
pub mod stderr_files;
pub mod thought_files;
pub mod unlinked;
pub mod verification;
