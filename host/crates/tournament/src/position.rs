//! The path of a key or a value in the file, and the line and column where it stands.
//!
//! The YAML parser knows every position but reveals only those of errors. Therefore the
//! text is parsed again down to the wanted place, where the visitor fails on purpose:
//! the location of that error is the answer. This costs one more pass per error and
//! avoids a second parser that might produce a different tree.

use std::{cell::RefCell, fmt};

use serde::{
    Deserializer,
    de::{self, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};

/// The path from the top of the file to a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyPath {
    steps: Vec<PathStep>,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathStep {
    Key(String),
    /// The position in a list, from 0.
    Index(usize),
}

impl KeyPath {
    /// The whole file.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// The path of a key in the mapping at this path.
    #[must_use]
    pub fn key(&self, key: impl Into<String>) -> Self {
        self.step(PathStep::Key(key.into()))
    }

    /// The path of an item in the list at this path.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.step(PathStep::Index(index))
    }

    /// The path one step further down.
    #[must_use]
    pub fn step(&self, step: PathStep) -> Self {
        let mut steps = self.steps.clone();
        steps.push(step);
        Self { steps }
    }

    #[must_use]
    pub fn steps(&self) -> &[PathStep] {
        &self.steps
    }

    /// The mapping or list that contains the value; the root has none.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let (_, steps) = self.steps.split_last()?;
        Some(Self {
            steps: steps.to_vec(),
        })
    }

    /// Whether this is the path of `other` or of something inside it.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        self.steps.starts_with(&other.steps)
    }
}

/// In the notation of serde's messages: `agents[2].params.depth`.
impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps.iter().enumerate() {
            match step {
                PathStep::Key(key) if index == 0 => write!(f, "{key}")?,
                PathStep::Key(key) => write!(f, ".{key}")?,
                PathStep::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// A position in the file, counted from 1 in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// The text of a scalar as written, without quotes.
    pub(crate) text: Option<String>,
}

/// What to look for at the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Value,
    Key,
    /// The second occurrence of a duplicate key.
    SecondKey,
}

/// The position of the path's key or value. For an alias it is the position of the
/// anchor.
pub(crate) fn locate(text: &str, path: &KeyPath, target: Target) -> Option<Position> {
    let reached = RefCell::new(None);
    let walk = Walk {
        steps: path.steps(),
        target,
        reached: &reached,
    };
    let error = walk
        .deserialize(serde_yaml::Deserializer::from_str(text))
        .err()?;
    let location = error.location()?;
    let Reached { text } = reached.into_inner()?;
    Some(Position {
        line: location.line(),
        column: location.column(),
        text,
    })
}

/// The lines as the YAML parser counts them.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.find(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']);
        rest = end.map(|end| {
            let behind = &text[end..];
            behind.strip_prefix("\r\n").unwrap_or_else(|| {
                let mut characters = behind.chars();
                characters.next();
                characters.as_str()
            })
        });
        Some(&text[..end.unwrap_or(text.len())])
    })
}

/// Set when the walk has reached the end of its path: the error that follows is the
/// wanted one.
struct Reached {
    text: Option<String>,
}

#[derive(Clone, Copy)]
struct Walk<'a> {
    steps: &'a [PathStep],
    target: Target,
    reached: &'a RefCell<Option<Reached>>,
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.steps.first() {
            // A list or a mapping is not a string, so this is an error at its start.
            None => {
                *self.reached.borrow_mut() = Some(Reached { text: None });
                deserializer.deserialize_str(Stop(self.reached))
            }
            Some(PathStep::Key(_)) => deserializer.deserialize_map(self),
            Some(PathStep::Index(_)) => deserializer.deserialize_seq(self),
        }
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a value on the path")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut mapping: A) -> Result<(), A::Error> {
        let Some((PathStep::Key(wanted), steps)) = self.steps.split_first() else {
            return Ok(());
        };
        let ends_at_key = steps.is_empty() && self.target != Target::Value;
        let mut is_first_passed = self.target != Target::SecondKey;
        loop {
            let key = KeyWalk {
                wanted,
                stops: ends_at_key && is_first_passed,
                reached: self.reached,
            };
            match mapping.next_key_seed(key)? {
                None => return Ok(()),
                Some(true) if !ends_at_key => {
                    return mapping.next_value_seed(Walk { steps, ..self });
                }
                Some(is_wanted) => is_first_passed |= is_wanted,
            }
            mapping.next_value::<IgnoredAny>()?;
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Some((PathStep::Index(wanted), steps)) = self.steps.split_first() else {
            return Ok(());
        };
        for _ in 0..*wanted {
            if list.next_element::<IgnoredAny>()?.is_none() {
                return Ok(());
            }
        }
        list.next_element_seed(Walk { steps, ..self })?;
        Ok(())
    }
}

/// Compares a key with the wanted one, and fails there if the path ends with it.
struct KeyWalk<'a> {
    wanted: &'a str,
    stops: bool,
    reached: &'a RefCell<Option<Reached>>,
}

impl<'de> DeserializeSeed<'de> for KeyWalk<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeyWalk<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a scalar key")
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<bool, E> {
        if key == self.wanted && self.stops {
            return Stop(self.reached).visit_str(key).map(|()| true);
        }
        Ok(key == self.wanted)
    }
}

/// Fails at the end of the path.
struct Stop<'a>(&'a RefCell<Option<Reached>>);

impl Visitor<'_> for Stop<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the end of the path")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        *self.0.borrow_mut() = Some(Reached {
            text: Some(text.into()),
        });
        Err(E::custom("the end of the path"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_printed_as_in_code() {
        let agent = KeyPath::root().key("agents").index(2);
        let depth = agent.key("params").key("depth");
        assert_eq!(depth.to_string(), "agents[2].params.depth");
        assert!(depth.is_within(&agent) && !agent.is_within(&depth));
        assert_eq!(agent.key("params").parent(), Some(agent));
        assert_eq!(KeyPath::root().parent(), None);
    }

    const TEXT: &str = "\
name: é x   # comment
budget: &b
  per_move: '1ms'
agents:
  - plugin: a
    params: {depth: 4, list: [1, {deep: 0x10}]}
  -   plugin: b
copy: *b
name: again
empty:
";

    #[track_caller]
    fn check(path: &KeyPath, target: Target, expected: Option<(usize, usize, Option<&str>)>) {
        let found = locate(TEXT, path, target);
        let found = found
            .as_ref()
            .map(|at| (at.line, at.column, at.text.as_deref()));
        assert_eq!(found, expected, "{path} {target:?}");
    }

    #[test]
    fn keys_values_and_items_are_found() {
        let root = KeyPath::root();
        let agent = |index| root.key("agents").index(index);
        check(&root.key("name"), Target::Key, Some((1, 1, Some("name"))));
        check(&root.key("name"), Target::Value, Some((1, 7, Some("é x"))));
        check(
            &root.key("name"),
            Target::SecondKey,
            Some((9, 1, Some("name"))),
        );
        check(
            &root.key("budget").key("per_move"),
            Target::Value,
            Some((3, 13, Some("1ms"))),
        );
        check(&agent(1), Target::Value, Some((7, 7, None)));
        check(
            &agent(1).key("plugin"),
            Target::Value,
            Some((7, 15, Some("b"))),
        );
        let params = agent(0).key("params");
        check(&params, Target::Value, Some((6, 13, None)));
        check(
            &params.key("depth"),
            Target::Key,
            Some((6, 14, Some("depth"))),
        );
        check(
            &params.key("list").index(1).key("deep"),
            Target::Value,
            Some((6, 41, Some("0x10"))),
        );
        check(&root.key("empty"), Target::Value, Some((10, 7, Some(""))));
    }

    #[test]
    fn an_alias_has_the_position_of_its_anchor() {
        let path = KeyPath::root().key("copy").key("per_move");
        check(&path, Target::Value, Some((3, 13, Some("1ms"))));
    }

    #[test]
    fn a_missing_key_is_not_found() {
        let root = KeyPath::root();
        check(&root.key("nme"), Target::Value, None);
        check(&root.key("agents").index(2), Target::Value, None);
        check(&root.key("agents").key("x"), Target::Value, None);
        check(&root.key("budget"), Target::SecondKey, None);
    }

    #[test]
    fn lines_are_counted_as_the_parser_counts_them() {
        let found: Vec<_> = lines("a\nb\r\nc\rd\u{85}e\u{2028}f\n").collect();
        assert_eq!(found, ["a", "b", "c", "d", "e", "f", ""]);
    }
}
