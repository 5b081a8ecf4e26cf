//! A file of a folder of agents that does not play, and why.

use serde::{Deserialize, Serialize};

use crate::text::plugin_words::name_as_code;

/// A submission that is left out of a tournament. The others play without it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LeftOut {
    /// The file, relative to its folder.
    pub file: String,
    /// The name that the agent would have.
    pub name: String,
    /// Why it does not play: one sentence with the file as its subject.
    pub reason: String,
}

impl LeftOut {
    /// The file, whose name may be anything, and the reason.
    #[must_use]
    pub fn sentence(&self) -> String {
        format!("{} {}", name_as_code(&self.file), self.reason)
    }
}
