//! The YAML text as a tolerant tree: duplicate keys and numbers of any size are kept,
//! so that each can be reported as an error with its position.
//!
//! Every value is parsed from its text, so `10`, `"10"` and `10ms` are read the same way
//! and errors can quote what was written.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{self, EnumAccess, MapAccess, SeqAccess, Visitor},
};

use crate::{
    diagnostic::Diagnostic,
    position::{KeyPath, Target, lines, locate},
};

const TAG: &str = "tags (`!…`) are not supported in a tournament file";
const NO_KEY: &str = "a list or a mapping cannot be a key";
const TOO_DEEP: &str = "values are nested too deeply";

/// A value of the file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    Integer(i128),
    Float(f64),
    Text(String),
    List(Vec<Node>),
    /// Keys in the order of the file, including duplicates.
    Mapping(Vec<(String, Node)>),
}

/// Parses the text of a file, or reports where it is not YAML.
pub(crate) fn parse(text: &str) -> Result<Node, Diagnostic> {
    if let Some(diagnostic) = bracket_too_deep(text) {
        return Err(diagnostic);
    }
    serde_yaml::from_str(text).map_err(|error| syntax_diagnostic(text, &error))
}

impl Node {
    /// The value as JSON, the format in which plugins receive parameters.
    pub(crate) fn to_json(&self) -> Result<serde_json::Value, String> {
        Ok(match self {
            Self::Null => serde_json::Value::Null,
            Self::Bool(value) => (*value).into(),
            Self::Integer(value) => {
                let number = i64::try_from(*value)
                    .map(serde_json::Number::from)
                    .or_else(|_| u64::try_from(*value).map(serde_json::Number::from))
                    .map_err(|_| format!("{value} does not fit in 64 bits"))?;
                number.into()
            }
            Self::Float(value) => serde_json::Number::from_f64(*value)
                .ok_or("a parameter must be a finite number")?
                .into(),
            Self::Text(text) => text.as_str().into(),
            Self::List(items) => items.iter().map(Self::to_json).collect::<Result<_, _>>()?,
            Self::Mapping(entries) => entries
                .iter()
                .map(|(key, value)| Ok((key.clone(), value.to_json()?)))
                .collect::<Result<serde_json::Map<_, _>, String>>()?
                .into(),
        })
    }

    /// The kind of value, for messages.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "a boolean",
            Self::Integer(_) | Self::Float(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Mapping(_) => "a mapping",
        }
    }
}

/// A value of the file with its place.
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

/// The parser's error as a readable message at its position.
fn syntax_diagnostic(text: &str, error: &serde_yaml::Error) -> Diagnostic {
    let message = error.to_string();
    let known = [
        (
            "more than one document",
            "more than one YAML document in the file; remove the line `---`",
        ),
        ("repetition limit", "aliases repeat too much of the file"),
        ("recursion limit", TOO_DEEP),
        (
            "unknown anchor",
            "an alias (`*…`) has no anchor (`&…`) before it",
        ),
        (
            "mapping values are not allowed",
            "not YAML: a `:` does not belong here; check the indentation, and quote a value that \
             contains `: `",
        ),
        (
            "did not find expected key",
            "not YAML: a key was expected here; check the indentation and the quotes",
        ),
        (TAG, TAG),
        (NO_KEY, NO_KEY),
    ];
    let sentence = known
        .iter()
        .find(|(part, _)| message.contains(part))
        .map(|(_, sentence)| (*sentence).to_owned());
    let Some(location) = error.location() else {
        return Diagnostic::of_file(sentence.unwrap_or(message));
    };
    let (line, column) = (location.line(), location.column());
    let rest: String = lines(text).skip(line - 1).collect();
    let is_indented_by_tab = rest.trim_start_matches(' ').starts_with('\t');
    let sentence = if message.contains("cannot start any token") && is_indented_by_tab {
        "YAML must not be indented with tabs; use spaces".to_owned()
    } else {
        // The error message repeats the position.
        let here = format!(" at line {line} column {column}");
        sentence.unwrap_or_else(|| format!("not YAML: {}", message.replace(&here, "")))
    };
    let (line, column) = if rest.trim().is_empty() {
        end_of(text)
    } else {
        (line, column)
    };
    Diagnostic::at_position(line, column, sentence)
}

/// Line and column after the last character that is not white space: an empty line would
/// show nothing.
fn end_of(text: &str) -> (usize, usize) {
    let (line, last) = (1..)
        .zip(lines(text))
        .filter(|(_, line)| !line.trim().is_empty())
        .last()
        .unwrap_or((1, ""));
    (line, last.trim_end().chars().count() + 1)
}

/// The first bracket that exceeds the nesting limit. The parser's time grows with the
/// square of the open brackets, so a hostile file is rejected before it is parsed.
/// Brackets in strings and comments are counted too; no real file has hundreds of them.
fn bracket_too_deep(text: &str) -> Option<Diagnostic> {
    const DEEPEST: usize = 500;
    let mut depth = 0_usize;
    for (line, written_line) in (1..).zip(lines(text)) {
        for (column, character) in (1..).zip(written_line.chars()) {
            match character {
                '[' | '{' => depth += 1,
                ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > DEEPEST {
                return Some(Diagnostic::at_position(line, column, TOO_DEEP));
            }
        }
    }
    None
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_none<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, _: A) -> Result<Node, A::Error> {
        Err(de::Error::custom(TAG))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Integer(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Integer(value.into()))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Node, E> {
        Ok(Node::Integer(value))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Node, E> {
        // A number beyond this is too large for every key.
        Ok(Node::Integer(i128::try_from(value).unwrap_or(i128::MAX)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Float(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Text(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut mapping: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        while let Some(Key(key)) = mapping.next_key()? {
            entries.push((key, mapping.next_value()?));
        }
        Ok(Node::Mapping(entries))
    }
}

/// A key as written: `1` and `true` are names here.
struct Key(String);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(KeyVisitor)
    }
}

struct KeyVisitor;

impl Visitor<'_> for KeyVisitor {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a key; {NO_KEY}")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Key, E> {
        Ok(Key(text.into()))
    }
}
