//! Small tournaments for the tests.

use std::time::Duration;

use plugin_api::Salt;

use super::Report;
use run::{
    example, game_figures::GameFigures, game_plan::Series, game_record::GameRecord,
    run_plan::RunPlan,
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
    let number_of = |game: &GameFigures| {
        let is_its_agent = |series: &Series| plan.agents[series.agent].name == *game.agent;
        let is_its_budget =
            |series: &Series| plan.budget_label(series.budget).as_deref() == game.budget.as_deref();
        let mut series = planned.all_series().filter(is_its_agent);
        let series = series.find(is_its_budget).expect("a series of the plan");
        planned.number_of(game.seed, series.budget, series.agent)
    };
    let games = games.into_iter().map(|game| GameFigures {
        game: number_of(&game).expect("a seed of the plan"),
        ..game
    });
    games.collect()
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
    report_of(&plan(&FIVE_AGENTS), five_agents_forty_seeds())
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
