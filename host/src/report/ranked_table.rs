//! The ranking: who stands where, with which figures.

use super::{
    budget_report::{AgentReport, BudgetReport},
    grid::{Column, Grid, KEEP},
    number_text::{
        Figure, NONE, aligned_intervals, amount, count, microseconds, percent, percent_with_digits,
    },
    telling_tiles::highest_telling_tiles,
};
use crate::statistics::outcome::Measure;

pub(super) fn ranked_table(part: &BudgetReport, goal: Option<u64>) -> Grid {
    let agents = &part.agents;
    let numbers = |header, importance, text: fn(&AgentReport) -> String| {
        Column::right(header, importance, agents.iter().map(text))
    };
    let names = agents.iter().map(|agent| agent.name.clone());
    let mut columns = vec![
        numbers("#", KEEP, rank),
        Column::left("Agent", KEEP, names),
        numbers("Games", 90, games),
    ];
    if !agents.iter().all(|agent| rank_tells_all(agent, agents)) {
        columns.insert(1, numbers("May be", 40, places));
    }
    columns.extend(deciding_columns(part, goal));
    columns.extend([
        numbers("Median", if goal.is_none() { 60 } else { 18 }, |agent| {
            optional(agent.summary.median)
        }),
        numbers("Middle half", 10, middle_half),
        numbers("Best", 50, |agent| {
            agent.summary.best.map_or(NONE.into(), count)
        }),
    ]);
    columns.extend(tile_columns(agents, goal));
    let any_fault = agents.iter().any(|agent| agent.summary.n_faults() > 0);
    columns.extend([
        numbers("Moves", 30, |agent| optional(agent.summary.mean_moves)),
        numbers("CPU/move", 65, |agent| {
            let time = agent.time.cpu_ms_per_move;
            time.map_or(NONE.into(), |ms| microseconds(ms * 1e3))
        }),
        numbers("Faults", if any_fault { 85 } else { 15 }, |agent| {
            count(agent.summary.n_faults())
        }),
    ]);
    let is_first = |row: &usize| agents[*row].rank == Some(1);
    Grid {
        columns,
        bold_rows: (0..agents.len()).filter(is_first).collect(),
    }
}

/// What the ranking is made of: the score, or the goal and the moves to it.
fn deciding_columns(part: &BudgetReport, goal: Option<u64>) -> Vec<Column> {
    let agents = &part.agents;
    let confidence = percent_with_digits(part.confidence.together());
    let aligned = |measure, figure: fn(&AgentReport) -> Figure| {
        let figures = agents.iter().map(|agent| (measure, figure(agent)));
        aligned_intervals(&figures.collect::<Vec<_>>())
    };
    let score = aligned(Measure::Score, |agent| {
        (agent.summary.mean, agent.summary.mean_interval)
    });
    let Some(goal) = goal else {
        return vec![Column::left(format!("Score [{confidence}]"), KEEP, score)];
    };
    let rates = aligned(Measure::Reach, |agent| {
        let rate = agent.summary.goal.filter(|rate| rate.games > 0);
        (
            rate.map(|rate| rate.rate),
            rate.and_then(|rate| rate.interval),
        )
    });
    let moves = aligned(Measure::Moves, |agent| {
        let summary = &agent.summary;
        (summary.moves_to_goal, summary.moves_to_goal_interval)
    });
    vec![
        Column::left(format!("Reached {goal} [{confidence}]"), KEEP, rates),
        Column::left(format!("in moves [{confidence}]"), 95, moves),
        Column::left(format!("Score [{confidence}]"), 20, score),
    ]
}

/// Where there is room for one tile only, it is the one that tells most.
fn tile_columns(agents: &[AgentReport], goal: Option<u64>) -> Vec<Column> {
    let tiles = highest_telling_tiles(agents, goal);
    tiles
        .iter()
        .map(|(tile, tells)| {
            let tell_less = tiles.iter().filter(|(_, other)| other < tells).count();
            let importance = 80 + u8::try_from(tell_less).unwrap_or(0);
            let rates = agents
                .iter()
                .map(|agent| match agent.summary.reach.get(tile) {
                    Some(rate) if rate.games > 0 => percent(rate.rate),
                    _ => NONE.to_owned(),
                });
            Column::right(tile.to_string(), importance, rates)
        })
        .collect()
}

/// The rank, or why there is none.
pub(super) fn rank(agent: &AgentReport) -> String {
    match (agent.rank, &agent.disqualified) {
        (Some(rank), _) => rank.to_string(),
        (None, Some(_)) => "out".to_owned(),
        (None, None) => NONE.to_owned(),
    }
}

/// Whether the agent may have just the places that those on its rank share.
fn rank_tells_all(agent: &AgentReport, agents: &[AgentReport]) -> bool {
    let n_sharing = agents.iter().filter(|a| a.rank == agent.rank).count();
    let (Some(rank), Some(range)) = (agent.rank, agent.rank_range) else {
        return true;
    };
    (range.best, range.worst) == (rank, rank + n_sharing - 1)
}

/// The places that nothing proved rules out.
fn places(agent: &AgentReport) -> String {
    match agent.rank_range {
        Some(range) if range.best == range.worst => range.best.to_string(),
        Some(range) => format!("{}–{}", range.best, range.worst),
        None => NONE.to_owned(),
    }
}

fn games(agent: &AgentReport) -> String {
    let games = count(agent.summary.games as u64);
    if agent.summary.few {
        format!("few: {games}")
    } else {
        games
    }
}

fn middle_half(agent: &AgentReport) -> String {
    let summary = &agent.summary;
    match summary.lower_quartile.zip(summary.upper_quartile) {
        Some((low, high)) => format!("{}–{}", amount(low), amount(high)),
        None => NONE.to_owned(),
    }
}

fn optional(number: Option<f64>) -> String {
    number.map_or(NONE.into(), amount)
}
