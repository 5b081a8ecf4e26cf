//! Arena 2048: tournaments of 2048 agents. Modules in the order of the data flow.

pub mod nearest_name;
pub mod tournament;
pub mod tournament_file;

pub mod game_record;
