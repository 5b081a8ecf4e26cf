//! Errors of parameters: what a tournament file sets, checked against a plugin's schema.

use std::fmt;

use serde_json::{Map, Value};

/// An error about one parameter.
///
/// ```
/// # use plugin_api::ParameterMistake;
/// let mistake = ParameterMistake { key: "depth".to_owned(), message: "9 is above 8".to_owned() };
/// assert_eq!(mistake.to_string(), "parameter `depth`: 9 is above 8");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterMistake {
    /// The parameter; empty if the error is not about a single one.
    pub key: String,
    /// The error message.
    pub message: String,
}

impl fmt::Display for ParameterMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.key.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "parameter `{}`: {}", self.key, self.message)
        }
    }
}

/// Checks parameters against a plugin's schema: names, plain types, limits and choices
/// of each key. Everything else that a schema can express is left to the plugin.
///
/// ```
/// # use plugin_api::parameter_mistakes;
/// let schema = r#"{"type": "object", "properties": {"depth": {"type": "integer"}}}"#;
/// let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
/// assert!(parameter_mistakes(&schema, &serde_json::json!({"depth": 3})).is_empty());
/// let found = parameter_mistakes(&schema, &serde_json::json!({"depth": "x"}));
/// assert_eq!(found[0].to_string(), "parameter `depth`: expected integer, found the string `x`");
/// ```
#[must_use]
pub fn mistakes(schema: &Value, params: &Value) -> Vec<ParameterMistake> {
    let Value::Object(params) = params else {
        let message = format!(
            "expected a mapping of parameter names to values, found {}",
            kind_of(params)
        );
        return vec![ParameterMistake {
            key: String::new(),
            message,
        }];
    };
    let no_properties = Map::new();
    let properties = match (schema, schema.get("properties")) {
        (_, Some(Value::Object(properties))) => properties,
        // Without a schema a plugin has no parameters; a schema without `properties`
        // may have any form, which only the plugin can check.
        (Value::Null, _) => &no_properties,
        (schema, _) if schema.get("type") == Some(&"object".into()) => &no_properties,
        _ => return Vec::new(),
    };
    params
        .iter()
        .filter_map(|(key, value)| {
            let message = match properties.get(key) {
                None => Some(unknown_parameter(properties)),
                Some(property) => wrong_value(property, value),
            }?;
            Some(ParameterMistake {
                key: key.clone(),
                message,
            })
        })
        .collect()
}

fn unknown_parameter(properties: &Map<String, Value>) -> String {
    let known: Vec<String> = properties.keys().map(|name| shown(name)).collect();
    if known.is_empty() {
        "unknown; the plugin has no parameters".to_owned()
    } else {
        format!("unknown; the plugin's parameters are {}", known.join(", "))
    }
}

/// A word of the schema within a sentence. The author of a plugin chooses it, so it is quoted
/// if it could be more than a name, without anything that could end the quotation.
fn shown(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if word.chars().all(is_plain) {
        word.to_owned()
    } else {
        let harmless = |c: char| match c {
            '"' | '“' | '”' | '„' | '‟' | '″' | '＂' => '\'',
            c if c.is_control() || c.is_whitespace() => ' ',
            c => c,
        };
        format!("“{}”", word.chars().map(harmless).collect::<String>())
    }
}

fn wrong_value(property: &Value, value: &Value) -> Option<String> {
    let types: Vec<&str> = match property.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|name| is_of_type(value, name)) {
        let hint = truth_meant(value)
            .filter(|_| types.contains(&"boolean"))
            .map(|truth| format!("; write `{truth}`"))
            .unwrap_or_default();
        return Some(format!(
            "expected {}, found {}{hint}",
            types
                .into_iter()
                .map(shown)
                .collect::<Vec<_>>()
                .join(" or "),
            kind_of(value)
        ));
    }
    let limit = |key: &str| property.get(key).and_then(Value::as_f64);
    if let Some(number) = value.as_f64() {
        let below = limit("minimum").is_some_and(|minimum| number < minimum)
            || limit("exclusiveMinimum").is_some_and(|minimum| number <= minimum);
        let above = limit("maximum").is_some_and(|maximum| number > maximum)
            || limit("exclusiveMaximum").is_some_and(|maximum| number >= maximum);
        if below || above {
            let bound = |key: &str| property.get(key).map(Value::to_string);
            let from = bound("minimum").or_else(|| bound("exclusiveMinimum"));
            let to = bound("maximum").or_else(|| bound("exclusiveMaximum"));
            return Some(match (from, to) {
                (Some(from), Some(to)) => format!("{value} is not between {from} and {to}"),
                (Some(from), None) => format!("{value} is below {from}"),
                (None, to) => format!("{value} is above {}", to.unwrap_or_default()),
            });
        }
    }
    let choices = choices(property)?;
    if choices.contains(&value) {
        return None;
    }
    let names: Vec<String> = choices.into_iter().map(Value::to_string).collect();
    Some(format!("{value} is not one of {}", names.join(", ")))
}

/// The values that an enumeration allows: schemars writes plain variants as `enum`, and
/// those with a help text as `oneOf` with a `const` or a short `enum` each.
fn choices(property: &Value) -> Option<Vec<&Value>> {
    if let Some(Value::Array(choices)) = property.get("enum") {
        return Some(choices.iter().collect());
    }
    let Some(Value::Array(cases)) = property.get("oneOf") else {
        return None;
    };
    let choices: Vec<Vec<&Value>> = cases
        .iter()
        .map(|case| match (case.get("const"), case.get("enum")) {
            (Some(choice), _) => Some(vec![choice]),
            (None, Some(Value::Array(choices))) => Some(choices.iter().collect()),
            _ => None,
        })
        .collect::<Option<_>>()?;
    Some(choices.concat())
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    }
}

/// The boolean that older versions of YAML read from a word that YAML 1.2 reads as a string.
fn truth_meant(value: &Value) -> Option<bool> {
    match value.as_str()?.to_lowercase().as_str() {
        "yes" | "y" | "on" | "true" => Some(true),
        "no" | "n" | "off" | "false" => Some(false),
        _ => None,
    }
}

fn kind_of(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(_) | Value::Number(_) => format!("`{value}`"),
        Value::String(text) => format!("the string `{text}`"),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a mapping".to_owned(),
    }
}
