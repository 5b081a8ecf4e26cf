//! Arena 2048: tournaments of 2048 agents. Modules in the order of the data flow.

// What is typed.
mod command;
mod command_line;
pub mod program;

// From the file to a plan.
pub mod tournament;
pub mod tournament_file;

pub mod entrant;
pub mod file_identity;
pub mod nearest_name;
pub mod plugin_finder;
pub mod plugin_inspection;

pub mod calibration;
pub mod game_plan;
pub mod machine;
pub mod run_plan;
pub mod shard;

// From the plan to records.
pub mod tournament_runner;
pub mod worker;

pub mod move_times;
pub mod player;
pub mod purse;
pub mod referee;

pub mod game_log;
pub mod game_record;
pub mod last_words;
pub mod merge;
pub mod run_folder;

// From records to conclusions.
pub mod replay;
pub mod report;
pub mod run_report;
pub mod statistics;
pub mod tile_paths;
pub mod verification;

// Beside the flow.
pub mod check;
pub mod exit_code;
pub mod extension_call;
pub mod hex;
pub mod interruption;
pub mod new_agent;
pub mod printable;
pub mod serve;
pub mod shell_word;
pub mod slurm;

// So that the commands name the library as any program would.
extern crate self as arena2048;
