//! Whether a plan is as valid as one that this host would write.
//!
//! Whoever reads a plan relies on it: the agents of plan and tournament are the same, names
//! can be parts of file names, and the games can be counted. What a tournament file must
//! satisfy is checked by the same code as there.

use plugin_api::Salt;

use crate::{
    agents::agent::Agent,
    text::hex::is_hex,
    tournament::{SaltChoice, Tournament, file::check_resolved, twin_name},
};

/// The number of hexadecimal digits of a SHA-256.
const HASH_DIGITS: usize = 64;

/// Says what is wrong with the tournament, the agents and the published salt of a plan.
pub(super) fn check(
    tournament: &Tournament,
    entered: &[Agent],
    published_salt: Option<Salt>,
) -> Result<(), String> {
    check_resolved(&without_twin(tournament))?;
    let planned = &tournament.agents;
    if entered.len() != planned.len() {
        return Err(format!(
            "the tournament has {} agents, but `entrants` has {}",
            planned.len(),
            entered.len()
        ));
    }
    for (agent, entry) in entered.iter().zip(planned) {
        if agent.name != entry.name {
            return Err(format!(
                "`entrants` has {:?} in the place of agent {:?}",
                agent.name, entry.name
            ));
        }
        let hashes = [Some(&agent.sha256), agent.allow_read_sha256.as_ref()];
        if !(hashes.into_iter().flatten()).all(|hash| is_hex(hash, HASH_DIGITS)) {
            let name = &agent.name;
            return Err(format!("`entrants` has an invalid SHA-256 for {name:?}"));
        }
    }
    match (tournament.salt, published_salt) {
        (SaltChoice::Secret, _) => Ok(()),
        (SaltChoice::None, Some(salt)) if salt.is_none() => Ok(()),
        (SaltChoice::Given(given), Some(salt)) if salt == given => Ok(()),
        _ => Err("the salt is not that of the tournament".to_owned()),
    }
}

/// The tournament as its file describes it: the plan adds a second series of the control.
fn without_twin(tournament: &Tournament) -> Tournament {
    let mut tournament = tournament.clone();
    if let Some(control) = &tournament.control {
        let twin = twin_name(control);
        tournament.agents.retain(|agent| agent.name != twin);
    }
    tournament
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{example::plan, run_plan::RunPlan};

    /// Changes a valid plan and expects this sentence.
    #[track_caller]
    fn check_changed(change: impl FnOnce(&mut RunPlan), expected: &str) {
        let mut plan = plan(4, &["a", "b"]);
        let checked = |plan: &RunPlan| check(&plan.tournament, &plan.agents, plan.published_salt);
        assert_eq!(checked(&plan), Ok(()));
        change(&mut plan);
        let sentence = checked(&plan).unwrap_err();
        assert!(sentence.contains(expected), "{sentence}");
    }

    #[test]
    fn what_a_tournament_file_may_not_say_a_plan_may_not_say_either() {
        check_changed(
            |plan| plan.tournament.seeds = "0..9007199254740991".parse().unwrap(),
            "more than the limit of 100000000",
        );
        check_changed(
            |plan| plan.tournament.name = "../x".into(),
            "not a valid name",
        );
        check_changed(|plan| plan.tournament.budgets.clear(), "budgets");
        check_changed(|plan| plan.tournament.agents.clear(), "agents");
        check_changed(|plan| plan.tournament.memory = 7, "7 bytes are not enough");
        check_changed(
            |plan| plan.tournament.goal = Some(3),
            "`3` is not a valid goal",
        );
        check_changed(
            |plan| plan.tournament.agents[1].name = "a".into(),
            "two agents are named `a`",
        );
        check_changed(
            |plan| plan.tournament.control = Some("c".into()),
            "unknown agent `c`",
        );
    }

    #[test]
    fn entrants_are_the_agents_of_the_tournament() {
        check_changed(
            |plan| drop(plan.agents.pop()),
            "2 agents, but `entrants` has 1",
        );
        check_changed(|plan| plan.agents.swap(0, 1), "in the place of agent");
        check_changed(
            |plan| plan.agents[0].sha256 = "/../x".into(),
            "an invalid SHA-256",
        );
        check_changed(|plan| plan.published_salt = None, "the salt is not that");
    }
}
