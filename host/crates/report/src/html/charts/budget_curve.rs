//! Strength against budget: how much stronger each agent gets with a larger budget.

use maud::{Markup, html};

use super::{
    curve_style::{MOST_NAMES, curve_class, curve_name},
    drawing::{Anchor, Drawing, LINE as LABEL_LINE, pixels},
    saved_figure::{SavedFigure, text_width},
    scale::{Scale, short},
};
use statistics::{as_f64, interval::Interval};
use text::number_text::{amount, microseconds, percent};
use tournament::{Budget, BudgetLimit};

use crate::{
    Report,
    budget_report::{AgentReport, BudgetReport},
    estimate_text::with_interval,
};

const TOP: f64 = 12.0;
const BOTTOM: f64 = 318.0;
/// The height with one line of labels below the drawing.
const HEIGHT: f64 = BOTTOM + 40.0;

/// The width of the labels of the vertical axis.
const TICKS_WIDTH: f64 = 42.0;

/// The least distance between the names of curves.
const LINE: f64 = 15.0;

/// How far agents are shifted sideways, as a share of the width, so that their intervals do
/// not cover each other.
const ASIDE: f64 = 0.005;

/// The width of a letter on a phone, as a share of the drawing's width. It is larger than in
/// other charts, because this drawing has labels on both sides.
const LETTER: f64 = 0.033;

/// An agent's strength under one budget.
struct Point {
    x: f64,
    value: f64,
    interval: Option<Interval>,
    budget: String,
}

struct Curve<'c> {
    agent: &'c str,
    points: Vec<Point>,
}

/// The curves, with the labels of the vertical axis to the left and the names to the right.
pub(in crate::html) struct BudgetCurves {
    drawing: Drawing,
    /// Height and text.
    ticks: Vec<(f64, String)>,
    /// Height, class and name.
    names: Vec<(f64, String, String)>,
}

/// Agents in the order of the last budget's ranking.
pub(in crate::html) fn budget_curve(report: &Report, budgets: &[Budget]) -> BudgetCurves {
    let places = places(budgets);
    let curves = curves(report, budgets, &places);
    let text = if report.goal.is_some() {
        percent
    } else {
        amount
    };
    let values = curves
        .iter()
        .flat_map(|curve| &curve.points)
        .flat_map(|point| {
            let ends = point
                .interval
                .map_or([point.value; 2], |ends| [ends.low, ends.high]);
            [ends[0], point.value, ends[1]]
        });
    let scale = match report.goal {
        Some(_) => Scale::linear(1.0),
        None => Scale::logarithmic(values),
    };
    let y_of = |value: f64| BOTTOM + scale.place(value) * (TOP - BOTTOM);

    let mut labels: Vec<(f64, String)> = places
        .iter()
        .zip(budgets)
        .map(|(x, budget)| (*x, short_label(budget)))
        .collect();
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n_lines = Drawing::decoration(0.0).stacked_labels(&labels, 0.0, LETTER);
    let below = LABEL_LINE * as_f64(n_lines.max(1) - 1);

    let title = "Strength of each agent against its budget";
    let mut drawing = Drawing::new(HEIGHT + below, title);
    for tick in &scale.ticks {
        drawing.horizontal((0.0, 1.0), y_of(*tick), "grid");
    }
    for (x, _) in &labels {
        drawing.vertical(*x, (TOP, BOTTOM), "grid");
    }
    drawing.stacked_labels(&labels, BOTTOM + 16.0, LETTER);
    drawing.text(
        (1.0, BOTTOM + 34.0 + below),
        Anchor::End,
        "axis-name",
        "budget per move →",
    );
    for (place, curve) in curves.iter().enumerate().rev() {
        draw_curve(&mut drawing, curve, &curve_class(place), y_of, text);
    }
    let label = |tick: f64| match report.goal {
        Some(_) => percent(tick).replace(".0", ""),
        None => short(tick),
    };
    let ticks = scale.ticks.iter();
    BudgetCurves {
        drawing,
        ticks: ticks
            .map(|tick| (y_of(*tick) + 4.0, label(*tick)))
            .collect(),
        names: names(&curves, y_of),
    }
}

impl BudgetCurves {
    fn names_width(&self) -> f64 {
        let widths = self.names.iter().map(|(_, _, name)| text_width(name));
        widths.fold(0.0, f64::max).min(176.0) + 14.0
    }

    pub(in crate::html) fn to_html(&self) -> Markup {
        let height = self.drawing.height();
        html! {
            div.with-names {
                svg aria-hidden="true" width=(TICKS_WIDTH) height=(height) {
                    @for (y, text) in &self.ticks {
                        text class="tick" x=(TICKS_WIDTH - 6.0) y=(pixels(*y)) text-anchor="end" {
                            (text)
                        }
                    }
                }
                div { (self.drawing.to_svg()) }
                svg aria-hidden="true" width=(pixels(self.names_width())) height=(height) {
                    @for (y, class, name) in &self.names {
                        text class={ "name " (class) } x="4" y=(pixels(*y)) { (name) }
                    }
                }
            }
        }
    }

    pub(in crate::html) fn draw(&self, figure: &mut SavedFigure) {
        let width = SavedFigure::INNER_WIDTH - TICKS_WIDTH - self.names_width();
        for (y, text) in &self.ticks {
            figure.text(TICKS_WIDTH - 6.0, *y, "end", "tick", text);
        }
        figure.place(&self.drawing, TICKS_WIDTH, width);
        for (y, class, name) in &self.names {
            let class = format!("name {class}");
            figure.text(TICKS_WIDTH + width + 4.0, *y, "start", &class, name);
        }
        figure.advance(self.drawing.height());
    }
}

/// The positions of the budgets: by size where all are of one kind, else at equal distances.
fn places(budgets: &[Budget]) -> Vec<f64> {
    let size = |budget: &Budget| match budget.limit {
        BudgetLimit::Time { per_move } => Some((0, per_move.as_secs_f64())),
        BudgetLimit::Nodes(nodes) => Some((1, as_f64(nodes.get()))),
        BudgetLimit::None => None,
    };
    let sizes: Option<Vec<(u8, f64)>> = budgets.iter().map(size).collect();
    let (from, to) = (0.05, 0.95);
    let spread = |share: f64| from + share * (to - from);
    let sizes = sizes.unwrap_or_default();
    let of_a_kind = sizes.windows(2).all(|pair| pair[0].0 == pair[1].0);
    let logs: Vec<f64> = sizes.iter().map(|(_, size)| size.ln()).collect();
    let low = logs.iter().copied().fold(f64::INFINITY, f64::min);
    let high = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if of_a_kind && high > low {
        let share = |log: &f64| spread((log - low) / (high - low));
        return logs.iter().map(share).collect();
    }
    let last = as_f64(budgets.len().saturating_sub(1).max(1));
    (0..budgets.len())
        .map(|place| spread(as_f64(place) / last))
        .collect()
}

fn short_label(budget: &Budget) -> String {
    match budget.limit {
        BudgetLimit::Time { per_move } => microseconds(per_move.as_secs_f64() * 1e6)
            .replace(".00 ", " ")
            .replace(".0 ", " "),
        BudgetLimit::Nodes(nodes) => format!("{} nodes", short(as_f64(nodes.get()))),
        BudgetLimit::None => "none".to_owned(),
    }
}

fn curves<'r>(report: &'r Report, budgets: &[Budget], places: &[f64]) -> Vec<Curve<'r>> {
    let Some(last) = report.budgets.last() else {
        return Vec::new();
    };
    let middle = as_f64(last.agents.len().min(MOST_NAMES).saturating_sub(1)) / 2.0;
    let curve = |(place, agent): (usize, &'r AgentReport)| {
        let aside = (as_f64(place.min(MOST_NAMES - 1)) - middle) * ASIDE;
        let parts = report.budgets.iter().zip(budgets).zip(places);
        let mut points: Vec<Point> = parts
            .filter_map(|((part, budget), x)| point(part, &agent.name, x + aside, budget))
            .collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Curve {
            agent: &agent.name,
            points,
        }
    };
    let curves = last.agents.iter().enumerate().map(curve);
    curves.filter(|curve| !curve.points.is_empty()).collect()
}

fn point(part: &BudgetReport, name: &str, x: f64, budget: &Budget) -> Option<Point> {
    let agent = part.agents.iter().find(|agent| agent.name == name)?;
    let summary = &agent.summary;
    let (value, interval) = match summary.goal {
        Some(rate) if rate.games > 0 => (rate.rate, rate.interval),
        Some(_) => return None,
        None => (summary.mean?, summary.mean_interval),
    };
    Some(Point {
        x,
        value,
        interval,
        budget: budget.label(),
    })
}

fn draw_curve(
    drawing: &mut Drawing,
    curve: &Curve,
    class: &str,
    y_of: impl Fn(f64) -> f64,
    text: fn(f64) -> String,
) {
    let points: Vec<(f64, f64)> = curve
        .points
        .iter()
        .map(|point| (point.x, y_of(point.value)))
        .collect();
    let sentence: Vec<String> = curve
        .points
        .iter()
        .map(|point| {
            let figure = with_interval(point.value, point.interval, text);
            format!("{}: {figure}", point.budget)
        })
        .collect();
    let title = format!("{}, {}", curve.agent, sentence.join("; "));
    drawing.curve(&points, class, &title);
    for point in &curve.points {
        if let Some(Interval { low, high }) = point.interval {
            drawing.vertical(point.x, (y_of(high), y_of(low)), &format!("error {class}"));
        }
        drawing.dot(point.x, y_of(point.value), &format!("spot mark {class}"));
    }
}

/// The names at the right ends of their curves, without overlap.
fn names(curves: &[Curve], y_of: impl Fn(f64) -> f64) -> Vec<(f64, String, String)> {
    let mut places: Vec<(usize, f64)> = curves
        .iter()
        .take(MOST_NAMES)
        .enumerate()
        .filter_map(|(place, curve)| Some((place, y_of(curve.points.last()?.value))))
        .collect();
    places.sort_by(|a, b| a.1.total_cmp(&b.1));
    let heights = apart(&places.iter().map(|(_, y)| *y).collect::<Vec<_>>());
    let named = places.iter().zip(heights).map(|((place, _), y)| {
        let class = curve_class(*place);
        (y + 4.0, class, curve_name(curves[*place].agent))
    });
    named.collect()
}

/// The same heights, ascending, at least one line apart. The last stays on the drawing and
/// pushes the others up where there are too many.
fn apart(heights: &[f64]) -> Vec<f64> {
    let mut apart = heights.to_vec();
    for place in 1..apart.len() {
        apart[place] = apart[place].max(apart[place - 1] + LINE);
    }
    let mut limit = BOTTOM;
    for height in apart.iter_mut().rev() {
        *height = height.min(limit);
        limit = *height - LINE;
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{num::NonZeroU64, time::Duration};

    fn time(microseconds: u64) -> Budget {
        Budget {
            limit: BudgetLimit::Time {
                per_move: Duration::from_micros(microseconds),
            },
            ..Budget::default()
        }
    }

    #[track_caller]
    fn check(budgets: &[Budget], expected: &[f64]) {
        let found = places(budgets);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
        assert_eq!(found.len(), expected.len());
    }

    #[test]
    fn equal_ratios_of_budgets_are_equally_far_apart() {
        check(&[time(50), time(100), time(200)], &[0.05, 0.5, 0.95]);
        check(&[time(1000), time(1), time(100)], &[0.95, 0.05, 0.65]);
    }

    #[test]
    fn budgets_of_different_kinds_are_at_equal_distances() {
        let nodes = Budget {
            limit: BudgetLimit::Nodes(NonZeroU64::new(1_000_000).unwrap()),
            ..Budget::default()
        };
        check(&[time(50), nodes, Budget::default()], &[0.05, 0.5, 0.95]);
        check(&[time(50), nodes], &[0.05, 0.95]);
    }

    #[test]
    fn names_keep_a_line_between_them() {
        assert_eq!(apart(&[100.0, 101.0, 200.0]), [100.0, 115.0, 200.0]);
        assert_eq!(apart(&[310.0, 317.0, 318.0]), [288.0, 303.0, 318.0]);
    }
}
