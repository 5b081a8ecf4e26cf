//! The tables of a report, the same in the terminal, in Markdown, in LaTeX and on the page.

pub(super) mod empty_cells_table;
pub(super) mod end_table;
pub(super) mod estimate_text;
pub(super) mod fairness_table;
pub(super) mod grid;
pub(super) mod informative_tiles;
pub(super) mod pair_tables;
pub(super) mod ranked_table;
pub(super) mod step_table;
pub(super) mod tile_table;
