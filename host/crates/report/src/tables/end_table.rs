//! How the games of each agent end.

use super::grid::{Column, Grid, KEEP};
use text::number_text::{NONE, amount, count, decimals, percent};

use crate::{
    budget_report::{AgentReport, BudgetReport},
    game_ends::{MOVES_AFTER, Quartiles},
    loss::median_text,
};

pub(crate) const ENDS: &str = "How games end (medians; crowded: moves with fewer than \
     a quarter of the cells empty; lost ≤ N: share of losses within N moves of a new highest tile)";

pub(crate) fn end_table(part: &BudgetReport) -> Grid {
    let agents = &part.agents;
    let column = |header: &str, importance, text: &dyn Fn(&AgentReport) -> String| {
        Column::right(header, importance, agents.iter().map(text))
    };
    let names = agents.iter().map(|agent| agent.name.clone());
    let median = |quartiles: Option<Quartiles>| quartiles.map_or(NONE.into(), median_text);
    let mut columns = vec![
        Column::left("Agent", KEEP, names),
        column("Games", 60, &|agent| count(agent.ends.games as u64)),
        column(
            "Most often at",
            KEEP,
            &|agent| match agent.ends.usual_highest() {
                Some((tile, share)) => format!("{tile} ({})", percent(share)),
                None => NONE.to_owned(),
            },
        ),
        column("Moves", 90, &|agent| median(agent.ends.moves)),
        column("IQR", 30, &|agent| match agent.ends.moves {
            Some(moves) => format!("{}–{}", amount(moves.lower), amount(moves.upper)),
            None => NONE.to_owned(),
        }),
    ];
    // Records of hosts up to 1.0.0 do not tell.
    if agents
        .iter()
        .any(|agent| agent.ends.since_highest.is_some())
    {
        columns.push(column("Since highest", 85, &|agent| {
            median(agent.ends.since_highest)
        }));
        columns.push(column("Crowded", 80, &|agent| {
            median(agent.ends.crowded_moves)
        }));
        for (importance, moves) in (70..).zip(MOVES_AFTER) {
            let header = format!("Lost ≤ {moves}");
            columns.push(column(&header, importance, &|agent| {
                let rate = agent.ends.lost_within.get(&moves);
                rate.map_or(NONE.into(), |rate| percent(rate.rate))
            }));
        }
    }
    let is_trivial = agents
        .iter()
        .all(|agent| agent.ends.empty_cells == Some(0.0));
    if !is_trivial {
        columns.push(column("Empty cells", 40, &|agent| {
            let mean = agent.ends.empty_cells;
            mean.map_or(NONE.into(), |mean| decimals(mean, 1))
        }));
    }
    columns.push(column("Faults", 65, &|agent| {
        count(agent.summary.n_faults())
    }));
    Grid::new(columns)
}
