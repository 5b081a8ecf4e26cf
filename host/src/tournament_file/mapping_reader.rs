//! Reads the keys of a mapping one by one and keeps every mistake.
//!
//! A key that is missing or wrong gets its default, so that the others are read too;
//! no tournament is made of it, for the mistakes are there.

use super::{
    key_path::KeyPath,
    locate::{Target, locate},
    mistake::{Mistake, Mistakes, Place},
    node::Node,
    value::Value,
};
use crate::nearest_name::suggestion;

/// A mapping of the file whose keys are known.
pub(super) struct MappingReader<'a> {
    entries: &'a [(String, Node)],
    path: KeyPath,
    source: &'a str,
    mistakes: &'a mut Vec<Mistake>,
}

impl<'a> MappingReader<'a> {
    /// A reader of the value, if it is a mapping. Keys that are not among the known
    /// ones, or given twice, are mistakes.
    pub(super) fn new(
        value: &Value<'a>,
        expected: &str,
        known_keys: &[&str],
        mistakes: &'a mut Vec<Mistake>,
    ) -> Option<Self> {
        let Value { node, path, source } = value;
        let Node::Mapping(entries) = node else {
            let message = format!("{} where {expected} belongs", node.describe());
            mistakes.push(Mistake::at_value(path, message));
            return None;
        };
        report_keys_given_twice(value, entries, mistakes);
        for (key, _) in entries {
            if !known_keys.contains(&key.as_str()) {
                let suggestion = suggestion(key, "keys", known_keys);
                let message = format!("unknown key `{key}`; {suggestion}");
                mistakes.push(Mistake::at_key(&path.key(key), message));
            }
        }
        Some(Self {
            entries,
            path: path.clone(),
            source,
            mistakes,
        })
    }

    /// The value of a key, if it is there.
    pub(super) fn get(&self, key: &str) -> Option<Value<'a>> {
        let (_, node) = self.entries.iter().find(|(name, _)| name == key)?;
        Some(Value {
            node,
            path: self.path.key(key),
            source: self.source,
        })
    }

    /// The value of a key, read; the default where it is missing or wrong.
    pub(super) fn read<T>(
        &mut self,
        key: &str,
        default: T,
        read: impl FnOnce(&Value) -> Result<T, String>,
    ) -> T {
        self.read_if_given(key, read).unwrap_or(default)
    }

    /// The value of a key, read, if it is there and right.
    pub(super) fn read_if_given<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&Value) -> Result<T, String>,
    ) -> Option<T> {
        let value = self.get(key)?;
        read(&value)
            .map_err(|message| self.mistakes.push(Mistake::at_value(&value.path, message)))
            .ok()
    }

    /// The value of a key that has to be there.
    pub(super) fn read_required<T>(
        &mut self,
        key: &str,
        advice: &str,
        read: impl FnOnce(&Value) -> Result<T, String>,
    ) -> Option<T> {
        if self.get(key).is_none() {
            self.missing(key, advice);
        }
        self.read_if_given(key, read)
    }

    /// Notes that a key is not there.
    pub(super) fn missing(&mut self, key: &str, advice: &str) {
        let message = format!("missing key `{key}`; {advice}");
        self.mistakes.push(Mistake::at_value(&self.path, message));
    }

    /// Notes that the value of a key does not go with another one.
    pub(super) fn mistake(&mut self, key: &str, message: impl Into<String>) {
        let mistake = Mistake::at_value(&self.path.key(key), message);
        self.mistakes.push(mistake);
    }

    /// Whether nothing is wrong with the value of a key so far: what depends on a value
    /// that is wrong itself is not worth a second mistake.
    pub(super) fn is_sound(&self, key: &str) -> bool {
        let path = self.path.key(key);
        !self
            .mistakes
            .iter()
            .filter_map(|mistake| mistake.place.path())
            .any(|place| place.is_within(&path))
    }

    pub(super) fn mistakes(&mut self) -> &mut Vec<Mistake> {
        self.mistakes
    }
}

/// Keys given twice are mistakes; the second one is shown and the first one named.
pub(super) fn report_keys_given_twice(
    mapping: &Value,
    entries: &[(String, Node)],
    mistakes: &mut Vec<Mistake>,
) {
    let mut keys: Vec<_> = entries.iter().map(|(key, _)| key).collect();
    keys.sort();
    let mut twice: Vec<_> = keys
        .windows(2)
        .filter(|pair| pair[0] == pair[1])
        .map(|pair| pair[0])
        .collect();
    twice.dedup();
    for key in twice {
        let path = mapping.path.key(key);
        // Nobody reads what is not shown, and finding its line takes time.
        let first = (mistakes.len() < Mistakes::MAX_SHOWN)
            .then(|| locate(mapping.source, &path, Target::Key))
            .flatten()
            .map_or_else(String::new, |at| format!(", first in line {}", at.line));
        let message = format!("key `{key}` is given twice{first}; remove one");
        mistakes.push(Mistake::new(Place::SecondKey(path), message));
    }
}
