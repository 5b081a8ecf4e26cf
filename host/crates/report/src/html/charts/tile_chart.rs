//! The share of each agent's games that reached each tile.
//!
//! One row per agent, one column per tile: a row shows how an agent's rate declines, a column
//! compares the agents.

use super::{
    Chart,
    drawing::{Anchor, Drawing, LETTER, LINE},
    row_chart::{AxisPlace, Row, RowChart, RowExtra, RowValue},
};
use statistics::{as_f64, rate::Rate};
use text::number_text::{NONE, count, percent};

use crate::budget_report::{AgentReport, BudgetReport, all_informative_tiles};

const HEIGHT: f64 = 70.0;
const FULL: f64 = 8.0;
const BASE: f64 = 46.0;
const NUMBERS: f64 = 60.0;

pub(in crate::html) fn tile_chart(part: &BudgetReport) -> Chart<'_> {
    let tiles = all_informative_tiles(&part.agents);
    let rows = part.agents.iter().map(|agent| Row {
        agent,
        strip: bars(agent, &tiles),
        value: RowValue::default(),
        extra: RowExtra::default(),
    });
    let rows = rows.collect();
    let labels: Vec<(f64, String)> = (tiles.iter().enumerate())
        .map(|(place, tile)| {
            let (left, right) = column(place, tiles.len());
            (f64::midpoint(left, right), count(*tile))
        })
        .collect();
    let n_lines = Drawing::decoration(0.0).stacked_labels(&labels, 0.0, LETTER);
    let mut axis = Drawing::decoration(4.0 + LINE * as_f64(n_lines));
    axis.stacked_labels(&labels, 12.0, LETTER);
    Chart::Tiles {
        rows: RowChart {
            rows,
            axis,
            axis_place: AxisPlace::Above,
        },
        n_tiles: tiles.len(),
    }
}

fn bars(agent: &AgentReport, tiles: &[u64]) -> Drawing {
    let rates: Vec<Option<&Rate>> = tiles
        .iter()
        .map(|tile| agent.summary.reach.get(tile).filter(|rate| rate.games > 0))
        .collect();
    let sentence: Vec<String> = tiles
        .iter()
        .zip(&rates)
        .map(|(tile, rate)| {
            let rate = rate.map_or(NONE.to_owned(), |rate| percent(rate.rate));
            format!("{tile}: {rate}")
        })
        .collect();
    let mut drawing = Drawing::new(
        HEIGHT,
        format!("{} reached {}", agent.name, sentence.join(", ")),
    );
    drawing.horizontal((0.0, 1.0), BASE, "base");
    for (place, rate) in rates.iter().enumerate() {
        let (left, right) = column(place, tiles.len());
        let middle = f64::midpoint(left, right);
        let Some(rate) = rate else {
            drawing.text((middle, NUMBERS), Anchor::Middle, "number", NONE);
            continue;
        };
        let height = height_of(rate.rate);
        drawing.bar((left, right), (height, BASE), "mark");
        if rate.hits > 0 {
            drawing.horizontal((left, right), height, "top");
        }
        if let Some(interval) = rate.interval {
            let ends = (height_of(interval.high), height_of(interval.low));
            drawing.vertical(middle, ends, "whisker");
        }
        drawing.text(
            (middle, NUMBERS),
            Anchor::Middle,
            "number",
            &whole_percent(rate),
        );
    }
    drawing
}

/// The left and right edges of a column's bar.
fn column(place: usize, n_columns: usize) -> (f64, f64) {
    let width = 1.0 / as_f64(n_columns.max(1));
    let left = as_f64(place) * width;
    (left + 0.18 * width, left + 0.82 * width)
}

fn height_of(share: f64) -> f64 {
    BASE + share * (FULL - BASE)
}

/// In percent; 0 and 100 stand for never and always only.
fn whole_percent(rate: &Rate) -> String {
    match rate.rate * 100.0 {
        number if rate.hits > 0 && number < 1.0 => "<1".to_owned(),
        number if rate.hits < rate.games && number > 99.0 => ">99".to_owned(),
        number => format!("{number:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_means_never_and_100_means_always() {
        let text = |hits, games| whole_percent(&Rate::without_interval(hits, games));
        let texts = [text(0, 999), text(1, 999), text(998, 999), text(999, 999)];
        assert_eq!(texts, ["0", "<1", ">99", "100"]);
        assert_eq!(text(29, 40), "72");
    }

    #[test]
    fn columns_fill_the_width_with_gaps_between_them() {
        let (left, right) = column(1, 4);
        assert!((left - 0.295).abs() < 1e-9 && (right - 0.455).abs() < 1e-9);
    }
}
