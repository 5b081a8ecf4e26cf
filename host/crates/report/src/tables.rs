//! The tables of a report, the same in the terminal, in Markdown, in LaTeX and on the page.
//!
//! A column is declared once, with its value and how it is written; see [`column`]. The files
//! `agent_tables` and `pair_tables` declare the columns, and every table and file is a list of
//! them.

pub(super) mod agent_tables;
pub(super) mod column;
pub(super) mod grid;
pub(super) mod pair_tables;
pub(super) mod tile_tables;
pub(super) mod trial_tables;
