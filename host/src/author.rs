//! Tools for authors of agents: `host new` creates a plugin, `host check` tests one.
//!
//! Input is a name or a plugin file. Output is a folder that builds, or a list of
//! findings.
//!
//! Imports `text`, `tournament`, `worker`, `agents`, `run`, `play`.

pub mod check;
pub mod new_agent;
