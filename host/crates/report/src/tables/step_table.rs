//! The chance to get from each tile to the next one, with the games behind it.

use super::grid::{Column, Grid, KEEP};
use statistics::rate::Rate;
use text::number_text::{NONE, percent};

use crate::{budget_report::BudgetReport, tile_steps::tile_steps};

pub(crate) const STEPS: &str =
    "From tile to tile (of the games that made a tile, the share that made the next one)";

pub(crate) fn step_table(part: &BudgetReport) -> Grid {
    table(part, |rate| {
        format!("{} ({} of {})", percent(rate.rate), rate.hits, rate.games)
    })
}

/// Without the games, for narrow output.
pub(crate) fn plain_step_table(part: &BudgetReport) -> Grid {
    table(part, |rate| percent(rate.rate))
}

fn table(part: &BudgetReport, text: fn(&Rate) -> String) -> Grid {
    let names = part.agents.iter().map(|agent| agent.name.clone());
    let mut columns = vec![Column::left("Agent", KEEP, names)];
    for (importance, step) in (0..).zip(tile_steps(part)) {
        let cells = step.chances.iter();
        let cells = cells.map(|rate| rate.as_ref().map_or(NONE.into(), text));
        let title = format!("{} → {}", step.from, 2 * step.from);
        columns.push(Column::right(title, importance, cells));
    }
    Grid::new(columns)
}
