//! A chart with one line an agent: its name, a strip on a common axis, its figure.

use super::{drawing::Drawing, markup::Escaped};
use crate::report::budget_report::AgentReport;

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

/// The rows from the top, and the axis below them.
pub(super) fn row_chart(rows: Vec<Row<'_>>, axis: Drawing) -> String {
    format!(
        "<ul class=\"rows\">\n{}{}</ul>",
        lines(rows),
        axis_line(axis)
    )
}

/// The axis, and the rows below it.
pub(super) fn row_chart_below(axis: Drawing, rows: Vec<Row<'_>>) -> String {
    format!(
        "<ul class=\"rows\">\n{}{}</ul>",
        axis_line(axis),
        lines(rows)
    )
}

fn axis_line(axis: Drawing) -> String {
    let axis = axis.into_svg();
    format!("<li class=\"axis\"><span class=\"strip\">{axis}</span></li>\n")
}

fn lines(rows: Vec<Row<'_>>) -> String {
    let line = |row: Row| {
        format!(
            "<li><span class=\"rank\">{}</span><span class=\"name\">{}</span>\
             <span class=\"strip\">{}</span><span class=\"figure\">{}</span></li>\n",
            Escaped(&rank(row.agent)),
            Escaped(&row.agent.name),
            row.strip.into_svg(),
            row.figure
        )
    };
    rows.into_iter().map(line).collect()
}

/// The rank, or why there is none.
pub(super) fn rank(agent: &AgentReport) -> String {
    match (agent.rank, &agent.disqualified) {
        (Some(rank), _) => rank.to_string(),
        (None, Some(_)) => "out".to_owned(),
        (None, None) => "–".to_owned(),
    }
}
