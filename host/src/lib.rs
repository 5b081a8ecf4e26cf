//! Arena 2048: tournaments of 2048 agents. Modules in the order of the data flow.

// From the file to a plan.
pub mod nearest_name;
pub mod tournament;
pub mod tournament_file;
pub mod plugin_finder;
pub mod plugin_inspection;
pub mod entrant;
pub mod run_plan;
pub mod game_plan;

// From the plan to records.
pub mod worker;
pub mod player;
pub mod purse;
pub mod move_times;
pub mod referee;
pub mod run_folder;
pub mod tournament_runner;

// From records to conclusions.
pub mod game_record;
pub mod game_log;
pub mod verification;
