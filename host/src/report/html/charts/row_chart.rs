//! A chart with one row per agent: its name, a strip on a common axis, its figure.

use maud::{Markup, html};

use super::drawing::Drawing;
use crate::{
    report::{budget_report::AgentReport, tables::ranked_table::rank},
    text::number_text::counted,
};

/// The height of a strip; whiskers and dots are in its middle.
pub(in crate::report::html) const STRIP: f64 = 34.0;
pub(in crate::report::html) const MIDDLE: f64 = STRIP / 2.0;

/// The height of an axis with one line of labels.
pub(in crate::report::html) const AXIS: f64 = 20.0;

pub(in crate::report::html) struct Row<'r> {
    pub(in crate::report::html) agent: &'r AgentReport,
    pub(in crate::report::html) strip: Drawing,
    pub(in crate::report::html) figure: Markup,
}

/// Further agents are folded away.
const MOST_ROWS: usize = 30;

/// The rows from the top, and the axis below them.
pub(in crate::report::html) fn row_chart(rows: Vec<Row<'_>>, axis: Drawing) -> Markup {
    let axis = axis_line(axis);
    folded(rows, |lines| html! { @for line in lines { (line) } (axis) })
}

/// The axis, and the rows below it.
pub(in crate::report::html) fn row_chart_below(axis: Drawing, rows: Vec<Row<'_>>) -> Markup {
    let axis = axis_line(axis);
    folded(rows, |lines| html! { (axis) @for line in lines { (line) } })
}

/// Both lists have the axis, because they are far apart on the page.
fn folded(rows: Vec<Row<'_>>, with_axis: impl Fn(&[Markup]) -> Markup) -> Markup {
    let lines: Vec<Markup> = rows.into_iter().map(line).collect();
    let (shown, rest) = lines.split_at(lines.len().min(MOST_ROWS));
    html! {
        ul.rows { (with_axis(shown)) }
        @if !rest.is_empty() {
            details {
                summary { (counted(rest.len() as u64, "more agent")) }
                ul.rows { (with_axis(rest)) }
            }
        }
    }
}

fn axis_line(axis: Drawing) -> Markup {
    html! { li.axis { span.strip { (axis.into_svg()) } } }
}

fn line(row: Row) -> Markup {
    html! {
        li {
            span.rank { (rank(row.agent)) }
            span.name { (row.agent.name) }
            span.strip { (row.strip.into_svg()) }
            span.figure { (row.figure) }
        }
    }
}
