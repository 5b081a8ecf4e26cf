//! Strength against budget: what more time buys each agent.

use super::{
    curve_style::curve_class,
    distribution_chart::MOST_NAMES,
    drawing::{Anchor, Drawing},
    markup::{Append, Escaped},
    scale::{Scale, short},
};
use crate::{
    report::{
        Report,
        budget_report::{AgentReport, BudgetReport},
        number_text::{amount, percent, with_interval},
    },
    statistics::{as_f64, interval::Interval, length},
    tournament::{Budget, BudgetLimit, format_duration},
};

const TOP: f64 = 12.0;
const BOTTOM: f64 = 318.0;
const HEIGHT: f64 = BOTTOM + 40.0;

/// Names of curves that end close together are moved so far apart.
const LINE: f64 = 15.0;

/// Agents stand so far beside each other, as a share of the width, that their
/// intervals do not hide each other.
const ASIDE: f64 = 0.005;

/// The width of a letter on a phone, as a share of the drawing's, which is narrower
/// than others by the words on both sides.
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

/// Agents in the order of the last budget's ranking.
pub(super) fn budget_curve(report: &Report, budgets: &[Budget]) -> String {
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

    let mut drawing = Drawing::new(HEIGHT, "Strength of each agent against its budget");
    for tick in &scale.ticks {
        drawing.horizontal((0.0, 1.0), y_of(*tick), "grid");
    }
    let mut labels: Vec<(f64, String)> = places
        .iter()
        .zip(budgets)
        .map(|(x, budget)| (*x, short_label(budget)))
        .collect();
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (x, _) in &labels {
        drawing.vertical(*x, (TOP, BOTTOM), "grid");
    }
    drawing.spaced_labels(labels, BOTTOM + 16.0, LETTER);
    drawing.text(
        (1.0, BOTTOM + 34.0),
        Anchor::End,
        "axis-name",
        "budget a move →",
    );
    for (place, curve) in curves.iter().enumerate().rev() {
        draw_curve(
            &mut drawing,
            curve,
            &curve_class(place, MOST_NAMES),
            y_of,
            text,
        );
    }
    let label = |tick: f64| match report.goal {
        Some(_) => percent(tick).replace(".0", ""),
        None => short(tick),
    };
    format!(
        "<div class=\"with-names\">{}<div>{}</div>{}</div>",
        tick_labels(&scale, y_of, label),
        drawing.into_svg(),
        names(&curves, y_of)
    )
}

/// The marks of the upright axis, in words, left of the drawing.
fn tick_labels(scale: &Scale, y_of: impl Fn(f64) -> f64, text: impl Fn(f64) -> String) -> String {
    let mut svg = format!("<svg aria-hidden=\"true\" width=\"42\" height=\"{HEIGHT}\">");
    for tick in &scale.ticks {
        svg.append(format_args!(
            "<text class=\"tick\" x=\"36\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            y_of(*tick) + 4.0,
            text(*tick)
        ));
    }
    svg + "</svg>"
}

/// Where budgets stand: by their size where all are of a kind, else side by side.
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
    let last = length(budgets.len().saturating_sub(1).max(1));
    (0..budgets.len())
        .map(|place| spread(length(place) / last))
        .collect()
}

fn short_label(budget: &Budget) -> String {
    match budget.limit {
        BudgetLimit::Time { per_move } => format_duration(per_move),
        BudgetLimit::Nodes(nodes) => format!("{} nodes", short(as_f64(nodes.get()))),
        BudgetLimit::None => "none".to_owned(),
    }
}

fn curves<'r>(report: &'r Report, budgets: &[Budget], places: &[f64]) -> Vec<Curve<'r>> {
    let Some(last) = report.budgets.last() else {
        return Vec::new();
    };
    let middle = length(last.agents.len().min(MOST_NAMES).saturating_sub(1)) / 2.0;
    let curve = |(place, agent): (usize, &'r AgentReport)| {
        let aside = (length(place.min(MOST_NAMES - 1)) - middle) * ASIDE;
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

/// The names at the right ends of their curves, apart from each other.
fn names(curves: &[Curve], y_of: impl Fn(f64) -> f64) -> String {
    let mut places: Vec<(usize, f64)> = curves
        .iter()
        .take(MOST_NAMES)
        .enumerate()
        .filter_map(|(place, curve)| Some((place, y_of(curve.points.last()?.value))))
        .collect();
    places.sort_by(|a, b| a.1.total_cmp(&b.1));
    let heights = apart(&places.iter().map(|(_, y)| *y).collect::<Vec<_>>());
    let longest = places
        .iter()
        .map(|(place, _)| curves[*place].agent.chars().count());
    let width = length(longest.max().unwrap_or(0)) * 7.5 + 14.0;
    let mut svg = format!(
        "<svg aria-hidden=\"true\" width=\"{:.0}\" height=\"{HEIGHT}\">",
        width.min(190.0)
    );
    for ((place, _), y) in places.iter().zip(heights) {
        svg.append(format_args!(
            "<text class=\"name {}\" x=\"4\" y=\"{:.1}\">{}</text>",
            curve_class(*place, MOST_NAMES),
            y + 4.0,
            Escaped(curves[*place].agent)
        ));
    }
    svg + "</svg>"
}

/// The same heights, ascending, moved apart by at least a line. The last is kept
/// on the drawing, and pushes the others up where they are too many.
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
    fn budgets_of_different_kinds_stand_side_by_side() {
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
