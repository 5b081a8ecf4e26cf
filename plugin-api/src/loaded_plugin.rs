//! A plugin as the host sees it, whichever ABI it speaks.
//!
//! [`abi`](crate::abi) and [`c_abi`](crate::c_abi) each turn what a library exports
//! into a [`LoadedPlugin`]; the host needs to know no more of either.

use std::{fmt, ops::ControlFlow};

use crate::{Board, Turn};

/// A plugin that has been opened.
pub trait LoadedPlugin {
    /// What it says of itself: a JSON text for
    /// [`PluginInfo::from_json`](crate::PluginInfo::from_json).
    ///
    /// # Errors
    /// When the plugin fails to say it.
    fn info(&self) -> Result<String, Failure>;

    /// Makes an agent from the JSON texts of its parameters and its game.
    ///
    /// # Errors
    /// When the plugin refuses or fails.
    fn create(&self, params: &str, setup: &str) -> Result<Box<dyn LoadedAgent>, Failure>;

    /// Lets the plugin's [`Extension`](crate::Extension) of this name answer a request.
    ///
    /// # Errors
    /// When the plugin has none of this name, refuses or fails.
    fn call_extension(
        &self,
        name: &str,
        request: &str,
        send: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<String, Failure>;
}

/// An agent inside a plugin.
pub trait LoadedAgent {
    /// Asks for a move.
    ///
    /// # Errors
    /// When the agent fails. Any direction is an answer here, even one that does
    /// not exist: the referee judges it.
    fn choose(&mut self, board: &Board, turn: &Turn) -> Result<Answer, Failure>;
}

/// What came back from an agent, unchecked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// A direction's number, if it is below 4.
    pub direction: u8,
    /// What each direction seemed worth; NaN where nothing was said.
    pub values: [f64; 4],
    /// How many moves ahead it looked; 0 when nothing was said.
    pub depth: u32,
    /// How many nodes it searched; 0 when nothing was said.
    pub nodes: u64,
}

/// How a call into a plugin failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The plugin said no, with this sentence.
    Refused(String),
    /// The plugin panicked; where and why.
    Panicked(String),
    /// The plugin broke the contract; how.
    Broken(String),
    /// The plugin has no extension of this name.
    UnknownExtension(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(message) | Self::Panicked(message) | Self::Broken(message) => {
                f.write_str(message)
            }
            Self::UnknownExtension(name) => write!(f, "the plugin has no extension `{name}`"),
        }
    }
}

impl std::error::Error for Failure {}

/// Why what a library exports is not a plugin this host can use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incompatible(pub(crate) String);

impl fmt::Display for Incompatible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Incompatible {}
