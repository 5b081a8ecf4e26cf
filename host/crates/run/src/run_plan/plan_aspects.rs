//! What a plan says that its games depend on, value by value, to compare two plans.

use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::RunPlan;
use text::{
    hex::hex,
    plugin_words::word_or_quotation,
    strangers_words::{label_or_quotation, parameters_or_code},
};

use crate::salt_commitment::SaltCommitment;

/// A value of a plan. Plans may come from strangers, so each kind of value has its way to be
/// shown.
#[derive(Clone, Debug)]
pub struct Aspect {
    text: String,
    show: fn(&str) -> String,
}

impl Aspect {
    #[must_use]
    pub fn shown(&self) -> String {
        (self.show)(&self.text)
    }
}

impl PartialEq for Aspect {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

const HOST_VERSION: &str = "host version";
const SALT_COMMITMENT: &str = "commitment to the salt";
/// What the names of aspects of a single agent contain, before its name.
pub const OF_AGENT: &str = " of agent ";
/// Which agents play.
pub const AGENTS: &str = "agents";
/// The name of `rank_by` in a plan.
const RANKED_BY: &str = "ranked_by";

/// Everything that has to be equal, by name. Paths may differ between machines: a plugin
/// is identified by its hash.
#[must_use]
pub fn aspects(plan: &RunPlan) -> BTreeMap<String, Aspect> {
    let mut aspects = BTreeMap::new();
    let mut insert = |what: String, text: String, show: fn(&str) -> String| {
        aspects.insert(what, Aspect { text, show });
    };
    let unchanged: fn(&str) -> String = str::to_owned;
    let version = plan.host_version.clone();
    insert(HOST_VERSION.to_owned(), version, word_or_quotation);
    // A salt may still be secret; its commitment never is.
    let commitment = SaltCommitment::to(&plan.salt);
    let beginning = commitment.beginning();
    let beginning = format!("{beginning}…");
    insert(SALT_COMMITMENT.to_owned(), beginning, unchanged);
    // A plan leaves them out where they are not set.
    for key in ["private_seeds", "thoughts"] {
        insert(format!("`{key}`"), "none".to_owned(), unchanged);
    }
    let tournament = serde_json::to_value(&plan.tournament).unwrap_or_default();
    for (key, value) in tournament.as_object().into_iter().flatten() {
        // `workers` does not affect the games; agents are added below.
        if !["workers", "agents"].contains(&key.as_str()) {
            let key = match key.as_str() {
                RANKED_BY => "rank_by",
                key => key,
            };
            insert(format!("`{key}`"), as_text(value), unchanged);
        }
    }
    let names: Vec<&str> = plan.agents.iter().map(|e| e.name.as_str()).collect();
    insert(AGENTS.to_owned(), names.join(", "), unchanged);
    for agent in &plan.agents {
        let of = |what: &str| format!("{what}{OF_AGENT}{}", agent.name);
        insert(of("plugin file"), short_hash(&agent.sha256), unchanged);
        insert(of("parameters"), agent.params.clone(), parameters_or_code);
        let readable = agent.allow_read_sha256.as_deref();
        let readable = readable.map_or("nothing".to_owned(), short_hash);
        insert(of("contents of the readable files"), readable, unchanged);
        if let Some(program) = &agent.program {
            let runtime = program.runtime.clone();
            insert(of("runtime"), runtime, label_or_quotation);
            insert(of("command"), program.command.join(" "), label_or_quotation);
        }
    }
    for entry in &plan.tournament.agents {
        let of_all = || "that of the tournament".to_owned();
        let memory = entry.memory.map_or_else(of_all, |bytes| bytes.to_string());
        let what = format!("`memory`{OF_AGENT}{}", entry.name);
        insert(what, memory, unchanged);
        let paths: Vec<_> = entry.allow_read.iter().map(|p| p.display()).collect();
        let paths: Vec<String> = paths.iter().map(ToString::to_string).collect();
        let paths = match paths.as_slice() {
            [] => "nothing".to_owned(),
            paths => paths.join(", "),
        };
        let what = format!("`allow_read`{OF_AGENT}{}", entry.name);
        insert(what, paths, label_or_quotation);
    }
    aspects
}

/// A hash of everything that has to be equal, except for the host and the salt. The
/// fingerprints of records contain the salt.
#[must_use]
pub fn identity(plan: &RunPlan) -> String {
    let mut aspects = aspects(plan);
    for what in [HOST_VERSION, SALT_COMMITMENT] {
        aspects.remove(what);
    }
    let mut hash = Sha256::new();
    for (what, aspect) in aspects {
        for text in [what, aspect.text] {
            // No two lists of texts have the same bytes.
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
    }
    hex(&hash.finalize()[..16])
}

/// The names of limits that have changed between two plans of a run. They decide no game of an
/// agent that stays within them, so records are kept.
#[must_use]
pub fn changed_limits(earlier_plan: &RunPlan, plan: &RunPlan) -> Vec<String> {
    let limits = ["`memory`", "`sandbox`", "`isolation`"];
    let is_limit = |what: &String| limits.iter().any(|limit| what.starts_with(limit));
    let mut changed = changed_settings(earlier_plan, plan);
    changed.retain(is_limit);
    changed
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
    changed.map(|(what, _)| what.clone()).collect()
}

fn short_hash(sha256: &str) -> String {
    let beginning: String = sha256.chars().take(12).collect();
    format!("sha256 {beginning}…")
}

fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "none".to_owned(),
        other => other.to_string(),
    }
}
