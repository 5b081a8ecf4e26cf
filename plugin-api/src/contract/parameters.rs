//! Typed parameters of an agent, described by a JSON Schema.
//!
//! `host list` shows the schema, forms are built from it, and tournament files are
//! checked against it before the first game. The agent receives the type. Both come
//! from one declaration.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::parameter_mistake::{ParameterMistake, mistakes};

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
            "parameter `dept`: unknown; the plugin's parameters are depth, weight, mode, quick",
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
