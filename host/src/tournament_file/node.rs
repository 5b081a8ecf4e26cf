//! The YAML text as a tree that forgives: keys given twice and numbers of any size
//! are kept, so that they become mistakes with a place of their own.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{self, EnumAccess, MapAccess, SeqAccess, Visitor},
};

use super::{
    locate::lines,
    mistake::{Mistake, Place},
};

const TAG: &str = "a tag (`!…`) has no meaning in a tournament file";
const NO_KEY: &str = "a list or a mapping cannot be a key";
const TOO_DEEP: &str = "values are nested too deeply";

/// A value of the file.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Null,
    Bool(bool),
    Integer(i128),
    Float(f64),
    Text(String),
    List(Vec<Node>),
    /// Keys in the order of the file, those given twice included.
    Mapping(Vec<(String, Node)>),
}

/// Reads the text of a file, or says where it stops being YAML.
pub(super) fn parse(text: &str) -> Result<Node, Mistake> {
    if let Some(mistake) = bracket_too_deep(text) {
        return Err(mistake);
    }
    serde_yaml::from_str(text).map_err(|error| syntax_mistake(text, &error))
}

impl Node {
    /// The value as one of a parameter, which plugins read as JSON.
    pub(super) fn to_json(&self) -> Result<serde_json::Value, String> {
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
                .ok_or("a parameter is a finite number")?
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

    /// What stands there, in words.
    pub(super) fn describe(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "true or false",
            Self::Integer(_) | Self::Float(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Mapping(_) => "a mapping",
        }
    }
}

/// What the parser finds wrong, in a sentence, where it stands.
fn syntax_mistake(text: &str, error: &serde_yaml::Error) -> Mistake {
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
            "an alias (`*…`) without its anchor (`&…`) before it",
        ),
        (TAG, TAG),
        (NO_KEY, NO_KEY),
    ];
    let sentence = known
        .iter()
        .find(|(part, _)| message.contains(part))
        .map(|(_, sentence)| (*sentence).to_owned());
    let Some(location) = error.location() else {
        return Mistake::new(Place::File, sentence.unwrap_or(message));
    };
    let (line, column) = (location.line(), location.column());
    let rest: String = lines(text).skip(line - 1).collect();
    let place = if rest.trim().is_empty() {
        end_of(text)
    } else {
        Place::Position { line, column }
    };
    let is_indented_by_tab = rest.trim_start_matches(' ').starts_with('\t');
    if message.contains("cannot start any token") && is_indented_by_tab {
        return Mistake::new(place, "a tab cannot indent YAML; use spaces");
    }
    // The mistake carries its place itself.
    let here = format!(" at line {line} column {column}");
    let sentence = sentence.unwrap_or_else(|| format!("not YAML: {}", message.replace(&here, "")));
    Mistake::new(place, sentence)
}

/// Behind the last thing written: a line that nobody wrote would show nothing.
fn end_of(text: &str) -> Place {
    let (line, last) = (1..)
        .zip(lines(text))
        .filter(|(_, line)| !line.trim().is_empty())
        .last()
        .unwrap_or((1, ""));
    Place::Position {
        line,
        column: last.trim_end().chars().count() + 1,
    }
}

/// The first bracket that opens too many. The parser takes time in the square of
/// the open brackets, so that a hostile file is stopped before. Brackets in texts
/// and comments are counted too; hundreds of them open no list that anybody wrote.
fn bracket_too_deep(text: &str) -> Option<Mistake> {
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
                return Some(Mistake::new(Place::Position { line, column }, TOO_DEEP));
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
        // What is beyond even that is too large for every key, whatever it is.
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

/// A key's text as written: `1` and `true` are names here.
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
