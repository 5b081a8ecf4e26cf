//! The second entry of a control, which only a plan has.

use crate::{
    agents::agent::Agent,
    tournament::{AgentEntry, Tournament, twin_name},
};

/// Enters the control agent a second time. Its new name gives it a different random seed.
pub(super) fn add_twin(tournament: &mut Tournament, agents: &mut Vec<Agent>) {
    let Some(control) = &tournament.control else {
        return;
    };
    let name = twin_name(control);
    let entry = tournament
        .agents
        .iter()
        .find(|agent| agent.name == *control);
    let agent = agents.iter().find(|agent| agent.name == *control);
    if let (Some(entry), Some(agent)) = (entry.cloned(), agent.cloned()) {
        tournament.agents.push(AgentEntry {
            name: name.clone(),
            ..entry
        });
        agents.push(Agent { name, ..agent });
    }
}
