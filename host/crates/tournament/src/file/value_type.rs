//! What a key accepts, declared once: how the documentation and the schema describe it, and
//! how it is read.

use std::{num::NonZeroU64, time::Duration};

use serde_json::{Value, json};
use text::{byte_size::parse_byte_size, duration_text::parse_duration};

use super::{diagnostic::Diagnostic, mapping::Mapping, node::Node, value::LocatedValue};

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

    /// A mapping with keys of its own, which the schema defines under `definition`.
    pub(crate) fn mapping(
        values: impl Into<String>,
        definition: &str,
        expected: &'static str,
        keys: fn(&mut Mapping) -> T,
    ) -> Self {
        let schema = json!({"$ref": format!("#/$defs/{definition}")});
        Self::nested(values, schema, move |value, diagnostics| {
            Mapping::read(value, expected, diagnostics, keys)
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
