//! How often each agent reached each tile, in the form that papers use.

use super::{
    grid::{Column, Grid, KEEP},
    informative_tiles::all_informative_tiles,
};
use statistics::rate::Rate;
use text::number_text::{NONE, percent};

use crate::budget_report::BudgetReport;

/// With intervals, for wide output.
pub(crate) fn tile_table_with_intervals(part: &BudgetReport) -> Grid {
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

pub(crate) fn plain_tile_table(part: &BudgetReport) -> Grid {
    tile_table(part, |rate| percent(rate.rate))
}

fn tile_table(part: &BudgetReport, text: fn(&Rate) -> String) -> Grid {
    let agents = &part.agents;
    let names = agents.iter().map(|agent| agent.name.clone());
    let mut columns = vec![Column::left("Agent", KEEP, names)];
    for (importance, tile) in (0..).zip(all_informative_tiles(agents)) {
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
