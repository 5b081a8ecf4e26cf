//! What the author of an agent meets: `host new`, `host check`, both ABIs.

/// Old plugin and new host, new plugin and old host, in both ABIs.
mod abi_compatibility;

/// What `host check` says of good plugins and of broken ones.
mod checks;

/// `host new`: an agent of one's own that builds and plays at once.
mod new_agents;

/// Notes on moves, in every language.
mod notes;

/// Agents that are programs: in Python, JavaScript and Java.
mod programs;

/// `host solve` and the backtracking paper.
mod solving;

/// Agents by people who never saw the code of this project, in Rust and in C.
pub(crate) mod third_party_agents;
