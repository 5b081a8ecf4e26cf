//! The contract between host and agent, as the author of an agent sees it.
//!
//! An author implements [`agent::Agent`] and exports it with `export_agent!`; the other
//! modules are what the trait's methods receive and return.

pub(crate) mod agent;
pub(crate) mod budget;
pub(crate) mod choice;
pub(crate) mod clock;
pub mod explain;
mod export_agent;
pub(crate) mod extension;
pub(crate) mod game_setup;
pub(crate) mod info;
pub(crate) mod notes;
pub(crate) mod parameter_mistake;
pub(crate) mod parameters;
pub mod solve;
pub(crate) mod stop_flag;
pub(crate) mod turn;
