//! Reads a mapping key by key and collects every error.
//!
//! A key is declared where it is read: name, accepted values, default and meaning, in the
//! order of the columns of `docs/tournament-file.md`. The reader of a file, the names that an
//! unknown key is compared with, the schema and the documentation all follow from these
//! declarations. A key that is missing or invalid gets its default, so that the remaining keys
//! are read too; the result is discarded if there are errors.

use serde_json::Value;
use text::names::{nearest_name, suggestion};

use super::{
    diagnostic::{Diagnostic, Diagnostics},
    key_path::KeyPath,
    locate::{Target, locate},
    node::{self, Node},
    value::LocatedValue,
    value_type::ValueType,
};

/// A mapping of the file while its keys are read.
pub(crate) struct Mapping<'a> {
    value: LocatedValue<'a>,
    entries: &'a [(String, Node)],
    described: MappingDescription,
    /// Keys that have to be written, with what to write.
    missing: Vec<(&'static str, &'static str)>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

/// What is declared about the keys of a mapping.
#[derive(Debug, Default)]
pub(crate) struct MappingDescription {
    pub(crate) keys: Vec<KeyDescription>,
    /// What the schema says besides the keys.
    pub(crate) rules: Vec<(&'static str, Value)>,
}

#[derive(Debug)]
pub(crate) struct KeyDescription {
    pub(crate) name: &'static str,
    /// In words, as Markdown.
    pub(crate) values: String,
    pub(crate) schema: Value,
    pub(crate) default: KeyDefault,
    /// As Markdown.
    pub(crate) meaning: &'static str,
}

/// What holds if a key is not written.
#[derive(Debug)]
pub(crate) enum KeyDefault {
    /// As if this text were the key's value.
    Written(String),
    /// It depends on other keys; in words, as Markdown.
    Dependent(String),
    /// The key has to be written.
    Required,
}

impl<'a> Mapping<'a> {
    /// Reads the value, if it is a mapping. Unknown and duplicate keys are errors.
    pub(crate) fn read<T>(
        value: &LocatedValue<'a>,
        expected: &str,
        diagnostics: &'a mut Vec<Diagnostic>,
        keys: impl FnOnce(&mut Mapping) -> T,
    ) -> Option<T> {
        let Node::Mapping(entries) = value.node else {
            diagnostics.push(value.error(value.instead_of(expected)));
            return None;
        };
        report_duplicate_keys(value, entries, diagnostics);
        let mut mapping = Mapping {
            value: value.clone(),
            entries,
            described: MappingDescription::default(),
            missing: Vec::new(),
            diagnostics,
        };
        let read = keys(&mut mapping);
        mapping.report_unknown_and_missing_keys();
        Some(read)
    }

    /// A key whose default is the same as writing `default`.
    pub(crate) fn key<T: 'static>(
        &mut self,
        name: &'static str,
        accepts: ValueType<T>,
        default: impl Into<String>,
        meaning: &'static str,
    ) -> T {
        let default = default.into();
        let read = self.read_key(name, &accepts);
        let value = read.unwrap_or_else(|| read_default(name, &accepts, &default));
        self.describe(name, accepts, KeyDefault::Written(default), meaning);
        value
    }

    /// A key whose default depends on others, or does not exist: then `default` is empty.
    pub(crate) fn optional<T: 'static>(
        &mut self,
        name: &'static str,
        accepts: ValueType<T>,
        default: impl Into<String>,
        meaning: &'static str,
    ) -> Option<T> {
        let value = self.read_key(name, &accepts);
        self.describe(
            name,
            accepts,
            KeyDefault::Dependent(default.into()),
            meaning,
        );
        value
    }

    /// A key that has to be written; `advice` says what to write.
    pub(crate) fn required<T: 'static>(
        &mut self,
        name: &'static str,
        accepts: ValueType<T>,
        advice: &'static str,
        meaning: &'static str,
    ) -> Option<T> {
        if !self.has(name) {
            self.missing(name, advice);
        }
        let value = self.read_key(name, &accepts);
        self.describe(name, accepts, KeyDefault::Required, meaning);
        value
    }

    fn read_key<T: 'static>(&mut self, name: &str, accepts: &ValueType<T>) -> Option<T> {
        let (_, node) = self.entries.iter().find(|(key, _)| key == name)?;
        accepts.read(&self.value.at_key(name, node), self.diagnostics)
    }

    fn describe<T>(
        &mut self,
        name: &'static str,
        accepts: ValueType<T>,
        default: KeyDefault,
        meaning: &'static str,
    ) {
        self.described.keys.push(KeyDescription {
            name,
            values: accepts.values,
            schema: accepts.schema,
            default,
            meaning,
        });
    }

    /// What the schema says besides the keys. The reader has to check it on its own.
    pub(crate) fn schema_rule(&mut self, keyword: &'static str, rule: Value) {
        self.described.rules.push((keyword, rule));
    }

    /// Whether the file has this key.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|(key, _)| key == name)
    }

    /// Reports a missing key, unless it is there under a misspelt name: that is reported.
    pub(crate) fn missing(&mut self, name: &'static str, advice: &'static str) {
        self.missing.push((name, advice));
    }

    /// Reports an error about the value of a key, or of a key inside it: `stop.max_seeds`.
    pub(crate) fn error(&mut self, key: &str, message: impl Into<String>) {
        let path = (key.split('.')).fold(self.value.path.clone(), |path, key| path.key(key));
        self.diagnostics.push(Diagnostic::at_value(&path, message));
    }

    /// Whether the value of a key has no error so far. A check that depends on an
    /// invalid value would only repeat its error.
    pub(crate) fn is_sound(&self, key: &str) -> bool {
        let path = self.value.path.key(key);
        let mut subjects = (self.diagnostics.iter()).filter_map(Diagnostic::path);
        !subjects.any(|subject| subject.is_within(&path))
            && !self.missing.iter().any(|(missing, _)| *missing == key)
    }

    fn report_unknown_and_missing_keys(self) {
        let known: Vec<_> = self.described.keys.iter().map(|key| key.name).collect();
        // Known keys that unknown ones most likely stand for.
        let mut meant = Vec::new();
        for (key, value) in self.entries {
            if known.contains(&key.as_str()) {
                continue;
            }
            let (near, advice) = match advice_on_foreign_key(&self.value.path, key, value) {
                Some((near, advice)) => (Some(near), advice),
                None => (
                    nearest_name(key, known.iter().copied()),
                    suggestion(key, "keys", &known),
                ),
            };
            meant.extend(near);
            let message = format!("unknown key `{key}`; {advice}");
            let path = self.value.path.key(key);
            self.diagnostics
                .push(Diagnostic::at(&path, Target::Key, message));
        }
        for (key, advice) in self.missing {
            if !meant.contains(&key) {
                let message = format!("missing key `{key}`; {advice}");
                self.diagnostics.push(self.value.error(message));
            }
        }
    }
}

impl MappingDescription {
    /// The declarations that `keys` makes while it reads an empty mapping.
    pub(crate) fn of<T>(keys: impl FnOnce(&mut Mapping) -> T) -> Self {
        let mut mapping = Mapping {
            value: LocatedValue::root(&Node::Null, ""),
            entries: &[],
            described: Self::default(),
            missing: Vec::new(),
            diagnostics: &mut Vec::new(),
        };
        keys(&mut mapping);
        mapping.described
    }
}

fn read_default<T: 'static>(name: &str, accepts: &ValueType<T>, text: &str) -> T {
    let node = node::parse(text).expect("a default is YAML");
    let mut diagnostics = Vec::new();
    let value = accepts.read(&LocatedValue::root(&node, text), &mut diagnostics);
    value.unwrap_or_else(|| panic!("the default of `{name}` is invalid: {diagnostics:?}"))
}

/// Reports duplicate keys: shows the second occurrence and names the line of the first.
pub(crate) fn report_duplicate_keys(
    mapping: &LocatedValue,
    entries: &[(String, Node)],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut keys: Vec<_> = entries.iter().map(|(key, _)| key).collect();
    keys.sort_unstable();
    let mut twice: Vec<_> = keys
        .windows(2)
        .filter(|pair| pair[0] == pair[1])
        .map(|pair| pair[0])
        .collect();
    twice.dedup();
    for key in twice {
        let path = mapping.path.key(key);
        // Finding the line takes time, so errors that will not be shown go without it.
        let first = (diagnostics.len() < Diagnostics::MAX_SHOWN)
            .then(|| locate(mapping.source, &path, Target::Key))
            .flatten()
            .map_or_else(String::new, |at| format!(", first in line {}", at.line));
        let message = format!("duplicate key `{key}`{first}; remove one");
        diagnostics.push(Diagnostic::at(&path, Target::SecondKey, message));
    }
}

/// For a key of another tournament program: the key that is meant, and what to write here. The
/// nearest name by spelling would mislead: for `games` that is `name`.
fn advice_on_foreign_key(
    mapping: &KeyPath,
    key: &str,
    value: &Node,
) -> Option<(&'static str, String)> {
    if *mapping != KeyPath::root() {
        return None;
    }
    let (meant, advice) = match (key.to_lowercase().as_str(), value) {
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
    Some((meant, advice))
}
