//! `solve/1`: all paths to a goal in deterministic 2048, as an [`Extension`].
//!
//! Deterministic 2048 has no randomness: every new tile is a 2 in the first empty cell,
//! so the question "how many sequences of moves reach the goal?" has an exact answer.
//! The types here are the messages between host and plugin; unknown keys are ignored, so
//! that later versions can add some.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::{Extension, Refusal, Side};

/// The extension's name.
///
/// ```
/// # use plugin_api::{Info, solve};
/// const INFO: Info = Info::new("solver", "1.0.0").extensions(&[solve::NAME]);
/// # assert!(format!("{INFO:?}").contains("solve/1"));
/// ```
pub const NAME: &str = "solve/1";

/// The host's request.
///
/// ```
/// # use plugin_api::solve::SolveRequest;
/// let request: SolveRequest = serde_json::from_str(r#"{"size": 3, "goal": 16}"#).unwrap();
/// assert_eq!((request.size.length(), request.goal, request.list), (3, 16, false));
/// ```
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
    /// How many example solutions to send if they are not listed.
    #[serde(default)]
    pub examples: u64,
    /// The memory limit in bytes.
    #[serde(default)]
    pub memory: Option<u64>,
    /// The order in which the moves of a board are tried: each of `URDL` once. If not set, the
    /// plugin's own.
    #[serde(default)]
    pub order: Option<String>,
    /// Whether to count also the nodes of a search that does not kill any.
    #[serde(default)]
    pub unpruned: bool,
}

/// A message that the plugin sends while it works.
///
/// ```
/// # use plugin_api::solve::{SolveMessage, SolveProgress};
/// let progress = SolveProgress { stage: "counting".to_owned(), visited: 12, ..Default::default() };
/// let text = serde_json::to_string(&SolveMessage::Progress(progress)).unwrap();
/// assert!(text.starts_with(r#"{"progress":{"stage":"counting""#));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolveMessage {
    /// The progress of the search.
    Progress(SolveProgress),
    /// A path to the goal.
    Solution(Solution),
}

/// The progress of a search.
///
/// ```
/// # use plugin_api::solve::SolveProgress;
/// let progress: SolveProgress = serde_json::from_str(r#"{"stage": "x", "visited": 3}"#).unwrap();
/// assert_eq!((progress.visited, progress.memory), (3, 0));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolveProgress {
    /// The current stage, in a few words.
    pub stage: String,
    /// The number of states or positions visited so far.
    pub visited: u64,
    /// The number of solutions found so far, if they are counted one by one; a decimal
    /// number.
    #[serde(default)]
    pub solutions: Option<String>,
    /// Memory used, in bytes.
    #[serde(default)]
    pub memory: u64,
}

/// A path to the goal.
///
/// ```
/// # use plugin_api::solve::Solution;
/// let solution = Solution { moves: "LU".to_owned(), board: vec![vec![8, 2], vec![0, 0]] };
/// assert_eq!(serde_json::to_string(&solution).unwrap(), r#"{"moves":"LU","board":[[8,2],[0,0]]}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solution {
    /// The moves, one letter of `URDL` each.
    pub moves: String,
    /// The board at the end, including the tile that follows the last move: rows of
    /// face values.
    pub board: Vec<Vec<u64>>,
}

/// The plugin's answer at the end.
///
/// ```
/// # use plugin_api::solve::SolveAnswer;
/// let text = r#"{"solutions": "2", "min_moves": 1, "max_moves": 3, "shortest": null,
///                "states": 9, "complete": true}"#;
/// let answer: SolveAnswer = serde_json::from_str(text).unwrap();
/// assert_eq!((answer.solutions.as_deref(), answer.complete), (Some("2"), true));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolveAnswer {
    /// The number of paths to the goal, as a decimal number. If the search is not
    /// complete, the number found so far; `null` if it is unknown.
    pub solutions: Option<String>,
    /// The moves of the shortest path.
    pub min_moves: Option<u64>,
    /// The moves of the longest path.
    pub max_moves: Option<u64>,
    /// A shortest path.
    pub shortest: Option<Solution>,
    /// The number of different states visited.
    pub states: u64,
    /// Whether the search was completed. If not, the numbers are those known when it
    /// was stopped or ran out of memory.
    pub complete: bool,
    /// Why it is not complete.
    #[serde(default)]
    pub incomplete_because: Option<String>,
    /// The tree of a search that visits every path.
    #[serde(default)]
    pub tree: Option<TreeSize>,
    /// The time of the search, in microseconds.
    #[serde(default)]
    pub micros: Option<u64>,
}

/// The number of nodes of a state-space tree, as decimal numbers. Every move of an expanded node
/// generates a node: it reaches the goal, is expanded, or is killed because nothing moves.
///
/// ```
/// # use plugin_api::solve::TreeSize;
/// let text = r#"{"generated": "9", "expanded": "2", "killed": "1"}"#;
/// let tree: TreeSize = serde_json::from_str(text).unwrap();
/// assert_eq!((tree.killed.as_str(), tree.unpruned), ("1", None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeSize {
    /// The nodes, with the root.
    pub generated: String,
    /// Those whose moves were tried.
    pub expanded: String,
    /// Those that a move leads to which changes nothing.
    pub killed: String,
    /// The nodes without killing any, down to the last move of the longest solution, if that was
    /// asked for.
    #[serde(default)]
    pub unpruned: Option<String>,
}

/// A search for all paths to a goal.
///
/// ```
/// use std::ops::ControlFlow;
/// use plugin_api::{Extension, Refusal, solve::{SolveAnswer, SolveExtension, SolveMessage, SolveRequest, Solver}};
///
/// /// Knows that 4 is reached from two 2s, by left and by right, on every board.
/// struct Four;
///
/// impl Solver for Four {
///     fn solve(
///         &mut self,
///         request: &SolveRequest,
///         _send: &mut dyn FnMut(SolveMessage) -> ControlFlow<()>,
///     ) -> Result<SolveAnswer, Refusal> {
///         if request.goal != 4 {
///             return Err("it can only reach 4".into());
///         }
///         Ok(SolveAnswer {
///             solutions: Some("2".to_owned()),
///             min_moves: Some(1),
///             max_moves: Some(1),
///             shortest: None,
///             states: 1,
///             complete: true,
///             incomplete_because: None,
///             tree: None,
///             micros: None,
///         })
///     }
/// }
///
/// let mut extension = SolveExtension(Four);
/// let answer = extension.call(r#"{"size": 4, "goal": 4}"#, &mut |_| ControlFlow::Continue(())).unwrap();
/// assert!(answer.contains(r#""solutions":"2""#));
/// ```
pub trait Solver {
    /// Answers a request. Call `send` several times per second; when it returns
    /// [`ControlFlow::Break`], stop the search and return what has been found so far.
    ///
    /// # Errors
    /// A message that says why there is no answer.
    fn solve(
        &mut self,
        request: &SolveRequest,
        send: &mut dyn FnMut(SolveMessage) -> ControlFlow<()>,
    ) -> Result<SolveAnswer, Refusal>;
}

/// Wraps a solver as the extension `solve/1`.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use plugin_api::{Refusal, solve::{SolveAnswer, SolveMessage, SolveRequest, Solver}};
/// use plugin_api::{Extension, solve::{self, SolveExtension}};
///
/// # #[derive(Default)]
/// # struct MySolver;
/// # impl Solver for MySolver {
/// #     fn solve(&mut self, _: &SolveRequest, _: &mut dyn FnMut(SolveMessage) -> ControlFlow<()>) -> Result<SolveAnswer, Refusal> {
/// #         Err("no".into())
/// #     }
/// # }
/// // As an agent's `extension` does it:
/// fn extension(name: &str) -> Option<Box<dyn Extension>> {
///     (name == solve::NAME).then(|| Box::new(SolveExtension(MySolver)) as Box<dyn Extension>)
/// }
/// assert!(extension("solve/1").is_some() && extension("dance/1").is_none());
/// ```
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
