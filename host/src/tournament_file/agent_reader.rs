//! Reads `agents`: the lines of the ranking.

use std::path::PathBuf;

use serde_json::Map;

use super::{
    key_path::KeyPath,
    locate::{Target, locate},
    mapping_reader::{MappingReader, report_keys_given_twice},
    mistake::{Mistake, Place},
    node::Node,
    value::Value,
};
use crate::tournament::{AgentEntry, is_plain_name};

pub(super) const KEYS: [&str; 4] = ["plugin", "name", "params", "allow_read"];

/// Every agent meets every other one in the report, so that more are of no use.
const MAX_AGENTS: usize = 1000;

pub(super) fn read_agents(value: &Value, mistakes: &mut Vec<Mistake>) -> Vec<AgentEntry> {
    let advice = "a list of agents such as `- plugin: expectimax`";
    let items = match value.node {
        Node::List(items) if !items.is_empty() => items,
        Node::List(_) => {
            let message = format!("no agents; write {advice}");
            mistakes.push(Mistake::at_value(&value.path, message));
            return Vec::new();
        }
        other => {
            let message = format!("{} where {advice} belongs", other.describe());
            mistakes.push(Mistake::at_value(&value.path, message));
            return Vec::new();
        }
    };
    if items.len() > MAX_AGENTS {
        let n_agents = items.len();
        let message = format!("{n_agents} agents; a tournament has at most {MAX_AGENTS}");
        mistakes.push(Mistake::at_value(&value.path, message));
        return Vec::new();
    }
    let mut agents: Vec<(KeyPath, AgentEntry)> = Vec::new();
    for (index, node) in items.iter().enumerate() {
        let item = Value {
            node,
            path: value.path.index(index),
            source: value.source,
        };
        let Some(agent) = read_agent(&item, mistakes) else {
            continue;
        };
        if let Some((first, _)) = agents.iter().find(|(_, other)| other.name == agent.name) {
            mistakes.push(name_given_twice(
                value.source,
                first,
                &item.path,
                &agent.name,
            ));
        }
        agents.push((item.path, agent));
    }
    agents.into_iter().map(|(_, agent)| agent).collect()
}

fn read_agent(value: &Value, mistakes: &mut Vec<Mistake>) -> Option<AgentEntry> {
    let expected = "an agent such as `plugin: expectimax`";
    let mut reader = MappingReader::new(value, expected, &KEYS, mistakes)?;
    let advice = "say which plugin plays, such as `plugin: expectimax`";
    let plugin = reader.read_required("plugin", advice, plugin);
    let name = reader.read_if_given("name", name);
    let params = reader.get("params");
    let allow_read = reader.get("allow_read");
    let is_named = reader.get("name").is_some();
    let params = params.map_or_else(Map::new, |value| read_params(&value, reader.mistakes()));
    let allow_read =
        allow_read.map_or_else(Vec::new, |value| read_paths(&value, reader.mistakes()));

    let plugin = plugin?;
    let name = match name {
        Some(name) => name,
        None if is_named => return None,
        None => AgentEntry::default_name(&plugin).to_owned(),
    };
    if !is_plain_name(&name) {
        let message = format!("`{name}` cannot name an agent; give it a plain `name`");
        reader.mistake("plugin", message);
        return None;
    }
    Some(AgentEntry {
        plugin,
        name,
        params,
        allow_read,
    })
}

fn plugin(value: &Value) -> Result<String, String> {
    let text = value.text_as_written()?;
    if text.trim().is_empty() || text.contains('\0') {
        return Err("a plugin is given by its name or its path".into());
    }
    Ok(text)
}

/// A name of a tournament or an agent.
pub(super) fn name(value: &Value) -> Result<String, String> {
    let text = value.text_as_written()?;
    if !is_plain_name(&text) {
        return Err(format!(
            "`{text}` is not a name: up to 100 of the letters a to z, digits, `-`, `_` and `.`, \
             and neither `-` nor `.` first"
        ));
    }
    Ok(text)
}

fn read_params(value: &Value, mistakes: &mut Vec<Mistake>) -> Map<String, serde_json::Value> {
    let entries = match value.node {
        Node::Null => return Map::new(),
        Node::Mapping(entries) => entries,
        other => {
            let message = format!(
                "{} where a mapping such as `{{ depth: 4 }}` belongs",
                other.describe()
            );
            mistakes.push(Mistake::at_value(&value.path, message));
            return Map::new();
        }
    };
    report_keys_given_twice_within(value, mistakes);
    let mut params = Map::new();
    for (key, node) in entries {
        match node.to_json() {
            Ok(json) => {
                params.insert(key.clone(), json);
            }
            Err(message) => mistakes.push(Mistake::at_value(&value.path.key(key), message)),
        }
    }
    params
}

/// Parameters may hold mappings of their own, where a key counts once as well.
fn report_keys_given_twice_within(value: &Value, mistakes: &mut Vec<Mistake>) {
    let inner = |node, path| Value {
        node,
        path,
        source: value.source,
    };
    match value.node {
        Node::Mapping(entries) => {
            report_keys_given_twice(value, entries, mistakes);
            for (key, node) in entries {
                report_keys_given_twice_within(&inner(node, value.path.key(key)), mistakes);
            }
        }
        Node::List(items) => {
            for (index, node) in items.iter().enumerate() {
                report_keys_given_twice_within(&inner(node, value.path.index(index)), mistakes);
            }
        }
        _ => {}
    }
}

fn read_paths(value: &Value, mistakes: &mut Vec<Mistake>) -> Vec<PathBuf> {
    let items = match value.node {
        Node::Null => return Vec::new(),
        Node::List(items) => items,
        other => {
            let message = format!("{} where a list of paths belongs", other.describe());
            mistakes.push(Mistake::at_value(&value.path, message));
            return Vec::new();
        }
    };
    let mut paths = Vec::new();
    for (index, node) in items.iter().enumerate() {
        match node {
            Node::Text(text) if !text.is_empty() && !text.contains('\0') => paths.push(text.into()),
            other => {
                let message = format!("{} where a path belongs", other.describe());
                mistakes.push(Mistake::at_value(&value.path.index(index), message));
            }
        }
    }
    paths
}

fn name_given_twice(source: &str, first: &KeyPath, second: &KeyPath, name: &str) -> Mistake {
    let place = |agent: &KeyPath| {
        let named = agent.key("name");
        let is_named = locate(source, &named, Target::Value).is_some();
        Place::Value(if is_named { named } else { agent.key("plugin") })
    };
    let line = |agent: &KeyPath| place(agent).position(source).map_or(0, |at| at.line);
    let message = format!(
        "two agents are named `{name}`, in lines {} and {}; give one of them another `name`",
        line(first),
        line(second)
    );
    Mistake::new(place(second), message)
}
