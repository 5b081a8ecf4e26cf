//! The latest faults of a run, reported as soon as their games are in the log.

use std::collections::VecDeque;

use serde::Serialize;

use run::game_record::GameRecord;

use crate::views::EndingView;

/// How many are kept.
const MOST: usize = 5;

/// The number of faults so far, and the latest of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct LatestFaults {
    n_faults: u64,
    /// The latest first.
    latest_faults: VecDeque<LatestFault>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct LatestFault {
    agent: String,
    game: u64,
    seed: u64,
    n_moves: u64,
    ending: EndingView,
}

impl LatestFaults {
    /// Notes the fault of a record, if it has one.
    pub(super) fn note(&mut self, record: &GameRecord) {
        if !record.ending.is_fault() {
            return;
        }
        self.n_faults += 1;
        self.latest_faults.truncate(MOST - 1);
        self.latest_faults.push_front(LatestFault {
            agent: record.agent.clone(),
            game: record.game,
            seed: record.seed,
            n_moves: record.n_moves,
            ending: EndingView::of_record(record),
        });
    }
}
