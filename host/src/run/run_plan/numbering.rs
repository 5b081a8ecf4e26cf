//! Finds the planned game of a record.

use std::collections::HashMap;

use super::RunPlan;
use crate::{
    agents::agent::Agent,
    run::{
        game_plan::{GamePlan, Series},
        game_record::GameRecord,
    },
    tournament::Budget,
};

/// Finds the planned game of a record. The fingerprint stands for plugin file, parameters,
/// rules, budget and salt, so agent and fingerprint together determine the series.
#[derive(Debug)]
pub(crate) struct Numbering {
    pub(crate) games: GamePlan,
    /// The fingerprints and their series, by the name of the agent.
    series: HashMap<String, Vec<(String, Series)>>,
    /// The labels of the budgets.
    labels: Vec<String>,
}

impl Numbering {
    pub(crate) fn new(plan: &RunPlan) -> Self {
        let tournament = &plan.tournament;
        let series_of = |(agent_index, agent): (usize, &Agent)| {
            let budgets = tournament.budgets.iter().enumerate();
            let of_budgets = budgets.map(|(budget_index, budget)| {
                let fingerprint = agent.fingerprint(tournament, budget, &plan.salt);
                let series = Series {
                    budget: budget_index,
                    agent: agent_index,
                };
                (fingerprint, series)
            });
            (agent.name.clone(), of_budgets.collect())
        };
        Self {
            games: plan.games(),
            series: plan.agents.iter().enumerate().map(series_of).collect(),
            labels: tournament.budgets.iter().map(Budget::label).collect(),
        }
    }

    pub(crate) fn has_agent(&self, name: &str) -> bool {
        self.series.contains_key(name)
    }

    /// Whether a record is that of its game in the plan. A record without a label may be older
    /// than the other budgets of its tournament.
    pub(crate) fn is_planned<T: AsRef<str>, B, H, E>(
        &self,
        record: &GameRecord<T, B, H, E>,
    ) -> bool {
        let is_labelled = |label: &T| {
            let series = self.games.series_of(record.game);
            self.labels[series.budget] == label.as_ref()
        };
        self.number_of(record) == Some(record.game)
            && record.budget.as_ref().is_none_or(is_labelled)
    }

    /// The label in the record of a planned game: none where the tournament has one budget.
    pub(crate) fn label_of(&self, game: u64) -> Option<&str> {
        match self.labels.as_slice() {
            [_] => None,
            several => Some(&several[self.games.series_of(game).budget]),
        }
    }

    /// The number of the game that a record has in the plan, whatever number and label it has.
    pub(crate) fn number_of<T: AsRef<str>, B, H, E>(
        &self,
        record: &GameRecord<T, B, H, E>,
    ) -> Option<u64> {
        let fingerprint = record.fingerprint.as_ref();
        let mut of_agent = self.series.get(record.agent.as_ref())?.iter();
        let (_, series) = of_agent.find(|(known, _)| known == fingerprint)?;
        self.games
            .number_of(record.seed, series.budget, series.agent)
    }
}
