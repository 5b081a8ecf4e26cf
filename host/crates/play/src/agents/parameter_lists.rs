//! Lists of values in `params`: an agent for each value, or for each combination of values.

use serde_json::Value;
use tournament::{AgentEntry, MAX_AGENTS, is_plain_name};

/// What is wrong with a list.
#[derive(Debug, PartialEq)]
pub(super) struct WrongList {
    /// The parameter.
    pub(super) key: String,
    pub(super) message: String,
}

/// The agents of an entry: itself, or one for each combination of the values in its lists. The
/// plugin's `schema` says which parameters are lists themselves, and stay as they are.
pub(super) fn each_value(
    entry: &AgentEntry,
    schema: &Value,
) -> Result<Vec<AgentEntry>, Vec<WrongList>> {
    let mut agents = vec![entry.clone()];
    let mut wrong = Vec::new();
    for (key, value) in &entry.params {
        let property = &schema["properties"][key];
        let Some(values) = value.as_array().filter(|_| !takes_list(property)) else {
            continue;
        };
        match agents_of(&agents, key, values) {
            Ok(more) => agents = more,
            Err(message) => wrong.push(WrongList {
                key: key.clone(),
                message,
            }),
        }
    }
    if wrong.is_empty() {
        Ok(agents)
    } else {
        Err(wrong)
    }
}

/// Each agent with each value.
fn agents_of(
    agents: &[AgentEntry],
    key: &str,
    values: &[Value],
) -> Result<Vec<AgentEntry>, String> {
    let n_agents = agents.len().saturating_mul(values.len());
    if values.is_empty() {
        return Err("the list is empty, so no agent would play; write at least one value".into());
    }
    if n_agents > MAX_AGENTS {
        return Err(format!(
            "the lists make {n_agents} agents; the limit is {MAX_AGENTS}"
        ));
    }
    let with_value = |agent: &AgentEntry, value: &Value| {
        let word = match value {
            Value::String(word) => word.clone(),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            _ => return Err(no_name(&value.to_string())),
        };
        let name = format!("{}-{key}-{word}", agent.name);
        if !is_plain_name(&name) {
            return Err(no_name(&word));
        }
        let mut agent = AgentEntry {
            name,
            ..agent.clone()
        };
        agent.params.insert(key.to_owned(), value.clone());
        Ok(agent)
    };
    let pairs = agents
        .iter()
        .flat_map(|agent| values.iter().map(move |value| (agent, value)));
    pairs
        .map(|(agent, value)| with_value(agent, value))
        .collect()
}

fn no_name(value: &str) -> String {
    format!(
        "`{value}` cannot be a part of an agent's name; list each such agent by itself, with a `name`"
    )
}

/// Whether a list can be the value of a parameter with this schema.
fn takes_list(property: &Value) -> bool {
    let is_list = |kind: &Value| kind == "array";
    if let Some(kind) = property.get("type") {
        return is_list(kind)
            || kind
                .as_array()
                .is_some_and(|kinds| kinds.iter().any(is_list));
    }
    let mut choices = ["anyOf", "oneOf"].into_iter();
    if let Some(choices) = choices.find_map(|key| property[key].as_array()) {
        return choices.iter().any(takes_list);
    }
    // Without a type, everything is allowed that is not named one by one. An unknown parameter
    // is a mistake that is reported elsewhere.
    property.get("enum").is_none() && property.get("const").is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entry(params: Value) -> AgentEntry {
        let Value::Object(params) = params else {
            panic!("not an object");
        };
        AgentEntry {
            plugin: "mcts".to_owned(),
            program: Vec::new(),
            name: "mcts".to_owned(),
            params,
            allow_read: Vec::new(),
            submission: None,
            memory: None,
        }
    }

    fn schema() -> Value {
        json!({"properties": {
            "runs": {"type": ["integer", "null"]},
            "tree": {"type": "boolean"},
            "way": {"oneOf": [{"const": "left"}, {"const": "right"}]},
            "weights": {"type": "array"},
            "anything": {},
        }})
    }

    fn names(params: Value) -> Vec<String> {
        let agents = each_value(&entry(params), &schema()).unwrap();
        agents.into_iter().map(|agent| agent.name).collect()
    }

    #[test]
    fn a_list_is_an_agent_for_each_value() {
        assert_eq!(
            names(json!({"runs": [1, 10, 100]})),
            ["mcts-runs-1", "mcts-runs-10", "mcts-runs-100"]
        );
        assert_eq!(
            names(json!({"runs": [1, 10], "tree": [true, false], "way": ["left"]})),
            [
                "mcts-runs-1-tree-true-way-left",
                "mcts-runs-1-tree-false-way-left",
                "mcts-runs-10-tree-true-way-left",
                "mcts-runs-10-tree-false-way-left"
            ]
        );
        let agents = each_value(&entry(json!({"tree": false, "runs": [5]})), &schema()).unwrap();
        assert_eq!(json!(agents[0].params), json!({"tree": false, "runs": 5}));
    }

    #[test]
    fn a_parameter_that_takes_a_list_gets_it() {
        for params in [
            json!({}),
            json!({"weights": [1, 2]}),
            json!({"anything": [1, 2]}),
            json!({"unknown": [1, 2]}),
        ] {
            assert_eq!(names(params), ["mcts"]);
        }
    }

    #[test]
    fn a_list_that_gives_no_names_or_too_many_is_rejected() {
        let message = |params| {
            let mut wrong = each_value(&entry(params), &schema()).unwrap_err();
            wrong.remove(0).message
        };
        assert!(message(json!({"runs": []})).starts_with("the list is empty"));
        assert!(message(json!({"runs": [null]})).starts_with("`null` cannot be a part"));
        assert!(message(json!({"way": ["a b"]})).starts_with("`a b` cannot be a part"));
        assert!(message(json!({"way": ["x".repeat(99)]})).contains("cannot be a part"));
        let many: Vec<u32> = (0..40).collect();
        let expected = "the lists make 1600 agents; the limit is 1000";
        assert_eq!(message(json!({"runs": many, "tree": many})), expected);
    }
}
