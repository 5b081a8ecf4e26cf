//! The places of agents over several runs, such as the rounds of a ladder.
//!
//! Every run is judged by itself: its tiles, budgets and opponents may differ, so that places
//! are comparable and scores are not.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{
    Report,
    formats::layout::Layout,
    tables::grid::{Column, Grid, KEEP},
};
use crate::text::{
    csv_table::csv_text,
    number_text::{NONE, count},
};

/// The places of all agents.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct History {
    /// The runs, oldest first.
    pub runs: Vec<String>,
    /// Those with a place in the last run first.
    pub agents: Vec<AgentHistory>,
}

/// The places of one agent under one budget.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgentHistory {
    pub name: String,
    /// The label of the budget, where runs have several.
    pub budget: Option<String>,
    /// One for each run; `None` where it did not play.
    pub places: Vec<Option<Place>>,
}

/// A place in one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// `None` for agents without a rank, such as disqualified ones.
    pub rank: Option<usize>,
    /// The best and the worst rank that it may truly have.
    pub rank_best: Option<usize>,
    pub rank_worst: Option<usize>,
    /// How many agents have a rank.
    pub ranked: usize,
    pub mean: Option<f64>,
    pub games: usize,
    pub disqualified: bool,
}

impl History {
    /// The history of runs, each with its name, oldest first.
    #[must_use]
    pub fn of(reports: &[(String, Report)]) -> Self {
        let parts = reports.iter().flat_map(|(_, report)| &report.budgets);
        let budgets: BTreeSet<&str> = parts.map(|part| part.budget.name.as_str()).collect();
        let has_several = budgets.len() > 1;
        let mut places: BTreeMap<(Option<String>, String), Vec<Option<Place>>> = BTreeMap::new();
        for (number, (_, report)) in reports.iter().enumerate() {
            for part in &report.budgets {
                let ranked = part.agents.iter().filter(|agent| agent.rank.is_some());
                let ranked = ranked.count();
                for agent in part.agents.iter().filter(|agent| !agent.is_second_entry) {
                    let budget = has_several.then(|| part.budget.name.clone());
                    let key = (budget, agent.name.clone());
                    let row = places
                        .entry(key)
                        .or_insert_with(|| vec![None; reports.len()]);
                    row[number] = Some(Place {
                        rank: agent.rank,
                        rank_best: agent.rank_range.map(|range| range.best),
                        rank_worst: agent.rank_range.map(|range| range.worst),
                        ranked,
                        mean: agent.summary.mean,
                        games: agent.summary.games,
                        disqualified: agent.disqualified.is_some(),
                    });
                }
            }
        }
        let mut agents: Vec<AgentHistory> = places
            .into_iter()
            .map(|((budget, name), places)| AgentHistory {
                name,
                budget,
                places,
            })
            .collect();
        agents.sort_unstable_by(|a, b| a.order().cmp(&b.order()));
        Self {
            runs: reports.iter().map(|(name, _)| name.clone()).collect(),
            agents,
        }
    }

    /// As text for a terminal.
    #[must_use]
    pub fn to_text(&self, layout: Layout) -> String {
        self.table_of(&self.agents).to_text(layout)
    }

    #[must_use]
    pub fn to_markdown(&self) -> String {
        self.table_of(&self.agents).to_markdown()
    }

    /// As CSV, one line per agent and run.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let header = [
            "run",
            "agent",
            "budget",
            "rank",
            "rank_best",
            "rank_worst",
            "ranked",
            "mean",
            "games",
            "disqualified",
        ];
        let lines = self.agents.iter().flat_map(|agent| {
            let places = self.runs.iter().zip(&agent.places);
            places.filter_map(move |(run, place)| {
                let place = place.as_ref()?;
                Some([
                    run.clone(),
                    agent.name.clone(),
                    agent.budget.clone().unwrap_or_default(),
                    optional(place.rank),
                    optional(place.rank_best),
                    optional(place.rank_worst),
                    place.ranked.to_string(),
                    optional(place.mean),
                    place.games.to_string(),
                    place.disqualified.to_string(),
                ])
            })
        });
        csv_text(header.map(str::to_owned), lines)
    }

    /// The table of some of the agents.
    pub(super) fn table_of(&self, agents: &[AgentHistory]) -> Grid {
        let names = agents.iter().map(|agent| agent.name.clone());
        let mut columns = vec![Column::left("Agent", KEEP, names)];
        if agents.iter().any(|agent| agent.budget.is_some()) {
            let budgets = agents.iter().map(|a| a.budget.clone().unwrap_or_default());
            columns.push(Column::left("Budget", KEEP, budgets));
        }
        for (number, run) in self.runs.iter().enumerate() {
            let places = agents
                .iter()
                .map(|agent| text_of(agent.places[number].as_ref()));
            // On a narrow terminal the oldest runs are dropped.
            let importance = u8::try_from(number).unwrap_or(u8::MAX - 1);
            let is_last = number + 1 == self.runs.len();
            let importance = if is_last { KEEP } else { importance };
            columns.push(Column::right(run.clone(), importance, places));
        }
        if self.runs.len() > 1 {
            let change = |agent: &AgentHistory| agent.change_in_words();
            columns.push(Column::right("Change", KEEP, agents.iter().map(change)));
        }
        Grid::new(columns)
    }
}

impl AgentHistory {
    /// Agents of the last run first, by rank.
    fn order(&self) -> (Option<&str>, Vec<usize>, &str) {
        let rank = |place: &Option<Place>| match place {
            Some(place) => place.rank.unwrap_or(usize::MAX - 1),
            None => usize::MAX,
        };
        let ranks = self.places.iter().rev().map(rank).collect();
        (self.budget.as_deref(), ranks, &self.name)
    }

    /// How many places the last run is above the one before it that this agent played.
    fn change_in_words(&self) -> String {
        let mut ranks = self.places.iter().rev().map(|place| place.as_ref()?.rank);
        let (Some(Some(last)), Some(before)) = (ranks.next(), ranks.flatten().next()) else {
            return String::new();
        };
        match before.cmp(&last) {
            std::cmp::Ordering::Greater => format!("▲ {}", before - last),
            std::cmp::Ordering::Less => format!("▼ {}", last - before),
            std::cmp::Ordering::Equal => "=".to_owned(),
        }
    }
}

/// The rank, with its range if it is not certain.
fn text_of(place: Option<&Place>) -> String {
    match place {
        None => NONE.into(),
        Some(place) if place.disqualified => "disqualified".to_owned(),
        Some(Place {
            rank: Some(rank),
            rank_best: Some(best),
            rank_worst: Some(worst),
            ..
        }) if best != worst => format!(
            "{} ({}–{})",
            count(*rank as u64),
            count(*best as u64),
            count(*worst as u64)
        ),
        Some(place) => place.rank.map_or(NONE.into(), |rank| count(rank as u64)),
    }
}

fn optional(figure: Option<impl ToString>) -> String {
    figure.map(|figure| figure.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::example::{FIVE_AGENTS, five_agents_forty_seeds, input};

    #[test]
    fn places_are_shown_run_by_run() {
        let all = Report::new(&input(&FIVE_AGENTS), &five_agents_forty_seeds());
        let mut records = five_agents_forty_seeds();
        // In the first run, the best agent was not there, and snake played like mcts.
        records.retain(|record| &*record.agent != "expectimax" && &*record.agent != "minimax");
        for record in &mut records {
            record.agent = match &*record.agent {
                "snake" => "mcts".into(),
                "mcts" => "snake".into(),
                _ => record.agent.clone(),
            };
        }
        let first = Report::new(&input(&["mcts", "snake", "random"]), &records);
        let history = History::of(&[("week-1".into(), first), ("week-2".into(), all)]);
        insta::assert_snapshot!(history.to_text(Layout::default()), @"
        Agent       week-1  week-2  Change
        ──────────────────────────────────
        expectimax       –       1
        mcts             2       2       =
        minimax          –       3
        snake            1       4     ▼ 3
        random           3       5     ▼ 2
        ");
        assert!(history.to_csv().starts_with("run,agent,budget,rank"));
        assert!(history.to_csv().contains("\nweek-2,expectimax,,1,1,1,5,"));
    }
}
