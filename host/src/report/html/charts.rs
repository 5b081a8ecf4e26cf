//! The charts of the page: SVG with coordinates of our own and text escaped by `maud`.

pub(super) mod budget_curve;
mod curve_style;
pub(super) mod distribution_chart;
mod drawing;
pub(super) mod pair_chart;
pub(super) mod ranking_chart;
mod row_chart;
mod scale;
pub(super) mod tile_chart;
pub(super) mod time_chart;
