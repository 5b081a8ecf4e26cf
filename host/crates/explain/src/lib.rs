//! How an agent chooses its move: the tree that it searches, checked and drawn.
//!
//! A board as somebody types it enters ([`board_text`]), or a board of a game. The agent answers
//! `explain/1` in its sandbox ([`Question::ask`]), and one decoder checks what it says, because a
//! plugin is not trusted ([`ExplainedTree`]). Text, JSON and SVG leave.
//!
//! Start with [`ExplainedTree`]; [`drawing`] decides what of it fits on a page.

pub mod board_text;
pub mod drawing;
mod explained_tree;
mod json;
mod question;
mod svg;
mod trace;
mod words;

pub use explained_tree::{BadExplanation, ExplainedTree};
pub use json::json;
pub use question::{ExplainError, Question};
pub use svg::svg;
pub use trace::trace;
