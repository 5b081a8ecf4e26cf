//! Notes about faults: a disqualification, or games that ended with a fault.

use std::collections::BTreeMap;

use super::{BudgetLabel, Note};
use crate::{
    report::{FaultExample, budget_report::AgentReport},
    run::game_record::Ending,
};

/// The note about a disqualified agent; of another one, those about its games on shared and on
/// private seeds.
pub(super) fn faults(agent: &AgentReport, budget: &BudgetLabel) -> Vec<Note> {
    if let Some(disqualified) = &agent.disqualified {
        return vec![Note::Disqualified {
            budget: budget.clone(),
            agent: agent.name.clone(),
            faults_in_a_row: disqualified.faults_in_a_row,
            used_up: disqualified.used_up,
            game: disqualified.game,
            seed: disqualified.seed,
            fault: disqualified.fault.clone(),
        }];
    }
    let note = |on_private_seeds, games, faults: &BTreeMap<Ending, u64>, first: &FaultExample| {
        let faults = faults.iter();
        Note::Faults {
            budget: budget.clone(),
            agent: agent.name.clone(),
            on_private_seeds,
            games,
            faults: faults.map(|(ending, n)| (ending.to_string(), *n)).collect(),
            game: first.game,
            seed: first.seed,
            fault: first.sentence.clone(),
        }
    };
    let (summary, private) = (&agent.summary, &agent.private_games);
    let shared = agent.faults.first();
    let shared = shared.map(|first| note(false, summary.games, &summary.faults, first));
    let private = (private.first_fault.as_ref())
        .map(|first| note(true, private.games, &private.faults, first));
    shared.into_iter().chain(private).collect()
}
