//! Pseudonyms for the agents of a run, so that a ranking can be published without names.
//!
//! They are in a CSV file, which the host begins and a person may edit: one line per agent
//! with its name and its pseudonym. New agents get a new line; existing lines stay, so that
//! an agent keeps its pseudonym from run to run.

mod disguised_plan;
mod disguised_run;
mod level_wall_times;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use plugin_api::Salt;
use sha2::{Digest, Sha256};

use super::run_plan::RunPlan;
use crate::{
    agents::plugin_finder::SHIPPED,
    text::csv_table::csv_text,
    tournament::{AgentEntry, is_plain_name, twin_name},
};

pub use disguised_run::{DisguiseError, DisguisedRun};

const HEADER: [&str; 2] = ["name", "pseudonym"];

/// What agents are called by default, in an order that chance decides.
const ANIMALS: [&str; 64] = [
    "albatross",
    "alpaca",
    "badger",
    "beaver",
    "bison",
    "bobcat",
    "camel",
    "caribou",
    "cheetah",
    "chipmunk",
    "cormorant",
    "coyote",
    "crane",
    "dingo",
    "dolphin",
    "dormouse",
    "eagle",
    "egret",
    "falcon",
    "ferret",
    "finch",
    "fox",
    "gazelle",
    "gecko",
    "gibbon",
    "hamster",
    "hare",
    "hedgehog",
    "heron",
    "hippo",
    "ibex",
    "iguana",
    "jackal",
    "jaguar",
    "kestrel",
    "koala",
    "lemur",
    "leopard",
    "llama",
    "lynx",
    "magpie",
    "marmot",
    "meerkat",
    "moose",
    "narwhal",
    "newt",
    "ocelot",
    "octopus",
    "otter",
    "panda",
    "pelican",
    "penguin",
    "puffin",
    "quail",
    "raccoon",
    "raven",
    "seal",
    "squirrel",
    "stork",
    "tapir",
    "toucan",
    "walrus",
    "wombat",
    "zebra",
];

/// The pseudonyms of agents, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pseudonyms {
    of_name: BTreeMap<String, String>,
}

impl Pseudonyms {
    /// Reads a file of pseudonyms.
    ///
    /// # Errors
    /// What is wrong with it, with the number of the line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut of_name = BTreeMap::new();
        let mut taken = BTreeSet::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') || line == HEADER.join(",") {
                continue;
            }
            let wrong = |what: String| Err(format!("line {number}: {what}"));
            let Some((name, pseudonym)) = line.split_once(',') else {
                return wrong("expected a name, a comma and a pseudonym".to_owned());
            };
            let (name, pseudonym) = (name.trim().to_owned(), pseudonym.trim().to_owned());
            if let Some(text) = [&name, &pseudonym].into_iter().find(|n| !is_plain_name(n)) {
                return wrong(format!("`{text}` cannot be the name of an agent"));
            }
            if !taken.insert(pseudonym.clone()) {
                return wrong(format!(
                    "`{pseudonym}` is already the pseudonym of another agent"
                ));
            }
            if of_name.insert(name.clone(), pseudonym).is_some() {
                return wrong(format!("`{name}` has a pseudonym already"));
            }
        }
        Ok(Self { of_name })
    }

    /// The text of the file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let lines = self.of_name.iter();
        csv_text(HEADER, lines.map(|(name, other)| [name.as_str(), other]))
    }

    /// Gives the agents and the left-out submissions of a plan pseudonyms, as far as they
    /// have none; returns how many got one. Plugins that come with the host, such as `greedy`,
    /// are nobody's submission and keep their names, unless the file gives them others.
    pub fn complete(&mut self, plan: &RunPlan, chance: &Salt) -> usize {
        let mut free: Vec<String> = (1..=plan.agents.len() + plan.left_out.len())
            .flat_map(|round| ANIMALS.map(|animal| numbered(animal, round)))
            .take(plan.agents.len() + plan.left_out.len() + ANIMALS.len() + self.of_name.len())
            .collect();
        let names: BTreeSet<&str> = names_of(plan).collect();
        let is_taken = |name: &String| {
            names.contains(name.as_str()) || self.of_name.values().any(|other| other == name)
        };
        free.retain(|name| !is_taken(name));
        let drawn = |name: &String| Sha256::digest(format!("{chance} {name}")).to_vec();
        free.sort_unstable_by_key(|name| (name.contains('-'), drawn(name)));
        let hidden: BTreeSet<String> = hidden_names(plan)
            .filter(|name| !self.of_name.contains_key(*name))
            .map(str::to_owned)
            .collect();
        // Nor may a number tell that a name is one of the last in the alphabet.
        free.truncate(hidden.len());
        free.sort_unstable_by_key(drawn);
        let n_new = hidden.len();
        self.of_name.extend(hidden.into_iter().zip(free));
        n_new
    }

    /// What an agent is called. The second entry of a control is called like the first.
    #[must_use]
    pub fn shown<'n>(&'n self, name: &'n str) -> Cow<'n, str> {
        if let Some(pseudonym) = self.of_name.get(name) {
            return pseudonym.into();
        }
        let first = self
            .of_name
            .iter()
            .find(|(first, _)| twin_name(first) == name);
        first.map_or(name.into(), |(_, pseudonym)| twin_name(pseudonym).into())
    }

    /// Whether two agents of a plan would be called the same.
    ///
    /// # Errors
    /// With the name.
    pub fn check(&self, plan: &RunPlan) -> Result<(), String> {
        let mut seen = BTreeSet::new();
        match names_of(plan).find(|name| !seen.insert(self.shown(name).into_owned())) {
            Some(name) => Err(format!(
                "`{}` would be the name of two agents; change one of the pseudonyms",
                self.shown(name)
            )),
            None => Ok(()),
        }
    }
}

fn numbered(animal: &str, round: usize) -> String {
    match round {
        1 => animal.to_owned(),
        round => format!("{animal}-{round}"),
    }
}

fn names_of(plan: &RunPlan) -> impl Iterator<Item = &str> {
    let agents = plan.agents.iter().map(|agent| agent.name.as_str());
    agents.chain(plan.left_out.iter().map(|left_out| left_out.name.as_str()))
}

/// The names that are nobody else's business.
fn hidden_names(plan: &RunPlan) -> impl Iterator<Item = &str> {
    let twin = plan.tournament.control.as_deref().map(twin_name);
    let is_hidden = move |entry: &&AgentEntry| {
        let is_shipped = entry.submission.is_none()
            && entry.program.is_empty()
            && entry.name == entry.plugin
            && SHIPPED.contains(&entry.plugin.as_str());
        !is_shipped && Some(&entry.name) != twin.as_ref()
    };
    let entries = plan.tournament.agents.iter().filter(is_hidden);
    let left_out = plan.left_out.iter().map(|left_out| left_out.name.as_str());
    entries.map(|entry| entry.name.as_str()).chain(left_out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::example::plan;

    fn contest(names: &[&str]) -> RunPlan {
        let mut plan = plan(4, names);
        for entry in &mut plan.tournament.agents {
            entry.plugin.clone_from(&entry.name);
        }
        for entry in &mut plan.tournament.agents[1..] {
            entry.submission = Some(format!("{}.so", entry.name));
        }
        plan
    }

    #[test]
    fn every_submission_gets_a_pseudonym_and_keeps_it() {
        let chance = Salt::from_bytes([7; Salt::N_BYTES]);
        let mut pseudonyms = Pseudonyms::default();
        let n_new = pseudonyms.complete(&contest(&["greedy", "anna", "otter"]), &chance);
        assert_eq!((n_new, &*pseudonyms.shown("greedy")), (2, "greedy"));
        let anna = pseudonyms.shown("anna").into_owned();
        assert!(ANIMALS.contains(&&*anna) && anna != "otter");
        assert_eq!(pseudonyms.shown("anna-twin"), format!("{anna}-twin"));
        let names: Vec<String> = (0..200).map(|number| format!("student{number}")).collect();
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        names.extend(["anna"]);
        let many = contest(&names);
        assert_eq!(pseudonyms.complete(&many, &chance), 200);
        assert_eq!(pseudonyms.shown("anna"), anna);
        assert_eq!(pseudonyms.check(&many), Ok(()));
        // Whose name is late in the alphabet is not told by a number.
        let is_numbered = |name: &&&str| pseudonyms.shown(name).contains('-');
        let n_numbered = names[..60].iter().filter(is_numbered).count();
        assert!((10..=60).contains(&n_numbered), "{n_numbered}");
        assert_eq!(Pseudonyms::parse(&pseudonyms.to_text()), Ok(pseudonyms));
    }

    #[test]
    fn only_plugins_of_the_host_under_their_own_names_keep_them() {
        let mut plan = plan(4, &["greedy", "random", "anna", "bert", "carl"]);
        let entries = &mut plan.tournament.agents;
        entries[0].plugin = "greedy".into();
        entries[1].plugin = "random".into();
        // A student's parameters for such a plugin, a file that is found by its name, a command.
        entries[2].plugin = "expectimax".into();
        entries[3].plugin = "bert".into();
        entries[4].program = vec!["python3".into(), "carl.py".into()];
        let hidden: Vec<&str> = hidden_names(&plan).collect();
        assert_eq!(hidden, ["anna", "bert", "carl"]);
    }

    #[test]
    fn mistakes_in_the_file_are_named_with_their_line() {
        for (text, expected) in [
            ("name,pseudonym\nanna", "line 2: expected a name"),
            ("anna,the fox", "line 1: `the fox` cannot be"),
            ("anna,fox\nbert,fox", "line 2: `fox` is already"),
            ("anna,fox\nanna,elk", "line 2: `anna` has a pseudonym"),
        ] {
            let error = Pseudonyms::parse(text).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
        let pseudonyms = Pseudonyms::parse("# ours\n anna , bert \n").unwrap();
        let clash = pseudonyms.check(&contest(&["greedy", "anna", "bert"]));
        assert!(
            clash
                .unwrap_err()
                .contains("`bert` would be the name of two")
        );
    }
}
