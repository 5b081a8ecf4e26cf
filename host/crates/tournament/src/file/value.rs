//! A single value of the file and the ways to read it.
//!
//! Every value is parsed from its text, so that `10`, `"10"` and `10ms` are read the
//! same way and errors can quote what was written.

use std::num::NonZeroU64;

use super::{
    key_path::KeyPath,
    locate::{Target, locate},
    node::Node,
};

/// A value with its position.
#[derive(Clone, Debug)]
pub(super) struct LocatedValue<'a> {
    pub(super) node: &'a Node,
    pub(super) path: KeyPath,
    /// The text of the file.
    pub(super) source: &'a str,
}

impl LocatedValue<'_> {
    /// The text of a scalar.
    pub(super) fn text(&self) -> Result<String, String> {
        match self.node {
            Node::Text(text) => Ok(text.clone()),
            Node::Bool(value) => Ok(value.to_string()),
            Node::Integer(value) => Ok(value.to_string()),
            Node::Float(_) => self.text_as_written(),
            Node::Null | Node::List(_) | Node::Mapping(_) => Err(format!(
                "expected a single value, found {}",
                self.node.describe()
            )),
        }
    }

    /// The scalar as written, before YAML parses numbers: `007` and `1e4` may be names,
    /// and 48 digits a salt.
    pub(super) fn text_as_written(&self) -> Result<String, String> {
        match self.node {
            Node::Integer(_) | Node::Float(_) => {
                let position = locate(self.source, &self.path, Target::Value);
                position
                    .and_then(|position| position.text)
                    .ok_or_else(|| "a number that cannot be read".into())
            }
            _ => self.text(),
        }
    }

    /// Whether the value is `none` or empty.
    pub(super) fn is_none(&self) -> bool {
        match self.node {
            Node::Null => true,
            Node::Text(text) => text == "none",
            _ => false,
        }
    }
}

/// A value that may be `none`.
pub(super) fn none_or<T>(
    read: impl FnOnce(&LocatedValue) -> Result<T, String>,
) -> impl FnOnce(&LocatedValue) -> Result<Option<T>, String> {
    |value| {
        if value.is_none() {
            return Ok(None);
        }
        read(value).map(Some)
    }
}

/// One of several words.
pub(super) fn one_of<T: Copy>(
    words: &[(&'static str, T)],
) -> impl FnOnce(&LocatedValue) -> Result<T, String> {
    move |value| {
        let text = value.text()?;
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|(_, meaning)| *meaning).ok_or_else(|| {
            // All of them, not the nearest: for `no` that would be `on`.
            let names: Vec<_> = words.iter().map(|(word, _)| *word).collect();
            format!("unknown value `{text}`; known values: {}", names.join(", "))
        })
    }
}

/// A whole number of at least 1.
pub(super) fn positive<T: TryFrom<NonZeroU64>>(value: &LocatedValue) -> Result<T, String> {
    positive_number(value, "")
}

/// A whole number of at least 1, or a word that stands for no number.
pub(super) fn positive_or<T: TryFrom<NonZeroU64>>(
    word: &str,
    value: &LocatedValue,
) -> Result<Option<T>, String> {
    match value.node {
        Node::Text(text) if text == word => Ok(None),
        _ => positive_number(value, &format!(", or `{word}`")).map(Some),
    }
}

/// `alternative` is what may be written instead of a number.
fn positive_number<T: TryFrom<NonZeroU64>>(
    value: &LocatedValue,
    alternative: &str,
) -> Result<T, String> {
    let text = value.text()?;
    let number: NonZeroU64 = text
        .parse()
        .map_err(|_| format!("`{text}` is not a whole number of at least 1{alternative}"))?;
    number
        .try_into()
        .map_err(|_| format!("{text} is too large"))
}

/// A number in a range; `range` describes it for messages.
pub(super) fn number_in<T>(
    range: &'static str,
    meaning: impl FnOnce(f64) -> Option<T>,
) -> impl FnOnce(&LocatedValue) -> Result<T, String> {
    move |value| {
        let text = value.text()?;
        text.parse()
            .ok()
            .and_then(meaning)
            .ok_or_else(|| format!("`{text}` is not a number {range}"))
    }
}
