//! Small tournaments for the tests.

use std::{collections::BTreeMap, time::Duration};

use super::{Report, ReportBudget, ReportInput};
use crate::{
    game_record::{Ending, GameRecord, MoveTimes},
    statistics::agent_summary::Luck,
};

/// A salted tournament of these agents over 40 seeds with 1 ms a move.
pub(crate) fn input(agents: &[&str]) -> ReportInput {
    ReportInput {
        name: "example".into(),
        agents: agents.iter().map(|&name| name.into()).collect(),
        budgets: vec![ReportBudget {
            per_move: Some(Duration::from_millis(1)),
            ..ReportBudget::default()
        }],
        goal: None,
        luck: Luck::Random,
        open_tiles: false,
        disqualify_after: Some(3),
        control: None,
        n_seeds: 40,
        stop: None,
        shard: None,
        machines: Vec::new(),
    }
}

/// Simulated, shaped like real games but without moves; two games are missing,
/// three have faults. In the order in which games end.
pub(crate) fn five_agents_forty_seeds() -> Vec<GameRecord> {
    parse(include_str!(
        "../../../tests/fixtures/five-agents-forty-seeds.jsonl"
    ))
}

pub(crate) const FIVE_AGENTS: [&str; 5] = ["expectimax", "mcts", "minimax", "snake", "random"];

/// Two agents, three seeds, round numbers: small enough to check by hand.
pub(crate) fn three_seeds() -> Vec<GameRecord> {
    parse(include_str!("../../../tests/fixtures/three-seeds.jsonl"))
}

/// The report of the 198 games of the fixture.
pub(crate) fn report_of_five_agents() -> Report {
    Report::new(&input(&FIVE_AGENTS), &five_agents_forty_seeds())
}

fn parse(log: &str) -> Vec<GameRecord> {
    log.lines()
        .map(|line| serde_json::from_str(line).expect("a line of the fixture is a record"))
        .collect()
}

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
        stolen_us: 0,
        overdrawn_us: 0,
        overruns: 0,
        threads: 1,
        nodes: 0,
        fingerprint: String::new(),
    }
}
