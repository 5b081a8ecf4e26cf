//! The tree as JSON: what the agent answered, with the board of every node.

use plugin_api::explain::Node;
use serde::Serialize;
use serde_json::{Value, json};

use crate::ExplainedTree;

/// The answer of the agent, with its name, the board and the board of every node. Docs:
/// `docs/explain.md`.
#[must_use]
pub fn json(tree: &ExplainedTree) -> Value {
    let mut object = json!({"agent": tree.agent, "board": tree.board().tiles()});
    let explanation = of_numbers(tree.explanation());
    if let (Some(object), Value::Object(explanation)) = (object.as_object_mut(), explanation) {
        object.extend(explanation);
    }
    let nodes = (0..tree.n_nodes()).map(|number| of_node(tree.node(number), tree, number));
    object["nodes"] = nodes.collect();
    object
}

fn of_node(node: &Node, tree: &ExplainedTree, number: usize) -> Value {
    let mut object = of_numbers(node);
    object["board"] = of_numbers(&tree.board_of(number).tiles());
    object
}

fn of_numbers(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("plain data turns into JSON")
}
