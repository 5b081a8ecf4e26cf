//! Claims about the description of a plugin, and about the extensions that it declares.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use plugin_api::{Side, parameter_mistakes};
use serde_json::{Map, Value};

use super::{candidate::Candidate, verdict::ClaimVerdict};
use play::agents::{
    companion_files::companion_files,
    extension_call::{CallError, ExtensionCall},
    inspection::OPTIMISING_ADVICE,
};
use text::plugin_words::{PluginWords, name_as_code};
use tournament::{NAME_RULE, Tournament, is_plain_name};

pub(super) fn information_is_complete(candidate: &Candidate<'_>) -> ClaimVerdict {
    let info = &candidate.info;
    if !is_plain_name(&info.name) {
        return ClaimVerdict::failed(format!(
            "calls itself {}; a name consists of {NAME_RULE}",
            name_as_code(&info.name)
        ));
    }
    let missing: Vec<&str> = [
        ("version", &info.version),
        ("author", &info.author),
        ("description", &info.description),
    ]
    .into_iter()
    .filter(|(_, text)| text.trim().is_empty())
    .map(|(key, _)| key)
    .collect();
    if let Err(error) = companion_files(candidate.plugin.path(), info) {
        return ClaimVerdict::failed(error.to_string());
    }
    if missing.is_empty() {
        let [version, author] = [&info.version, &info.author].map(|text| PluginWords::new(text));
        ClaimVerdict::passed(format!("{} {version} by {author}", info.name))
    } else {
        ClaimVerdict::warned(format!("has no {} in its description", missing.join(", ")))
    }
}

pub(super) fn is_optimised(candidate: &Candidate<'_>) -> ClaimVerdict {
    if candidate.info.unoptimised {
        ClaimVerdict::warned(format!(
            "was built without optimisation, so it searches many times slower; {OPTIMISING_ADVICE}"
        ))
    } else {
        ClaimVerdict::passed("")
    }
}

pub(super) fn name_matches_the_file(candidate: &Candidate<'_>) -> ClaimVerdict {
    let name = &candidate.info.name;
    let file_name = candidate.plugin.name();
    // Cargo turns the dashes of a crate's name into underscores.
    if file_name.replace('-', "_") == name.replace('-', "_") {
        ClaimVerdict::passed("")
    } else {
        ClaimVerdict::warned(format!(
            "calls itself {}, but a tournament file refers to it by its file name, {}",
            name_as_code(name),
            name_as_code(&file_name)
        ))
    }
}

pub(super) fn boards_exist(candidate: &Candidate<'_>) -> ClaimVerdict {
    let boards = candidate.info.boards;
    let exist = |side: u8| Side::new(side).is_some();

    if exist(boards.min) && exist(boards.max) && boards.min <= boards.max {
        ClaimVerdict::passed(boards.to_string())
    } else {
        ClaimVerdict::failed(format!(
            "declares boards from {} to {}; the sides must be from 2 to 8, the smaller one first",
            boards.min, boards.max
        ))
    }
}

pub(super) fn schema_is_valid(candidate: &Candidate<'_>) -> ClaimVerdict {
    let schema = &candidate.info.params;
    if schema.is_null() {
        return ClaimVerdict::passed("it has no parameters");
    }
    if schema.get("type") != Some(&"object".into()) {
        return ClaimVerdict::failed(
            "has a schema whose `type` is not `object`; parameters are a mapping of names to values",
        );
    }
    let no_properties = Map::new();
    let properties = match schema.get("properties") {
        None => &no_properties,
        Some(Value::Object(properties)) => properties,
        Some(_) => {
            return ClaimVerdict::failed(
                "has a schema whose `properties` are not a mapping of names to schemas",
            );
        }
    };
    let defaults = Value::Object(defaults(schema));
    if let Some(diagnostic) = parameter_mistakes(schema, &defaults).first() {
        return ClaimVerdict::failed(format!(
            "has a default that its own schema rejects: {}",
            PluginWords::from(diagnostic.to_string())
        ));
    }
    let lacking = |key: &str| -> Vec<String> {
        properties
            .iter()
            .filter(|(_, property)| property.get(key).is_none())
            .map(|(name, _)| name_as_code(name))
            .collect()
    };
    let is_typed = |property: &Value| {
        ["type", "enum", "oneOf", "anyOf", "const"]
            .iter()
            .any(|key| property.get(key).is_some())
    };
    let untyped: Vec<String> = properties
        .iter()
        .filter(|(_, property)| !is_typed(property))
        .map(|(name, _)| name_as_code(name))
        .collect();
    let gaps: Vec<String> = [
        ("type", untyped),
        ("default", lacking("default")),
        ("description", lacking("description")),
    ]
    .into_iter()
    .filter(|(_, names)| !names.is_empty())
    .map(|(key, names)| format!("no `{key}` for {}", names.join(", ")))
    .collect();
    if gaps.is_empty() {
        ClaimVerdict::passed(match properties.len() {
            1 => "1 parameter".to_owned(),
            n => format!("{n} parameters"),
        })
    } else {
        ClaimVerdict::warned(format!("has {}", gaps.join("; ")))
    }
}

/// The parameters that have a default, with that default.
pub(super) fn defaults(schema: &Value) -> Map<String, Value> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Map::new();
    };
    properties
        .iter()
        .filter_map(|(name, property)| Some((name.clone(), property.get("default")?.clone())))
        .collect()
}

/// How long an extension may take to answer an empty request.
const EXTENSION_PATIENCE: Duration = Duration::from_secs(2);

pub(super) fn answers_its_extensions(candidate: &Candidate<'_>) -> ClaimVerdict {
    const UNKNOWN: &str = "no-such-extension/1";
    let names = &candidate.info.extensions;
    for name in names {
        match call_extension(candidate, name) {
            Err(CallError::UnknownExtension(_)) => {
                return ClaimVerdict::failed(format!(
                    "declares the extension {}, but answers that it is unknown",
                    name_as_code(name)
                ));
            }
            // Rejecting an empty request is allowed.
            Ok(_) | Err(CallError::Failed(_)) => {}
            Err(error) => {
                return ClaimVerdict::failed(format!(
                    "called {} with an empty request: {error}",
                    name_as_code(name)
                ));
            }
        }
    }
    match call_extension(candidate, UNKNOWN) {
        Err(CallError::UnknownExtension(_)) => ClaimVerdict::passed(if names.is_empty() {
            "it has none".to_owned()
        } else {
            let names: Vec<String> = names.iter().map(|name| name_as_code(name)).collect();
            names.join(", ")
        }),
        Ok(_) | Err(CallError::Failed(_)) => ClaimVerdict::failed(format!(
            "answers the unknown extension `{UNKNOWN}`; return `None` or AGENT2048_UNKNOWN"
        )),
        Err(error) => ClaimVerdict::failed(format!("called an unknown extension: {error}")),
    }
}

fn call_extension(candidate: &Candidate<'_>, name: &str) -> Result<String, CallError> {
    let start = Instant::now();
    let own_files = candidate.plugin.own_files();
    let call = ExtensionCall {
        plugin: &candidate.plugin,
        name,
        request: "{}".to_owned(),
        memory: Tournament::DEFAULT_MEMORY,
        allow_read: &own_files,
    };
    call.make(
        |_| ControlFlow::Continue(()),
        || start.elapsed() > EXTENSION_PATIENCE,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_read_from_the_schema() {
        let schema = serde_json::json!({
            "type": "object",
            "properties": {"depth": {"type": "integer", "default": 3}, "file": {"type": "string"}}
        });
        assert_eq!(
            Value::Object(defaults(&schema)),
            serde_json::json!({"depth": 3})
        );
        assert!(defaults(&Value::Null).is_empty());
    }
}
