//! Notes on agents that made the same moves on all seeds.

use std::collections::BTreeSet;

use super::{BudgetLabel, Note};
use crate::report::budget_report::BudgetReport;

/// One note for each group of agents.
pub(super) fn same_moves(part: &BudgetReport, budget: &BudgetLabel) -> Vec<Note> {
    let groups: BTreeSet<Vec<String>> = part
        .agents
        .iter()
        .filter(|agent| !agent.same_games_as.is_empty())
        .map(|agent| {
            let mut group = agent.same_games_as.clone();
            group.push(agent.name.clone());
            group.sort_unstable();
            group
        })
        .collect();
    let note = |agents| Note::SameGames {
        budget: budget.clone(),
        agents,
    };
    groups.into_iter().map(note).collect()
}
