//! The games of a run that the options --agent, --seed and --budget choose.

use std::path::Path;

use anyhow::anyhow;
use run::{game_log, game_record::GameRecord, run_plan::RunPlan};
use text::{names::suggestion, program};
use tournament::Budget;

use super::{CommandError, exit_code};

/// The options that choose a game, as errors name them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    agent: &'static str,
    budget: &'static str,
}

impl Options {
    pub(crate) const USUAL: Self = Self {
        agent: "--agent",
        budget: "--budget",
    };
    /// Where `--agent` is an agent to ask.
    pub(crate) const OF_POSITION: Self = Self {
        agent: "--played-by",
        budget: "--played-under",
    };
}

/// Names are checked against the plan. Seeds are not: a tournament with a stop rule plays more
/// of them than its file lists.
#[derive(Debug)]
pub(crate) struct ChosenGames {
    agent: String,
    seed: Option<u64>,
    /// The label that records have; `None` for games under any budget.
    budget: Option<String>,
}

impl ChosenGames {
    /// # Errors
    /// If the run has no such agent or budget.
    pub(crate) fn new(
        plan: &RunPlan,
        options: Options,
        agent: &str,
        seed: Option<u64>,
        budget: Option<&str>,
    ) -> anyhow::Result<Self> {
        let names: Vec<&str> = plan.agents.iter().map(|a| a.name.as_str()).collect();
        if !names.contains(&agent) {
            return Err(anyhow!(
                "{} {agent}: the run has no agent of this name; {}",
                options.agent,
                suggestion(agent, "agents", &names)
            ));
        }
        let labels = labels(plan);
        match budget {
            Some(label) if !labels.iter().any(|known| known == label) => {
                return Err(anyhow!(
                    "{} '{label}': the run has no such budget; its budgets are {}",
                    options.budget,
                    quoted(&labels)
                ));
            }
            _ => {}
        }
        Ok(Self {
            agent: agent.to_owned(),
            seed,
            // Records have a label only if the run has several budgets.
            budget: budget.filter(|_| labels.len() > 1).map(str::to_owned),
        })
    }

    pub(crate) fn include(&self, record: &GameRecord) -> bool {
        record.agent == self.agent
            && self.seed.is_none_or(|seed| seed == record.seed)
            && (self.budget.is_none() || record.budget == self.budget)
    }

    /// Why none of the games has a record.
    pub(crate) fn not_played(&self, plan: &RunPlan) -> anyhow::Error {
        let agent = &self.agent;
        let run = program::command("run");
        match self.seed {
            None => anyhow!("`{agent}` has not played yet; `{run}` plays missing games"),
            Some(seed) if self.is_planned(plan, seed) => {
                anyhow!("`{agent}` has not played seed {seed} yet; `{run}` plays missing games")
            }
            Some(seed) => anyhow!(
                "--seed {seed}: not one of the run's seeds ({})",
                plan.tournament.planned_seeds()
            ),
        }
    }

    /// Whether the agent may play this seed: a shared one, or a private one of its own.
    fn is_planned(&self, plan: &RunPlan, seed: u64) -> bool {
        let games = plan.games();
        let agent = plan.agents.iter().position(|a| a.name == self.agent);
        let mut budgets = (0..).zip(&plan.tournament.budgets).filter(|(_, budget)| {
            let chosen = self.budget.as_ref();
            chosen.is_none_or(|label| *label == budget.label())
        });
        agent.is_some_and(|agent| {
            budgets.any(|(budget, _)| games.number_of(seed, budget, agent).is_some())
        })
    }
}

/// The one game of an agent on a seed; the budget must be given if the run has several.
///
/// # Errors
/// If there is no such game, or it has no record yet.
pub(crate) fn game_of_run(
    folder: &Path,
    plan: &RunPlan,
    options: Options,
    agent: &str,
    seed: u64,
    budget: Option<&str>,
) -> Result<GameRecord, CommandError> {
    let usage = |error: anyhow::Error| CommandError::new(exit_code::USAGE, error);
    let chosen = ChosenGames::new(plan, options, agent, Some(seed), budget).map_err(usage)?;
    check_one_budget(plan, options, budget).map_err(usage)?;
    let mut found = None;
    game_log::read_counted(folder, plan, |record| {
        if chosen.include(&record) {
            found = Some(record);
        }
    })?;
    found.ok_or_else(|| usage(chosen.not_played(plan)))
}

/// # Errors
/// If a run has several budgets and none was chosen.
fn check_one_budget(plan: &RunPlan, options: Options, budget: Option<&str>) -> anyhow::Result<()> {
    match (budget, labels(plan)) {
        (None, labels) if labels.len() > 1 => Err(anyhow!(
            "the run has several budgets; choose one with {}: {}",
            options.budget,
            quoted(&labels)
        )),
        _ => Ok(()),
    }
}

fn labels(plan: &RunPlan) -> Vec<String> {
    plan.tournament.budgets.iter().map(Budget::label).collect()
}

fn quoted(labels: &[String]) -> String {
    format!("'{}'", labels.join("', '"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use run::example::plan;
    use tournament::StopRule;

    #[test]
    fn seeds_of_a_stop_rule_and_private_ones_may_still_be_played() {
        let mut plan = plan(4, &["a", "b"]);
        let sentence = |plan: &RunPlan, agent, seed| {
            let chosen = ChosenGames::new(plan, Options::USUAL, agent, Some(seed), None).unwrap();
            chosen.not_played(plan).to_string()
        };
        let not_yet = "`a` has not played seed 41 yet; `host run` plays missing games";
        let unknown = "--seed 41: not one of the run's seeds (1..40)";
        assert_eq!(sentence(&plan, "a", 41), unknown);
        plan.tournament.private_seeds = 1;
        assert_eq!(sentence(&plan, "a", 41), not_yet);
        // That one is private to `a`.
        assert_eq!(sentence(&plan, "b", 41), unknown);
        plan.tournament.private_seeds = 0;
        plan.tournament.stop = Some(StopRule {
            decided: 0.95,
            max_seeds: 100,
            equal_within: None,
        });
        assert_eq!(sentence(&plan, "a", 41), not_yet);
        assert_eq!(
            sentence(&plan, "a", 101),
            "--seed 101: not one of the run's seeds (1..40, 41..100)"
        );
    }
}
