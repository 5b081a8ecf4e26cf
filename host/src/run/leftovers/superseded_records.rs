//! Which records no longer match a plan, by agent.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use crate::run::run_plan::RunPlan;

/// The numbers of records that do not match a plan. Displayed as a part of a sentence:
/// `bert 20, carl 20 (no longer an agent)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SupersededRecords {
    of_agent: BTreeMap<String, u64>,
    /// The agents of the plan.
    playing: BTreeSet<String>,
}

/// How many agents are named.
const MOST_NAMED: usize = 8;

impl SupersededRecords {
    pub(super) fn under(plan: &RunPlan) -> Self {
        Self {
            of_agent: BTreeMap::new(),
            playing: plan.agents.iter().map(|agent| agent.name.clone()).collect(),
        }
    }

    pub(super) fn add(&mut self, agent: &str) {
        *self.of_agent.entry(agent.to_owned()).or_default() += 1;
    }

    /// How many there are.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.of_agent.values().sum()
    }
}

impl fmt::Display for SupersededRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (agent, n_records)) in self.of_agent.iter().take(MOST_NAMED).enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            write!(f, "{comma}{agent} {n_records}")?;
            if !self.playing.contains(agent) {
                write!(f, " (no longer an agent)")?;
            }
        }
        match self.of_agent.len().checked_sub(MOST_NAMED) {
            Some(n_more @ 1..) => write!(f, " and {n_more} more agents"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::example::plan;

    #[test]
    fn agents_that_are_gone_are_told_from_those_that_changed() {
        let mut records = SupersededRecords::under(&plan(4, &["anna", "bert"]));
        for agent in ["bert", "carl", "bert"] {
            records.add(agent);
        }
        assert_eq!(records.to_string(), "bert 2, carl 1 (no longer an agent)");
        for number in 0..7 {
            records.add(&format!("a{number}"));
        }
        assert!(records.to_string().ends_with("bert 2 and 1 more agents"));
    }
}
