//! The plan of a run with pseudonyms in place of names.
//!
//! Nothing about an agent is left in it but its pseudonym: not even how it was built or which
//! boards it supports, because a class knows who writes in which language.

use std::{path::PathBuf, sync::OnceLock};

use plugin_api::{BoardRange, PluginInfo};

use super::Pseudonyms;
use crate::{
    agents::inspection::Inspection,
    run::{
        machine::PlayedOn,
        run_plan::{Agent, LeftOut, RunPlan},
    },
    tournament::{AgentEntry, Tournament},
    worker::Abi,
};

/// The hash of a plugin that is not to be recognized.
const HIDDEN_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

impl RunPlan {
    /// Whether agents have pseudonyms, so that their plugins are not known.
    #[must_use]
    pub fn is_disguised(&self) -> bool {
        self.agents.iter().any(Agent::is_disguised)
    }
}

impl Agent {
    /// Whether the plugin is not to be recognized.
    #[must_use]
    pub fn is_disguised(&self) -> bool {
        self.sha256 == HIDDEN_HASH
    }
}

pub(super) fn disguised_plan(plan: &RunPlan, pseudonyms: &Pseudonyms) -> RunPlan {
    let shown = |name: &str| pseudonyms.shown(name).into_owned();
    let tournament = &plan.tournament;
    let mut both: Vec<(AgentEntry, Agent)> = (tournament.agents.iter().zip(&plan.agents))
        .map(|(entry, agent)| {
            let name = shown(&agent.name);
            if name == agent.name {
                (entry.clone(), agent.clone())
            } else {
                (disguised_entry(&name), disguised_agent(&name))
            }
        })
        .collect();
    // The order of the files would tell the names.
    both.sort_unstable_by(|(a, _), (b, _)| a.name.cmp(&b.name));
    let (entries, agents) = both.into_iter().unzip();
    let mut left_out: Vec<LeftOut> = (plan.left_out.iter())
        .map(|left_out| LeftOut {
            file: shown(&left_out.name),
            name: shown(&left_out.name),
            reason: "could not be loaded".to_owned(),
        })
        .collect();
    left_out.sort_unstable();
    RunPlan {
        tournament: Tournament {
            agents: entries,
            control: tournament.control.as_deref().map(shown),
            ..tournament.clone()
        },
        agents,
        left_out,
        machines: (plan.machines.iter())
            .map(|played_on| PlayedOn {
                // Which games a shard had depends on the order of the names.
                shard: None,
                machine: played_on.machine.clone(),
            })
            .collect(),
        ..plan.clone()
    }
}

fn disguised_entry(name: &str) -> AgentEntry {
    AgentEntry {
        plugin: name.to_owned(),
        name: name.to_owned(),
        params: serde_json::Map::new(),
        allow_read: Vec::new(),
        submission: None,
        program: Vec::new(),
        memory: None,
    }
}

fn disguised_agent(name: &str) -> Agent {
    let info = PluginInfo {
        api: String::new(),
        name: name.to_owned(),
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
        name: name.to_owned(),
        path: PathBuf::from(name),
        sha256: HIDDEN_HASH.to_owned(),
        // The same for everyone, whatever it is.
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
