//! The report as text: for the terminal, as JSON, CSV, Markdown and LaTeX. The page is in `html`.

pub mod csv;
pub mod json;
pub mod latex;
pub mod markdown;
pub mod report_table;
pub mod terminal_text;
