//! Tables with a column per tile, per step from tile to tile, or per number of empty cells.

use statistics::rate::Rate;
use text::number_text::{NONE, microseconds, percent};

use super::{
    agent_tables::NAME,
    grid::{Grid, KEEP, TextColumn},
};
use crate::{
    budget_report::{BudgetReport, all_informative_tiles},
    tile_steps::tile_steps,
};

/// Stands before a rate that differs significantly from that of the agent above.
const DIFFERS: &str = "*";

/// What the mark means, where there is one.
pub(crate) fn tiles_title(part: &BudgetReport) -> String {
    let agents = part.agents.iter();
    let mut p_values = agents.flat_map(|agent| agent.tile_p_values.values());
    if p_values.any(|p_value| *p_value <= part.confidence.significance()) {
        "Tiles reached (* differs from the agent above, corrected for the table)".to_owned()
    } else {
        "Tiles reached".to_owned()
    }
}

/// How often each agent reached each tile, in the form that papers use; with intervals, for wide
/// output.
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
    let mut columns = vec![names(part)];
    for (importance, tile) in (0..).zip(all_informative_tiles(agents)) {
        let cells = agents
            .iter()
            .map(|agent| match agent.summary.reach.get(&tile) {
                Some(rate) if rate.games > 0 => {
                    let p_value = agent.tile_p_values.get(&tile).copied();
                    let differs = p_value.is_some_and(|p| p <= part.confidence.significance());
                    if differs { DIFFERS } else { "" }.to_owned() + &text(rate)
                }
                _ => NONE.to_owned(),
            });
        columns.push(TextColumn::right(tile.to_string(), importance, cells));
    }
    Grid::new(columns)
}

pub(crate) const STEPS: &str =
    "From tile to tile (of the games that made a tile, the share that made the next one)";

/// The chance to get from each tile to the next one, with the games behind it.
pub(crate) fn step_table(part: &BudgetReport) -> Grid {
    step_table_with(part, |rate| {
        format!("{} ({} of {})", percent(rate.rate), rate.hits, rate.games)
    })
}

/// Without the games, for narrow output.
pub(crate) fn plain_step_table(part: &BudgetReport) -> Grid {
    step_table_with(part, |rate| percent(rate.rate))
}

fn step_table_with(part: &BudgetReport, text: fn(&Rate) -> String) -> Grid {
    let mut columns = vec![names(part)];
    for (importance, step) in (0..).zip(tile_steps(part)) {
        let cells = step.chances.iter();
        let cells = cells.map(|rate| rate.as_ref().map_or(NONE.into(), text));
        let title = format!("{} → {}", step.from, 2 * step.from);
        columns.push(TextColumn::right(title, importance, cells));
    }
    Grid::new(columns)
}

/// The mean time per move by the number of empty cells; `None` where the records lack it.
pub(crate) fn empty_cells_table(part: &BudgetReport) -> Option<Grid> {
    let agents = &part.agents;
    let all = agents.iter().flat_map(|agent| &agent.time.by_empty);
    let most_empty = all.map(|time| time.empty).max()?;
    let mut columns = vec![names(part).with_header("Empty cells".to_owned())];
    for empty in 0..=most_empty {
        let cells = agents.iter().map(|agent| {
            let mut by_empty = agent.time.by_empty.iter();
            let time = by_empty.find(|time| time.empty == empty);
            time.map_or(NONE.into(), |time| microseconds(time.cpu_us_per_turn))
        });
        // A full board matters most.
        let importance = u8::try_from(100_u64.saturating_sub(empty)).unwrap_or(0);
        columns.push(TextColumn::right(empty.to_string(), importance, cells));
    }
    Some(Grid::new(columns))
}

fn names(part: &BudgetReport) -> TextColumn {
    let agents: Vec<_> = part.agents.iter().collect();
    NAME.of(&agents, KEEP, None)
}
