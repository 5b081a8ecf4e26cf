//! A figure of the page: heading, caption, chart and the numbers behind it.

use maud::{Markup, PreEscaped, Render, html};

use super::charts::{Chart, FigureWidth};
use text::number_text::percent_with_digits;

use crate::budget_report::BudgetReport;

/// A figure, in the order in which it is read.
pub(super) struct Figure<'f> {
    /// Unique in the page, and the name of the file that it is saved as.
    pub(super) id: String,
    pub(super) title: &'f str,
    pub(super) caption: String,
    pub(super) chart: Chart<'f>,
    /// Sentences about the chart.
    pub(super) below: Markup,
    /// A table, folded away; `None` where the chart shows everything.
    pub(super) table: Option<Markup>,
}

/// A figure as a file, and what to write below it.
pub struct FigureFile {
    /// Without an extension.
    pub name: String,
    pub title: String,
    pub caption: String,
    pub svg: String,
}

impl Figure<'_> {
    /// `about` says what every figure of the run is about.
    pub(super) fn to_file(&self, width: FigureWidth, about: &str) -> FigureFile {
        FigureFile {
            name: self.id.clone(),
            title: self.title.to_owned(),
            caption: format!("{} {about}", self.caption),
            svg: self.chart.to_figure(self.title, width),
        }
    }
}

impl Figure<'_> {
    /// In the page of `host serve`: without an id, because the page may show several runs. What
    /// a person has opened or chosen is kept by `data-key` when the figure is replaced.
    pub(super) fn followed(&self, is_open: bool) -> Markup {
        html! {
            @if is_open {
                figure data-key=(self.id) {
                    figcaption { h3 { (self.title) } p { (self.caption) } }
                    (self.content())
                }
            } @else {
                details.folded data-key=(self.id) {
                    summary { h3 { (self.title) } }
                    figure { figcaption { p { (self.caption) } } (self.content()) }
                }
            }
        }
    }

    fn content(&self) -> Markup {
        html! {
            (self.chart.to_html())
            (self.below)
            @if let Some(table) = &self.table {
                details.numbers {
                    summary { "The numbers" }
                    div.scroll tabindex="0" { (table) }
                }
            }
        }
    }
}

impl Render for Figure<'_> {
    fn render(&self) -> Markup {
        html! {
            figure id=(self.id) {
                figcaption {
                    h3 { (self.title) }
                    p { (self.caption) }
                    button.save type="button" hidden data-name=(self.id) {
                        "Save" span.visually-hidden { " " (self.title) } " as SVG"
                    }
                }
                (self.content())
                // The script saves it; browsers do not draw what is in a template.
                template { (PreEscaped(self.chart.to_figure(self.title, FigureWidth::Screen))) }
            }
        }
    }
}

/// The confidence level of the intervals of this part: `95%`.
pub(super) fn confidence_level(part: &BudgetReport) -> String {
    percent_with_digits(part.confidence.level)
}
