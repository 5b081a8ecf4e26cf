//! The games of a run that the options --agent, --seed and --budget choose.

use crate::{
    run::{game_record::GameRecord, run_plan::RunPlan},
    text::nearest_name::suggestion,
    tournament::Budget,
};
use anyhow::anyhow;

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
        agent: &str,
        seed: Option<u64>,
        budget: Option<&str>,
    ) -> anyhow::Result<Self> {
        let names: Vec<&str> = plan.agents.iter().map(|a| a.name.as_str()).collect();
        if !names.contains(&agent) {
            return Err(anyhow!(
                "--agent {agent}: the run has no agent of this name; {}",
                suggestion(agent, "agents", &names)
            ));
        }
        let labels = labels(plan);
        match budget {
            Some(label) if !labels.iter().any(|known| known == label) => {
                return Err(anyhow!(
                    "--budget '{label}': the run has no such budget; its budgets are {}",
                    quoted(&labels)
                ));
            }
            _ => {}
        }
        Ok(Self {
            agent: agent.to_owned(),
            seed,
            // Records have a label only where there are several budgets.
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
        let (agent, seeds) = (&self.agent, &plan.tournament.seeds);
        match self.seed {
            None => anyhow!("`{agent}` has not played yet; `host run` plays missing games"),
            Some(seed) if seeds.contains(seed) => {
                anyhow!("`{agent}` has not played seed {seed} yet; `host run` plays missing games")
            }
            Some(seed) => anyhow!("--seed {seed}: not one of the run's seeds ({seeds})"),
        }
    }
}

/// # Errors
/// If a run has several budgets and none was chosen.
pub(crate) fn check_one_budget(plan: &RunPlan, budget: Option<&str>) -> anyhow::Result<()> {
    match (budget, labels(plan)) {
        (None, labels) if labels.len() > 1 => Err(anyhow!(
            "the run has several budgets; choose one with --budget: {}",
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
