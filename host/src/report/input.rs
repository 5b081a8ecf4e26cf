//! What a report needs to know about the tournament, apart from its records.

use std::time::Duration;

use crate::{
    machine::PlayedOn,
    shard::Shard,
    statistics::{
        agent_summary::Luck, confidence::Confidence, looks::looks, time_use::BudgetClock,
    },
    tournament::StopRule,
};

#[derive(Clone, Debug, PartialEq)]
pub struct ReportInput {
    /// The tournament's name.
    pub name: String,
    /// The agents' names in the order of the tournament file.
    pub agents: Vec<String>,
    /// At least one. With several, a record names its budget by label.
    pub budgets: Vec<ReportBudget>,
    /// With a goal the rate of reaching it is compared, then the moves: the
    /// score was cut off where the goal was reached.
    pub goal: Option<u64>,
    pub luck: Luck,
    /// No salt was used: an agent could have known the tiles in advance.
    pub open_tiles: bool,
    pub disqualify_after: Option<u64>,
    /// The agent that plays twice; see `control_pair`.
    pub control: Option<String>,
    /// How many seeds the tournament file names.
    pub n_seeds: usize,
    /// For a tournament that extends itself beyond these seeds.
    pub stop: Option<StopRule>,
    /// Where the records are those of one shard.
    pub shard: Option<Shard>,
    /// Where several machines played.
    pub machines: Vec<PlayedOn>,
}

impl ReportInput {
    /// The numbers of seeds after which the tournament may stop; none without a rule.
    #[must_use]
    pub fn looks(&self) -> Vec<u64> {
        self.stop.map_or(Vec::new(), |stop| {
            looks(self.n_seeds as u64, stop.max_seeds)
        })
    }

    /// How sure its figures are.
    #[must_use]
    pub fn confidence(&self) -> Confidence {
        self.stop.map_or(Confidence::USUAL, |stop| {
            Confidence::of_all(stop.decided, self.looks().len())
        })
    }

    /// Games of one seed: one an agent and budget.
    #[must_use]
    pub fn games_per_seed(&self) -> u64 {
        (self.agents.len() * self.budgets.len()) as u64
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportBudget {
    /// As in the records; a tournament with one budget needs none.
    pub label: Option<String>,
    pub per_move: Option<Duration>,
    pub clock: BudgetClock,
}
