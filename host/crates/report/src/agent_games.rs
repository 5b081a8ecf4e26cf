//! The games behind the figures of each agent.

use std::collections::HashMap;

use run::{
    disqualification::{Disqualification, disqualification},
    game_figures::{GameFigures, in_plan_order},
};
use statistics::as_f64;

use crate::{
    Decision, Report, ReportInput,
    agent_summary::{Luck, distinct_games},
};

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

/// The games of an agent up to the one that disqualified it: those on private seeds, which are
/// not ranked, and those on shared seeds. How many games other workers had started by then
/// depends on their number. `games` are in the order of the plan.
pub(crate) fn until_disqualified<'g, 'r>(
    games: &'g [&'r GameFigures],
    disqualified: Option<&Disqualification>,
    input: &ReportInput,
) -> (&'g [&'r GameFigures], &'g [&'r GameFigures]) {
    let last = disqualified.map_or(u64::MAX, |disqualified| disqualified.game);
    let end = games.partition_point(|game| game.game <= last);
    let first_shared = games.partition_point(|game| game.game < input.first_shared_game);
    games[..end].split_at(first_shared.min(end))
}

/// All games that count, also those on private seeds, in the order of the plan. With a stop rule,
/// `decision` is that of these records.
#[must_use]
pub fn counted_games<'r>(
    input: &ReportInput,
    decision: Option<&Decision>,
    records: &'r [GameFigures],
) -> Vec<&'r GameFigures> {
    let mut games = in_plan_order(records);
    if let Some(decision) = decision {
        games = decision.counted(input, &games);
    }
    let Some(streak) = input.fault_streak() else {
        return games;
    };
    let mut of_series: HashMap<(Option<&str>, &str), Vec<&GameFigures>> = HashMap::new();
    for game in &games {
        let series = (game.budget.as_deref(), &*game.agent);
        of_series.entry(series).or_default().push(game);
    }
    let last_game = |games: Vec<&GameFigures>| Some(disqualification(games, streak)?.game);
    let last_games = of_series.into_iter();
    let last_games: HashMap<_, u64> = last_games
        .filter_map(|(series, games)| Some((series, last_game(games)?)))
        .collect();
    games.retain(|game| {
        let last = last_games.get(&(game.budget.as_deref(), &*game.agent));
        last.is_none_or(|last| game.game <= *last)
    });
    games
}

/// One entry for each agent of each part of the report, in its order.
pub(crate) fn agent_games<'r>(
    report: &'r Report,
    input: &ReportInput,
    records: &'r [GameFigures],
) -> Vec<Vec<AgentGames<'r>>> {
    let has_several = report.budgets.len() > 1;
    let budget_of = |label: &'r Option<String>| label.as_deref().filter(|_| has_several);
    let mut by_agent: HashMap<(Option<&str>, &str), Vec<&GameFigures>> = HashMap::new();
    let mut counted = counted_games(input, report.decision.as_ref(), records);
    counted.retain(|game| game.game >= input.first_shared_game);
    for record in counted {
        let key = (
            record.budget.as_deref().filter(|_| has_several),
            &*record.agent,
        );
        by_agent.entry(key).or_default().push(record);
    }
    let parts = report.budgets.iter().map(|part| {
        let budget = budget_of(&part.budget.label);
        let agents = part.agents.iter().map(|agent| {
            let mut games = by_agent.remove(&(budget, &*agent.name)).unwrap_or_default();
            if input.luck == Luck::None {
                games = distinct_games(&games);
            }
            AgentGames {
                name: &agent.name,
                budget,
                games,
            }
        });
        agents.collect()
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{FIVE_AGENTS, five_agents_forty_seeds, input};
    use run::game_record::Ending;

    #[test]
    fn the_games_are_those_behind_the_figures() {
        for n_private in [0, 50] {
            let (mut input, records) = (input(&FIVE_AGENTS), five_agents_forty_seeds());
            input.first_shared_game = n_private;
            let report = Report::new(&input, &records);
            let parts = agent_games(&report, &input, &records);
            for (agent, games) in report.budgets[0].agents.iter().zip(&parts[0]) {
                assert_eq!(agent.summary.games, games.games.len(), "{}", agent.name);
                assert_eq!(agent.name, games.name);
                let is_private = |game: &&&GameFigures| game.game < n_private;
                assert_eq!(games.games.iter().find(is_private), None);
            }
        }
    }

    #[test]
    fn faults_on_private_seeds_are_faults() {
        let (mut input, mut records) = (input(&FIVE_AGENTS), five_agents_forty_seeds());
        input.first_shared_game = 50;
        for record in &mut records {
            let is_private = record.game < input.first_shared_game;
            record.ending = if is_private && &*record.agent == "random" {
                Ending::Panic
            } else {
                Ending::NoMoveLeft
            };
        }
        input.disqualify_after = None;
        let report = Report::new(&input, &records);
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
