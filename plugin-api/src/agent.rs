//! The trait a plugin author implements.

use std::error::Error;

use crate::{Board, Choice, Extension, GameSetup, Info, Parameters, Turn};

/// Something that chooses moves. An agent lives for one game, in a process of
/// its own; all calls come from one thread.
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
    /// What the plugin says of itself.
    const INFO: Info;

    /// What can be set in the tournament file under `params`; see
    /// [`parameters!`](crate::parameters), or [`NoParameters`](crate::NoParameters).
    type Params: Parameters;

    /// Makes the agent for one game. Tables are built here: the time for it is
    /// not taken from the moves.
    ///
    /// # Errors
    /// A sentence that says why it will not play: `Err("…".into())`.
    fn new(params: Self::Params, setup: &GameSetup) -> Result<Self, Refusal>;

    /// Chooses a move. The board has at least one legal move; an illegal choice
    /// ends the game.
    fn choose(&mut self, board: &Board, turn: &Turn) -> Choice;

    /// What the plugin can do besides playing, by name; see [`Extension`].
    #[must_use]
    fn extension(name: &str) -> Option<Box<dyn Extension>> {
        let _ = name;
        None
    }
}

/// Why a plugin refuses. Any error and any text turns into one.
///
/// ```
/// # use plugin_api::Refusal;
/// let refusal: Refusal = "it plays boards of 4×4 only".into();
/// let from_an_error: Refusal = "x".parse::<u8>().unwrap_err().into();
/// assert!(refusal.to_string().starts_with("it plays") && !from_an_error.to_string().is_empty());
/// ```
pub type Refusal = Box<dyn Error>;
