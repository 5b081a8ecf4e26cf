//! Notes on agents that share a rank although one is better than another.

use std::collections::{BTreeMap, HashMap};

use super::{BudgetLabel, Note};
use crate::report::{budget_report::BudgetReport, pair_report::PairVerdict};

/// Ranks are separated only where every agent above is significantly better than every agent
/// below. One note per rank, for its most significant pair.
pub(super) fn shared_ranks(part: &BudgetReport, budget: &BudgetLabel) -> Vec<Note> {
    let agents = part.agents.iter();
    let ranks: HashMap<&str, Option<usize>> = agents
        .map(|agent| (agent.name.as_str(), agent.rank))
        .collect();
    let rank_of = |name: &str| ranks.get(name).copied().flatten();
    let mut notes: BTreeMap<usize, (f64, Note)> = BTreeMap::new();
    for pair in &part.pairs {
        let (better, worse) = match pair.verdict {
            PairVerdict::FirstIsBetter => (&pair.a, &pair.b),
            PairVerdict::SecondIsBetter => (&pair.b, &pair.a),
            PairVerdict::Equal | PairVerdict::Open => continue,
        };
        let Some(rank) = rank_of(better).filter(|rank| rank_of(worse) == Some(*rank)) else {
            continue;
        };
        let p_value = pair.p_adjusted.unwrap_or(0.0);
        if notes.get(&rank).is_none_or(|(lowest, _)| p_value < *lowest) {
            let note = Note::SharedRank {
                budget: budget.clone(),
                rank,
                better: better.clone(),
                worse: worse.clone(),
            };
            notes.insert(rank, (p_value, note));
        }
    }
    notes.into_values().map(|(_, note)| note).collect()
}
