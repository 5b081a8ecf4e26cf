//! Whether runs are parts of the same run: equal tournament, plugins, salt and host.

use std::{collections::BTreeMap, fmt};

use serde_json::Value;

use super::Part;
use crate::{
    run::{run_plan::RunPlan, salt_commitment::SaltCommitment},
    text::{
        plugin_words::word_or_quotation,
        strangers_words::{label_or_quotation, parameters_or_code},
    },
    tournament::Budget,
};

/// How many folders are named for one value.
const MOST_NAMED: usize = 3;

/// A value in which the plans of parts differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    what: String,
    /// The values found, each with its folders.
    values: Vec<(String, Vec<String>)>,
}

/// All differences that prevent runs from being merged.
#[must_use]
pub fn disagreements(parts: &[Part]) -> Vec<Disagreement> {
    let aspects_of_parts: Vec<BTreeMap<String, Aspect>> =
        parts.iter().map(|part| aspects(&part.plan)).collect();
    let mut names: Vec<&String> = aspects_of_parts.iter().flat_map(BTreeMap::keys).collect();
    names.sort_unstable();
    names.dedup();
    let mut found: Vec<Disagreement> = names
        .into_iter()
        // What only some plans contain belongs to agents that only they have; the
        // different lists of agents are reported.
        .filter(|name| {
            aspects_of_parts
                .iter()
                .all(|aspects| aspects.contains_key(*name))
        })
        .filter_map(|name| {
            let mut values: Vec<(Aspect, Vec<String>)> = Vec::new();
            for (aspects, part) in aspects_of_parts.iter().zip(parts) {
                let value = &aspects[name];
                let folder = part.folder.display().to_string();
                match values.iter_mut().find(|(known, _)| known == value) {
                    Some((_, folders)) => folders.push(folder),
                    None => values.push((value.clone(), vec![folder])),
                }
            }
            let shown = |(value, folders): (Aspect, _)| ((value.shown)(&value.text), folders);
            (values.len() > 1).then(|| Disagreement {
                what: name.clone(),
                values: values.into_iter().map(shown).collect(),
            })
        })
        .collect();
    found.extend(numbers_of_shards(parts));
    found.extend(shards_given_twice(parts));
    found
}

/// The names of what has changed between two plans of a run.
#[must_use]
pub fn changed_settings(earlier_plan: &RunPlan, plan: &RunPlan) -> Vec<String> {
    let (earlier, mut now) = (aspects(earlier_plan), aspects(plan));
    // Games do not depend on it.
    now.remove(HOST_VERSION);
    let has_changed = |(what, value): &(&String, &Aspect)| {
        let before = earlier.get(*what);
        before.is_some_and(|before| before != *value)
    };
    let changed = now.iter().filter(has_changed);
    let mut changed: Vec<String> = changed.map(|(what, _)| what.clone()).collect();
    // The labels of budgets do not show all that is set.
    let budget = "`budget`".to_owned();
    if earlier_plan.tournament.budgets != plan.tournament.budgets && !changed.contains(&budget) {
        changed.push(budget);
    }
    changed
}

/// A value of a plan. Plans may come from strangers, so each kind of value has its way to be
/// shown.
#[derive(Clone)]
struct Aspect {
    text: String,
    shown: fn(&str) -> String,
}

impl PartialEq for Aspect {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

const HOST_VERSION: &str = "host version";

/// Everything that has to be equal, by name. Paths may differ between machines: a plugin
/// is identified by its hash.
fn aspects(plan: &RunPlan) -> BTreeMap<String, Aspect> {
    let mut aspects = BTreeMap::new();
    let mut insert = |what: String, text: String, shown: fn(&str) -> String| {
        aspects.insert(what, Aspect { text, shown });
    };
    let unchanged: fn(&str) -> String = str::to_owned;
    let version = plan.host_version.clone();
    insert(HOST_VERSION.to_owned(), version, word_or_quotation);
    // A salt may still be secret; its commitment never is.
    let commitment = SaltCommitment::to(&plan.salt);
    let beginning = commitment.beginning();
    let beginning = format!("{beginning}…");
    insert("commitment to the salt".to_owned(), beginning, unchanged);
    let tournament = serde_json::to_value(&plan.tournament).unwrap_or_default();
    for (key, value) in tournament.as_object().into_iter().flatten() {
        // `workers` does not affect the games; the other two are added below.
        if !["workers", "agents", "budget"].contains(&key.as_str()) {
            insert(format!("`{key}`"), as_text(value), unchanged);
        }
    }
    let budgets: Vec<String> = plan.tournament.budgets.iter().map(Budget::label).collect();
    insert("`budget`".to_owned(), budgets.join(", "), unchanged);
    let names: Vec<&str> = plan.agents.iter().map(|e| e.name.as_str()).collect();
    insert("agents".to_owned(), names.join(", "), unchanged);
    for agent in &plan.agents {
        let hash: String = agent.sha256.chars().take(12).collect();
        let of = |what: &str| format!("{what} of agent {}", agent.name);
        insert(of("plugin file"), format!("sha256 {hash}…"), unchanged);
        insert(of("parameters"), agent.params.clone(), parameters_or_code);
    }
    for entry in &plan.tournament.agents {
        let paths: Vec<_> = entry.allow_read.iter().map(|p| p.display()).collect();
        let paths: Vec<String> = paths.iter().map(ToString::to_string).collect();
        let paths = match paths.as_slice() {
            [] => "nothing".to_owned(),
            paths => paths.join(", "),
        };
        let what = format!("`allow_read` of agent {}", entry.name);
        insert(what, paths, label_or_quotation);
    }
    aspects
}

fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "none".to_owned(),
        other => other.to_string(),
    }
}

/// Parts that are whole runs, such as an earlier merge, fit any number of shards.
fn numbers_of_shards(parts: &[Part]) -> Option<Disagreement> {
    let mut values: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for part in parts {
        if let Some(shard) = part.plan.shard {
            let folders = values.entry(shard.of().get()).or_default();
            folders.push(part.folder.display().to_string());
        }
    }
    (values.len() > 1).then(|| Disagreement {
        what: "number of shards".to_owned(),
        values: values
            .into_iter()
            .map(|(of, folders)| (of.to_string(), folders))
            .collect(),
    })
}

fn shards_given_twice(parts: &[Part]) -> Vec<Disagreement> {
    let mut folders_of_shards = BTreeMap::new();
    for part in parts {
        if let Some(shard) = part.plan.shard {
            let folders: &mut Vec<String> = folders_of_shards.entry(shard).or_default();
            folders.push(part.folder.display().to_string());
        }
    }
    folders_of_shards
        .into_iter()
        .filter(|(_, folders)| folders.len() > 1)
        .map(|(shard, folders)| Disagreement {
            what: "a shard given twice".to_owned(),
            values: vec![(shard.to_string(), folders)],
        })
        .collect()
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.what)?;
        for (index, (value, folders)) in self.values.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            let named: Vec<String> = folders
                .iter()
                .take(MOST_NAMED)
                .map(|folder| format!("`{folder}`"))
                .collect();
            write!(f, "{comma}{value} in {}", named.join(" and "))?;
            if folders.len() > MOST_NAMED {
                write!(f, " and {} more", folders.len() - MOST_NAMED)?;
            }
        }
        Ok(())
    }
}
