//! The time per move of each agent, so that readers can check that budgets were equal.

use super::grid::{Column, Grid, KEEP};
use statistics::as_f64;
use text::number_text::{NONE, amount, count, microseconds, percent};

use crate::budget_report::{AgentReport, BudgetReport};

pub(crate) fn fairness_table(part: &BudgetReport) -> Grid {
    let agents = &part.agents;
    let column = |header, importance, text: fn(&AgentReport) -> String| {
        Column::right(header, importance, agents.iter().map(text))
    };
    let names = agents.iter().map(|agent| agent.name.clone());
    let mut columns = vec![Column::left("Agent", KEEP, names)];
    if let Some(per_move) = part.budget.per_move {
        let budget = microseconds(per_move.as_secs_f64() * 1e6);
        let cells = agents.iter().map(|_| budget.clone());
        columns.push(Column::right("Budget", 30, cells));
        columns.push(column("Used", 100, |agent| {
            agent.time.budget_share.map_or(NONE.into(), percent)
        }));
    }
    columns.extend([
        column("Median", 80, |agent| estimated(agent.time.median_us)),
        column("p99", 70, |agent| estimated(agent.time.p99_us)),
        column("Max", 90, |agent| match agent.time.median_us {
            Some(_) => microseconds(agent.time.max_us),
            None => NONE.into(),
        }),
        column("CPU/move", 60, |agent| per_move(agent.time.cpu_ms_per_move)),
        column("Wall/move", 50, |agent| {
            per_move(agent.time.wall_ms_per_move)
        }),
        column("Overruns", 85, |agent| count(agent.time.overruns)),
        column("Overdrawn", 20, |agent| {
            microseconds(as_f64(agent.time.overdrawn_us))
        }),
        column("Threads", 40, |agent| count(agent.time.threads)),
        column("Nodes/CPU-ms", 45, |agent| {
            agent.time.nodes_per_cpu_ms.map_or(NONE.into(), amount)
        }),
    ]);
    Grid::new(columns)
}

/// A quantile is an estimate: records have a histogram of times, not the times. Its first bucket
/// has all times below a microsecond.
fn estimated(quantile: Option<f64>) -> String {
    match quantile {
        None => NONE.into(),
        Some(time) if time < 1.0 => "< 1 µs".into(),
        Some(time) => format!("≈ {}", microseconds(time)),
    }
}

fn per_move(milliseconds: Option<f64>) -> String {
    milliseconds.map_or(NONE.into(), |time| microseconds(time * 1e3))
}
