//! Strength against a number: how much stronger an agent gets with a larger budget, or with another
//! value of a parameter.

use maud::{Markup, html};

use super::{
    curve_style::{MOST_NAMES, curve_class, curve_name},
    drawing::{Anchor, Drawing, LINE as LABEL_LINE},
    saved_figure::{SavedFigure, text_width},
    scale::{Scale, short},
};
use statistics::{as_f64, interval::Interval};
use text::number_text::{amount, microseconds, percent};
use tournament::{Budget, BudgetLimit};

use crate::{
    Report,
    board_svg::pixels,
    budget_report::{AgentReport, BudgetReport},
    estimate_text::with_interval,
    parameter_family::{ParameterFamily, SweptParameter},
};

const TOP: f64 = 26.0;
const BOTTOM: f64 = 332.0;
/// The height with one line of labels below the drawing.
const HEIGHT: f64 = BOTTOM + 40.0;

/// The width of the labels of the vertical axis.
const TICKS_WIDTH: f64 = 42.0;

/// The least distance between the names of curves.
const LINE: f64 = 15.0;

/// Where the first and the last point of a curve are, as shares of the width.
const FROM: f64 = 0.05;
const TO: f64 = 0.95;

/// How far agents are shifted sideways, as a share of the width, so that their intervals do
/// not cover each other.
const ASIDE: f64 = 0.005;

/// The width of a letter on a phone, as a share of the drawing's width. It is larger than in
/// other charts, because this drawing has labels on both sides.
const LETTER: f64 = 0.033;

/// The strength of an agent at a place of the axis.
struct Point {
    x: f64,
    value: f64,
    interval: Option<Interval>,
    /// The budget or the value of the parameter.
    at: String,
}

struct Curve<'c> {
    name: &'c str,
    points: Vec<Point>,
}

/// The horizontal axis.
struct Axis {
    /// Place and text.
    labels: Vec<(f64, String)>,
    name: String,
}

/// The curves, with the labels of the vertical axis to the left and the names to the right.
pub(in crate::html) struct StrengthCurves {
    drawing: Drawing,
    /// Height and text.
    ticks: Vec<(f64, String)>,
    /// Height, class and name.
    names: Vec<(f64, String, String)>,
}

/// A curve per agent over the budgets, in the order of the last budget's ranking.
pub(in crate::html) fn budget_curves(report: &Report, budgets: &[Budget]) -> StrengthCurves {
    let places = places(budgets);
    let is_nodes = |budget: &Budget| matches!(budget.limit, BudgetLimit::Nodes(_));
    // The axis names the unit where it is the same for all.
    let (name, label): (_, fn(&Budget) -> String) = if budgets.iter().all(is_nodes) {
        ("nodes per move", |budget| {
            short_label(budget).replace(" nodes", "")
        })
    } else {
        ("budget per move", short_label)
    };
    let axis = Axis {
        labels: (places.iter().copied())
            .zip(budgets.iter().map(label))
            .collect(),
        name: format!("{name} →"),
    };
    let curves = curves(report, budgets, &places);
    let title = "Strength of each agent against its budget";
    draw(&curves, axis, report.goal, title)
}

/// A curve per family over the values of its parameter.
pub(in crate::html) fn parameter_curves(
    part: &BudgetReport,
    goal: Option<u64>,
    parameter: &SweptParameter,
) -> StrengthCurves {
    let values = parameter.values();
    let places = places_of(&values);
    let axis = Axis {
        labels: (places.iter().copied())
            .zip(values.iter().map(ToString::to_string))
            .collect(),
        name: format!("{} →", parameter.key),
    };
    let n_families = parameter.families.len();
    let curve = |(number, family): (usize, &'_ ParameterFamily)| {
        let points = family.members.iter().filter_map(|(value, agent)| {
            let place = values
                .iter()
                .position(|other| other.total_cmp(value).is_eq())?;
            let x = places[place] + aside(number, n_families);
            point(part, *agent, x, value.to_string())
        });
        points.collect::<Vec<Point>>()
    };
    let points = parameter.families.iter().enumerate().map(curve);
    let curves: Vec<Curve> = (parameter.families.iter().zip(points))
        .map(|(family, points)| Curve {
            name: &family.name,
            points,
        })
        .filter(|curve| !curve.points.is_empty())
        .collect();
    let title = format!("Strength against the parameter {}", parameter.key);
    draw(&curves, axis, goal, &title)
}

fn draw(curves: &[Curve], axis: Axis, goal: Option<u64>, title: &str) -> StrengthCurves {
    let text = if goal.is_some() { percent } else { amount };
    let values = curves
        .iter()
        .flat_map(|curve| &curve.points)
        .flat_map(|point| {
            let ends = point
                .interval
                .map_or([point.value; 2], |ends| [ends.low, ends.high]);
            [ends[0], point.value, ends[1]]
        });
    let scale = match goal {
        Some(_) => Scale::linear(1.0),
        None => Scale::logarithmic(values),
    };
    let y_of = |value: f64| BOTTOM + scale.place(value) * (TOP - BOTTOM);

    let mut labels = axis.labels;
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n_lines = Drawing::decoration(0.0).stacked_labels(&labels, 0.0, LETTER);
    let below = LABEL_LINE * as_f64(n_lines.max(1) - 1);

    let mut drawing = Drawing::new(HEIGHT + below, title);
    for tick in &scale.ticks {
        drawing.horizontal((0.0, 1.0), y_of(*tick), "grid");
    }
    for (x, _) in &labels {
        drawing.vertical(*x, (TOP, BOTTOM), "grid");
    }
    drawing.stacked_labels(&labels, BOTTOM + 16.0, LETTER);
    let what = match goal {
        Some(goal) => format!("share of games that reached {goal} ↑"),
        None => "mean score, logarithmic ↑".to_owned(),
    };
    drawing.text((0.0, TOP - 12.0), Anchor::Start, "axis-name", &what);
    drawing.text(
        (1.0, BOTTOM + 34.0 + below),
        Anchor::End,
        "axis-name",
        &axis.name,
    );
    for (place, curve) in curves.iter().enumerate().rev() {
        draw_curve(&mut drawing, curve, &curve_class(place), y_of, text);
    }
    let label = |tick: f64| match goal {
        Some(_) => percent(tick).replace(".0", ""),
        None => short(tick),
    };
    let ticks = scale.ticks.iter();
    StrengthCurves {
        drawing,
        ticks: ticks
            .map(|tick| (y_of(*tick) + 4.0, label(*tick)))
            .collect(),
        names: names(curves, y_of),
    }
}

impl StrengthCurves {
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
        let width = figure.inner_width - TICKS_WIDTH - self.names_width();
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
    let sizes = sizes.unwrap_or_default();
    let of_a_kind = sizes.windows(2).all(|pair| pair[0].0 == pair[1].0);
    let logs = sizes.iter().map(|(_, size)| size.ln()).collect();
    let by_size = of_a_kind.then(|| spread(logs)).flatten();
    let evenly = || spread((0..budgets.len()).map(as_f64).collect());
    by_size.or_else(evenly).unwrap_or(vec![FROM; budgets.len()])
}

/// The positions of values: on a logarithmic axis if the largest is many times the smallest.
fn places_of(values: &[f64]) -> Vec<f64> {
    const MANY_TIMES: f64 = 8.0;
    let (Some(first), Some(last)) = (values.first(), values.last()) else {
        return Vec::new();
    };
    let is_wide = *first > 0.0 && last / first >= MANY_TIMES;
    let scaled = |value: &f64| if is_wide { value.ln() } else { *value };
    spread(values.iter().map(scaled).collect()).unwrap_or(vec![FROM; values.len()])
}

/// The places of numbers between both ends of the drawing; `None` if all are equal.
fn spread(numbers: Vec<f64>) -> Option<Vec<f64>> {
    let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let place = |number: f64| FROM + (number - low) / (high - low) * (TO - FROM);
    (high > low).then(|| numbers.into_iter().map(place).collect())
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
    let curve = |(place, agent): (usize, &'r AgentReport)| {
        let aside = aside(place, last.agents.len());
        let parts = report.budgets.iter().zip(budgets).zip(places);
        let mut points: Vec<Point> = parts
            .filter_map(|((part, budget), x)| {
                point(part, agent.series.agent, x + aside, budget.label())
            })
            .collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Curve {
            name: &agent.name,
            points,
        }
    };
    let curves = last.agents.iter().enumerate().map(curve);
    curves.filter(|curve| !curve.points.is_empty()).collect()
}

/// How far the curve at this place of so many is shifted sideways.
fn aside(place: usize, n_curves: usize) -> f64 {
    let middle = as_f64(n_curves.min(MOST_NAMES).saturating_sub(1)) / 2.0;
    (as_f64(place.min(MOST_NAMES - 1)) - middle) * ASIDE
}

/// The strength of the agent with this number in the plan.
fn point(part: &BudgetReport, agent: usize, x: f64, at: String) -> Option<Point> {
    let mut agents = part.agents.iter();
    let agent = agents.find(|other| other.series.agent == agent)?;
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
        at,
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
            format!("{}: {figure}", point.at)
        })
        .collect();
    let title = format!("{}, {}", curve.name, sentence.join("; "));
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
        (y + 4.0, class, curve_name(curves[*place].name))
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
        assert_eq!(apart(&[310.0, 317.0, 318.0]), [302.0, 317.0, 332.0]);
    }
}
