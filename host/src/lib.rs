//! Arena 2048: tournaments of 2048 agents.
//!
//! The folders are the data flow, in the order of the list below. A folder imports only
//! from folders above it; a test (`tests/repository/layers.rs`) reads the imports and
//! fails on the first one that goes the other way.

pub mod text;

pub mod tournament;

pub mod worker;

pub mod agents;

pub mod run;

pub mod play;

pub mod statistics;

pub mod report;

pub mod cluster;

pub mod author;

pub mod serve;

pub mod command;
