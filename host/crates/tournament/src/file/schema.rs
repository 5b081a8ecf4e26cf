//! The JSON Schema of the tournament file, for editors that complete and check YAML.

use serde_json::{Map, Value, json};

use super::mapping::{KeyDefault, KeyDescription, MappingDescription};
use crate::{Budget, Entry, StopRule, Tournament};

/// The mappings of a tournament file, each under the name of the key that has it as its value;
/// the file itself has none.
pub(super) fn mappings() -> [(&'static str, MappingDescription); 4] {
    [
        (
            "",
            MappingDescription::of(|file| Tournament::read(file, None)),
        ),
        ("budget", MappingDescription::of(Budget::read)),
        ("stop", MappingDescription::of(StopRule::read)),
        ("agent", MappingDescription::of(Entry::read)),
    ]
}

/// The schema, as `host schema` prints it.
#[must_use]
pub fn json_schema() -> Value {
    let [(_, file), definitions @ ..] = mappings();
    let mut schema = schema_of(file);
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = "Arena 2048 tournament file".into();
    let definitions = definitions.map(|(name, mapping)| (name.to_owned(), schema_of(mapping)));
    schema["$defs"] = definitions.into_iter().collect::<Map<_, _>>().into();
    schema
}

fn schema_of(mapping: MappingDescription) -> Value {
    let is_required = |key: &&KeyDescription| matches!(key.default, KeyDefault::Required);
    let required: Vec<_> = (mapping.keys.iter().filter(is_required))
        .map(|key| key.name)
        .collect();
    let properties: Map<_, _> = (mapping.keys.iter())
        .map(|key| (key.name.to_owned(), property(key)))
        .collect();
    let mut schema = json!({
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
    });
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    for (keyword, rule) in mapping.rules {
        schema[keyword] = rule;
    }
    schema
}

fn property(key: &KeyDescription) -> Value {
    let mut schema = key.schema.clone();
    let (meaning, values) = (capitalised(key.meaning), &key.values);
    let mut description = format!("{meaning}. Values: {values}.");
    match &key.default {
        KeyDefault::Written(text) => {
            schema["default"] = serde_yaml::from_str(text).expect("a default is YAML");
        }
        KeyDefault::Dependent(words) if !words.is_empty() => {
            description = format!("{description} Default: {words}.");
        }
        KeyDefault::Dependent(_) | KeyDefault::Required => {}
    }
    schema["description"] = without_links(&description).into();
    schema
}

fn capitalised(sentence: &str) -> String {
    let mut characters = sentence.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}

/// The text of Markdown with the words of its links, but not their targets.
fn without_links(markdown: &str) -> String {
    let mut parts = markdown.split("](");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // The link's words begin at the last bracket before its target.
        if let Some(start) = text.rfind('[') {
            text.remove(start);
        }
        text.push_str(part.split_once(')').map_or(part, |(_, rest)| rest));
    }
    text
}

#[cfg(test)]
mod tests {
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
