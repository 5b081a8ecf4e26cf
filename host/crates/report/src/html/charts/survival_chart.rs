//! Where games end: the chance to get from each tile to the next one.
//!
//! The share of games that reached a tile mixes all the steps before it. The chance from one
//! tile to the next shows on which step an agent fails.

use super::{
    Chart,
    curve_style::{MOST_NAMES, curve_class, curve_name, free_height},
    drawing::{Anchor, Drawing, LETTER, LINE},
};
use statistics::{as_f64, interval::Interval, rate::Rate};
use text::number_text::count;

use crate::{budget_report::BudgetReport, tile_steps::tile_steps};

const TOP: f64 = 24.0;
const BOTTOM: f64 = 224.0;
const HEIGHT: f64 = BOTTOM + 40.0;

/// `None` where no game tells anything.
pub(in crate::html) fn survival_chart(part: &BudgetReport) -> Option<Chart<'static>> {
    let steps = tile_steps(part);
    if steps.is_empty() {
        return None;
    }
    let x_of = |place: usize| (as_f64(place) + 0.5) / as_f64(steps.len());
    let labels: Vec<(f64, String)> = steps
        .iter()
        .enumerate()
        .map(|(place, step)| (x_of(place), count(2 * step.from)))
        .collect();
    let n_lines = Drawing::decoration(0.0).stacked_labels(&labels, 0.0, LETTER);
    let below = LINE * as_f64(n_lines.max(1) - 1);
    let title = "Chance to get from each tile to the next";
    let mut drawing = Drawing::new(HEIGHT + below, title);
    for (share, text) in [(0.0, "0%"), (0.5, "50%"), (1.0, "100%")] {
        let class = if share == 0.0 { "base" } else { "grid" };
        drawing.horizontal((0.0, 1.0), height_of(share), class);
        if share > 0.0 {
            drawing.text((0.0, height_of(share) + 13.0), Anchor::Start, "tick", text);
        }
    }
    drawing.stacked_labels(&labels, BOTTOM + 16.0, LETTER);
    let what = "share of games that make it ↑";
    drawing.text((0.0, TOP - 10.0), Anchor::Start, "axis-name", what);
    let axis = (1.0, BOTTOM + 34.0 + below);
    drawing.text(axis, Anchor::End, "axis-name", "tile that is made next →");
    let mut taken = Vec::new();
    for (place, agent) in part.agents.iter().enumerate().rev() {
        let class = curve_class(place);
        let chances: Vec<(f64, Rate)> = steps
            .iter()
            .enumerate()
            .filter_map(|(number, step)| Some((x_of(number), step.chances[place]?)))
            .collect();
        let points: Vec<(f64, f64)> = chances
            .iter()
            .map(|(x, rate)| (*x, height_of(rate.rate)))
            .collect();
        drawing.curve(&points, &class, &agent.name);
        for (x, rate) in &chances {
            if let Some(Interval { low, high }) = rate.interval {
                let ends = (height_of(high), height_of(low));
                drawing.vertical(*x, ends, &format!("error {class}"));
            }
        }
        for (x, y) in &points {
            drawing.dot(*x, *y, &format!("spot {class}"));
        }
        if let Some((x, y)) = points.last()
            && place < MOST_NAMES
        {
            let anchor = if *x > 0.6 { Anchor::End } else { Anchor::Start };
            let class = format!("name {class}");
            let y = free_height(&mut taken, y - 7.0, (TOP, BOTTOM));
            drawing.text((*x, y), anchor, &class, &curve_name(&agent.name));
        }
    }
    Some(Chart::Curves(drawing))
}

fn height_of(share: f64) -> f64 {
    BOTTOM + share * (TOP - BOTTOM)
}
