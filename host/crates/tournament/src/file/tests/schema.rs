//! The schema accepts what the reader accepts.

use super::*;

/// Whether an editor that knows the schema accepts a file.
fn is_valid(text: &str) -> bool {
    let schema = jsonschema::draft202012::new(&json_schema()).expect("a schema");
    schema.is_valid(&from_yaml(text))
}

fn from_yaml(text: &str) -> Value {
    serde_yaml::from_str(text).unwrap()
}

#[test]
fn a_description_says_what_the_page_says() {
    let schema = json_schema();
    let shown = |key: &str| {
        let key = schema.pointer(key).expect("a key");
        key["description"].as_str().expect("a text").to_owned()
    };
    insta::assert_snapshot!(
        shown("/properties/private_seeds"),
        @"Additional seeds per agent and budget that no other agent plays; the report tests whether the agent scores higher on shared seeds (fairness.md); requires a salt. Values: `none`, a number of at least 1."
    );
    insta::assert_snapshot!(
        shown("/$defs/budget/properties/sleep"),
        @"How long an agent may sleep before its first move, and again during the game; there, each move adds `per_move`. Values: a duration. Default: as `bank`, at least `250ms`."
    );
}

#[test]
fn the_schema_accepts_good_files() {
    for text in [
        SAMPLE,
        "agents: [{plugin: a}]",
        "{agents: [a, {plugin: b}], budget: 1ms}",
        "{agents: [a], budget: [100us, none, {nodes: 5}]}",
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
