//! Asks an agent to explain its choice, in its sandbox.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use play::agents::extension_call::{CallError, ExtensionCall};
use plugin_api::{
    Board, GameSetup,
    explain::{self, ExplainRequest},
};
use run::run_plan::RunPlan;
use text::{
    plugin_words::{PluginWords, name_as_code},
    program,
};

use crate::{BadExplanation, ExplainedTree};

/// How long an agent may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// A board that the first agent of a plan explains, under its first budget.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    pub plan: &'a RunPlan,
    /// The seed of the game that the host names to the agent; it decides its random numbers.
    pub seed: u64,
    pub board: Board,
    /// How deep to search, in the agent's own unit; if not set, as deep as it would play.
    pub depth: Option<u32>,
    /// The largest number of nodes in the answer.
    pub nodes: usize,
}

/// Why there is no explanation. The sentences are complete.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    #[error(
        "agent {} does not explain its moves: it has no extension `{}` (docs/explain.md); \
         backtracking, expectimax, mcts, minimax and snake explain theirs; `{}` gives the \
         move of any agent",
        name_as_code(agent),
        explain::NAME,
        program::command("ask")
    )]
    NotOffered { agent: String },
    #[error("no move is left on this board, so there is nothing to explain")]
    NoMoveLeft,
    #[error("agent {}: {error}", name_as_code(agent))]
    NoAnswer { agent: String, error: CallError },
    #[error(
        "agent {} gave no explanation within {} s",
        name_as_code(agent),
        PATIENCE.as_secs()
    )]
    TooSlow { agent: String },
    #[error("the plugin of agent {} {reason}", name_as_code(agent))]
    NoPlugin { agent: String, reason: String },
    #[error("agent {}: its explanation is malformed: {error}", name_as_code(agent))]
    Malformed { agent: String, error: PluginWords },
    #[error("agent {}: its explanation is wrong: {error}", name_as_code(agent))]
    Bad {
        agent: String,
        error: BadExplanation,
    },
}

impl Question<'_> {
    /// The largest number of nodes that may be asked for.
    pub const MOST_NODES: usize = 20_000;

    /// Asks, until an answer comes, the agent's time is over or `stop` is set.
    ///
    /// # Errors
    /// When there is no explanation, or a wrong one.
    pub fn ask(&self, stop: &AtomicBool) -> Result<ExplainedTree, ExplainError> {
        if self.board.is_over() {
            return Err(ExplainError::NoMoveLeft);
        }
        let (agent, tournament) = (&self.plan.agents[0], &self.plan.tournament);
        let name = || agent.name.clone();
        let plugin = agent
            .plugin_file()
            .map_err(|reason| ExplainError::NoPlugin {
                agent: name(),
                reason,
            })?;
        let budget = &tournament.budgets[0];
        let setup = agent.setup(tournament, budget, &self.plan.salt, self.seed);
        let request = ExplainRequest {
            board: self.board.tiles(),
            setup: GameSetup::from_json(&setup).expect("the host wrote it"),
            params: serde_json::from_str(&agent.params).expect("the host wrote them"),
            depth: self.depth,
            nodes: self.nodes.min(Self::MOST_NODES),
        };
        let call = ExtensionCall {
            plugin: &plugin,
            name: explain::NAME,
            request: serde_json::to_string(&request).expect("plain data turns into JSON"),
            memory: tournament.memory_of(0),
            allow_read: &agent.allow_read,
        };
        let start = Instant::now();
        let answer = call.make(
            |_| ControlFlow::Continue(()),
            || stop.load(Ordering::Relaxed) || start.elapsed() > PATIENCE,
        );
        let answer = answer.map_err(|error| match error {
            CallError::UnknownExtension(_) => ExplainError::NotOffered { agent: name() },
            CallError::DidNotStop if start.elapsed() > PATIENCE => {
                ExplainError::TooSlow { agent: name() }
            }
            error => ExplainError::NoAnswer {
                agent: name(),
                error,
            },
        })?;
        let explanation =
            serde_json::from_str(&answer).map_err(|error| ExplainError::Malformed {
                agent: name(),
                // The error names keys and values, which are the plugin's.
                error: PluginWords::from(error.to_string()),
            })?;
        ExplainedTree::check(&agent.name, self.board, request.nodes, explanation).map_err(|error| {
            ExplainError::Bad {
                agent: name(),
                error,
            }
        })
    }
}
