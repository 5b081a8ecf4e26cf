//! The mean time per move by the number of empty cells.

use super::grid::{Column, Grid, KEEP};
use text::number_text::{NONE, microseconds};

use crate::budget_report::BudgetReport;

/// `None` where the records do not tell.
pub(crate) fn empty_cells_table(part: &BudgetReport) -> Option<Grid> {
    let agents = &part.agents;
    let all = agents.iter().flat_map(|agent| &agent.time.by_empty);
    let most_empty = all.map(|time| time.empty).max()?;
    let names = agents.iter().map(|agent| agent.name.clone());
    let mut columns = vec![Column::left("Empty cells", KEEP, names)];
    for empty in 0..=most_empty {
        let cells = agents.iter().map(|agent| {
            let mut by_empty = agent.time.by_empty.iter();
            let time = by_empty.find(|time| time.empty == empty);
            time.map_or(NONE.into(), |time| microseconds(time.cpu_us_per_turn))
        });
        // A full board matters most.
        let importance = u8::try_from(100_u64.saturating_sub(empty)).unwrap_or(0);
        columns.push(Column::right(empty.to_string(), importance, cells));
    }
    Some(Grid::new(columns))
}
