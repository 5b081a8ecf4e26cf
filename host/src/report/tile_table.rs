//! How often each agent reached each tile, as papers print it.

use super::{
    budget_report::BudgetReport,
    grid::{Column, Grid, KEEP},
    number_text::{NONE, percent},
    telling_tiles::all_telling_tiles,
};
use crate::statistics::rate::Rate;

/// With intervals, for those who have the room.
pub(super) fn tile_table_with_intervals(part: &BudgetReport) -> Grid {
    tile_table(part, |rate| match rate.interval {
        Some(interval) => format!(
            "{} [{:.1}, {:.1}]",
            percent(rate.rate),
            100.0 * interval.low,
            100.0 * interval.high
        ),
        None => percent(rate.rate),
    })
}

pub(super) fn plain_tile_table(part: &BudgetReport) -> Grid {
    tile_table(part, |rate| percent(rate.rate))
}

fn tile_table(part: &BudgetReport, text: fn(&Rate) -> String) -> Grid {
    let agents = &part.agents;
    let names = agents.iter().map(|agent| agent.name.clone());
    let mut columns = vec![Column::left("Agent", KEEP, names)];
    for (importance, tile) in (0..).zip(all_telling_tiles(agents)) {
        let cells = agents
            .iter()
            .map(|agent| match agent.summary.reach.get(&tile) {
                Some(rate) if rate.games > 0 => text(rate),
                _ => NONE.to_owned(),
            });
        columns.push(Column::right(tile.to_string(), importance, cells));
    }
    Grid::new(columns)
}
