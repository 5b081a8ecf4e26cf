//! Reads the keys of a mapping one by one and collects every error.
//!
//! A key that is missing or invalid gets its default, so that the remaining keys are
//! read too. The result is discarded if there are errors.

use super::{
    diagnostic::{Diagnostic, DiagnosticSubject, Diagnostics},
    foreign_key,
    key_path::KeyPath,
    locate::{Target, locate},
    node::Node,
    value::LocatedValue,
};
use text::names::{nearest_name, suggestion};

/// A mapping of the file with known keys.
pub(super) struct MappingReader<'a> {
    entries: &'a [(String, Node)],
    path: KeyPath,
    source: &'a str,
    /// Known keys that unknown ones most likely stand for.
    meant: Vec<String>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> MappingReader<'a> {
    /// A reader of the value, if it is a mapping. Unknown and duplicate keys are
    /// errors.
    pub(super) fn new(
        value: &LocatedValue<'a>,
        expected: &str,
        known_keys: &[&str],
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let LocatedValue { node, path, source } = value;
        let Node::Mapping(entries) = node else {
            let message = format!("expected {expected}, found {}", node.describe());
            diagnostics.push(Diagnostic::at_value(path, message));
            return None;
        };
        report_duplicate_keys(value, entries, diagnostics);
        let mut meant = Vec::new();
        for (key, value) in entries {
            if !known_keys.contains(&key.as_str()) {
                let (near, suggestion) = match foreign_key::advice(path, key, value) {
                    Some((meant, advice)) => (Some(meant), advice),
                    None => (
                        nearest_name(key, known_keys.iter().copied()),
                        suggestion(key, "keys", known_keys),
                    ),
                };
                meant.extend(near.map(str::to_owned));
                let message = format!("unknown key `{key}`; {suggestion}");
                diagnostics.push(Diagnostic::at_key(&path.key(key), message));
            }
        }
        Some(Self {
            entries,
            path: path.clone(),
            source,
            meant,
            diagnostics,
        })
    }

    /// The value of a key, if it exists.
    pub(super) fn get(&self, key: &str) -> Option<LocatedValue<'a>> {
        let (_, node) = self.entries.iter().find(|(name, _)| name == key)?;
        Some(LocatedValue {
            node,
            path: self.path.key(key),
            source: self.source,
        })
    }

    /// The parsed value of a key; the default if it is missing or invalid.
    pub(super) fn read<T>(
        &mut self,
        key: &str,
        default: T,
        read: impl FnOnce(&LocatedValue) -> Result<T, String>,
    ) -> T {
        self.read_if_given(key, read).unwrap_or(default)
    }

    /// The parsed value of a key, if it exists and is valid.
    pub(super) fn read_if_given<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&LocatedValue) -> Result<T, String>,
    ) -> Option<T> {
        let value = self.get(key)?;
        read(&value)
            .map_err(|message| {
                self.diagnostics
                    .push(Diagnostic::at_value(&value.path, message));
            })
            .ok()
    }

    /// The parsed value of a required key.
    pub(super) fn read_required<T>(
        &mut self,
        key: &str,
        advice: &str,
        read: impl FnOnce(&LocatedValue) -> Result<T, String>,
    ) -> Option<T> {
        if self.get(key).is_none() {
            self.missing(key, advice);
        }
        self.read_if_given(key, read)
    }

    /// Reports a missing key, unless it is there under a misspelt name: that is reported.
    pub(super) fn missing(&mut self, key: &str, advice: &str) {
        if self.meant.iter().any(|meant| meant == key) {
            return;
        }
        let message = format!("missing key `{key}`; {advice}");
        self.diagnostics
            .push(Diagnostic::at_value(&self.path, message));
    }

    /// Reports that the value of a key contradicts another key.
    pub(super) fn diagnostic(&mut self, key: &str, message: impl Into<String>) {
        let diagnostic = Diagnostic::at_value(&self.path.key(key), message);
        self.diagnostics.push(diagnostic);
    }

    /// Whether the value of a key has no error so far. A check that depends on an
    /// invalid value would only repeat its error.
    pub(super) fn is_sound(&self, key: &str) -> bool {
        let path = self.path.key(key);
        !self
            .diagnostics
            .iter()
            .filter_map(|diagnostic| diagnostic.subject.path())
            .any(|subject| subject.is_within(&path))
    }

    pub(super) fn diagnostics(&mut self) -> &mut Vec<Diagnostic> {
        self.diagnostics
    }
}

/// Reports duplicate keys: shows the second occurrence and names the line of the first.
pub(super) fn report_duplicate_keys(
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
        diagnostics.push(Diagnostic::new(DiagnosticSubject::SecondKey(path), message));
    }
}
