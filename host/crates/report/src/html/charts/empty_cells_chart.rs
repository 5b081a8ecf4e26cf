//! The time per move by the number of empty cells: whether an agent thinks when it matters.

use super::{
    Chart,
    curve_style::{MOST_NAMES, curve_class, curve_name, free_height},
    drawing::{Anchor, Drawing},
    scale::Scale,
    time_chart::FASTEST_US,
};
use statistics::as_f64;
use text::number_text::{counted, microseconds};

use crate::{
    budget_report::{AgentReport, BudgetReport},
    time_use::EmptyCellsTime,
};

const TOP: f64 = 28.0;
const BOTTOM: f64 = 248.0;

/// A budget that is further above all times would press the curves together.
const FARTHEST_BUDGET: f64 = 10.0;
const HEIGHT: f64 = BOTTOM + 40.0;

/// The mean of fewer turns says little and is not drawn.
const FEWEST_TURNS: u64 = 20;

/// The numbers of empty cells that are drawn for an agent.
fn points(agent: &AgentReport) -> Vec<(u64, f64)> {
    let by_empty = agent.time.by_empty.iter();
    let many = by_empty.filter(|time: &&EmptyCellsTime| time.turns >= FEWEST_TURNS);
    many.map(|time| (time.empty, time.cpu_us_per_turn.max(FASTEST_US)))
        .collect()
}

/// `None` where the records do not tell, as those of hosts up to 1.0.0.
pub(in crate::html) fn empty_cells_chart(part: &BudgetReport) -> Option<Chart<'static>> {
    let curves: Vec<Vec<(u64, f64)>> = part.agents.iter().map(points).collect();
    let most_empty = curves.iter().flatten().map(|(empty, _)| *empty).max()?;
    let times = curves.iter().flatten().map(|(_, time)| *time);
    let longest = times.clone().fold(0.0, f64::max);
    let budget_us = part.budget.per_move().map(|time| time.as_secs_f64() * 1e6);
    let budget_us = budget_us.filter(|budget| *budget <= FARTHEST_BUDGET * longest);
    let scale = Scale::logarithmic(times.chain(budget_us));
    let height_of = |time: f64| BOTTOM + scale.place(time) * (TOP - BOTTOM);
    let x_of = |empty: u64| (as_f64(empty) + 0.7) / (as_f64(most_empty) + 1.4);
    let title = format!(
        "Mean CPU time per move by the number of empty cells, for {}",
        counted(part.agents.len() as u64, "agent")
    );
    let mut drawing = Drawing::new(HEIGHT, title);
    for tick in &scale.ticks {
        let y = height_of(*tick);
        drawing.horizontal((0.0, 1.0), y, "grid");
        let text = microseconds(*tick).replace(".00", "").replace(".0", "");
        drawing.text((0.0, y - 3.0), Anchor::Start, "tick", &text);
    }
    drawing.horizontal((0.0, 1.0), BOTTOM, "base");
    let what = "mean CPU time per move, logarithmic ↑";
    drawing.text((0.0, TOP - 14.0), Anchor::Start, "axis-name", what);
    if let Some(budget) = budget_us {
        let y = height_of(budget);
        drawing.horizontal((0.0, 1.0), y, "budget");
        drawing.text((1.0, y - 4.0), Anchor::End, "budget-name", "budget");
    }
    let labels = (0..=most_empty).map(|empty| (x_of(empty), empty.to_string()));
    drawing.spaced_labels(labels, BOTTOM + 16.0, 0.022);
    let axis = (1.0, BOTTOM + 34.0);
    drawing.text(
        axis,
        Anchor::End,
        "axis-name",
        "empty cells before the move →",
    );
    let mut taken: Vec<f64> = Vec::new();
    for (place, (agent, points)) in part.agents.iter().zip(&curves).enumerate() {
        let class = curve_class(place);
        let drawn: Vec<(f64, f64)> = points
            .iter()
            .map(|(empty, time)| (x_of(*empty), height_of(*time)))
            .collect();
        drawing.curve(&drawn, &class, &agent.name);
        for (x, y) in &drawn {
            drawing.dot(*x, *y, &format!("spot small {class}"));
        }
        // At the ends, curves are often close together.
        let middle = drawn.get(drawn.len() * 2 / 3);
        if let Some((x, y)) = middle.filter(|_| place < MOST_NAMES) {
            let y = free_height(&mut taken, y - 8.0, (TOP, BOTTOM));
            drawing.text(
                (*x, y),
                Anchor::Middle,
                &format!("name {class}"),
                &curve_name(&agent.name),
            );
        }
    }
    Some(Chart::Curves(drawing))
}
