//! Whether a plan is as valid as one that this host would write.
//!
//! Code that reads a plan relies on this: plan and tournament have the same agents, names can be
//! parts of file names, and the games can be counted. The code that checks a tournament file
//! checks the tournament of a plan as well.

use text::hex::is_hex;
use tournament::{SaltChoice, Tournament, is_plain_name, twin_name};

use crate::run_plan::RunPlan;

/// The number of hexadecimal digits of a SHA-256.
const HASH_DIGITS: usize = 64;

/// Says what is wrong with the tournament, the agents and the published salt of a plan. The
/// sentence repeats words of the plan.
pub(super) fn check(plan: &RunPlan) -> Result<(), String> {
    let (tournament, entered) = (&plan.tournament, &plan.agents);
    without_twin(tournament).check()?;
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
        let params = serde_json::from_str::<serde_json::Value>(&agent.params);
        if !params.is_ok_and(|params| params.is_object()) {
            let name = &agent.name;
            return Err(format!("`entrants` has invalid parameters for {name:?}"));
        }
    }
    // They become names of pages.
    let mut left_out = plan.left_out.iter();
    if let Some(left_out) = left_out.find(|left_out| !is_plain_name(&left_out.name)) {
        let name = &left_out.name;
        return Err(format!(
            "`left_out` has {name:?}, which is not a valid name"
        ));
    }
    match (tournament.salt, plan.published_salt) {
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
    use std::time::Duration;

    use super::*;
    use crate::{example::plan, run_plan::LeftOut};
    use tournament::{Budget, BudgetLimit, StopRule};

    /// Changes a valid plan and expects this sentence.
    #[track_caller]
    fn check_changed(change: impl FnOnce(&mut RunPlan), expected: &str) {
        let mut plan = plan(4, &["a", "b"]);
        assert_eq!(check(&plan), Ok(()));
        change(&mut plan);
        let sentence = check(&plan).unwrap_err();
        assert!(sentence.contains(expected), "{sentence}");
    }

    #[test]
    fn what_a_tournament_file_may_not_say_a_plan_may_not_say_either() {
        check_changed(
            |plan| plan.tournament.seeds = "0..9007199254740991".parse().unwrap(),
            "more than the limit of 100,000,000",
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
    fn times_and_shares_of_a_plan_are_possible_ones() {
        let second = Duration::from_secs(1);
        let of_budget = |change: fn(&mut Budget)| {
            move |plan: &mut RunPlan| change(&mut plan.tournament.budgets[0])
        };
        check_changed(
            of_budget(|budget| budget.hang = Duration::ZERO),
            "`hang` of the budget `no budget`: the time must be greater than zero",
        );
        check_changed(
            of_budget(|budget| budget.setup = Duration::ZERO),
            "`setup` of the budget",
        );
        check_changed(
            |plan| {
                let budget = &mut plan.tournament.budgets[0];
                budget.limit = BudgetLimit::Time { per_move: second };
                budget.hang = second;
            },
            "`hang` is 1s, but a turn may take 1.1s",
        );
        let stop = |decided, equal_within| {
            move |plan: &mut RunPlan| {
                plan.tournament.stop = Some(StopRule {
                    decided,
                    max_seeds: 100,
                    equal_within,
                });
            }
        };
        check_changed(stop(0.95, Some(5.0)), "`equal_within` is between 0 and 1");
        check_changed(stop(1.0, None), "`decided` is between 0 and 1, not 1");
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
        check_changed(
            |plan| plan.agents[0].params = "3), berta cheated".into(),
            "invalid parameters",
        );
        let left_out = LeftOut {
            file: "a.py".into(),
            name: "../../a".into(),
            reason: "cannot be read".into(),
        };
        check_changed(|plan| plan.left_out.push(left_out), "not a valid name");
    }
}
