//! A request for a live session, converted to a tournament of one seed.
//!
//! The request becomes the text of a tournament file and is parsed as one. An invalid value
//! therefore produces the same message here as in a tournament file, at its form field.

use std::{collections::BTreeSet, time::Duration};

use plugin_api::{MAX_SEED, Rules, Salt};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::pace::check_speed;
use play::agents::{
    entering::{self, EntryError},
    plugin_finder::PluginFinder,
};
use run::run_plan::RunPlan;
use text::{
    duration_text::{format_duration, parse_duration},
    number_text::count,
};
use tournament::{
    file::{self, Diagnostic, KeyPath, PathStep, TournamentSource},
    is_plain_name,
};

use crate::error_response::{ApiResult, ErrorResponse, FieldDiagnostic};

/// How many agents can play side by side.
pub(crate) const MAX_AGENTS: usize = 4;

const MAX_MOVE_TIME: Duration = Duration::from_secs(30);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SessionRequest {
    agents: Vec<AgentRequest>,
    seed: Value,
    #[serde(default = "usual_size")]
    size: Value,
    #[serde(default)]
    four_share: Value,
    #[serde(default)]
    budget: Option<Map<String, Value>>,
    #[serde(default)]
    pub(crate) running: bool,
    /// Moves per second; `None` means as fast as the agents play.
    pub(crate) speed: Option<f64>,
    /// Whether the request is only checked and no game is started.
    #[serde(default)]
    pub(crate) check_only: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AgentRequest {
    pub(crate) plugin: String,
    #[serde(default)]
    pub(crate) params: Map<String, Value>,
}

fn usual_size() -> Value {
    json!(4)
}

impl SessionRequest {
    /// A request for one agent, whatever the seed.
    pub(crate) fn of_agent(
        agent: AgentRequest,
        budget: Option<Map<String, Value>>,
        rules: &Rules,
    ) -> Self {
        Self {
            agents: vec![agent],
            seed: json!(0),
            size: json!(rules.side.length()),
            four_share: json!(rules.four.as_f64()),
            budget,
            running: false,
            speed: None,
            check_only: false,
        }
    }

    pub(crate) fn n_agents(&self) -> usize {
        self.agents.len()
    }

    /// Validates the request, finds the plugins and makes the plan.
    ///
    /// # Errors
    /// With every error found in the request.
    pub(crate) fn plan(&self, finder: &PluginFinder) -> ApiResult<RunPlan> {
        if !(1..=MAX_AGENTS).contains(&self.agents.len()) {
            let message = format!("choose one to {MAX_AGENTS} agents");
            return Err(ErrorResponse::of_field("agents", message));
        }
        let mut diagnostics = self.check_fields();
        let source = TournamentSource::new("session.yaml", self.tournament().to_string());
        let is_named = self.agents.iter().all(|agent| is_plain_name(&agent.plugin));
        let entered = if is_named {
            entering::enter(&source, finder, None).map(Some)
        } else {
            file::read(&source).map(|_| None).map_err(EntryError::File)
        };
        match entered {
            Ok(Some(entered)) if diagnostics.is_empty() => {
                let plan = RunPlan::new(entered.tournament, entered.agents, None, None);
                debug_assert_eq!(plan.salt, Salt::NONE, "live games have predictable tiles");
                return Ok(plan);
            }
            Err(EntryError::File(found) | EntryError::Plugins(found)) => {
                diagnostics.extend(found.into_iter().map(at_field));
            }
            Err(EntryError::Machine(message)) => {
                return Err(ErrorResponse::internal(message));
            }
            Ok(_) => {}
        }
        // A value that is restricted here may be invalid in a tournament file as well.
        let mut named = BTreeSet::new();
        diagnostics.retain(|diagnostic| named.insert(diagnostic.field.clone()));
        Err(ErrorResponse::of_fields(diagnostics))
    }

    /// Checks what is restricted here but allowed in a tournament file. Visitors choose
    /// among the plugins found; they cannot name files.
    fn check_fields(&self) -> Vec<FieldDiagnostic> {
        let agents = self.agents.iter().enumerate();
        let misnamed = agents.filter(|(_, agent)| !is_plain_name(&agent.plugin));
        let mut diagnostics: Vec<FieldDiagnostic> = misnamed
            .map(|(index, agent)| FieldDiagnostic {
                field: format!("agents.{index}.plugin"),
                message: format!("{:?} is not a plugin name", agent.plugin),
            })
            .collect();
        diagnostics.extend(check_seed(&self.seed).err());
        diagnostics.extend(self.check_move_time());
        let speed = self.speed.map_or(Ok(()), check_speed);
        diagnostics.extend(speed.err().map(|message| FieldDiagnostic {
            field: "speed".to_owned(),
            message,
        }));
        diagnostics
    }

    /// A limit on the time per move, because a person waits for it.
    fn check_move_time(&self) -> Option<FieldDiagnostic> {
        let text = self.budget.as_ref()?.get("per_move")?.as_str()?;
        let time = parse_duration(text).ok()?;
        (time > MAX_MOVE_TIME).then(|| FieldDiagnostic {
            field: "budget.per_move".to_owned(),
            message: format!(
                "is too long for a live game; use at most {}",
                format_duration(MAX_MOVE_TIME)
            ),
        })
    }

    /// The tournament file. It is written as JSON, which is valid YAML.
    fn tournament(&self) -> Value {
        let names = self.names();
        let agents = self.agents.iter().zip(&names);
        let agents: Vec<Value> = agents
            .map(|(agent, name)| {
                json!({"plugin": agent.plugin, "name": name, "params": agent.params})
            })
            .collect();
        let mut file = json!({
            "name": "session",
            "board": self.size,
            "seeds": [self.seed],
            "agents": agents,
        });
        if let Some(budget) = &self.budget {
            file["budget"] = Value::Object(budget.clone());
        }
        if !self.four_share.is_null() {
            file["four"] = self.four_share.clone();
        }
        file
    }

    /// An agent that is chosen twice plays as `mcts` and `mcts-2`. The name determines the
    /// random numbers of an agent, so the first one plays as it does in a tournament.
    fn names(&self) -> Vec<String> {
        let agents = self.agents.iter().enumerate();
        agents
            .map(|(index, agent)| {
                // What is wrong with such a name is said at its own field.
                if !is_plain_name(&agent.plugin) {
                    return format!("agent-{}", index + 1);
                }
                let before = self.agents[..index].iter();
                match before.filter(|other| other.plugin == agent.plugin).count() {
                    0 => agent.plugin.clone(),
                    n_before => format!("{}-{}", agent.plugin, n_before + 1),
                }
            })
            .collect()
    }
}

/// # Errors
/// When the value is not a valid seed.
pub(crate) fn check_seed(seed: &Value) -> Result<u64, FieldDiagnostic> {
    let number = seed.as_u64().filter(|number| *number <= MAX_SEED);
    number.ok_or_else(|| FieldDiagnostic {
        field: "seed".to_owned(),
        message: format!("a seed is a whole number from 0 to {}", count(MAX_SEED)),
    })
}

/// A diagnostic of the tournament file, at the form field that the value came from.
fn at_field(diagnostic: Diagnostic) -> FieldDiagnostic {
    let steps = diagnostic.path().map_or(&[][..], KeyPath::steps);
    let names: Vec<String> = steps
        .iter()
        .map(|step| match step {
            PathStep::Key(key) => key.clone(),
            PathStep::Index(number) => number.to_string(),
        })
        .collect();
    let field = match names.first().map(String::as_str) {
        Some("board") => "size".to_owned(),
        Some("seeds") => "seed".to_owned(),
        Some("four") => "four_share".to_owned(),
        _ => names.join("."),
    };
    // The field has the name of the parameter already.
    let prefix = names.last().map(|name| format!("parameter `{name}`: "));
    let message =
        prefix.and_then(|prefix| diagnostic.message.strip_prefix(&prefix).map(str::to_owned));
    FieldDiagnostic {
        field,
        message: message.unwrap_or(diagnostic.message),
    }
}
