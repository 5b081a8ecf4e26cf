//! `explain/1`: the tree that an agent searches on a board, as an [`Extension`].
//!
//! The agent returns the nodes of its search; the host draws them, and needs not know the
//! algorithm. Boards are not part of the nodes: they follow from the moves and tiles. The
//! types here are the request and the answer as JSON. Unknown keys are ignored, so that later
//! versions can add some; a number may be infinite, which JSON writes as `"inf"` or `"-inf"`.

use std::{collections::BTreeMap, marker::PhantomData, ops::ControlFlow};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::parameters::from_json;
use crate::{Agent, Board, Direction, Extension, GameSetup, Limit, Refusal, Turn};

/// The extension's name.
pub const NAME: &str = "explain/1";

/// The host's request.
///
/// ```
/// # use plugin_api::{Limit, explain::ExplainRequest};
/// let text = r#"{"board": [[2, 4], [0, 8]], "setup": {"board": 2, "four": 0.1, "tiles": "random",
///                "random_seed": 0}, "params": {"depth": 3}}"#;
/// let request: ExplainRequest = serde_json::from_str(text).unwrap();
/// assert_eq!((request.nodes, request.depth, request.setup.limit), (2000, None, Limit::None));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExplainRequest {
    /// The board: rows of face values, 0 for an empty cell.
    pub board: Vec<Vec<u64>>,
    /// The game, as for [`Agent::new`].
    pub setup: GameSetup,
    /// The agent's parameters, as for [`Agent::new`]; the host has checked them.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// How deep to search, in the agent's own unit; if not set, as deep as it would play.
    #[serde(default)]
    pub depth: Option<u32>,
    /// The largest number of nodes in the answer. What does not fit is counted.
    #[serde(default = "default_nodes")]
    pub nodes: usize,
}

fn default_nodes() -> usize {
    ExplainRequest::DEFAULT_NODES
}

impl ExplainRequest {
    /// The number of nodes that an answer may have if the request does not say.
    pub const DEFAULT_NODES: usize = 2000;

    /// A request about a board in a game, with neither parameters nor other limits.
    #[must_use]
    pub fn new(board: &Board, setup: GameSetup) -> Self {
        Self {
            board: board.tiles(),
            setup,
            params: Map::new(),
            depth: None,
            nodes: Self::DEFAULT_NODES,
        }
    }

    /// A turn that starts now, with the budget of the setup.
    #[must_use]
    pub fn turn(&self) -> Turn {
        match self.setup.limit {
            Limit::None => Turn::unlimited(),
            Limit::Nodes(nodes) => Turn::with_nodes(nodes),
            Limit::Time {
                clock, per_move, ..
            } => Turn::with_time(clock, per_move),
        }
    }
}

/// The answer: how the agent chose its move.
///
/// ```
/// # use plugin_api::explain::Explanation;
/// let text = r#"{"method": "the first legal move", "choice": "up", "line": [0, 1], "nodes": [
///     {"kind": "max", "value": 1},
///     {"parent": 0, "kind": "leaf", "move": "up", "value": 1}]}"#;
/// let explanation: Explanation = serde_json::from_str(text).unwrap();
/// assert_eq!(explanation.nodes[1].parent, Some(0));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// The method in a few words: the title of the drawing.
    pub method: String,
    /// What the values at the leaves are, for example `H = 4096·E − 10·D − 10·P`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// What a kind of inner node does in this search, for example `min`: `the mean over the worst
    /// tiles`. Without it, `max` is the best move, `min` the worst tile, `chance` the mean over
    /// the tiles.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub turns: BTreeMap<NodeKind, String>,
    /// The chosen move; `None` on a board without a legal one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<Direction>,
    /// The nodes in the order of the search. The first is the root; every other one comes
    /// after its parent.
    pub nodes: Vec<Node>,
    /// The principal line: indices of nodes, from the root down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<usize>,
    /// The results of the depths that were searched one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depths: Vec<SearchedDepth>,
    /// The number of nodes that were visited and are not listed.
    #[serde(default)]
    pub left_out: u64,
    /// Other numbers about the search, for example `known from the table`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<Term>,
    /// Weights of cells that leaves refer to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grids: Vec<Grid>,
}

/// A node of the tree.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// The index of its parent; the root has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// What happens here.
    pub kind: NodeKind,
    /// The move that leads here, if it is one.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// The face value of the new tile that leads here, after the move if there is one too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tile: Option<u64>,
    /// The cell of the new tile, in reading order from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<usize>,
    /// The probability of the new tile among its siblings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// What the player is sure of when the search arrives here.
    #[serde(with = "number", default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
    /// What the opponent is sure of when the search arrives here.
    #[serde(with = "number", default, skip_serializing_if = "Option::is_none")]
    pub beta: Option<f64>,
    /// The value that the search found.
    #[serde(with = "number", default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// How the value relates to the true one.
    #[serde(default, skip_serializing_if = "Relation::is_exact")]
    pub relation: Relation,
    /// How often a sampling search was here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visits: Option<u64>,
    /// Why children were not searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<Cut>,
    /// The parts of the value: it is the sum of value times factor.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<Term>,
    /// The index of the weights that gave the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid: Option<usize>,
    /// Anything else in a few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The number of nodes below this one that were visited and are not listed, without those
    /// that a listed node below counts.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u64,
}

/// What happens at a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NodeKind {
    /// The player chooses the best move.
    Max,
    /// An opponent chooses the worst new tile.
    Min,
    /// A new tile appears by chance.
    Chance,
    /// The board gets its value here.
    #[default]
    Leaf,
    /// The goal is reached.
    Goal,
    /// The node is given up: the move changes nothing, or no move is left.
    Dead,
}

/// How the value of a node relates to the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// It is the true one.
    #[default]
    Exact,
    /// The true one is not lower.
    AtLeast,
    /// The true one is not higher.
    AtMost,
}

impl Relation {
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde passes a reference"
    )]
    fn is_exact(&self) -> bool {
        *self == Self::Exact
    }
}

/// Why children of a node were not searched.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cut {
    /// The reason.
    pub reason: CutReason,
    /// The bound that decided.
    #[serde(with = "number", default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// The number of children that were not searched, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<u64>,
}

/// The reason of a cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CutReason {
    /// The player has a better move elsewhere.
    Alpha,
    /// The opponent has a worse tile elsewhere.
    Beta,
    /// The board was searched before, and its value is known.
    Table,
    /// Another reason, or one of a later version.
    #[default]
    #[serde(other)]
    Other,
}

/// A named number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// The name, for example `E`.
    pub name: String,
    /// The number.
    pub value: f64,
    /// What it is multiplied by in the value of a leaf.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub factor: f64,
}

impl Term {
    /// A number with a factor of 1.
    #[must_use]
    pub fn new(name: &str, value: f64) -> Self {
        Self {
            name: name.to_owned(),
            value,
            factor: 1.0,
        }
    }

    /// The same number with a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { factor, ..self }
    }
}

/// Weights of the cells of a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    /// What distinguishes them from the others.
    pub name: String,
    /// Rows of weights.
    pub weights: Vec<Vec<f64>>,
}

/// The result of a search to one depth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchedDepth {
    /// The depth, in the agent's own unit.
    pub depth: u32,
    /// The best move.
    #[serde(rename = "move")]
    pub direction: Direction,
    /// Its value.
    #[serde(with = "number", default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn one() -> f64 {
    1.0
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_one(factor: &f64) -> bool {
    (factor - 1.0).abs() < f64::EPSILON
}

/// JSON has no infinite numbers.
mod number {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged, expecting = "expected a number, \"inf\" or \"-inf\"")]
    enum Text {
        Number(f64),
        Infinite(Sign),
    }

    #[derive(Serialize, Deserialize)]
    enum Sign {
        #[serde(rename = "inf")]
        Plus,
        #[serde(rename = "-inf")]
        Minus,
    }

    #[expect(clippy::ref_option, reason = "serde passes a reference")]
    pub(super) fn serialize<S: Serializer>(
        number: &Option<f64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let text = number.map(|number| match number {
            f64::INFINITY => Text::Infinite(Sign::Plus),
            f64::NEG_INFINITY => Text::Infinite(Sign::Minus),
            number => Text::Number(number),
        });
        text.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<f64>, D::Error> {
        let text = Option::<Text>::deserialize(deserializer)?;
        Ok(text.map(|text| match text {
            Text::Number(number) => number,
            Text::Infinite(Sign::Plus) => f64::INFINITY,
            Text::Infinite(Sign::Minus) => f64::NEG_INFINITY,
        }))
    }
}

/// An agent that can explain its choice.
pub trait Explainer: Agent {
    /// Searches this board as an agent with these parameters would in [`Agent::choose`], and
    /// returns the tree. The board has a legal move.
    ///
    /// # Errors
    /// A message that says why there is no answer.
    fn explain(
        params: Self::Params,
        board: &Board,
        request: &ExplainRequest,
    ) -> Result<Explanation, Refusal>;
}

/// An agent's `explain` as the extension `explain/1`.
///
/// ```
/// use std::ops::ControlFlow;
/// use plugin_api::{
///     Agent, Board, Choice, Extension, GameSetup, Info, NoParameters, Refusal, Turn,
///     explain::{self, ExplainExtension, ExplainRequest, Explainer, Explanation, Node, NodeKind},
/// };
///
/// /// Plays the first legal move.
/// struct First;
///
/// impl Agent for First {
///     const INFO: Info = Info::new("first", "1.0.0").extensions(&[explain::NAME]);
///     type Params = NoParameters;
///
///     fn new(_: NoParameters, _: &GameSetup) -> Result<Self, Refusal> {
///         Ok(Self)
///     }
///
///     fn choose(&mut self, board: &Board, _: &Turn) -> Choice {
///         board.legal_moves().next().expect("a turn has a legal move").into()
///     }
///
///     fn extension(name: &str) -> Option<Box<dyn Extension>> {
///         (name == explain::NAME).then(|| Box::new(ExplainExtension::<Self>::new()) as _)
///     }
/// }
///
/// impl Explainer for First {
///     fn explain(
///         _: NoParameters,
///         board: &Board,
///         _: &ExplainRequest,
///     ) -> Result<Explanation, Refusal> {
///         let mut nodes = vec![Node { kind: NodeKind::Max, ..Node::default() }];
///         nodes.extend(board.legal_moves().map(|direction| Node {
///             parent: Some(0),
///             direction: Some(direction),
///             ..Node::default()
///         }));
///         Ok(Explanation {
///             method: "the first legal move".to_owned(),
///             choice: board.legal_moves().next(),
///             nodes,
///             ..Explanation::default()
///         })
///     }
/// }
///
/// let request = r#"{"board": [[2, 2], [0, 0]],
///     "setup": {"board": 2, "four": 0.1, "tiles": "random", "random_seed": 0}}"#;
/// let mut extension = First::extension("explain/1").unwrap();
/// let answer = extension.call(request, &mut |_| ControlFlow::Continue(())).unwrap();
/// assert!(answer.contains(r#"{"parent":0,"kind":"leaf","move":"right"}"#), "{answer}");
/// ```
pub struct ExplainExtension<A>(PhantomData<A>);

impl<A> ExplainExtension<A> {
    /// The extension.
    #[must_use]
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

impl<A> Default for ExplainExtension<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Explainer> Extension for ExplainExtension<A> {
    fn call(
        &mut self,
        request: &str,
        _send: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<String, Refusal> {
        let request: ExplainRequest = serde_json::from_str(request)?;
        let board = Board::from_tiles(&request.board)?;
        if board.side() != request.setup.rules.side {
            return Err("the board and the setup have different sides".into());
        }
        let params = Value::Object(request.params.clone()).to_string();
        let params = from_json(&params).map_err(|mistake| mistake.to_string())?;
        if board.legal_moves().next().is_none() {
            return Err("the board has no legal move".into());
        }
        let explanation = A::explain(params, &board, &request)?;
        Ok(serde_json::to_string(&explanation)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinite_numbers_survive_the_boundary() {
        let node = Node {
            kind: NodeKind::Min,
            alpha: Some(f64::NEG_INFINITY),
            beta: Some(f64::INFINITY),
            value: Some(-12.5),
            relation: Relation::AtMost,
            cut: Some(Cut {
                reason: CutReason::Alpha,
                bound: Some(f64::NEG_INFINITY),
                skipped: Some(1),
            }),
            ..Node::default()
        };
        let text = serde_json::to_string(&node).unwrap();
        assert_eq!(
            text,
            r#"{"kind":"min","alpha":"-inf","beta":"inf","value":-12.5,"relation":"at-most","cut":{"reason":"alpha","bound":"-inf","skipped":1}}"#
        );
        assert_eq!(serde_json::from_str::<Node>(&text).unwrap(), node);
    }

    #[test]
    fn keys_and_reasons_of_later_versions_are_accepted() {
        let text = r#"{"kind":"leaf","colour":"red","cut":{"reason":"boredom"}}"#;
        let node: Node = serde_json::from_str(text).unwrap();
        assert_eq!(node.cut.unwrap().reason, CutReason::Other);
    }
}
