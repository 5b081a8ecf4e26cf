//! The state of a tournament with a stop rule, in the JSON report.

use serde::Serialize;

use crate::report::decision::{Decision, DecisionState};

#[derive(Serialize)]
pub(super) struct JsonStop<'r> {
    /// `settled`, `open` or `unfinished`.
    state: &'static str,
    /// Of the agent with the most seeds, or of the next look.
    seeds: u64,
    open: Vec<JsonOpenPair<'r>>,
}

#[derive(Serialize)]
struct JsonOpenPair<'r> {
    a: &'r str,
    b: &'r str,
    budget: Option<&'r str>,
}

pub(super) fn json_stop(decision: &Decision) -> JsonStop<'_> {
    let (state, seeds, open) = match &decision.state {
        DecisionState::Unfinished { seeds } => ("unfinished", *seeds, [].as_slice()),
        DecisionState::Settled { seeds } => ("settled", *seeds, [].as_slice()),
        DecisionState::Open { seeds, pairs } => ("open", *seeds, pairs.as_slice()),
    };
    JsonStop {
        state,
        seeds,
        open: open
            .iter()
            .map(|pair| JsonOpenPair {
                a: &pair.a,
                b: &pair.b,
                budget: pair.budget.as_deref(),
            })
            .collect(),
    }
}
