//! Small tournaments for the tests.

use std::collections::BTreeMap;

use crate::game_record::{Ending, GameRecord, MoveTimes};

/// A game without particulars; `..record("a", 1, 0)` fills in what a test does not say.
pub(crate) fn record(agent: &str, seed: u64, score: u64) -> GameRecord {
    GameRecord {
        v: 1,
        game: seed,
        agent: agent.into(),
        budget: None,
        seed,
        score,
        highest: 2,
        n_moves: 0,
        moves: String::new(),
        board: Vec::new(),
        ending: Ending::NoMoveLeft,
        fault: None,
        setup_ms: 0.0,
        cpu_ms: 0.0,
        wall_ms: 0.0,
        cpu_us_histogram: BTreeMap::new(),
        move_us: MoveTimes::default(),
        overdrawn_us: 0,
        overruns: 0,
        threads: 1,
        nodes: 0,
        fingerprint: String::new(),
    }
}
