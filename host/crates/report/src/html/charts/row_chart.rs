//! A chart with one row per agent: its name, a strip on a common axis, its value.

use maud::{Markup, html};

use super::{
    drawing::Drawing,
    saved_figure::{SavedFigure, shortened, text_width},
};
use text::number_text::counted;

use crate::{budget_report::AgentReport, tables::agent_tables::rank};

/// The height of a strip; whiskers and dots are in its middle.
pub(in crate::html) const STRIP: f64 = 34.0;
pub(in crate::html) const MIDDLE: f64 = STRIP / 2.0;

/// The height of an axis with one line of labels.
pub(in crate::html) const AXIS: f64 = 20.0;

/// Further agents are folded away.
const MOST_ROWS: usize = 30;

/// The widest column of names of a saved figure.
const WIDEST_NAME: f64 = 230.0;
/// A narrower figure says less.
const NARROW: f64 = 500.0;
const RANK_WIDTH: f64 = 26.0;
const GAP: f64 = 12.0;

pub(in crate::html) struct RowChart<'r> {
    pub(in crate::html) rows: Vec<Row<'r>>,
    pub(in crate::html) axis: Drawing,
    pub(in crate::html) axis_place: AxisPlace,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::html) enum AxisPlace {
    Above,
    Below,
}

pub(in crate::html) struct Row<'r> {
    pub(in crate::html) agent: &'r AgentReport,
    pub(in crate::html) strip: Drawing,
    pub(in crate::html) value: RowValue,
    pub(in crate::html) extra: RowExtra,
}

/// What only the page of `host serve` shows, of a run that is followed.
#[derive(Default)]
pub(in crate::html) struct RowExtra {
    /// Below the name.
    pub(in crate::html) links: Markup,
    /// Beside the strip: how the value has developed.
    pub(in crate::html) history: Option<Markup>,
}

/// What a row says in numbers, at its right end.
#[derive(Default)]
pub(in crate::html) struct RowValue {
    pub(in crate::html) number: String,
    /// In smaller letters.
    pub(in crate::html) note: String,
}

impl RowChart<'_> {
    /// The first agents, and the others folded away. Both lists have the axis, because they
    /// are far apart on the page.
    pub(in crate::html) fn to_html(&self) -> Markup {
        let (shown, rest) = self.rows.split_at(self.rows.len().min(MOST_ROWS));
        html! {
            (self.list(shown))
            @if !rest.is_empty() {
                details {
                    summary { (counted(rest.len() as u64, "more agent")) }
                    (self.list(rest))
                }
            }
        }
    }

    fn list(&self, rows: &[Row]) -> Markup {
        let axis = html! { li.axis { span.strip { (self.axis.to_svg()) } } };
        let has_history = rows.iter().any(|row| row.extra.history.is_some());
        html! {
            ul.rows.with-history[has_history] {
                @if self.axis_place == AxisPlace::Above { (axis) }
                @for row in rows { (line(row)) }
                @if self.axis_place == AxisPlace::Below { (axis) }
            }
        }
    }

    pub(in crate::html) fn draw(&self, figure: &mut SavedFigure) {
        let rows = &self.rows[..self.rows.len().min(MOST_ROWS)];
        let widest = |width: fn(&Row) -> f64| rows.iter().map(width).fold(0.0, f64::max);
        let most = WIDEST_NAME.min(0.3 * figure.inner_width);
        let name_width = widest(|row| text_width(&row.agent.name)).min(most);
        // A narrow figure has no room for intervals in numbers, which it draws.
        let is_narrow = figure.inner_width < NARROW;
        let text = |row: &Row| {
            if is_narrow {
                row.value.number.clone()
            } else {
                row.value.text()
            }
        };
        let value_width = rows
            .iter()
            .map(|row| text_width(&text(row)))
            .fold(0.0, f64::max);
        let left = RANK_WIDTH + name_width + GAP;
        let right = if value_width > 0.0 {
            value_width + GAP
        } else {
            GAP
        };
        let width = figure.inner_width - left - right;
        let axis = |figure: &mut SavedFigure| {
            figure.place(&self.axis, left, width);
            figure.advance(self.axis.height());
        };
        if self.axis_place == AxisPlace::Above {
            axis(figure);
        }
        for row in rows {
            let middle = row.strip.height().min(STRIP) / 2.0 + 4.0;
            figure.text(RANK_WIDTH - 8.0, middle, "end", "tick", &rank(row.agent));
            let name = shortened(&row.agent.name, name_width);
            figure.text(RANK_WIDTH, middle, "start", "label", &name);
            figure.place(&row.strip, left, width);
            figure.text(figure.inner_width, middle, "end", "number", &text(row));
            figure.advance(row.strip.height());
        }
        if self.axis_place == AxisPlace::Below {
            axis(figure);
        }
    }
}

impl RowValue {
    fn text(&self) -> String {
        format!("{} {}", self.number, self.note).trim().to_owned()
    }
}

fn line(row: &Row) -> Markup {
    let RowValue { number, note } = &row.value;
    html! {
        li {
            span.rank { (rank(row.agent)) }
            span.agent {
                span.name title=(row.agent.name) { (row.agent.name) }
                (row.extra.links)
            }
            span.strip { (row.strip.to_svg()) }
            @if let Some(history) = &row.extra.history { span.history { (history) } }
            span.figure {
                @if !number.is_empty() { b { (number) } }
                @if !note.is_empty() { " " small { (note) } }
            }
        }
    }
}
