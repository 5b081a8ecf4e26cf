//! The charts of the page: SVG with coordinates of our own and text escaped by `maud`.
//!
//! Every chart is drawn in two ways from the same values: on the page, as wide as the window,
//! and as a figure of its own that can be saved.

pub(super) mod curve_style;
pub(super) mod distribution_chart;
mod drawing;
pub(super) mod empty_cells_chart;
mod mean_curve;
pub(super) mod pair_chart;
pub(super) mod ranking_chart;
mod row_chart;
mod saved_figure;
mod scale;
pub(super) mod seed_chart;
pub(super) mod strength_curve;
pub(super) mod survival_chart;
pub(super) mod tile_chart;
pub(super) mod time_chart;

use maud::{Markup, html};

use drawing::Drawing;
use pair_chart::PairMatrix;
use row_chart::RowChart;
pub use saved_figure::FigureWidth;
use saved_figure::SavedFigure;
use seed_chart::{SIDE, SeedScores};
use strength_curve::StrengthCurves;

pub(super) enum Chart<'c> {
    Rows(RowChart<'c>),
    Tiles { rows: RowChart<'c>, n_tiles: usize },
    Curves(Drawing),
    Strength(StrengthCurves),
    Pairs(PairMatrix<'c>),
    Seeds(SeedScores<'c>),
}

impl Chart<'_> {
    /// The chart on the page.
    pub(super) fn to_html(&self) -> Markup {
        match self {
            Self::Rows(rows) => rows.to_html(),
            Self::Tiles { rows, n_tiles } => html! {
                div.tiles style={ "--n:" (n_tiles) } { (rows.to_html()) }
            },
            Self::Curves(drawing) => drawing.to_svg(),
            Self::Strength(curves) => curves.to_html(),
            Self::Pairs(matrix) => matrix.to_html(),
            Self::Seeds(scores) => html! {
                (scores.controls())
                div.seeds { (scores.drawing().to_svg()) }
                div.seed-result {}
            },
        }
    }

    /// The chart as an SVG file that needs nothing else.
    pub(super) fn to_figure(&self, title: &str, width: FigureWidth) -> String {
        let mut figure = SavedFigure::new(width);
        match self {
            Self::Rows(rows) | Self::Tiles { rows, .. } => rows.draw(&mut figure),
            Self::Curves(drawing) => {
                figure.place(drawing, 0.0, figure.inner_width);
                figure.advance(drawing.height());
            }
            Self::Strength(curves) => curves.draw(&mut figure),
            Self::Pairs(matrix) => matrix.draw(&mut figure),
            Self::Seeds(scores) => {
                let drawing = scores.drawing();
                // Equal scores are equally far along both axes.
                figure.inner_width = figure.inner_width.min(SIDE);
                figure.place(&drawing, 0.0, figure.inner_width);
                figure.advance(drawing.height());
            }
        }
        figure.finish(title)
    }
}
