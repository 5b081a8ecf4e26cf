//! The note on a tournament with a stop rule.

use super::Note;
use crate::report::{budget_report::BudgetReport, decision::Decision};

/// A difference that stopped its pair was large by luck as well. By how much was simulated; see
/// `docs/statistics.md`.
pub(super) fn stop_rule(decision: &Decision, budgets: &[BudgetReport]) -> Note {
    let mut pairs = budgets.iter().flat_map(|part| &part.pairs);
    let stopped_early = pairs.any(|pair| {
        let is_win = pair.win().is_some();
        is_win && pair.decided_after == Some(pair.comparison.games)
    });
    let exaggerated = if stopped_early {
        "; a difference that ended the games of its pair is too large on average, by about a \
         tenth where agents are close"
    } else {
        ""
    };
    Note::Stop(format!(
        "{}; an agent stops when its place is settled, and the intervals of scores and differences \
         hold at any number of seeds{exaggerated}",
        decision.state
    ))
}
