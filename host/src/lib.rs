//! Arena 2048: tournaments of 2048 agents. Modules in the order of the data flow.

pub mod nearest_name;
pub mod tournament;
pub mod tournament_file;

pub mod worker;

pub mod move_times;
pub mod player;
pub mod purse;
pub mod referee;

pub mod game_record;
