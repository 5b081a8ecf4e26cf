//! What would these agents play here? Agents are asked about positions of any game.
//!
//! A question is about one position, or about every position of a part of a game. Each agent
//! answers in a worker of its own, in the order of the moves, while the viewer reads: the
//! answers are a stream, and the workers end with it.

mod answers;
mod position;
mod question_request;

pub(super) use answers::answers;
pub(super) use position::{AskQuery, BoardQuery, ExplainQuery};
pub(super) use question_request::{GameOfQuestion, QuestionRequest};
