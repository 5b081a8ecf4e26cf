//! The games behind the figures of each agent.

use plugin_api::Tiles;

use run::{game_figures::GameFigures, run_plan::RunPlan};
use statistics::as_f64;

use crate::{Report, agent_summary::distinct_games};

/// The games of one agent under one budget that count, in the order of the plan.
#[derive(Clone)]
pub struct AgentGames<'r> {
    pub name: &'r str,
    /// The label of the budget, where the tournament has several.
    pub budget: Option<&'r str>,
    pub games: Vec<&'r GameFigures>,
}

impl AgentGames<'_> {
    /// The scores, ascending; with a goal, the moves of the games that reached it.
    pub(crate) fn values(&self, goal: Option<u64>) -> Vec<f64> {
        let values = self.games.iter().filter_map(|game| match goal {
            None => Some(as_f64(game.score)),
            Some(goal) => (game.highest >= goal).then_some(as_f64(game.n_moves)),
        });
        let mut values: Vec<f64> = values.collect();
        values.sort_unstable_by(f64::total_cmp);
        values
    }
}

/// One entry for each agent of each part of the report, in its order. `records` are those of the
/// report.
pub(crate) fn agent_games<'r>(
    report: &'r Report,
    plan: &RunPlan,
    records: &'r [GameFigures],
) -> Vec<Vec<AgentGames<'r>>> {
    let mut by_series = report.counted.by_series(records);
    let parts = report.budgets.iter().map(|part| {
        let agents = part.agents.iter().map(|agent| {
            let games = by_series.remove(&agent.series).unwrap_or_default().shared;
            AgentGames {
                name: &agent.name,
                budget: part.label.as_deref(),
                games: match plan.tournament.tiles {
                    Tiles::Random => games,
                    Tiles::Deterministic => distinct_games(&games),
                },
            }
        });
        agents.collect()
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::example::{FIVE_AGENTS, plan};
    use run::{example::figures, game_plan::PlannedGame, game_record::Ending};

    /// Ten games of every agent on shared and `n_private` on private seeds.
    fn run(n_private: u64) -> (RunPlan, Vec<GameFigures>) {
        let mut plan = plan(&FIVE_AGENTS);
        plan.tournament.seeds = "1..10".parse().expect("ten seeds");
        plan.tournament.private_seeds = n_private;
        let of_planned = |game: PlannedGame| GameFigures {
            game: game.number,
            ..figures(game.agent, game.seed, game.seed)
        };
        let records = plan.games().games().map(of_planned).collect();
        (plan, records)
    }

    #[test]
    fn the_games_are_those_behind_the_figures() {
        for n_private in [0, 10] {
            let (mut plan, mut records) = run(n_private);
            plan.tournament.disqualify_after = NonZeroU32::new(3);
            for record in records
                .iter_mut()
                .filter(|record| FIVE_AGENTS[record.series.agent] == "snake")
            {
                record.ending = Ending::Panic;
            }
            let report = Report::new(&plan, &records);
            let parts = agent_games(&report, &plan, &records);
            for (agent, games) in report.budgets[0].agents.iter().zip(&parts[0]) {
                assert_eq!(agent.summary.games, games.games.len(), "{}", agent.name);
                assert_eq!(agent.name, games.name);
                let is_out = agent.disqualified.is_some();
                assert_eq!(is_out, agent.name == "snake");
                let n_games = match (is_out, n_private) {
                    (true, 0) => 3,
                    (true, _) => 0,
                    (false, _) => 10,
                };
                assert_eq!(games.games.len(), n_games);
                assert!(games.games.iter().all(|game| game.seed <= 10));
            }
        }
    }

    #[test]
    fn faults_on_private_seeds_are_faults() {
        let (mut plan, mut records) = run(10);
        plan.tournament.disqualify_after = None;
        for record in &mut records {
            let is_private = record.seed > 10;
            record.ending = if is_private && FIVE_AGENTS[record.series.agent] == "random" {
                Ending::Panic
            } else {
                Ending::NoMoveLeft
            };
        }
        let report = Report::new(&plan, &records);
        let mut agents = report.budgets[0].agents.iter();
        let random = agents.find(|agent| agent.name == "random").unwrap();
        assert_eq!((random.summary.n_faults(), random.n_faults()), (0, 10));
        assert_eq!((random.private_games.games, random.faults.len()), (10, 0));
        let note = report.notes.iter().map(ToString::to_string);
        let mut note = note.filter(|note| note.contains("random ended"));
        let expected = "random ended 10 of 10 games on private seeds with a fault (panic 10), which \
                        count in no figure; the first was on seed";
        assert!(note.next().unwrap().starts_with(expected));
        assert_eq!(note.next(), None);
    }
}
