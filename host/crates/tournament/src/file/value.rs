//! A value of the file with its place.
//!
//! Every value is parsed from its text, so `10`, `"10"` and `10ms` are read the same way
//! and errors can quote what was written.

use super::{
    diagnostic::Diagnostic,
    key_path::KeyPath,
    locate::{Target, locate},
    node::Node,
};

#[derive(Clone, Debug)]
pub(crate) struct LocatedValue<'a> {
    pub(crate) node: &'a Node,
    pub(crate) path: KeyPath,
    /// The text of the file.
    pub(crate) source: &'a str,
}

impl<'a> LocatedValue<'a> {
    /// The value of a whole file.
    pub(crate) fn root(node: &'a Node, source: &'a str) -> Self {
        Self {
            node,
            path: KeyPath::root(),
            source,
        }
    }

    /// The items, if the value is a list.
    pub(crate) fn items(&self) -> Option<impl ExactSizeIterator<Item = Self>> {
        let Node::List(items) = self.node else {
            return None;
        };
        Some(items.iter().enumerate().map(|(index, node)| Self {
            node,
            path: self.path.index(index),
            source: self.source,
        }))
    }

    /// The value of a key of this mapping.
    pub(crate) fn at_key(&self, key: &str, node: &'a Node) -> Self {
        Self {
            node,
            path: self.path.key(key),
            source: self.source,
        }
    }

    /// The text of a scalar.
    pub(crate) fn text(&self) -> Result<String, String> {
        match self.node {
            Node::Text(text) => Ok(text.clone()),
            Node::Bool(value) => Ok(value.to_string()),
            Node::Integer(value) => Ok(value.to_string()),
            Node::Float(_) => self.text_as_written(),
            Node::Null | Node::List(_) | Node::Mapping(_) => Err(self.instead_of("a single value")),
        }
    }

    /// The scalar as written, before YAML parses numbers: `007` and `1e4` may be names,
    /// and 48 digits a salt.
    pub(crate) fn text_as_written(&self) -> Result<String, String> {
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
    pub(crate) fn is_none(&self) -> bool {
        match self.node {
            Node::Null => true,
            Node::Text(text) => text == "none",
            _ => false,
        }
    }

    /// Says that the value is of another kind than expected.
    pub(crate) fn instead_of(&self, expected: &str) -> String {
        format!("expected {expected}, found {}", self.node.describe())
    }

    /// An error about this value.
    pub(crate) fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::at_value(&self.path, message)
    }
}
