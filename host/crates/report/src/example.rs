//! Small tournaments for the tests.

use std::time::Duration;

use super::{Report, ReportBudget, ReportInput, agent_summary::Luck};
use run::{game_figures::GameFigures, game_record::GameRecord};

/// A salted tournament of these agents over 40 seeds with 1 ms per move.
pub fn input(agents: &[&str]) -> ReportInput {
    ReportInput {
        name: "example".into(),
        agents: agents.iter().map(|&name| name.into()).collect(),
        n_cells: 16,
        budgets: vec![ReportBudget {
            per_move: Some(Duration::from_millis(1)),
            ..ReportBudget::default()
        }],
        goal: None,
        luck: Luck::Random,
        predictable_tiles: false,
        first_shared_game: 0,
        disqualify_after: Some(3),
        control: None,
        n_seeds: 40,
        stop: None,
        shard: None,
        machines: Vec::new(),
        left_out: Vec::new(),
    }
}

/// Simulated games, similar to real ones but without moves. Two games are missing, three have
/// faults. In the order in which the games ended.
pub fn five_agents_forty_seeds() -> Vec<GameFigures> {
    parse(include_str!(
        "../../../../tests/fixtures/five-agents-forty-seeds.jsonl"
    ))
}

pub const FIVE_AGENTS: [&str; 5] = ["expectimax", "mcts", "minimax", "snake", "random"];

/// Two agents, three seeds, round numbers: small enough to check by hand.
pub fn three_seeds() -> Vec<GameFigures> {
    parse(include_str!("../../../../tests/fixtures/three-seeds.jsonl"))
}

/// The report of the 198 games of the fixture.
pub fn report_of_five_agents() -> Report {
    Report::new(&input(&FIVE_AGENTS), &five_agents_forty_seeds())
}

fn parse(log: &str) -> Vec<GameFigures> {
    log.lines()
        .map(|line| {
            let record: GameRecord =
                serde_json::from_str(line).expect("a line of the fixture is a record");
            GameFigures::from(&record)
        })
        .collect()
}
