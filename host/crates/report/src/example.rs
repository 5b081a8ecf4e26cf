//! Small tournaments for the tests.

use std::time::Duration;

use plugin_api::Salt;

use super::Report;
use run::{
    example, game_figures::GameFigures, game_log::LinePosition, game_plan::Series,
    game_record::GameRecord, run_plan::RunPlan,
};
use tournament::{Budget, BudgetLimit};

/// A salted tournament of these agents over 40 seeds with 1 ms per move.
pub fn plan(agents: &[&str]) -> RunPlan {
    let mut plan = example::plan(4, agents);
    plan.salt = Salt::from_bytes([7; Salt::N_BYTES]);
    plan.published_salt = Some(plan.salt);
    plan.tournament.name = "example".into();
    plan.tournament.budgets = vec![time_budget(1)];
    plan
}

/// So many milliseconds per move.
pub fn time_budget(milliseconds: u64) -> Budget {
    Budget {
        limit: BudgetLimit::Time {
            per_move: Duration::from_millis(milliseconds),
        },
        ..Budget::default()
    }
}

/// The report of these games, whatever their numbers.
pub fn report_of(plan: &RunPlan, games: impl IntoIterator<Item = GameFigures>) -> Report {
    Report::new(plan, &numbered(plan, games))
}

/// These games with the numbers that they have in a plan, by agent, budget and shared seed.
pub fn numbered(plan: &RunPlan, games: impl IntoIterator<Item = GameFigures>) -> Vec<GameFigures> {
    let planned = plan.games();
    let number_of =
        |game: &GameFigures| planned.number_of(game.seed, game.series.budget, game.series.agent);
    let games = games.into_iter().map(|game| GameFigures {
        game: number_of(&game).expect("a seed of the plan"),
        ..game
    });
    games.collect()
}

/// Simulated games, similar to real ones but without moves. Two games are missing, three have
/// faults. In the order in which the games ended.
pub fn five_agents_forty_seeds() -> Vec<GameFigures> {
    let log = include_str!("../../../../tests/fixtures/five-agents-forty-seeds.jsonl");
    parse(log, &FIVE_AGENTS)
}

pub const FIVE_AGENTS: [&str; 5] = ["expectimax", "mcts", "minimax", "snake", "random"];

/// The agents `left` and `right`, three seeds, round numbers: small enough to check by hand.
pub fn three_seeds() -> Vec<GameFigures> {
    let log = include_str!("../../../../tests/fixtures/three-seeds.jsonl");
    parse(log, &["left", "right"])
}

/// The report of the 198 games of the fixture.
pub fn report_of_five_agents() -> Report {
    report_of(&plan(&FIVE_AGENTS), five_agents_forty_seeds())
}

fn parse(log: &str, names: &[&str]) -> Vec<GameFigures> {
    let figures = |line| {
        let record: GameRecord =
            serde_json::from_str(line).expect("a line of the fixture is a record");
        let agent = names.iter().position(|name| *name == record.agent);
        let agent = agent.expect("one of the agents");
        GameFigures::new(
            &record,
            Series { budget: 0, agent },
            LinePosition::default(),
        )
    };
    log.lines().map(figures).collect()
}
