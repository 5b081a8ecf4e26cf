//! Finds the planned game of a record.

use std::collections::HashMap;

use crate::run::{
    game_plan::{GamePlan, Series},
    game_record::GameRecord,
    run_plan::RunPlan,
};

/// Finds the planned game of a record. The fingerprint stands for plugin file, parameters,
/// rules, budget and salt, so agent and fingerprint together determine the series.
pub(crate) struct Numbering {
    pub(super) games: GamePlan,
    /// The series by the name of its agent and the fingerprint.
    series: HashMap<(String, String), Series>,
}

impl Numbering {
    pub(crate) fn new(plan: &RunPlan) -> Self {
        let tournament = &plan.tournament;
        let series = tournament
            .budgets
            .iter()
            .enumerate()
            .flat_map(|(budget_index, budget)| {
                let agents = plan.agents.iter().enumerate();
                agents.map(move |(agent_index, agent)| {
                    let fingerprint = agent.fingerprint(tournament, budget, &plan.salt);
                    let series = Series {
                        budget: budget_index,
                        agent: agent_index,
                    };
                    ((agent.name.clone(), fingerprint), series)
                })
            })
            .collect();
        Self {
            games: plan.games(),
            series,
        }
    }

    pub(crate) fn number_of(&self, record: &GameRecord) -> Option<u64> {
        let key = (record.agent.clone(), record.fingerprint.clone());
        let series = self.series.get(&key)?;
        self.games
            .number_of(record.seed, series.budget, series.agent)
    }
}
