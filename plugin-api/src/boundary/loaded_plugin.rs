//! A plugin as the host sees it, whichever ABI it uses.
//!
//! [`abi`](crate::abi) and [`c_abi`](crate::c_abi) each turn the exports of a library
//! into a [`LoadedPlugin`]; the host needs to know nothing else about either.

use std::{fmt, ops::ControlFlow};

use crate::{Board, Turn};

/// A plugin that has been loaded.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use plugin_api::{Answer, Board, Failure, LoadedAgent, LoadedPlugin, Turn};
/// # struct Up;
///
/// # impl LoadedAgent for Up {
/// #     fn choose(&mut self, _board: &Board, _turn: &Turn) -> Result<Answer, Failure> {
/// #         Ok(Answer { direction: 0, values: [f64::NAN; 4], depth: 0, nodes: 0 })
/// #     }
/// # }
/// /// A plugin that is not in a library.
/// struct Plugin;
///
/// impl LoadedPlugin for Plugin {
///     fn info(&self) -> Result<String, Failure> {
///         Ok(r#"{"name": "up"}"#.to_owned())
///     }
///     fn create(&self, _params: &str, _setup: &str) -> Result<Box<dyn LoadedAgent>, Failure> {
///         Ok(Box::new(Up))
///     }
///     fn call_extension(
///         &self,
///         name: &str,
///         _request: &str,
///         _send: &mut dyn FnMut(&str) -> ControlFlow<()>,
///     ) -> Result<String, Failure> {
///         Err(Failure::UnknownExtension(name.to_owned()))
///     }
/// }
///
/// assert!(Plugin.info().unwrap().contains("up") && Plugin.create("{}", "{}").is_ok());
/// ```
pub trait LoadedPlugin {
    /// The plugin's description: a JSON string for
    /// [`PluginInfo::from_json`](crate::PluginInfo::from_json).
    ///
    /// # Errors
    /// If the plugin fails to provide it.
    fn info(&self) -> Result<String, Failure>;

    /// Creates an agent from the JSON strings of its parameters and its game.
    ///
    /// # Errors
    /// If the plugin rejects them or fails.
    fn create(&self, params: &str, setup: &str) -> Result<Box<dyn LoadedAgent>, Failure>;

    /// Passes a request to the plugin's [`Extension`](crate::Extension) of this name.
    ///
    /// # Errors
    /// If the plugin has no such extension, rejects the request or fails.
    fn call_extension(
        &self,
        name: &str,
        request: &str,
        send: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<String, Failure>;
}

/// An agent inside a plugin.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use plugin_api::{Answer, Board, Failure, LoadedAgent, LoadedPlugin, Turn};
/// /// An agent that is not in a library, like some in the host's tests.
/// struct Up;
///
/// impl LoadedAgent for Up {
///     fn choose(&mut self, _board: &Board, _turn: &Turn) -> Result<Answer, Failure> {
///         Ok(Answer { direction: 0, values: [f64::NAN; 4], depth: 0, nodes: 0 })
///     }
/// }
///
/// let board: Board = "2 0 / 2 0".parse().unwrap();
/// assert_eq!(Up.choose(&board, &Turn::unlimited()).unwrap().direction, 0);
/// ```
pub trait LoadedAgent {
    /// Asks for a move.
    ///
    /// # Errors
    /// If the agent fails. Any direction is an answer here, even one that does not
    /// exist: the referee judges it.
    fn choose(&mut self, board: &Board, turn: &Turn) -> Result<Answer, Failure>;
}

/// The unchecked answer of an agent.
///
/// ```
/// # use plugin_api::{Answer, Direction};
/// let answer = Answer { direction: 77, values: [f64::NAN; 4], depth: 0, nodes: 0 };
/// assert_eq!(Direction::from_index(answer.direction), None, "the referee finds out");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// A direction's number, if it is below 4.
    pub direction: u8,
    /// The value of each direction according to the agent; NaN where it reported none.
    pub values: [f64; 4],
    /// How many moves ahead it looked; 0 if it did not report it.
    pub depth: u32,
    /// How many nodes it searched; 0 if it did not report it.
    pub nodes: u64,
}

/// How a call into a plugin failed.
///
/// ```
/// # use plugin_api::Failure;
/// let failure = Failure::UnknownExtension("solve/1".to_owned());
/// assert_eq!(failure.to_string(), "the plugin has no extension `solve/1`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The plugin rejected the call, with this message.
    Refused(String),
    /// The plugin panicked, with the place and the message.
    Panicked(String),
    /// The plugin broke the contract, with the details.
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

/// Why the exports of a library are not a plugin that this host can use.
///
/// ```
/// # use plugin_api::c_abi::CPlugin;
/// // SAFETY: null is compared, not dereferenced.
/// let incompatible = unsafe { CPlugin::from_symbol(std::ptr::null()) }.err().unwrap();
/// assert_eq!(incompatible.to_string(), "`agent2048_entry` has no address");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incompatible(pub(crate) String);

impl fmt::Display for Incompatible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Incompatible {}
