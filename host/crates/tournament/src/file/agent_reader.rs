//! Reads `agents`: the rows of the ranking.

use std::path::PathBuf;

use serde_json::Map;

use super::{
    diagnostic::{Diagnostic, DiagnosticSubject},
    key_path::KeyPath,
    locate::{Target, locate},
    mapping_reader::{MappingReader, report_duplicate_keys},
    memory_size::memory,
    node::Node,
    value::LocatedValue,
};
use crate::{AgentEntry, AgentFolder, NAME_RULE, is_plain_name};

pub(super) const KEYS: [&str; 7] = [
    "plugin",
    "program",
    "name",
    "params",
    "allow_read",
    "memory",
    "folder",
];

/// The keys of a folder of agents; each agent has the name of its file.
const FOLDER_KEYS: [&str; 4] = ["folder", "params", "allow_read", "memory"];

/// The report compares every pair of agents, so the number is limited.
pub(super) const MAX_AGENTS: usize = 1000;

/// The agents that can be read, each with its place, and the folders of further agents.
pub(super) fn read_agents(
    value: &LocatedValue,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<(KeyPath, AgentEntry)>, Vec<AgentFolder>) {
    let advice = "a list of agents such as `- plugin: expectimax`";
    let items = match value.node {
        Node::List(items) if !items.is_empty() => items,
        Node::List(_) => {
            let message = format!("no agents; write {advice}");
            diagnostics.push(Diagnostic::at_value(&value.path, message));
            return Default::default();
        }
        other => {
            let message = format!("expected {advice}, found {}", other.describe());
            diagnostics.push(Diagnostic::at_value(&value.path, message));
            return Default::default();
        }
    };
    if items.len() > MAX_AGENTS {
        let n_agents = items.len();
        let message = format!("{n_agents} agents; the limit is {MAX_AGENTS}");
        diagnostics.push(Diagnostic::at_value(&value.path, message));
        return Default::default();
    }
    let mut agents: Vec<(KeyPath, AgentEntry)> = Vec::new();
    let mut folders = Vec::new();
    for (index, node) in items.iter().enumerate() {
        let item = LocatedValue {
            node,
            path: value.path.index(index),
            source: value.source,
        };
        if is_folder(node) {
            let folder = read_folder(&item, index, agents.len(), diagnostics);
            folders.extend(folder);
            continue;
        }
        let Some(agent) = read_agent(&item, diagnostics) else {
            continue;
        };
        if let Some((first, _)) = agents.iter().find(|(_, other)| other.name == agent.name) {
            diagnostics.push(name_given_twice(
                value.source,
                first,
                &item.path,
                &agent.name,
            ));
        }
        agents.push((item.path, agent));
    }
    (agents, folders)
}

fn read_agent(value: &LocatedValue, diagnostics: &mut Vec<Diagnostic>) -> Option<AgentEntry> {
    let expected = "an agent such as `plugin: expectimax`";
    let mut reader = MappingReader::new(value, expected, &KEYS, diagnostics)?;
    let advice = "name the plugin that plays, for example `plugin: expectimax`, or a folder of \
                  plugins, for example `folder: submissions`";
    let program = reader.read_if_given("program", command);
    let plugin = match (&program, reader.get("program"), reader.get("plugin")) {
        (_, Some(_), Some(_)) => {
            let message = "`plugin` and `program` exclude each other; `program` is a whole command";
            reader.diagnostic("program", message);
            None
        }
        (program, Some(_), None) => {
            let main = program.as_deref().and_then(AgentEntry::main_word);
            main.map(str::to_owned)
        }
        (_, None, _) => reader.read_required("plugin", advice, plugin),
    };
    let name = reader.read_if_given("name", name);
    let params = reader.get("params");
    let allow_read = reader.get("allow_read");
    let memory = reader.read_if_given("memory", memory);
    let is_named = reader.get("name").is_some();
    let params = params.map_or_else(Map::new, |value| read_params(&value, reader.diagnostics()));
    let allow_read =
        allow_read.map_or_else(Vec::new, |value| read_paths(&value, reader.diagnostics()));

    let plugin = plugin?;
    let name = match name {
        Some(name) => name,
        None if is_named => return None,
        None => AgentEntry::default_name(&plugin).to_owned(),
    };
    if !is_plain_name(&name) {
        let message = format!("`{name}` cannot be used as the name of an agent; set `name`");
        let key = if program.is_some() {
            "program"
        } else {
            "plugin"
        };
        reader.diagnostic(key, message);
        return None;
    }
    Some(AgentEntry {
        plugin,
        program: program.unwrap_or_default(),
        name,
        params,
        allow_read,
        memory,
        submission: None,
    })
}

fn is_folder(node: &Node) -> bool {
    let Node::Mapping(entries) = node else {
        return false;
    };
    entries.iter().any(|(key, _)| key == "folder")
}

fn read_folder(
    value: &LocatedValue,
    index: usize,
    n_before: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<AgentFolder> {
    let expected = "a folder such as `folder: submissions`";
    let mut reader = MappingReader::new(value, expected, &KEYS, diagnostics)?;
    for key in KEYS.iter().filter(|key| !FOLDER_KEYS.contains(key)) {
        if reader.get(key).is_some() {
            let message = format!(
                "a folder has no `{key}`: every plugin in it is an agent with the name of its file"
            );
            reader.diagnostic(key, message);
        }
    }
    let folder = reader.read_if_given("folder", |value| {
        let text = plugin(value)?;
        AgentFolder::split(&text).map_err(str::to_owned)
    });
    let memory = reader.read_if_given("memory", memory);
    let (params, allow_read) = (reader.get("params"), reader.get("allow_read"));
    let params = params.map_or_else(Map::new, |value| read_params(&value, reader.diagnostics()));
    let allow_read =
        allow_read.map_or_else(Vec::new, |value| read_paths(&value, reader.diagnostics()));
    let (folder, pattern) = folder?;
    Some(AgentFolder {
        folder,
        pattern,
        index,
        n_before,
        params,
        allow_read,
        memory,
    })
}

fn plugin(value: &LocatedValue) -> Result<String, String> {
    let text = value.text_as_written()?;
    if text.trim().is_empty() || text.contains('\0') {
        return Err("expected the name or the path of a plugin".into());
    }
    Ok(text)
}

/// The words of a command.
fn command(value: &LocatedValue) -> Result<Vec<String>, String> {
    let expected = "a list of words such as `[python3, anna.py]`";
    let Node::List(items) = value.node else {
        let found = value.node.describe();
        return Err(format!("expected {expected}, found {found}"));
    };
    let mut words = Vec::new();
    for (index, node) in items.iter().enumerate() {
        let item = LocatedValue {
            node,
            path: value.path.index(index),
            source: value.source,
        };
        words.push(item.text_as_written()?);
    }
    let has_zero = words.iter().any(|word| word.contains('\0'));
    match words.first() {
        Some(first) if !first.is_empty() && !has_zero => Ok(words),
        _ => Err(format!("expected {expected}")),
    }
}

/// The name of a tournament or an agent.
pub(super) fn name(value: &LocatedValue) -> Result<String, String> {
    let text = value.text_as_written()?;
    if is_plain_name(&text) {
        Ok(text)
    } else {
        Err(invalid_name(&text))
    }
}

pub(super) fn invalid_name(name: &str) -> String {
    format!("`{name}` is not a valid name; use {NAME_RULE}")
}

fn read_params(
    value: &LocatedValue,
    diagnostics: &mut Vec<Diagnostic>,
) -> Map<String, serde_json::Value> {
    let entries = match value.node {
        Node::Null => return Map::new(),
        Node::Mapping(entries) => entries,
        other => {
            let message = format!(
                "expected a mapping such as `{{ depth: 4 }}`, found {}",
                other.describe()
            );
            diagnostics.push(Diagnostic::at_value(&value.path, message));
            return Map::new();
        }
    };
    report_duplicate_keys_within(value, diagnostics);
    let mut params = Map::new();
    for (key, node) in entries {
        match node.to_json() {
            Ok(json) => {
                params.insert(key.clone(), json);
            }
            Err(message) => diagnostics.push(Diagnostic::at_value(&value.path.key(key), message)),
        }
    }
    params
}

/// Parameters may contain mappings, in which duplicate keys are errors as well.
fn report_duplicate_keys_within(value: &LocatedValue, diagnostics: &mut Vec<Diagnostic>) {
    let inner = |node, path| LocatedValue {
        node,
        path,
        source: value.source,
    };
    match value.node {
        Node::Mapping(entries) => {
            report_duplicate_keys(value, entries, diagnostics);
            for (key, node) in entries {
                report_duplicate_keys_within(&inner(node, value.path.key(key)), diagnostics);
            }
        }
        Node::List(items) => {
            for (index, node) in items.iter().enumerate() {
                report_duplicate_keys_within(&inner(node, value.path.index(index)), diagnostics);
            }
        }
        _ => {}
    }
}

fn read_paths(value: &LocatedValue, diagnostics: &mut Vec<Diagnostic>) -> Vec<PathBuf> {
    let items = match value.node {
        Node::Null => return Vec::new(),
        Node::List(items) => items,
        other => {
            let message = format!("expected a list of paths, found {}", other.describe());
            diagnostics.push(Diagnostic::at_value(&value.path, message));
            return Vec::new();
        }
    };
    let mut paths = Vec::new();
    for (index, node) in items.iter().enumerate() {
        match node {
            Node::Text(text) if !text.is_empty() && !text.contains('\0') => paths.push(text.into()),
            other => {
                let message = format!("expected a path, found {}", other.describe());
                diagnostics.push(Diagnostic::at_value(&value.path.index(index), message));
            }
        }
    }
    paths
}

fn name_given_twice(source: &str, first: &KeyPath, second: &KeyPath, name: &str) -> Diagnostic {
    let subject = |agent: &KeyPath| {
        let named = agent.key("name");
        let is_named = locate(source, &named, Target::Value).is_some();
        let key = if locate(source, &agent.key("program"), Target::Value).is_some() {
            "program"
        } else {
            "plugin"
        };
        DiagnosticSubject::Value(if is_named { named } else { agent.key(key) })
    };
    let line = |agent: &KeyPath| subject(agent).position(source).map_or(0, |at| at.line);
    let message = format!(
        "two agents are named `{name}`, in lines {} and {}; give one of them a different `name`",
        line(first),
        line(second)
    );
    Diagnostic::new(subject(second), message)
}
