//! Playing: a referee asks a player for moves, and a runner keeps all cores busy.
//!
//! A plan enters; records leave, one per game, appended to the log.
//!
//! Imports `text`, `tournament`, `worker`, `agents`, `run`.

pub mod bank;
pub mod judgement;
mod played_game;
pub mod player;
pub mod referee;
pub mod runner;
