//! `solve/1`: all ways to a goal in deterministic 2048, as an [`Extension`].
//!
//! Deterministic 2048 has no luck: every new tile is a 2 in the first empty cell,
//! so that "how many sequences of moves reach the goal" has an exact answer. The
//! types here are the texts of the conversation; unknown keys are ignored, so that
//! they can grow.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::{Extension, Refusal, Side};

/// The extension's name.
pub const NAME: &str = "solve/1";

/// What the host asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolveRequest {
    /// The board's side.
    pub size: Side,
    /// The tile that ends a path when a move makes it.
    pub goal: u64,
    /// Whether to send every solution, in the order of the search, instead of
    /// counting over states.
    #[serde(default)]
    pub list: bool,
    /// How many example solutions to send when they are not listed.
    #[serde(default)]
    pub examples: u64,
    /// The most memory to use, in bytes.
    #[serde(default)]
    pub memory: Option<u64>,
}

/// What the plugin sends while it works.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolveMessage {
    /// How far it has come.
    Progress(SolveProgress),
    /// A path to the goal.
    Solution(Solution),
}

/// How far a search has come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolveProgress {
    /// What it is doing, in a few words.
    pub stage: String,
    /// States or positions visited so far.
    pub visited: u64,
    /// Solutions found so far, when they are counted one by one; a decimal number.
    #[serde(default)]
    pub solutions: Option<String>,
    /// Memory used, in bytes.
    #[serde(default)]
    pub memory: u64,
}

/// A path to the goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solution {
    /// The moves, one letter of `URDL` each.
    pub moves: String,
    /// The board at the end, with the tile that follows the last move: rows of
    /// face values.
    pub board: Vec<Vec<u64>>,
}

/// What the plugin answers in the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolveAnswer {
    /// The number of paths to the goal, as a decimal number; of those found so far
    /// when the search is not complete, `null` when none of it is known.
    pub solutions: Option<String>,
    /// The moves of the shortest path.
    pub min_moves: Option<u64>,
    /// The moves of the longest path.
    pub max_moves: Option<u64>,
    /// A shortest path.
    pub shortest: Option<Solution>,
    /// Different states visited.
    pub states: u64,
    /// Whether the search went to its end. If not, the numbers say what was known
    /// when it was stopped or ran out of memory.
    pub complete: bool,
    /// Why it is not complete.
    #[serde(default)]
    pub incomplete_because: Option<String>,
}

/// A search for all ways to a goal.
pub trait Solver {
    /// Answers a request; `send` is to be called several times a second, and a
    /// [`ControlFlow::Break`] ends the search with what is known.
    ///
    /// # Errors
    /// A sentence that says why there is no answer.
    fn solve(
        &mut self,
        request: &SolveRequest,
        send: &mut dyn FnMut(SolveMessage) -> ControlFlow<()>,
    ) -> Result<SolveAnswer, Refusal>;
}

/// Wraps a solver as the extension `solve/1`.
pub struct SolveExtension<S>(pub S);

impl<S: Solver> Extension for SolveExtension<S> {
    fn call(
        &mut self,
        request: &str,
        send: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<String, Refusal> {
        let request: SolveRequest = serde_json::from_str(request)?;
        let answer = self.0.solve(&request, &mut |message| {
            send(&serde_json::to_string(&message).expect("plain data turns into JSON"))
        })?;
        Ok(serde_json::to_string(&answer)?)
    }
}
