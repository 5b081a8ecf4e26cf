//! The trait that the author of a plugin implements.

use std::error::Error;

use crate::{Board, Choice, Extension, GameSetup, Info, Parameters, Turn};

/// Chooses moves. An agent exists for one game, in a process of its own; all calls come
/// from one thread.
///
/// ```standalone_crate
/// use plugin_api::{Agent, Board, Choice, GameSetup, Info, NoParameters, Refusal, Turn, export_agent};
///
/// /// Plays the first legal move.
/// struct First;
///
/// impl Agent for First {
///     const INFO: Info = Info::new("first", "1.0.0");
///     type Params = NoParameters;
///
///     fn new(_params: NoParameters, _setup: &GameSetup) -> Result<Self, Refusal> {
///         Ok(First)
///     }
///
///     fn choose(&mut self, board: &Board, _turn: &Turn) -> Choice {
///         board.legal_moves().next().expect("a turn has a legal move").into()
///     }
/// }
///
/// export_agent!(First);
/// # fn main() {}
/// ```
pub trait Agent: Sized + 'static {
    /// The plugin's description of itself.
    const INFO: Info;

    /// The parameters that a tournament file can set under `params`; see
    /// [`parameters!`](crate::parameters), or [`NoParameters`](crate::NoParameters).
    type Params: Parameters;

    /// Creates the agent for one game. Build tables here: this time is not charged to
    /// the moves.
    ///
    /// # Errors
    /// A message that says why it cannot play: `Err("…".into())`.
    fn new(params: Self::Params, setup: &GameSetup) -> Result<Self, Refusal>;

    /// Chooses a move. The board has at least one legal move; an illegal choice ends
    /// the game.
    fn choose(&mut self, board: &Board, turn: &Turn) -> Choice;

    /// What the plugin can do besides playing, by name; see [`Extension`].
    #[must_use]
    fn extension(name: &str) -> Option<Box<dyn Extension>> {
        let _ = name;
        None
    }
}

/// Why a plugin rejects a request. Any error and any string converts into one.
///
/// ```
/// # use plugin_api::Refusal;
/// let refusal: Refusal = "it plays boards of 4×4 only".into();
/// let from_an_error: Refusal = "x".parse::<u8>().unwrap_err().into();
/// assert!(refusal.to_string().starts_with("it plays") && !from_an_error.to_string().is_empty());
/// ```
pub type Refusal = Box<dyn Error>;
