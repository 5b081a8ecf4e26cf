//! Typed parameters of an agent, described by a JSON Schema.
//!
//! `host list` shows the schema, forms are built from it, and tournament files are
//! checked against it before the first game. The agent receives the type. Both come
//! from one declaration.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

/// A type for an agent's parameters: declared with [`parameters!`](crate::parameters),
/// or deriving `Deserialize` and `JsonSchema`.
///
/// ```
/// plugin_api::parameters! {
///     struct Params { depth: u8 = 3 }
/// }
///
/// fn can_be_parameters<P: plugin_api::Parameters>() {}
/// can_be_parameters::<Params>();
/// can_be_parameters::<plugin_api::NoParameters>();
/// ```
pub trait Parameters: DeserializeOwned + JsonSchema {}

impl<T: DeserializeOwned + JsonSchema> Parameters for T {}

/// For agents without parameters.
///
/// ```
/// # use plugin_api::NoParameters;
/// let _none = NoParameters::default();
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoParameters {}

/// Declares an agent's parameters: fields with their defaults. Doc comments become the
/// help text; `#[schemars(range(min = 1, max = 8))]` states limits, which are enforced.
///
/// ```
/// plugin_api::parameters! {
///     /// Parameters of a searcher.
///     pub struct Params {
///         /// Moves to look ahead.
///         #[schemars(range(min = 1, max = 8))]
///         depth: u8 = 3,
///         /// What an empty cell is worth.
///         empty_weight: f64 = 270.0,
///     }
/// }
/// assert_eq!(Params::default().depth, 3);
/// ```
///
/// Every parameter needs a default, because tournament files may leave it out:
///
/// ```compile_fail
/// plugin_api::parameters! {
///     pub struct Params { depth: u8 }
/// }
/// ```
#[macro_export]
macro_rules! parameters {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $name:ident {
            $(
                $(#[$field_meta:meta])*
                $field_visibility:vis $field:ident : $type:ty = $default:expr
            ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(
            Clone, Debug,
            $crate::__private::serde::Serialize,
            $crate::__private::serde::Deserialize,
            $crate::__private::schemars::JsonSchema,
        )]
        #[serde(crate = "plugin_api::__private::serde", default, deny_unknown_fields)]
        #[schemars(crate = "plugin_api::__private::schemars")]
        $visibility struct $name {
            $( $(#[$field_meta])* $field_visibility $field: $type ),*
        }

        impl ::std::default::Default for $name {
            fn default() -> Self {
                Self { $( $field: $default ),* }
            }
        }
    };
    (
        $(#[$meta:meta])*
        $visibility:vis struct $name:ident {
            $(
                $(#[$field_meta:meta])*
                $field_visibility:vis $field:ident : $type:ty $(= $default:expr)?
            ),* $(,)?
        }
    ) => {
        $( $crate::parameters! { @default $field : $type $(= $default)? } )*
    };
    (@default $field:ident : $type:ty = $default:expr) => {};
    (@default $field:ident : $type:ty) => {
        ::std::compile_error! {
            ::std::concat!(
                "parameter `", ::std::stringify!($field), "` has no default; write `",
                ::std::stringify!($field), ": ", ::std::stringify!($type), " = VALUE`"
            )
        }
    };
}

/// The JSON Schema of a parameter type.
pub(crate) fn schema_of<P: Parameters>() -> Value {
    schemars::generate::SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true)
        .into_generator()
        .into_root_schema_for::<P>()
        .to_value()
}

/// Parses the parameters of a tournament file, given as JSON.
pub(crate) fn from_json<P: Parameters>(text: &str) -> Result<P, ParameterMistake> {
    let value: Value = serde_json::from_str(text).map_err(|error| ParameterMistake {
        key: String::new(),
        message: error.to_string(),
    })?;
    if let Some(mistake) = mistakes(&schema_of::<P>(), &value).into_iter().next() {
        return Err(mistake);
    }
    serde_path_to_error::deserialize(value).map_err(|error| ParameterMistake {
        key: Some(error.path().to_string())
            .filter(|path| path != ".")
            .unwrap_or_default(),
        message: error.inner().to_string(),
    })
}

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
    let known: Vec<&str> = properties.keys().map(String::as_str).collect();
    if known.is_empty() {
        "unknown; the plugin has no parameters".to_owned()
    } else {
        format!("unknown; the plugin's parameters are {}", known.join(", "))
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
            types.join(" or "),
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

/// What a word meant that older versions of YAML read as a boolean, and YAML 1.2 does not.
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

#[cfg(test)]
mod tests {
    use super::*;

    crate::parameters! {
        struct Params {
            /// Moves to look ahead.
            #[schemars(range(min = 1, max = 8))]
            depth: u8 = 3,
            weight: f64 = 270.5,
            mode: Mode = Mode::Fast,
            quick: bool = false,
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    enum Mode {
        Fast,
        /// Takes its time.
        Slow,
    }

    #[test]
    fn the_schema_holds_defaults_help_and_limits() {
        let schema = schema_of::<Params>();
        let depth = &schema["properties"]["depth"];
        assert_eq!(depth["default"], 3);
        assert_eq!(depth["description"], "Moves to look ahead.");
        assert_eq!(
            (&depth["minimum"], &depth["maximum"]),
            (&1.into(), &8.into())
        );
        assert_eq!(schema["properties"]["weight"]["default"], 270.5);
        assert_eq!(schema["properties"]["mode"]["default"], "fast");
        assert_eq!(schema["additionalProperties"], false);
    }

    #[track_caller]
    fn check(json: &str, message: &str) {
        assert_eq!(from_json::<Params>(json).unwrap_err().to_string(), message);
    }

    #[test]
    fn errors_name_the_parameter_and_the_valid_values() {
        check(
            r#"{"dept":1}"#,
            "parameter `dept`: unknown; the plugin's parameters are depth, mode, quick, weight",
        );
        check(
            r#"{"depth":"x"}"#,
            "parameter `depth`: expected integer, found the string `x`",
        );
        check(
            r#"{"depth":0}"#,
            "parameter `depth`: 0 is not between 1 and 8",
        );
        check(
            r#"{"depth":-1}"#,
            "parameter `depth`: -1 is not between 1 and 8",
        );
        check(
            r#"{"weight":true}"#,
            "parameter `weight`: expected number, found `true`",
        );
        check(
            r#"{"mode":"quick"}"#,
            r#"parameter `mode`: "quick" is not one of "fast", "slow""#,
        );
        for (word, truth) in [("yes", "true"), ("No", "false"), ("on", "true")] {
            check(
                &format!(r#"{{"quick":"{word}"}}"#),
                &format!(
                    "parameter `quick`: expected boolean, found the string `{word}`; write `{truth}`"
                ),
            );
        }
        check(
            r#"{"quick":"fast"}"#,
            "parameter `quick`: expected boolean, found the string `fast`",
        );
        check(
            "[1]",
            "expected a mapping of parameter names to values, found a list",
        );
    }

    #[test]
    fn unset_parameters_keep_their_defaults() {
        let params: Params = from_json(r#"{"weight":1}"#).unwrap();
        assert_eq!((params.depth, params.mode), (3, Mode::Fast));
        assert!((params.weight - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn a_plugin_without_schema_has_no_parameters() {
        let found = mistakes(&Value::Null, &serde_json::json!({"depth": 1}));
        assert_eq!(
            found[0].to_string(),
            "parameter `depth`: unknown; the plugin has no parameters"
        );
        assert!(from_json::<NoParameters>("{}").is_ok());
        assert!(from_json::<NoParameters>(r#"{"a":1}"#).is_err());
    }
}
