//! How an agent chooses its move: the tree that it searches, checked and drawn.
//!
//! A board as a user types it enters ([`board_text`]), or a board of a game. The agent answers
//! `explain/1` in its sandbox ([`Question::ask`]), and one decoder checks what it says, because a
//! plugin is not trusted ([`ExplainedTree`]). Text, JSON, SVG, `TikZ`
//! and DOT leave.
//!
//! Start with [`ExplainedTree`]; [`drawing`] decides what of it fits on a page.

mod answered;
pub mod board_text;
mod dot;
pub mod drawing;
mod explained_tree;
mod json;
mod question;
mod svg;
mod tikz;
mod trace;
mod words;

pub use answered::{AgentReply, Answered, MoveOpinion, MoveState, Said, replies_json};
pub use dot::dot;
pub use explained_tree::{BadExplanation, ExplainedTree};
pub use json::json;
pub use question::{ExplainError, Question};
pub use svg::svg;
pub use tikz::tikz;
pub use trace::trace;
