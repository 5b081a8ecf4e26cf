//! A chart with one line an agent: its name, a strip on a common axis, its figure.

use super::{drawing::Drawing, markup::Escaped};
use crate::report::{budget_report::AgentReport, number_text::counted, ranked_table::rank};

/// The height of a strip; whiskers and dots stand in its middle.
pub(super) const STRIP: f64 = 34.0;
pub(super) const MIDDLE: f64 = STRIP / 2.0;

/// The height of an axis with one line of words.
pub(super) const AXIS: f64 = 20.0;

pub(super) struct Row<'r> {
    pub(super) agent: &'r AgentReport,
    pub(super) strip: Drawing,
    /// Markup.
    pub(super) figure: String,
}

/// Further agents are folded away.
const MOST_ROWS: usize = 30;

/// The rows from the top, and the axis below them.
pub(super) fn row_chart(rows: Vec<Row<'_>>, axis: Drawing) -> String {
    let axis = axis_line(axis);
    folded(rows, |lines| format!("{lines}{axis}"))
}

/// The axis, and the rows below it.
pub(super) fn row_chart_below(axis: Drawing, rows: Vec<Row<'_>>) -> String {
    let axis = axis_line(axis);
    folded(rows, |lines| format!("{axis}{lines}"))
}

/// Both lists have the axis, for they are read apart from each other.
fn folded(rows: Vec<Row<'_>>, with_axis: impl Fn(String) -> String) -> String {
    let mut lines: Vec<String> = rows.into_iter().map(line).collect();
    let rest = lines.split_off(lines.len().min(MOST_ROWS));
    let list =
        |lines: &[String]| format!("<ul class=\"rows\">\n{}</ul>", with_axis(lines.concat()));
    match rest.as_slice() {
        [] => list(&lines),
        rest => format!(
            "{}\n<details><summary>{} more</summary>\n{}</details>",
            list(&lines),
            counted(rest.len() as u64, "agent"),
            list(rest)
        ),
    }
}

fn axis_line(axis: Drawing) -> String {
    let axis = axis.into_svg();
    format!("<li class=\"axis\"><span class=\"strip\">{axis}</span></li>\n")
}

fn line(row: Row) -> String {
    format!(
        "<li><span class=\"rank\">{}</span><span class=\"name\">{}</span>\
         <span class=\"strip\">{}</span><span class=\"figure\">{}</span></li>\n",
        Escaped(&rank(row.agent)),
        Escaped(&row.agent.name),
        row.strip.into_svg(),
        row.figure
    )
}
