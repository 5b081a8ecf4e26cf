//! Tools for authors of agents: `host new` creates a project, `host check` tests a plugin.
//!
//! A name or a plugin file enters; a folder that builds, or a list of findings leaves.
//!
//! Start with [`check`] and its list of claims, and with [`new_agent`] and its templates
//! (`host/crates/author/templates/`).

pub mod check;
pub mod new_agent;
