//! A plan whose games are played again on this machine's terms.
//!
//! A run folder may come from a stranger. Its plan names files and says how far agents are
//! locked in, and neither is obeyed: agents run in sandboxed processes, and a plugin is the
//! file of its name in the folders that the user chose, if it has the hash that the plan
//! gives. The hash is compared before the file is opened as a library.

use std::sync::OnceLock;

use crate::{
    agents::{agent::Agent, plugin_finder::PluginFinder},
    run::run_plan::RunPlan,
    tournament::{AgentEntry, Isolation, Sandbox},
    worker::PluginFile,
};

/// The plan to play, and for each agent why it cannot play.
pub(super) struct OwnTerms {
    pub(super) plan: RunPlan,
    /// In the order of the agents.
    obstacles: Vec<Option<String>>,
}

impl OwnTerms {
    pub(super) fn new(plan: &RunPlan, finder: &PluginFinder) -> Self {
        let mut plan = plan.clone();
        plan.tournament.isolation = Isolation::Process;
        if plan.tournament.sandbox == Sandbox::Off {
            plan.tournament.sandbox = Sandbox::On;
        }
        let mut obstacles = Vec::new();
        for (agent, entry) in plan.agents.iter_mut().zip(&plan.tournament.agents) {
            let found = find(agent, entry, finder);
            obstacles.push(found.as_ref().err().cloned());
            if let Ok(file) = found {
                agent.path = file.path().to_path_buf();
                agent.sealed = OnceLock::from(file);
            }
        }
        Self { plan, obstacles }
    }

    /// Why an agent cannot play, if it cannot.
    pub(super) fn obstacle(&self, agent: usize) -> Option<&String> {
        self.obstacles[agent].as_ref()
    }
}

fn find(agent: &Agent, entry: &AgentEntry, finder: &PluginFinder) -> Result<PluginFile, String> {
    if !agent.allow_read.is_empty() && agent.allow_read_sha256.is_none() {
        return Err("the plan lets it read files without saying which content they had".to_owned());
    }
    // A path of the plan belongs to the machine that played.
    let name = entry.plugin.rsplit('/').next().unwrap_or_default();
    let path = finder
        .find(name, None)
        .map_err(|error| format!("{error}; name the folder of the plugin with --plugins"))?;
    let shown = path.display();
    let file = PluginFile::seal(&path).map_err(|error| format!("`{shown}` {error}"))?;
    match file.sha256() {
        Ok(hash) if hash == agent.sha256 => Ok(file),
        Ok(_) => Err(format!(
            "`{shown}` is not the file that played: its SHA-256 is not that of the plan; name the \
             folder of the right one with --plugins"
        )),
        Err(error) => Err(format!("`{shown}` cannot be read: {error}")),
    }
}
