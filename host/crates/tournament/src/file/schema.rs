//! The JSON Schema of the tournament file, for editors that complete and check YAML.
//!
//! Written by hand because most values are a word, a number or a string of a certain
//! form, which derived schemas cannot express. The tests compare it with the reader.

use std::time::Duration;

use plugin_api::{FourShare, MAX_SEED, Side};
use serde_json::{Value, json};

use super::{
    budget_reader::{CLOCKS, OVERRUNS},
    memory_size::SMALLEST_MEMORY,
    seed_reader::DEFAULT_SEEDS,
    tournament_reader::{DEFAULT_DISQUALIFY_AFTER, ISOLATIONS, RANKINGS, SANDBOXES, TILES},
};
use text::duration_text::format_duration;

use crate::{Budget, LONGEST_NAME, StopRule, Tournament};

/// The schema, as `host schema` prints it.
#[must_use]
pub fn json_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Arena 2048 tournament file",
        "type": "object",
        "additionalProperties": false,
        "required": ["agents"],
        "properties": {
            "name": described(name(), "The name of the run folder. Default: the name of the file."),
            "board": {
                "description": "The side length of the board.",
                "type": "integer",
                "minimum": Side::MIN.length(), "maximum": Side::MAX.length(), "default": Side::FOUR.length(),
            },
            "tiles": described(words(&TILES), "How new tiles are chosen. Deterministic: always a 2 in the first empty cell."),
            "four": {
                "description": "The probability that a new tile is a 4.",
                "type": "number", "minimum": 0, "maximum": 1, "default": FourShare::DEFAULT.as_f64(),
            },
            "seeds": {
                "description": "The seeds that every agent plays: a number below 2^53, a range (both ends included), or a list of them.",
                "anyOf": [seed(), {"type": "array", "minItems": 1, "items": seed()}],
                "default": DEFAULT_SEEDS,
            },
            "salt": {
                "description": "Makes the tiles unpredictable although the seeds are known: none, secret (drawn once, in plan.json when the run has ended), or 48 hexadecimal digits.",
                "type": ["string", "integer", "number", "null"],
                "pattern": "^(none|secret|[0-9a-fA-F]{48})$",
                "default": "none",
            },
            "private_seeds": described(none_or(&positive()), "Seeds of its own that every agent plays, to see whether it does better on shared ones."),
            "goal": described(none_or(&json!({"type": "integer", "minimum": Tournament::SMALLEST_GOAL})), "The tile that ends a game when it is reached."),
            "max_moves": described(none_or(&positive()), "The number of moves after which a game ends."),
            "rank_by": {
                "description": "Rank by score, or by the rate of reaching the goal and then by fewer moves. The default is reach if there is a goal, otherwise score.",
                "enum": RANKINGS.map(|(word, _)| word),
            },
            "budget": {
                "description": "What an agent may spend. With a list, every agent plays under each budget.",
                "anyOf": [
                    none(),
                    {"$ref": "#/$defs/budget"},
                    {"type": "array", "minItems": 1, "items": {"anyOf": [none(), {"$ref": "#/$defs/budget"}]}},
                ],
                "default": "none",
            },
            "isolation": described(words(&ISOLATIONS), "One process per game, or none (for trusted agents without a time budget)."),
            "sandbox": described(words(&SANDBOXES), "Whether workers drop their privileges before they load the plugin."),
            "memory": memory("How much memory a worker may allocate: a number of bytes, or a string such as 512MiB.", Some(Tournament::DEFAULT_MEMORY)),
            "thoughts": {
                "description": "How many bytes of what agents report about their moves are kept for the curves of a replay.",
                "anyOf": [
                    none(),
                    positive(),
                    {"type": "string", "pattern": "^[0-9]+([.][0-9]+)? *([KkMmGgTt][Ii]?)?[Bb]?$"},
                ],
                "default": "none",
            },
            "disqualify_after": {
                "description": "The number of consecutive faults, in plan order, after which an agent plays no more games.",
                "anyOf": [none(), {"const": "never"}, positive()],
                "default": DEFAULT_DISQUALIFY_AFTER,
            },
            "control": described(none_or(&name()), "The name of the agent that plays a second time with different random seeds (A/A test)."),
            "stop": {
                "description": "Lets each agent play on until its place in the ranking is settled.",
                "anyOf": [none(), {"$ref": "#/$defs/stop"}],
                "default": "none",
            },
            "workers": {
                "description": "How many games are played at the same time.",
                "anyOf": [{"const": "auto"}, positive()],
                "default": "auto",
            },
            "agents": {
                "description": "The agents: the rows of the ranking.",
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
            "per_move": described(duration(None), "The time that every turn adds to the bank."),
            "nodes": described(positive(), "The number of search nodes per turn, as counted by the agent."),
            "clock": described(words(&CLOCKS), "Measure the worker's CPU time, or wall time."),
            "bank": described(duration(Some(Budget::DEFAULT_BANK)), "The most time that can be saved for later turns."),
            "overrun": described(words(&OVERRUNS), "What happens when the bank is empty."),
            "setup": described(duration(Some(Budget::DEFAULT_SETUP)), "CPU time for creating the agent."),
            "hang": described(duration(Some(Budget::LEAST_HANG)), "CPU time of one turn after which the worker is killed, where no time limit ends the turn before. At least `per_move` plus `bank`."),
            "sleep": described(duration(None), "How long an agent may sleep in a game, besides `per_move` on every turn. Default: as long as `bank`, at least 250ms."),
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
                "description": "The confidence of the decisions.",
                "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1,
            },
            "max_seeds": {
                "description": "The largest number of seeds.",
                "type": "integer", "minimum": StopRule::FEWEST_SEEDS,
            },
            "equal_within": described(
                none_or(&json!({"anyOf": [
                    {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
                    {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)? ?%$"},
                ]})),
                "The difference, as a share of the better agent's mean, within which two agents are practically equal.",
            ),
        },
    })
}

fn agent() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "oneOf": [
            {"required": ["plugin"]},
            {"required": ["program"]},
            {"required": ["folder"], "not": {"required": ["name"]}},
        ],
        "properties": {
            "folder": {
                "description": "Folder whose plugins all take part, each under the name of its file; the last part may be a pattern such as submissions/*.so.",
                "type": "string", "minLength": 1,
            },
            "plugin": {"description": "Name or path of the plugin: a dynamic library, a script or another program.", "type": ["string", "number"]},
            "program": {
                "description": "A command that plays by the text protocol, word by word.",
                "type": "array", "minItems": 1, "items": {"type": ["string", "number"]},
            },
            "name": described(name(), "The agent's name in tables and records. Default: the name of the plugin."),
            "params": {"description": "Parameters of the plugin.", "type": ["object", "null"], "default": {}},
            "allow_read": {
                "description": "Files and folders that the sandbox lets the agent read.",
                "type": ["array", "null"], "items": {"type": "string", "minLength": 1}, "default": [],
            },
            "memory": memory("How much memory its workers may allocate. Default: as for all agents.", None),
        },
    })
}

fn described(mut schema: Value, description: &str) -> Value {
    schema["description"] = description.into();
    schema
}

/// One of several words, by default the one of the type's default.
fn words<T: Default + PartialEq>(words: &[(&str, T)]) -> Value {
    let default = words
        .iter()
        .find(|(_, meaning)| *meaning == T::default())
        .map(|(word, _)| *word);
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
    let pattern = format!("^[A-Za-z0-9_][A-Za-z0-9_.-]{{0,{}}}$", LONGEST_NAME - 1);
    json!({"type": ["string", "number"], "pattern": pattern})
}

fn seed() -> Value {
    json!({"anyOf": [
        {"type": "integer", "minimum": 0, "maximum": MAX_SEED},
        {"type": "string", "pattern": "^[0-9]+([.][.][0-9]+)?(, *[0-9]+([.][.][0-9]+)?)*$"},
    ]})
}

fn memory(description: &str, default: Option<u64>) -> Value {
    let mut schema = json!({
        "description": description,
        "anyOf": [
            {"type": "integer", "minimum": SMALLEST_MEMORY},
            {"type": "string", "pattern": "^[0-9]+([.][0-9]+)? *([KkMmGgTt][Ii]?)?[Bb]?$"},
        ],
    });
    if let Some(default) = default {
        schema["default"] = format!("{}GiB", default >> 30).into();
    }
    schema
}

fn duration(default: Option<Duration>) -> Value {
    let mut schema = json!({
        "type": "string",
        "pattern": "^[0-9]+([.][0-9]+)? *(ns|us|µs|ms|s|min|h)$",
    });
    if let Some(default) = default {
        schema["default"] = format_duration(default).into();
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{agent_reader, budget_reader, tournament_reader};

    /// Whether an editor that knows the schema accepts a file.
    fn is_valid(text: &str) -> bool {
        let schema = jsonschema::draft202012::new(&json_schema()).expect("a schema");
        schema.is_valid(&from_yaml(text))
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
            crate::file::tests::SAMPLE,
            "agents: [{plugin: a}]",
            "agents: [{folder: submissions/*.so, params: {depth: 2}}, {plugin: a}]",
            "{agents: [{plugin: a}], seeds: [1, 3..4], goal: 2048, workers: 2, disqualify_after: never}",
            "{agents: [{plugin: a}], budget: [{nodes: 5}, none], stop: {decided: 0.9, max_seeds: 50}}",
            "agents: [{program: [python3, -O, anna.py]}]",
        ] {
            assert!(is_valid(text), "{text}");
        }
    }

    #[test]
    fn the_schema_rejects_bad_files() {
        for text in [
            "{}",
            "[]",
            "agents: []",
            "agents: [{name: a}]",
            "agents: [{plugin: a, folder: b}]",
            "agents: [{folder: b, name: a}]",
            "agents: [{plugin: a, program: [b]}]",
            "agents: [{program: []}]",
            "{agents: [{plugin: a}], bord: 4}",
            "{agents: [{plugin: a}], board: 9}",
            "{agents: [{plugin: a}], tiles: randon}",
            "{agents: [{plugin: a}], seeds: 1-3}",
            "{agents: [{plugin: a}], memory: much}",
            "{agents: [{plugin: a}], budget: {per_move: 1ms, nodes: 5}}",
            "{agents: [{plugin: a}], budget: {per_move: 10}}",
            "{agents: [{plugin: a}], stop: {decided: 1, max_seeds: 5}}",
        ] {
            assert!(!is_valid(text), "{text}");
        }
    }
}
