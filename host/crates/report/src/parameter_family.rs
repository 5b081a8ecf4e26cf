//! Agents that differ in one number only, such as the number of play-outs.

use serde_json::{Map, Value};

use run::run_plan::RunPlan;
use tournament::is_plain_name;

/// With fewer values there is no curve.
const FEWEST_VALUES: usize = 3;

/// A parameter, and the families of agents that differ in it.
#[derive(Debug, PartialEq)]
pub(crate) struct SweptParameter {
    pub(crate) key: String,
    pub(crate) families: Vec<ParameterFamily>,
}

/// Agents that have the same plugin and the same parameters, except one number.
#[derive(Debug, PartialEq)]
pub(crate) struct ParameterFamily {
    pub(crate) name: String,
    /// Each value with the number of its agent in the plan; ascending.
    pub(crate) members: Vec<(f64, usize)>,
}

impl SweptParameter {
    /// The values of all families, ascending, each once.
    pub(crate) fn values(&self) -> Vec<f64> {
        let members = self.families.iter().flat_map(|family| &family.members);
        let mut values: Vec<f64> = members.map(|(value, _)| *value).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    }
}

/// What the members of a family have in common.
#[derive(PartialEq)]
struct Common<'p> {
    sha256: &'p str,
    command: &'p [String],
    key: String,
    other_params: Map<String, Value>,
}

/// The parameters in which agents of a plan differ. Parameters would tell which agent a pseudonym
/// stands for.
pub(crate) fn swept_parameters(plan: &RunPlan) -> Vec<SweptParameter> {
    if plan.has_pseudonyms() {
        return Vec::new();
    }
    let mut families: Vec<(Common, Vec<(f64, usize)>)> = Vec::new();
    for (number, agent) in plan.agents.iter().enumerate() {
        let params: Map<String, Value> = serde_json::from_str(&agent.params).unwrap_or_default();
        // The name of a parameter becomes a part of the name of a file.
        let numbers = params.iter().filter(|(key, _)| is_plain_name(key));
        let numbers = numbers.filter_map(|(key, value)| Some((key, value.as_f64()?)));
        for (key, value) in numbers {
            let mut other_params = params.clone();
            other_params.remove(key);
            let common = Common {
                sha256: &agent.sha256,
                command: agent
                    .program
                    .as_ref()
                    .map_or(&[], |program| &program.command),
                key: key.clone(),
                other_params,
            };
            match families.iter_mut().find(|(known, _)| *known == common) {
                Some((_, members)) => members.push((value, number)),
                None => families.push((common, vec![(value, number)])),
            }
        }
    }
    let mut swept: Vec<SweptParameter> = Vec::new();
    for (Common { key, .. }, mut members) in families {
        members.sort_by(|one, other| one.0.total_cmp(&other.0));
        members.dedup_by_key(|member| member.0);
        if members.len() < FEWEST_VALUES {
            continue;
        }
        let family = ParameterFamily {
            name: family_name(plan, &key, &members),
            members,
        };
        match swept.iter_mut().find(|parameter| parameter.key == key) {
            Some(parameter) => parameter.families.push(family),
            None => swept.push(SweptParameter {
                key,
                families: vec![family],
            }),
        }
    }
    swept
}

/// The name of an agent without the value, as a list of values gives it; otherwise that of the
/// first agent.
fn family_name(plan: &RunPlan, key: &str, members: &[(f64, usize)]) -> String {
    let name_of = |(value, agent): (f64, usize)| {
        let name = &plan.agents[agent].name;
        let part = format!("-{key}-{value}");
        let (start, end) = name.split_once(&part)?;
        (end.is_empty() || end.starts_with('-')).then(|| format!("{start}{end}"))
    };
    let first = &plan.agents[members[0].1].name;
    let names: Option<Vec<String>> = members.iter().copied().map(name_of).collect();
    match names {
        Some(names) if names.iter().all(|name| *name == names[0]) => names[0].clone(),
        _ => format!("{first} …"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::plan;

    /// A parameter, the name of a family, and its members.
    type Found = (String, String, Vec<(f64, usize)>);

    /// The families of agents of one plugin with these names and parameters.
    fn swept(agents: &[(&str, &str)]) -> Vec<Found> {
        let names: Vec<&str> = agents.iter().map(|(name, _)| *name).collect();
        let mut plan = plan(&names);
        for (agent, (_, params)) in plan.agents.iter_mut().zip(agents) {
            agent.sha256 = "1".repeat(64);
            agent.params = (*params).to_owned();
        }
        let families = swept_parameters(&plan).into_iter().flat_map(|swept| {
            let key = swept.key;
            let families = swept.families.into_iter();
            families.map(move |family| (key.clone(), family.name, family.members))
        });
        families.collect()
    }

    #[test]
    fn three_agents_that_differ_in_a_number_are_a_family() {
        let agents = [
            ("mcts-runs-10", r#"{"runs":10}"#),
            ("mcts-runs-1", r#"{"runs":1}"#),
            ("mcts", "{}"),
            ("mcts-runs-100", r#"{"runs":100}"#),
        ];
        let members = vec![(1.0, 1), (10.0, 0), (100.0, 3)];
        let expected = ("runs".to_owned(), "mcts".to_owned(), members);
        assert_eq!(swept(&agents), [expected]);
        assert_eq!(swept(&agents[..3]), []);
    }

    #[test]
    fn other_parameters_tell_families_apart() {
        let agents = ["a", "b"].into_iter().flat_map(|way| {
            [1, 2, 3].map(|depth| {
                let name = format!("x-depth-{depth}-way-{way}");
                (name, format!(r#"{{"depth":{depth},"way":"{way}"}}"#))
            })
        });
        let agents: Vec<(String, String)> = agents.collect();
        let agents: Vec<(&str, &str)> = agents.iter().map(|(a, b)| (&**a, &**b)).collect();
        let names: Vec<String> = swept(&agents).into_iter().map(|found| found.1).collect();
        assert_eq!(names, ["x-way-a", "x-way-b"]);
    }

    #[test]
    fn agents_with_names_of_their_own_are_a_family_too() {
        let agents = [
            ("d2", r#"{"depth":2}"#),
            ("d3", r#"{"depth":3}"#),
            ("d4", r#"{"depth":4}"#),
        ];
        assert_eq!(swept(&agents)[0].1, "d2 …");
    }
}
