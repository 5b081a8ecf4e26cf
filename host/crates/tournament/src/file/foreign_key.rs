//! Keys that other tournament programs have, and what to write here instead.
//!
//! The nearest name by spelling would mislead: for `games` that is `name`.

use super::{key_path::KeyPath, node::Node};

/// The key that is meant by one that people bring from elsewhere, and what to write instead.
pub(super) fn advice(mapping: &KeyPath, key: &str, value: &Node) -> Option<(&'static str, String)> {
    if *mapping != KeyPath::root() {
        return None;
    }
    let (meant, written) = match (key.to_lowercase().as_str(), value) {
        ("games" | "n_games" | "num_games" | "rounds" | "episodes", Node::Integer(number)) => (
            "seeds",
            format!("every agent plays one game per seed; write `seeds: 1..{number}`"),
        ),
        ("games" | "n_games" | "num_games" | "rounds" | "episodes", _) => (
            "seeds",
            "every agent plays one game per seed; write for example `seeds: 1..20`".to_owned(),
        ),
        ("players" | "bots" | "engines" | "plugins" | "participants", _) => (
            "agents",
            "write `agents:`, a list such as `- plugin: expectimax`".to_owned(),
        ),
        ("time" | "timeout" | "time_limit" | "tc" | "per_move" | "nodes", _) => (
            "budget",
            "write for example `budget: { per_move: 1ms }` or `budget: { nodes: 20000 }`"
                .to_owned(),
        ),
        _ => return None,
    };
    Some((meant, written))
}
