//! Arena 2048: tournaments of 2048 agents. Modules in the order of the data flow.

pub mod game_record;
pub mod report;
pub mod statistics;
