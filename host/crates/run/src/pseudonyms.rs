//! Pseudonyms for the agents of a run, so that its report can be published without names.
//!
//! They are in a CSV file, which the host begins and a person may edit: one line per agent
//! with its name and its pseudonym. New agents get a new line; existing lines stay, so
//! an agent keeps its pseudonym from run to run. Plan and records get the pseudonyms when they
//! are read; the files of the run keep the names.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::OnceLock,
};

use plugin_api::{BoardRange, PluginInfo, Salt};
use sha2::{Digest, Sha256};

use super::{
    game_record::GameRecord,
    run_plan::{Agent, LeftOut, RunPlan},
};
use text::csv_table::csv_text;
use tournament::{AgentEntry, Tournament, is_plain_name, twin_name};
use worker::Abi;

use crate::agent::{Inspection, SHIPPED};

/// The hash of the plugin of an agent with a pseudonym, also in copies of runs that version 1.1
/// wrote.
const NO_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

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
    /// are no submissions and keep their names, unless the file gives them others.
    pub fn complete(&mut self, plan: &RunPlan, chance: &Salt) -> usize {
        let unnamed: BTreeSet<String> = participants(plan)
            .filter(|name| !self.of_name.contains_key(*name))
            .map(str::to_owned)
            .collect();
        let names = names_of(plan).map(str::to_owned);
        let taken: BTreeSet<String> = names.chain(self.of_name.values().cloned()).collect();
        let mut animals = ANIMALS;
        animals.sort_by_cached_key(|animal| Sha256::digest(format!("{chance} {animal}")).to_vec());
        let free = (1..)
            .flat_map(|round| animals.map(|animal| numbered(animal, round)))
            .filter(|name| !taken.contains(name));
        let n_new = unnamed.len();
        self.of_name.extend(unnamed.into_iter().zip(free));
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

    /// The plan with pseudonyms. What else it says of an agent with a pseudonym is left out.
    #[must_use]
    pub fn plan(&self, plan: &RunPlan) -> RunPlan {
        let shown = |name: &str| self.shown(name).into_owned();
        let tournament = &plan.tournament;
        let entries = tournament.agents.iter();
        let entries = entries.map(|entry| match shown(&entry.name) {
            name if name == entry.name => entry.clone(),
            name => entry_called(name),
        });
        let agents = plan.agents.iter();
        let agents = agents.map(|agent| match shown(&agent.name) {
            name if name == agent.name => agent.clone(),
            name => agent_called(name),
        });
        let left_out = plan.left_out.iter();
        let left_out = left_out.map(|left_out| match shown(&left_out.name) {
            name if name == left_out.name => left_out.clone(),
            name => LeftOut {
                file: name.clone(),
                name,
                reason: "could not be loaded".to_owned(),
            },
        });
        RunPlan {
            tournament: Tournament {
                agents: entries.collect(),
                control: tournament.control.as_deref().map(shown),
                ..tournament.clone()
            },
            agents: agents.collect(),
            left_out: left_out.collect(),
            ..plan.clone()
        }
    }

    /// Renames the agent of a record. The words of its fault may name its author.
    pub fn rename(&self, record: &mut GameRecord) {
        let shown = self.shown(&record.agent);
        if shown != record.agent {
            record.agent = shown.into_owned();
            let sentence = record.ending.sentence();
            record.fault = record.fault.take().map(|_| sentence.to_owned());
        }
    }
}

impl RunPlan {
    /// Whether agents have pseudonyms, so their plugins are not known.
    #[must_use]
    pub fn has_pseudonyms(&self) -> bool {
        self.agents.iter().any(Agent::has_pseudonym)
    }
}

impl Agent {
    /// Whether the name is a pseudonym, so the plugin is not known.
    #[must_use]
    pub fn has_pseudonym(&self) -> bool {
        self.sha256 == NO_HASH
    }
}

fn entry_called(name: String) -> AgentEntry {
    AgentEntry {
        plugin: name.clone(),
        name,
        params: serde_json::Map::new(),
        allow_read: Vec::new(),
        submission: None,
        program: Vec::new(),
        memory: None,
    }
}

fn agent_called(name: String) -> Agent {
    let info = PluginInfo {
        api: String::new(),
        name: name.clone(),
        version: String::new(),
        author: String::new(),
        description: String::new(),
        boards: BoardRange::default(),
        honours: Vec::new(),
        extensions: Vec::new(),
        files: Vec::new(),
        unoptimised: false,
        params: serde_json::Value::Null,
    };
    Agent {
        path: PathBuf::from(&name),
        name,
        sha256: NO_HASH.to_owned(),
        plugin: Inspection {
            info,
            abi: Abi::Text,
        },
        params: "{}".to_owned(),
        allow_read: Vec::new(),
        allow_read_sha256: None,
        sealed: OnceLock::new(),
        file: None,
        program: None,
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

/// The participants of a contest, also those left out: a published report does not have their
/// names.
pub fn participants(plan: &RunPlan) -> impl Iterator<Item = &str> {
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
    use crate::{
        example::{plan, record},
        game_record::Ending,
    };

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
        let hidden: Vec<&str> = participants(&plan).collect();
        assert_eq!(hidden, ["anna", "bert", "carl"]);
    }

    #[test]
    fn nothing_in_plan_and_record_tells_a_name() {
        let mut plan = contest(&["greedy", "anna"]);
        plan.agents[1].plugin.info.author = "Anna A.".into();
        plan.agents[1].path = "/submissions/anna.so".into();
        plan.left_out.push(LeftOut {
            file: "bert.zip".into(),
            name: "bert".into(),
            reason: "is an archive of bert".into(),
        });
        let pseudonyms = Pseudonyms::parse("anna,zebra\nbert,elk\n").unwrap();
        let shown = pseudonyms.plan(&plan);
        assert!(shown.has_pseudonyms() && !shown.agents[0].has_pseudonym());
        assert_eq!(shown.agents[1].name, "zebra");
        let mut faulty = GameRecord {
            ending: Ending::Panic,
            fault: Some("panicked in anna.rs".into()),
            ..record("anna", 1, 100)
        };
        pseudonyms.rename(&mut faulty);
        let plan = serde_json::to_string(&shown).unwrap();
        let record = serde_json::to_string(&faulty).unwrap();
        for text in [plan, record] {
            let text = text.to_lowercase();
            assert!(!text.contains("anna") && !text.contains("bert"), "{text}");
        }
        // Without pseudonyms all stays as it is.
        assert_eq!(
            Pseudonyms::default().plan(&contest(&["anna"])),
            contest(&["anna"])
        );
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
