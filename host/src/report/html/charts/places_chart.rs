//! The places of agents from run to run: one curve per agent, the first place on top.

use super::{
    Chart,
    curve_style::{curve_class, curve_name, free_height},
    distribution_chart::MOST_NAMES,
    drawing::{Anchor, Drawing, LINE},
};
use crate::{
    report::history::AgentHistory,
    statistics::length,
    text::number_text::{count, counted},
};

const TOP: f64 = 20.0;
/// The height of a place.
const PLACE: f64 = 22.0;
/// The most places that are drawn at their full height.
const MOST_PLACES: usize = 24;
/// Where the first and the last run are; names are on the right.
const LEFT: f64 = 0.05;
const RIGHT: f64 = 0.78;

/// The chart of agents under one budget, in the order of the last run; `None` if no run gives
/// a place.
pub(in crate::report::html) fn places_chart(
    runs: &[String],
    agents: &[&AgentHistory],
) -> Option<Chart<'static>> {
    let ranks = |agent: &AgentHistory| -> Vec<Option<usize>> {
        let rank = |place: &Option<crate::report::history::Place>| place.as_ref()?.rank;
        agent.places.iter().map(rank).collect()
    };
    let last = agents
        .iter()
        .flat_map(|agent| ranks(agent))
        .flatten()
        .max()?;
    // Agents that share a place have their names below each other.
    let is_named = |agent: &&&AgentHistory| ranks(agent).last().is_some_and(Option::is_some);
    let n_named = agents.iter().take(MOST_NAMES).filter(is_named).count();
    let for_names = LINE * length(n_named);
    let bottom = TOP + (PLACE * length(last.min(MOST_PLACES))).max(for_names);
    let step = (bottom - TOP) / length(last);
    let height_of = |rank: usize| TOP + step * (length(rank) - 0.5);
    let x_of = |run: usize| match runs.len() {
        0 | 1 => LEFT,
        n_runs => LEFT + (RIGHT - LEFT) * length(run) / length(n_runs - 1),
    };
    let title = format!(
        "Places of {} in {}",
        counted(agents.len() as u64, "agent"),
        counted(runs.len() as u64, "run")
    );
    let mut drawing = Drawing::new(bottom + 26.0, title);
    let every = last.div_ceil(MOST_PLACES);
    for rank in (1..=last).filter(|rank| *rank == 1 || rank % every == 0) {
        let y = height_of(rank);
        drawing.horizontal((LEFT, RIGHT), y, "grid");
        drawing.text((LEFT, y + 4.0), Anchor::End, "tick", &count(rank as u64));
    }
    let labels = runs.iter().enumerate();
    let labels = labels.map(|(run, name)| (x_of(run), name.clone()));
    drawing.spaced_labels(labels, bottom + 16.0, 0.022);
    let mut taken: Vec<f64> = Vec::new();
    for (place, agent) in agents.iter().enumerate() {
        let class = curve_class(place, MOST_NAMES);
        let ranks = ranks(agent);
        let points: Vec<Option<(f64, f64)>> = ranks
            .iter()
            .enumerate()
            .map(|(run, rank)| Some((x_of(run), height_of((*rank)?))))
            .collect();
        // A run without a place interrupts the curve.
        for part in points.split(Option::is_none).filter(|part| part.len() > 1) {
            let part: Vec<(f64, f64)> = part.iter().copied().flatten().collect();
            drawing.curve(&part, &class, &agent.name);
        }
        for (x, y) in points.iter().flatten() {
            drawing.dot(*x, *y, &format!("spot small {class}"));
        }
        let is_named = place < MOST_NAMES;
        if let Some((x, y)) = points.last().copied().flatten().filter(|_| is_named) {
            let y = free_height(&mut taken, y + 4.0, (TOP - LINE, bottom + 2.0));
            drawing.text(
                (x + 0.01, y),
                Anchor::Start,
                &format!("name {class}"),
                &curve_name(&agent.name),
            );
        }
    }
    Some(Chart::Curves(drawing))
}
