//! Keys that other tournament programs have, and what to write here instead.
//!
//! The nearest name by spelling would mislead: for `games` that is `name`.

use super::{key_path::KeyPath, node::Node};

/// What to write instead of a key that people bring from elsewhere.
pub(super) fn advice(mapping: &KeyPath, key: &str, value: &Node) -> Option<String> {
    if *mapping != KeyPath::root() {
        return None;
    }
    let written = match (key.to_lowercase().as_str(), value) {
        ("games" | "n_games" | "num_games" | "rounds" | "episodes", Node::Integer(number)) => {
            format!("every agent plays one game per seed; write `seeds: 1..{number}`")
        }
        ("games" | "n_games" | "num_games" | "rounds" | "episodes", _) => {
            "every agent plays one game per seed; write for example `seeds: 1..20`".to_owned()
        }
        ("players" | "bots" | "engines" | "plugins" | "participants", _) => {
            "write `agents:`, a list such as `- plugin: expectimax`".to_owned()
        }
        ("time" | "timeout" | "time_limit" | "tc" | "per_move" | "nodes", _) => {
            "write for example `budget: { per_move: 1ms }` or `budget: { nodes: 20000 }`".to_owned()
        }
        _ => return None,
    };
    Some(written)
}
