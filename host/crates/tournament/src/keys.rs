//! Declares the keys of a mapping, and reads them one by one with all of their errors.
//!
//! A key is declared where it is read: name, accepted values ([`ValueType`]), default and
//! meaning, in the order of the columns of `docs/tournament-file.md`. The reader of a file, the
//! names that an unknown key is compared with, the schema and the documentation all follow from
//! these declarations. A key that is missing or invalid gets its default, so that the remaining
//! keys are read too; the result is discarded if there are errors.

use std::{num::NonZeroU64, time::Duration};

use serde_json::{Value, json};
use text::{
    byte_size::parse_byte_size,
    duration_text::parse_duration,
    names::{nearest_name, suggestion},
};

use crate::{
    diagnostic::{Diagnostic, Diagnostics},
    node::{self, LocatedValue, Node},
    position::{Target, locate},
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
    /// Reads the value, if it is a mapping, or a text that stands for the key `short` alone.
    /// Unknown and duplicate keys are errors.
    pub(crate) fn read<T>(
        value: &LocatedValue<'a>,
        short: Option<&str>,
        expected: &str,
        diagnostics: &'a mut Vec<Diagnostic>,
        keys: impl FnOnce(&mut Mapping) -> T,
    ) -> Option<T> {
        let only;
        let entries = match (value.node, short) {
            (Node::Mapping(entries), _) => entries,
            (Node::Text(_), Some(key)) => {
                only = vec![(key.to_owned(), value.node.clone())];
                &only
            }
            _ => {
                diagnostics.push(value.error(value.instead_of(expected)));
                return None;
            }
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
            let (near, advice) = match advice_on_foreign_key(&known, key, value) {
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

/// For a key of another tournament program, or one in the wrong place: the key that is meant, and
/// what to write here. The nearest name by spelling would mislead: for `games` that is `name`.
fn advice_on_foreign_key(
    known: &[&'static str],
    key: &str,
    value: &Node,
) -> Option<(&'static str, String)> {
    let is_time = |key: &str| matches!(key, "time" | "timeout" | "time_limit" | "tc");
    let lower = key.to_lowercase();
    if known.contains(&"per_move") && is_time(&lower) {
        return Some((
            "per_move",
            "write `per_move`, for example `per_move: 1ms`".to_owned(),
        ));
    }
    if known.contains(&"params") && nearest_name(key, known.iter().copied()).is_none() {
        let value = match value {
            Node::Bool(value) => value.to_string(),
            Node::Integer(value) => value.to_string(),
            Node::Float(value) => value.to_string(),
            _ => "…".to_owned(),
        };
        let keys = known.join(", ");
        let advice = format!(
            "for a parameter of the plugin, write `params: {{ {key}: {value} }}`; known keys: {keys}"
        );
        return Some(("params", advice));
    }
    if !known.contains(&"agents") {
        return None;
    }
    let (meant, advice) = match (lower.as_str(), value) {
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
        (key, _) if is_time(key) || matches!(key, "per_move" | "nodes") => (
            "budget",
            "write for example `budget: 1ms` or `budget: { nodes: 20000 }`".to_owned(),
        ),
        _ => return None,
    };
    Some((meant, advice))
}

pub(crate) struct ValueType<T> {
    /// The values in words, as Markdown.
    pub(crate) values: String,
    /// The values as a JSON Schema.
    pub(crate) schema: Value,
    read: Box<ReadValue<T>>,
}

/// Reads a value and reports all of its errors. A list or a mapping with errors may be read in
/// part.
type ReadValue<T> = dyn Fn(&LocatedValue, &mut Vec<Diagnostic>) -> Option<T>;

impl<T: 'static> ValueType<T> {
    /// A value of which only the whole can be wrong.
    pub(crate) fn new(
        values: impl Into<String>,
        schema: Value,
        read: impl Fn(&LocatedValue) -> Result<T, String> + 'static,
    ) -> Self {
        Self::nested(values, schema, move |value, diagnostics| {
            read(value)
                .map_err(|message| diagnostics.push(value.error(message)))
                .ok()
        })
    }

    /// A single value, read from its text.
    pub(crate) fn scalar(
        values: impl Into<String>,
        schema: Value,
        read: impl Fn(&str) -> Result<T, String> + 'static,
    ) -> Self {
        Self::new(values, schema, move |value| read(&value.text()?))
    }

    /// A list or a mapping, of which parts can be wrong.
    pub(crate) fn nested(
        values: impl Into<String>,
        schema: Value,
        read: impl Fn(&LocatedValue, &mut Vec<Diagnostic>) -> Option<T> + 'static,
    ) -> Self {
        Self {
            values: values.into(),
            schema,
            read: Box::new(read),
        }
    }

    /// A mapping with keys of its own, which the schema defines under `definition`. A text stands
    /// for the key `short` alone.
    pub(crate) fn mapping(
        values: impl Into<String>,
        definition: &str,
        short: Option<&'static str>,
        expected: &'static str,
        keys: fn(&mut Mapping) -> T,
    ) -> Self {
        let schema = json!({"$ref": format!("#/$defs/{definition}")});
        Self::nested(values, schema, move |value, diagnostics| {
            Mapping::read(value, short, expected, diagnostics, keys)
        })
    }

    /// The same values in other words.
    pub(crate) fn described_as(self, values: impl Into<String>) -> Self {
        Self {
            values: values.into(),
            ..self
        }
    }

    /// The same values with another meaning.
    pub(crate) fn map<U: 'static>(self, meaning: impl Fn(T) -> U + 'static) -> ValueType<U> {
        let read = self.read;
        ValueType::nested(self.values, self.schema, move |value, diagnostics| {
            read(value, diagnostics).map(&meaning)
        })
    }

    pub(crate) fn read(
        &self,
        value: &LocatedValue,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<T> {
        (self.read)(value, diagnostics)
    }
}

/// The schema of `none`.
pub(crate) fn none_schema() -> Value {
    json!({"enum": ["none", null]})
}

/// A value that may be `none`.
pub(crate) fn none_or<T: 'static>(value_type: ValueType<T>) -> ValueType<Option<T>> {
    let values = format!("`none`, {}", value_type.values);
    let schema = json!({"anyOf": [none_schema(), value_type.schema]});
    let read = value_type.read;
    ValueType::nested(values, schema, move |value, diagnostics| {
        if value.is_none() {
            Some(None)
        } else {
            read(value, diagnostics).map(Some)
        }
    })
}

/// One of several words.
pub(crate) fn one_of<T: Copy + 'static, const N: usize>(
    words: [(&'static str, T); N],
) -> ValueType<T> {
    let names = words.map(|(word, _)| word);
    let values = names.map(|name| format!("`{name}`")).join(", ");
    ValueType::scalar(values, json!({"enum": names.to_vec()}), move |text| {
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|(_, meaning)| *meaning).ok_or_else(|| {
            // All of them, not the nearest: for `no` that would be `on`.
            format!("unknown value `{text}`; known values: {}", names.join(", "))
        })
    })
}

const POSITIVE: &str = "a number of at least 1";

fn positive_schema() -> Value {
    json!({"type": "integer", "minimum": 1})
}

/// A whole number of at least 1.
pub(crate) fn positive<T: TryFrom<NonZeroU64> + 'static>() -> ValueType<T> {
    ValueType::scalar(POSITIVE, positive_schema(), |text| {
        positive_number(text, "")
    })
}

/// A whole number of at least 1, or a word that stands for no number.
pub(crate) fn positive_or<T: TryFrom<NonZeroU64> + 'static>(
    word: &'static str,
) -> ValueType<Option<T>> {
    let values = format!("`{word}`, {POSITIVE}");
    let schema = json!({"anyOf": [{"const": word}, positive_schema()]});
    ValueType::new(values, schema, move |value| match value.node {
        Node::Text(text) if text == word => Ok(None),
        _ => positive_number(&value.text()?, &format!(", or `{word}`")).map(Some),
    })
}

/// `alternative` is what may be written instead of a number.
fn positive_number<T: TryFrom<NonZeroU64>>(text: &str, alternative: &str) -> Result<T, String> {
    let number: NonZeroU64 = text
        .parse()
        .map_err(|_| format!("`{text}` is not a whole number of at least 1{alternative}"))?;
    number
        .try_into()
        .map_err(|_| format!("{text} is too large"))
}

/// A number in a range, such as `from 0 to 1`.
pub(crate) fn number_in<T: 'static>(
    range: &'static str,
    schema: Value,
    meaning: fn(f64) -> Option<T>,
) -> ValueType<T> {
    ValueType::scalar(format!("a number {range}"), schema, move |text| {
        text.parse()
            .ok()
            .and_then(meaning)
            .ok_or_else(|| format!("`{text}` is not a number {range}"))
    })
}

/// A number of bytes with or without a unit; `check` says what is wrong with a number.
pub(crate) fn byte_size(smallest: u64, check: fn(u64) -> Result<(), String>) -> ValueType<u64> {
    let schema = json!({"anyOf": [
        {"type": "integer", "minimum": smallest},
        {"type": "string", "pattern": "^[0-9]+([.][0-9]+)? *([KkMmGgTt][Ii]?)?[Bb]?$"},
    ]});
    let values = "bytes, or a number with `KiB`, `MiB`, `GiB`, `TiB`, `KB`, `MB`, `GB`, `TB`";
    ValueType::scalar(values, schema, move |text| {
        let bytes = parse_byte_size(text).map_err(|error| error.to_string())?;
        check(bytes).map(|()| bytes)
    })
}

/// A length of time with a unit.
pub(crate) fn duration() -> ValueType<Duration> {
    duration_with(|_| Ok(()))
}

/// A length of time with a unit, above zero.
pub(crate) fn positive_duration() -> ValueType<Duration> {
    duration_with(check_positive_duration)
}

pub(crate) fn check_positive_duration(time: Duration) -> Result<(), String> {
    if time.is_zero() {
        return Err("the time must be greater than zero".into());
    }
    Ok(())
}

fn duration_with(check: fn(Duration) -> Result<(), String>) -> ValueType<Duration> {
    let schema = json!({
        "type": "string",
        "pattern": "^[0-9]+([.][0-9]+)? *(ns|us|µs|ms|s|min|h)$",
    });
    ValueType::scalar("a duration", schema, move |text| {
        let duration = parse_duration(text).map_err(|error| error.to_string())?;
        check(duration).map(|()| duration)
    })
}
