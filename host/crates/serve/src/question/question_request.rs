//! A question as the page sends it, and as it is put to the agents.

use std::num::NonZeroU64;

use plugin_api::Rules;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use play::agents::plugin_finder::PluginFinder;
use run::run_plan::RunPlan;

use crate::{
    error_response::{ApiResult, ErrorResponse, FieldDiagnostic},
    game_moves::GameMoves,
    live_session::{AgentRequest, MAX_AGENTS, SessionRequest},
    person_game::PersonRequest,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct QuestionRequest {
    pub(crate) game: GameOfQuestion,
    agents: Vec<AskedEntry>,
    /// The first and the last position, by the number of moves made before it.
    from: u64,
    to: u64,
}

/// Which game the positions are from.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum GameOfQuestion {
    Recorded(RecordedGameName),
    /// A live game or a person's: the moves so far.
    Moves(PersonRequest),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedGameName {
    pub(crate) run: String,
    pub(crate) game: u64,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskedEntry {
    pub(super) plugin: String,
    #[serde(default)]
    pub(super) params: Map<String, Value>,
    #[serde(default)]
    pub(super) budget: Option<Map<String, Value>>,
}

/// A valid question.
pub(crate) struct Question {
    pub(super) game: GameMoves,
    /// One plan per agent, with that agent and its budget.
    pub(super) plans: Vec<RunPlan>,
    pub(super) from: u64,
    pub(super) to: u64,
}

impl QuestionRequest {
    pub(crate) fn n_agents(&self) -> usize {
        self.agents.len()
    }

    /// Validates the request and finds the plugins.
    ///
    /// # Errors
    /// With every error found in the request.
    pub(crate) fn prepare(&self, game: GameMoves, finder: &PluginFinder) -> ApiResult<Question> {
        check_number_of_agents(self.agents.len())?;
        if self.from > self.to || self.to > game.n_moves() {
            let message = format!("the game has {} moves", game.n_moves());
            return Err(ErrorResponse::of_field("to", message));
        }
        let plans = plans_of(&self.agents, &game.rules, finder)?;
        Ok(Question {
            game,
            plans,
            from: self.from,
            to: self.to,
        })
    }
}

impl AskedEntry {
    /// An agent with its usual parameters.
    pub(super) fn of_plugin(plugin: &str) -> Self {
        Self {
            plugin: plugin.to_owned(),
            params: Map::new(),
            budget: None,
        }
    }

    /// A plan with the rules of the game: the host tells the agent what it told the player.
    pub(super) fn plan(&self, rules: &Rules, finder: &PluginFinder) -> ApiResult<RunPlan> {
        let agent = AgentRequest {
            plugin: self.plugin.clone(),
            params: self.params.clone(),
        };
        let request = SessionRequest::of_agent(agent, self.budget.clone(), rules);
        let mut plan = request.plan(finder)?;
        plan.tournament.tiles = rules.tiles;
        plan.tournament.goal = rules.goal;
        plan.tournament.max_moves = rules.max_moves.and_then(NonZeroU64::new);
        Ok(plan)
    }
}

/// # Errors
/// When no question has so many agents.
pub(super) fn check_number_of_agents(number: usize) -> ApiResult<()> {
    if (1..=MAX_AGENTS).contains(&number) {
        return Ok(());
    }
    let message = format!("choose one to {MAX_AGENTS} agents");
    Err(ErrorResponse::of_field("agents", message))
}

/// A plan for each agent.
///
/// # Errors
/// With every error found, of all agents at once.
pub(super) fn plans_of(
    entries: &[AskedEntry],
    rules: &Rules,
    finder: &PluginFinder,
) -> ApiResult<Vec<RunPlan>> {
    let mut plans = Vec::new();
    let mut diagnostics = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        match entry.plan(rules, finder) {
            Ok(plan) => plans.push(plan),
            Err(response) => {
                let found = response.into_diagnostics()?.into_iter();
                diagnostics.extend(found.map(|diagnostic| of_agent(index, diagnostic)));
            }
        }
    }
    if diagnostics.is_empty() {
        Ok(plans)
    } else {
        Err(ErrorResponse::of_fields(diagnostics))
    }
}

/// An error in the request for a single agent, at the field of the question.
fn of_agent(index: usize, diagnostic: FieldDiagnostic) -> FieldDiagnostic {
    let field = match diagnostic.field.strip_prefix("agents.0") {
        Some(rest) => format!("agents.{index}{rest}"),
        None => format!("agents.{index}.{}", diagnostic.field),
    };
    FieldDiagnostic {
        field,
        ..diagnostic
    }
}
