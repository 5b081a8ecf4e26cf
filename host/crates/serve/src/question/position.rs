//! Boards as visitors type them, and how agents choose their move there.

use std::sync::atomic::AtomicBool;

use axum::{
    Json,
    http::header,
    response::{IntoResponse, Response},
};
use explain::{
    AgentReply, Answered, ExplainError, ExplainedTree, Question, Said, board_text,
    drawing::{Drawing, PAGE_WIDTH, WIDTHS},
    replies_json,
};
use play::{agents::plugin_finder::PluginFinder, player::NoMove};
use plugin_api::{Board, FourShare, Rules, Tiles, explain::ExplainRequest};
use run::run_plan::RunPlan;
use serde::Deserialize;
use serde_json::{Value, json};

use super::question_request::{AskedEntry, check_number_of_agents, plans_of};
use crate::{
    error_response::{ApiResult, ErrorResponse, FieldDiagnostic},
    game_moves::game_rules,
};

/// The game that the host names to an agent; it decides its random numbers.
const SEED: u64 = 1;

/// A board in any notation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoardQuery {
    board: String,
}

impl BoardQuery {
    /// The board as rows of face values.
    ///
    /// # Errors
    /// When the text is no board.
    pub(crate) fn view(&self) -> ApiResult<Value> {
        Ok(json!({ "board": read_board(&self.board)?.tiles() }))
    }
}

/// Which move on a board?
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskQuery {
    board: String,
    /// Names of plugins with commas between them, or a JSON list of what
    /// [`ExplainQuery::agent`] is.
    agents: String,
    four: Option<f64>,
    #[serde(default)]
    tiles: Tiles,
    goal: Option<u64>,
}

impl AskQuery {
    /// The agents that are asked.
    ///
    /// # Errors
    /// When the list is malformed, too long or empty.
    pub(crate) fn entries(&self) -> ApiResult<Vec<AskedEntry>> {
        let text = self.agents.trim();
        let entries: Vec<AskedEntry> = if text.starts_with('[') {
            serde_json::from_str(text)
                .map_err(|error| ErrorResponse::of_field("agents", error.to_string()))?
        } else {
            text.split(',').map(AskedEntry::of_plugin).collect()
        };
        check_number_of_agents(entries.len())?;
        Ok(entries)
    }

    /// Asks these agents one after the other, until `stop` is set: the answer of `host ask
    /// --format json`.
    ///
    /// # Errors
    /// When a field is invalid.
    pub(crate) fn answer(
        &self,
        entries: &[AskedEntry],
        finder: &PluginFinder,
        stop: &AtomicBool,
    ) -> ApiResult<Value> {
        let board = read_board(&self.board)?;
        let rules = rules(&board, self.four, self.tiles, self.goal)?;
        let plans = plans_of(entries, &rules, finder)?;
        if board.is_over() {
            let message = "no move is left on this board, so there is nothing to ask";
            return Err(ErrorResponse::of_field("board", message));
        }
        let replies = entries.iter().zip(&plans).map(|(entry, plan)| AgentReply {
            agent: plan.agents[0].name.clone(),
            entry,
            said: match Answered::ask(plan, SEED, board, stop) {
                Ok(answered) => Said::Move(Box::new(answered)),
                Err(NoMove::Fault(fault)) => Said::Nothing {
                    error: fault.sentence,
                },
                Err(NoMove::Interrupted(reason)) => Said::Nothing {
                    error: reason.in_words().1,
                },
            },
        });
        Ok(replies_json(&board, &replies.collect::<Vec<_>>()))
    }
}

/// How an agent chooses its move on a board.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExplainQuery {
    board: String,
    /// The name of a plugin, or JSON with `plugin`, `params` and `budget`.
    agent: String,
    four: Option<f64>,
    #[serde(default)]
    tiles: Tiles,
    goal: Option<u64>,
    depth: Option<u32>,
    nodes: Option<usize>,
    #[serde(default)]
    format: ExplanationFormat,
    width: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ExplanationFormat {
    #[default]
    Json,
    Text,
    Svg,
    Tikz,
    Dot,
}

impl ExplainQuery {
    /// Asks the agent, until `stop` is set.
    ///
    /// # Errors
    /// When a field is invalid or the agent does not explain its choice.
    pub(crate) fn answer(&self, finder: &PluginFinder, stop: &AtomicBool) -> ApiResult<Response> {
        let board = read_board(&self.board)?;
        let rules = rules(&board, self.four, self.tiles, self.goal)?;
        let width = self.width.unwrap_or(PAGE_WIDTH);
        if !WIDTHS.contains(&width) {
            let (least, most) = (WIDTHS.start(), WIDTHS.end());
            let message = format!("is not a number of millimetres from {least} to {most}");
            return Err(ErrorResponse::of_field("width", message));
        }
        let question = Question {
            plan: &plan_of(&self.agent, &rules, finder)?,
            seed: SEED,
            board,
            depth: self.depth,
            nodes: self.nodes.unwrap_or(ExplainRequest::DEFAULT_NODES),
        };
        let tree = question.ask(stop).map_err(|error| {
            let field = match error {
                ExplainError::NoMoveLeft => "board",
                _ => "agent",
            };
            ErrorResponse::of_field(field, error.to_string())
        })?;
        Ok(self.format.response(&tree, width))
    }
}

impl ExplanationFormat {
    fn response(self, tree: &ExplainedTree, width: f64) -> Response {
        let drawing = Drawing::new(tree, width);
        let (kind, text) = match self {
            Self::Json => return Json(explain::json(tree)).into_response(),
            Self::Text => ("text/plain; charset=utf-8", explain::trace(tree)),
            Self::Svg => ("image/svg+xml", explain::svg(&drawing)),
            Self::Tikz => ("text/plain; charset=utf-8", explain::tikz(&drawing)),
            Self::Dot => ("text/plain; charset=utf-8", explain::dot(tree, &drawing)),
        };
        ([(header::CONTENT_TYPE, kind)], text).into_response()
    }
}

fn read_board(text: &str) -> ApiResult<Board> {
    board_text::board(text).map_err(|error| ErrorResponse::of_field("board", error.to_string()))
}

fn rules(board: &Board, four: Option<f64>, tiles: Tiles, goal: Option<u64>) -> ApiResult<Rules> {
    let four = four.unwrap_or(FourShare::DEFAULT.as_f64());
    game_rules(board.side(), ("four", four), tiles, goal)
}

/// A plan with the agent alone, which is a name or JSON.
fn plan_of(agent: &str, rules: &Rules, finder: &PluginFinder) -> ApiResult<RunPlan> {
    let entry = if agent.trim_start().starts_with('{') {
        serde_json::from_str(agent)
            .map_err(|error| ErrorResponse::of_field("agent", error.to_string()))?
    } else {
        AskedEntry::of_plugin(agent)
    };
    entry.plan(rules, finder).map_err(|response| {
        let diagnostics = response.into_diagnostics();
        let at_agent = |found: FieldDiagnostic| FieldDiagnostic {
            field: match found.field.strip_prefix("agents.0") {
                Some(rest) => format!("agent{rest}"),
                None => found.field,
            },
            ..found
        };
        match diagnostics {
            Ok(found) => ErrorResponse::of_fields(found.into_iter().map(at_agent).collect()),
            Err(response) => response,
        }
    })
}
