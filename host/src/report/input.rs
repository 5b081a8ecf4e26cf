//! What a report needs to know about the tournament, apart from its records.

use std::time::Duration;

use crate::statistics::{agent_summary::Luck, time_use::BudgetClock};

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
    /// How many seeds the plan holds for each agent under each budget.
    pub n_seeds: usize,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportBudget {
    /// As in the records; a tournament with one budget needs none.
    pub label: Option<String>,
    pub per_move: Option<Duration>,
    pub clock: BudgetClock,
}
