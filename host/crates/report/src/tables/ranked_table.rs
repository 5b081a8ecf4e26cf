//! The ranking with the figures of each agent.

use super::{
    estimate_text::{Estimate, aligned_intervals},
    grid::{Column, Grid, KEEP},
    informative_tiles::highest_informative_tiles,
};
use statistics::{FEW_GAMES, game_outcome::Measure};
use text::number_text::{NONE, amount, count, microseconds, percent, percent_with_digits};

use crate::budget_report::{AgentReport, BudgetReport};

pub(crate) fn ranked_table(part: &BudgetReport, goal: Option<u64>) -> Grid {
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
    if !agents.iter().all(|agent| rank_is_precise(agent, agents)) {
        columns.insert(1, numbers("Rank range", 40, rank_range));
    }
    columns.extend(deciding_columns(part, goal));
    columns.extend([
        numbers("Median", if goal.is_none() { 60 } else { 18 }, |agent| {
            optional(agent.summary.median)
        }),
        numbers("IQR", 10, interquartile_range),
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

/// The figures that decide the ranking: the score, or the goal and the moves to it.
fn deciding_columns(part: &BudgetReport, goal: Option<u64>) -> Vec<Column> {
    let agents = &part.agents;
    let confidence = percent_with_digits(part.confidence.level);
    let aligned = |measure, figure: fn(&AgentReport) -> Estimate| {
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

/// The most informative tiles are the most important columns.
fn tile_columns(agents: &[AgentReport], goal: Option<u64>) -> Vec<Column> {
    let tiles = highest_informative_tiles(agents, goal);
    tiles
        .iter()
        .map(|(tile, distance)| {
            let n_less = tiles.iter().filter(|(_, other)| other < distance).count();
            let importance = 80 + u8::try_from(n_less).unwrap_or(0);
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
pub(crate) fn rank(agent: &AgentReport) -> String {
    match (agent.rank, &agent.disqualified) {
        (Some(rank), _) => rank.to_string(),
        (None, Some(_)) => "out".to_owned(),
        (None, None) => NONE.to_owned(),
    }
}

/// Whether the rank range of the agent is exactly the ranks that agents on its rank share.
fn rank_is_precise(agent: &AgentReport, agents: &[AgentReport]) -> bool {
    let n_sharing = agents.iter().filter(|a| a.rank == agent.rank).count();
    let (Some(rank), Some(range)) = (agent.rank, agent.rank_range) else {
        return true;
    };
    (range.best, range.worst) == (rank, rank + n_sharing - 1)
}

/// The ranks that the comparisons do not rule out.
fn rank_range(agent: &AgentReport) -> String {
    match agent.rank_range {
        Some(range) if range.best == range.worst => range.best.to_string(),
        Some(range) => format!("{}–{}", range.best, range.worst),
        None => NONE.to_owned(),
    }
}

fn games(agent: &AgentReport) -> String {
    let games = count(agent.summary.games as u64);
    if agent.summary.few {
        format!("{games} (n < {FEW_GAMES})")
    } else {
        games
    }
}

fn interquartile_range(agent: &AgentReport) -> String {
    let summary = &agent.summary;
    match summary.lower_quartile.zip(summary.upper_quartile) {
        Some((low, high)) => format!("{}–{}", amount(low), amount(high)),
        None => NONE.to_owned(),
    }
}

fn optional(number: Option<f64>) -> String {
    number.map_or(NONE.into(), amount)
}
