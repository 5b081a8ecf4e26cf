//! Playing: agents are found and inspected, a referee asks a player for moves, and a runner keeps
//! all cores busy.
//!
//! A tournament with plugin names enters [`agents`], a plan enters [`runner`]; records leave, one
//! per game, appended to the log.
//!
//! Start with [`referee`] (one game), [`player`] (what the referee asks for moves) and [`runner`]
//! (all games of a plan).

pub mod agents;
pub mod clock;
pub mod player;
pub mod referee;
pub mod runner;
