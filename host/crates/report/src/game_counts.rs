//! How many games of a run are planned, played and missing.

use std::collections::HashMap;

use serde::Serialize;

use super::{Report, ReportInput};
use run::{
    game_figures::GameFigures,
    game_plan::{GamePlan, Series},
    run_plan::RunPlan,
    shard::Shard,
};

/// The games of a run, or of the shard that it plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GameCounts {
    /// With a stop rule, the most games there can be.
    pub planned: u64,
    /// Those with a record, except for games after a disqualification or, with a stop rule, after
    /// the next look.
    pub played: u64,
    /// Those that `host run` would play now: not those of disqualified agents, and with a
    /// stop rule those up to the next look.
    pub missing: u64,
}

impl GameCounts {
    /// The games of a plan, of which these have a record, each once.
    #[must_use]
    pub fn of(plan: &RunPlan, report: &Report, records: &[GameFigures]) -> Self {
        let games = plan.games();
        let shard = plan.shard;
        let planned = Shard::n_games_of_run(shard, &games);
        let per_seed = games.games_per_seed();
        let is_planned = |game: &u64| {
            *game < games.n_games() && shard.is_none_or(|shard| shard.has(*game, per_seed))
        };
        let mut played: HashMap<Series, Vec<u64>> = HashMap::new();
        for game in records.iter().map(|record| record.game).filter(is_planned) {
            played.entry(games.series_of(game)).or_default().push(game);
        }
        let input = ReportInput::of(plan);
        let mut counts = Self {
            planned,
            played: 0,
            missing: 0,
        };
        for series in series_of(plan) {
            let end = end_of_needed(&games, report, &input, series);
            let played = played.get(&series).map_or(&[][..], Vec::as_slice);
            let n_played = played.iter().filter(|game| **game < end).count() as u64;
            counts.played += n_played;
            counts.missing += n_planned(plan, &games, series, end).saturating_sub(n_played);
        }
        counts
    }
}

fn series_of(plan: &RunPlan) -> impl Iterator<Item = Series> {
    let n_agents = plan.agents.len();
    let budgets = 0..plan.tournament.budgets.len();
    budgets.flat_map(move |budget| (0..n_agents).map(move |agent| Series { budget, agent }))
}

/// The number after the last game that a series needs.
fn end_of_needed(games: &GamePlan, report: &Report, input: &ReportInput, series: Series) -> u64 {
    let name = &input.agents[series.agent];
    let agents = &report.budgets[series.budget].agents;
    let agent = agents.iter().find(|agent| agent.name == *name);
    let out = agent.and_then(|agent| agent.disqualified.as_ref());
    let decision = report.decision.as_ref();
    let n_seeds = decision.and_then(|decision| decision.needed_seeds(series.budget, series.agent));
    let last = n_seeds.map_or(u64::MAX, |n_seeds| games.end_of_seeds(n_seeds));
    let end = out.map_or(games.n_games(), |out| out.game + 1);
    end.min(last)
}

/// How many games of a series have a number below `end`.
fn n_planned(plan: &RunPlan, games: &GamePlan, series: Series, end: u64) -> u64 {
    // A round contains one game of each series.
    let n_rounds = end.div_ceil(games.games_per_seed());
    match plan.shard.filter(|shard| !shard.is_whole()) {
        None => n_rounds,
        // The games of a series are spread over the shards without a simple rule.
        Some(shard) => {
            let numbers = (0..n_rounds).map(|round| games.number_in_round(round, series));
            let own = numbers.filter(|game| shard.has(*game, games.games_per_seed()));
            own.count() as u64
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use run::{
        example::{figures, plan},
        game_record::Ending,
        shard::Shard,
    };
    use tournament::StopRule;

    fn records(plan: &RunPlan, is_played: impl Fn(u64, usize) -> bool) -> Vec<GameFigures> {
        let games = plan.games();
        let played = games
            .games()
            .filter(|game| is_played(game.seed, game.agent));
        let record = |game: run::game_plan::PlannedGame| GameFigures {
            game: game.number,
            ..figures(
                &plan.agents[game.agent].name,
                game.seed,
                100 * game.agent as u64 + game.seed,
            )
        };
        played.map(record).collect()
    }

    fn counts(plan: &RunPlan, records: &[GameFigures]) -> (u64, u64, u64) {
        let report = Report::new(&ReportInput::of(plan), records);
        let counts = GameCounts::of(plan, &report, records);
        (counts.planned, counts.played, counts.missing)
    }

    #[test]
    fn games_without_a_record_are_missing() {
        let plan = plan(4, &["a", "b"]);
        let mut records = records(&plan, |seed, agent| seed <= 30 || agent == 0);
        assert_eq!(counts(&plan, &records), (80, 70, 10));
        // A record that the plan does not know counts for nothing.
        records.push(figures("a", 80, 0));
        assert_eq!(counts(&plan, &records), (80, 70, 10));
    }

    #[test]
    fn a_disqualified_agent_misses_no_game() {
        let mut plan = plan(4, &["a", "b"]);
        plan.tournament.disqualify_after = NonZeroU32::new(2);
        let mut records = records(&plan, |seed, agent| seed <= 2 || agent == 0);
        for record in records.iter_mut().filter(|record| &*record.agent == "b") {
            record.ending = Ending::Panic;
        }
        assert_eq!(counts(&plan, &records), (80, 42, 0));
    }

    #[test]
    fn a_game_before_the_one_that_disqualifies_is_missing() {
        let plan = plan(4, &["a", "b"]);
        let mut records = records(&plan, |seed, agent| seed == 3 || agent == 0);
        for record in records.iter_mut().filter(|record| &*record.agent == "b") {
            (record.ending, record.timeout) = (Ending::Hang, true);
        }
        assert_eq!(counts(&plan, &records), (80, 41, 2));
    }

    #[test]
    fn a_shard_counts_its_own_games() {
        let shard: Shard = "2/3".parse().unwrap();
        let plan = plan(4, &["a", "b"]).for_shard(Some(shard));
        let mut own = records(&plan, |_, _| true);
        own.retain(|record| shard.has(record.game, 2));
        let n_own = own.len() as u64;
        own.truncate(own.len() - 4);
        assert_eq!(counts(&plan, &own), (n_own, n_own - 4, 4));
    }

    #[test]
    fn a_stop_rule_needs_the_games_up_to_the_next_look() {
        let mut plan = plan(4, &["a", "b"]);
        plan.tournament.stop = Some(StopRule {
            decided: 0.95,
            max_seeds: 200,
            equal_within: None,
        });
        let first_look = records(&plan, |seed, _| seed <= 39);
        assert_eq!(counts(&plan, &first_look), (400, 78, 2));
        // `b` is better on every seed: after the first look the ranking is settled.
        let settled = records(&plan, |seed, _| seed <= 40);
        assert_eq!(counts(&plan, &settled), (400, 80, 0));
    }
}
