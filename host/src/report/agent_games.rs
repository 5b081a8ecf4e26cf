//! The games behind the figures of each agent.

use std::collections::HashMap;

use crate::{
    report::{Report, ReportInput},
    run::game_figures::{GameFigures, in_plan_order},
    statistics::{agent_summary::Luck, as_f64, game_outcome::distinct_games},
};

/// The games of one agent under one budget that count, in the order of the plan.
#[derive(Clone)]
pub(in crate::report) struct AgentGames<'r> {
    pub(in crate::report) name: &'r str,
    /// The label of the budget, where the tournament has several.
    pub(in crate::report) budget: Option<&'r str>,
    pub(in crate::report) games: Vec<&'r GameFigures>,
}

impl AgentGames<'_> {
    /// The scores, ascending; with a goal, the moves of the games that reached it.
    pub(in crate::report) fn values(&self, goal: Option<u64>) -> Vec<f64> {
        let values = self.games.iter().filter_map(|game| match goal {
            None => Some(as_f64(game.score)),
            Some(goal) => (game.highest >= goal).then_some(as_f64(game.n_moves)),
        });
        let mut values: Vec<f64> = values.collect();
        values.sort_unstable_by(f64::total_cmp);
        values
    }
}

/// One entry for each agent of each part of the report, in its order.
pub(in crate::report) fn agent_games<'r>(
    report: &'r Report,
    input: &ReportInput,
    records: &'r [GameFigures],
) -> Vec<Vec<AgentGames<'r>>> {
    let has_several = report.budgets.len() > 1;
    let budget_of = |label: &'r Option<String>| label.as_deref().filter(|_| has_several);
    let mut by_agent: HashMap<(Option<&str>, &str), Vec<&GameFigures>> = HashMap::new();
    let in_order = in_plan_order(records);
    let counted = match &report.decision {
        Some(decision) => decision.counted(input, &in_order),
        None => in_order,
    };
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
            if let Some(disqualified) = &agent.disqualified {
                games.retain(|game| game.game <= disqualified.game);
            }
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
    use crate::report::example::{FIVE_AGENTS, five_agents_forty_seeds, input};

    #[test]
    fn the_games_are_those_behind_the_figures() {
        let (input, records) = (input(&FIVE_AGENTS), five_agents_forty_seeds());
        let report = Report::new(&input, &records);
        let parts = agent_games(&report, &input, &records);
        for (agent, games) in report.budgets[0].agents.iter().zip(&parts[0]) {
            assert_eq!(agent.summary.games, games.games.len(), "{}", agent.name);
            assert_eq!(agent.name, games.name);
        }
    }
}
