//! How an agent that is a program is started, as a plan stores it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// How an agent that is a program is started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentProgram {
    /// The interpreter and its version.
    pub runtime: String,
    /// The words of its command, as written in the tournament file; none for a plugin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// The folder to which the words are relative.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
}
