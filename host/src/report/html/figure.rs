//! A figure of the page: heading, caption, chart and the numbers behind it.

use maud::{Markup, Render, html};

use crate::{report::budget_report::BudgetReport, text::number_text::percent_with_digits};

/// Markup of a figure, in the order in which it is read.
pub(super) struct Figure<'f> {
    /// Unique in the page.
    pub(super) id: &'f str,
    pub(super) title: &'f str,
    pub(super) caption: &'f str,
    pub(super) chart: Markup,
    /// A table, folded away; `None` where the chart shows everything.
    pub(super) table: Option<Markup>,
}

impl Render for Figure<'_> {
    fn render(&self) -> Markup {
        html! {
            figure id=(self.id) {
                figcaption { h3 { (self.title) } p { (self.caption) } }
                (self.chart)
                @if let Some(table) = &self.table {
                    details {
                        summary { "The numbers" }
                        div.scroll tabindex="0" { (table) }
                    }
                }
            }
        }
    }
}

/// The confidence level of the intervals of this part: `95%`.
pub(super) fn confidence_level(part: &BudgetReport) -> String {
    percent_with_digits(part.confidence.level)
}
