//! The JSON Schema of the tournament file, for editors that complete and check YAML.
//!
//! Written out by hand: most values are a word or a number or a text of a certain
//! form, which derived schemas do not say. The tests hold it against the reader.

use serde_json::{Value, json};

use super::{
    budget_reader::{CLOCKS, OVERRUNS},
    tournament_reader::{ISOLATIONS, RANKINGS, SANDBOXES, TILES},
};

/// The schema, as `host schema` prints it.
#[must_use]
pub fn json_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Tournament file of Arena 2048",
        "type": "object",
        "additionalProperties": false,
        "required": ["agents"],
        "properties": {
            "name": described(name(), "Names the run's folder. Without it the file's own name is used."),
            "board": {
                "description": "The side of the board.",
                "type": "integer", "minimum": 2, "maximum": 8, "default": 4,
            },
            "tiles": described(words(&TILES, "random"), "Where new tiles come from. Deterministic: always a 2 in the first empty cell."),
            "four": {
                "description": "The share of 4s among the new tiles.",
                "type": "number", "minimum": 0, "maximum": 1, "default": 0.1,
            },
            "seeds": {
                "description": "Every agent plays every seed: a number, a range with both ends included, or a list of them; below 2^53.",
                "anyOf": [seed(), {"type": "array", "minItems": 1, "items": seed()}],
                "default": "1..20",
            },
            "salt": {
                "description": "Keeps the tiles of known seeds unknown: none, secret (drawn once, kept in plan.json), or 48 hexadecimal digits.",
                "type": ["string", "integer", "number", "null"],
                "pattern": "^(none|secret|[0-9a-fA-F]{48})$",
                "default": "none",
            },
            "goal": described(none_or(&json!({"type": "integer", "minimum": 4})), "The tile that ends the game when it is reached."),
            "max_moves": described(none_or(&positive()), "The number of moves after which a game ends."),
            "rank_by": described(words(&RANKINGS, "score"), "Score, or the rate of reaching the goal and then fewer moves."),
            "budget": {
                "description": "What an agent may spend. With a list every agent plays under each.",
                "anyOf": [
                    none(),
                    {"$ref": "#/$defs/budget"},
                    {"type": "array", "minItems": 1, "items": {"anyOf": [none(), {"$ref": "#/$defs/budget"}]}},
                ],
                "default": "none",
            },
            "isolation": described(words(&ISOLATIONS, "process"), "A process for every game, or none: trusted agents without a budget in time."),
            "sandbox": described(words(&SANDBOXES, "on"), "Whether workers give up their rights before they open the plugin."),
            "memory": {
                "description": "What a worker may allocate: bytes, or a text such as 512MiB.",
                "anyOf": [
                    {"type": "integer", "minimum": 67_108_864},
                    {"type": "string", "pattern": "^[0-9]+([.][0-9]+)? *([KkMmGgTt][Ii]?)?[Bb]?$"},
                ],
                "default": "4GiB",
            },
            "disqualify_after": {
                "description": "Faults in a row, in plan order, after which an agent plays no further game.",
                "anyOf": [none(), {"const": "never"}, positive()],
                "default": 3,
            },
            "control": described(none_or(&name()), "The name of the agent that plays twice under another random seed."),
            "stop": {
                "description": "Extends the tournament until neighbours in the ranking are separated.",
                "anyOf": [none(), {"$ref": "#/$defs/stop"}],
                "default": "none",
            },
            "workers": {
                "description": "How many games are played at once.",
                "anyOf": [{"const": "auto"}, positive()],
                "default": "auto",
            },
            "agents": {
                "description": "Who plays: the lines of the ranking.",
                "type": "array", "minItems": 1, "items": {"$ref": "#/$defs/agent"},
            },
        },
        "$defs": {"budget": budget(), "stop": stop(), "agent": agent()},
    })
}

fn budget() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "not": {"required": ["per_move", "nodes"]},
        "properties": {
            "per_move": described(duration(None), "The time a turn adds to the purse."),
            "nodes": described(positive(), "The search nodes of a turn, as the agent counts them."),
            "clock": described(words(&CLOCKS, "cpu"), "CPU time of the worker, or wall time."),
            "bank": described(duration(Some("100ms")), "The purse: what can be saved for later turns."),
            "overrun": described(words(&OVERRUNS, "end-game"), "What happens when the purse is empty."),
            "setup": described(duration(Some("10s")), "CPU time for making the agent."),
            "hang": described(duration(Some("60s")), "Wall time of one turn before the worker is killed."),
        },
    })
}

fn stop() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["decided", "max_seeds"],
        "properties": {
            "decided": {
                "description": "The confidence at which neighbours count as separated.",
                "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1,
            },
            "max_seeds": described(positive(), "Where the extension ends in any case."),
        },
    })
}

fn agent() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["plugin"],
        "properties": {
            "plugin": {"description": "Name or path of the plugin.", "type": ["string", "number"]},
            "name": described(name(), "The agent's name in tables and records. Without it the plugin's own name is used."),
            "params": {"description": "Parameters of the plugin.", "type": ["object", "null"], "default": {}},
            "allow_read": {
                "description": "Files and folders that the sandbox lets the agent read.",
                "type": ["array", "null"], "items": {"type": "string", "minLength": 1}, "default": [],
            },
        },
    })
}

fn described(mut schema: Value, description: &str) -> Value {
    schema["description"] = description.into();
    schema
}

fn words<T>(words: &[(&str, T)], default: &str) -> Value {
    let words: Vec<_> = words.iter().map(|(word, _)| *word).collect();
    json!({"enum": words, "default": default})
}

fn none() -> Value {
    json!({"enum": ["none", null]})
}

fn none_or(schema: &Value) -> Value {
    json!({"anyOf": [none(), schema], "default": "none"})
}

fn positive() -> Value {
    json!({"type": "integer", "minimum": 1})
}

fn name() -> Value {
    json!({"type": ["string", "number"], "pattern": "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$"})
}

fn seed() -> Value {
    json!({"anyOf": [
        {"type": "integer", "minimum": 0, "maximum": 9_007_199_254_740_991_u64},
        {"type": "string", "pattern": "^[0-9]+([.][.][0-9]+)?(, *[0-9]+([.][.][0-9]+)?)*$"},
    ]})
}

fn duration(default: Option<&str>) -> Value {
    let mut schema = json!({
        "type": "string",
        "pattern": "^[0-9]+([.][0-9]+)? *(ns|us|µs|ms|s|min|h)$",
    });
    if let Some(default) = default {
        schema["default"] = default.into();
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament_file::{agent_reader, budget_reader, tournament_reader};

    /// Whether a value is as the schema says, as far as this schema goes. Patterns are
    /// left to the editors.
    fn is_valid(schema: &Value, value: &Value) -> bool {
        let root = json_schema();
        let Value::Object(rules) = schema else {
            return false;
        };
        rules.iter().all(|(rule, content)| match rule.as_str() {
            "$ref" => {
                let pointer = content.as_str().unwrap().trim_start_matches('#');
                is_valid(root.pointer(pointer).unwrap(), value)
            }
            "anyOf" => list(content).any(|schema| is_valid(schema, value)),
            "not" => !is_valid(content, value),
            "enum" => list(content).any(|word| word == value),
            "const" => content == value,
            "type" if content.is_array() => list(content).any(|name| has_type(name, value)),
            "type" => has_type(content, value),
            "minimum" => value
                .as_f64()
                .is_none_or(|n| n >= content.as_f64().unwrap()),
            "maximum" => value
                .as_f64()
                .is_none_or(|n| n <= content.as_f64().unwrap()),
            "exclusiveMinimum" => value.as_f64().is_none_or(|n| n > content.as_f64().unwrap()),
            "exclusiveMaximum" => value.as_f64().is_none_or(|n| n < content.as_f64().unwrap()),
            "minItems" => value.as_array().is_none_or(|items| !items.is_empty()),
            "minLength" => value.as_str().is_none_or(|text| !text.is_empty()),
            "items" => value
                .as_array()
                .is_none_or(|items| items.iter().all(|item| is_valid(content, item))),
            "required" => value.as_object().is_none_or(|object| {
                list(content).all(|key| object.contains_key(key.as_str().unwrap()))
            }),
            "properties" => value.as_object().is_none_or(|object| {
                object.iter().all(|(key, value)| {
                    content
                        .get(key)
                        .is_none_or(|schema| is_valid(schema, value))
                })
            }),
            "additionalProperties" => value.as_object().is_none_or(|object| {
                object
                    .keys()
                    .all(|key| rules["properties"].get(key).is_some())
            }),
            "$schema" | "$defs" | "title" | "description" | "default" | "pattern" => true,
            other => panic!("the schema has a rule that is not checked: {other}"),
        })
    }

    fn list(value: &Value) -> impl Iterator<Item = &Value> {
        value.as_array().unwrap().iter()
    }

    fn has_type(name: &Value, value: &Value) -> bool {
        match name.as_str().unwrap() {
            "null" => value.is_null(),
            "string" => value.is_string(),
            "integer" => value.is_u64() || value.is_i64(),
            "number" => value.is_number(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("a type that is not checked: {other}"),
        }
    }

    fn from_yaml(text: &str) -> Value {
        serde_yaml::from_str(text).unwrap()
    }

    #[test]
    fn the_schema_and_the_reader_know_the_same_keys() {
        let schema = json_schema();
        let check = |pointer: &str, known: &[&str]| {
            let properties = schema.pointer(pointer).unwrap().as_object().unwrap();
            let mut known = known.to_vec();
            let mut documented: Vec<_> = properties.keys().map(String::as_str).collect();
            known.sort_unstable();
            documented.sort_unstable();
            assert_eq!(documented, known);
            assert!(
                properties
                    .values()
                    .all(|key| key["description"].is_string())
            );
        };
        check("/properties", &tournament_reader::KEYS);
        check("/$defs/stop/properties", &tournament_reader::STOP_KEYS);
        check("/$defs/budget/properties", &budget_reader::KEYS);
        check("/$defs/agent/properties", &agent_reader::KEYS);
    }

    #[test]
    fn the_schema_accepts_good_files() {
        for text in [
            crate::tournament_file::tests::SAMPLE,
            "agents: [{plugin: a}]",
            "{agents: [{plugin: a}], seeds: [1, 3..4], goal: 2048, workers: 2, disqualify_after: never}",
            "{agents: [{plugin: a}], budget: [{nodes: 5}, none], stop: {decided: 0.9, max_seeds: 50}}",
        ] {
            assert!(is_valid(&json_schema(), &from_yaml(text)), "{text}");
        }
    }

    #[test]
    fn the_schema_refuses_bad_files() {
        for text in [
            "{}",
            "[]",
            "agents: []",
            "agents: [{name: a}]",
            "{agents: [{plugin: a}], bord: 4}",
            "{agents: [{plugin: a}], board: 9}",
            "{agents: [{plugin: a}], tiles: randon}",
            "{agents: [{plugin: a}], budget: {per_move: 1ms, nodes: 5}}",
            "{agents: [{plugin: a}], budget: {per_move: 10}}",
            "{agents: [{plugin: a}], stop: {decided: 1, max_seeds: 5}}",
        ] {
            assert!(!is_valid(&json_schema(), &from_yaml(text)), "{text}");
        }
    }
}
