//! Whether runs are parts of the same run: equal tournament, plugins, salt and host.

use std::{collections::BTreeMap, fmt, path::PathBuf};

use crate::run_plan::{
    RunPlan,
    plan_aspects::{Aspect, aspects},
};
use text::listing::first_listed;

/// How many folders are named for one value.
const MOST_NAMED: usize = 3;

/// A run that contains a part of the games.
#[derive(Clone, Debug)]
pub struct Part {
    pub folder: PathBuf,
    pub plan: RunPlan,
}

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
            let shown = |(value, folders): (Aspect, _)| (value.shown(), folders);
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
            let folders = folders.iter().map(|folder| format!("`{folder}`"));
            write!(f, "{comma}{value} in {}", first_listed(folders, MOST_NAMED))?;
        }
        Ok(())
    }
}
