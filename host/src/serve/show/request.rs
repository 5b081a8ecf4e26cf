//! What a visitor asks to see, made a tournament of one seed.
//!
//! The request becomes a tournament file and is read as one: what is a mistake there
//! is a mistake here, in the same words, at the field it came from.

use std::time::Duration;

use plugin_api::Salt;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::pace::check_speed;
use crate::{
    entrant::enter_agents,
    plugin_finder::PluginFinder,
    run_plan::RunPlan,
    serve::refusal::{FieldMistake, Refusal},
    tournament::{format_duration, is_plain_name, parse_duration},
    tournament_file::{self, Mistake, Place, Step, TournamentSource},
};

/// How many agents are shown side by side.
pub(in crate::serve) const MOST_LANES: usize = 4;

/// Beyond it JavaScript does not tell numbers apart.
const LARGEST_SEED: u64 = (1 << 53) - 1;
const LONGEST_MOVE: Duration = Duration::from_secs(30);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::serve) struct ShowRequest {
    agents: Vec<AgentRequest>,
    seed: Value,
    #[serde(default = "four")]
    size: Value,
    #[serde(default)]
    four_share: Value,
    #[serde(default)]
    budget: Option<Map<String, Value>>,
    #[serde(default)]
    pub(in crate::serve) running: bool,
    /// Moves a second; without it as fast as the agents go.
    pub(in crate::serve) speed: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AgentRequest {
    plugin: String,
    #[serde(default)]
    params: Map<String, Value>,
}

fn four() -> Value {
    json!(4)
}

impl ShowRequest {
    /// How many games it is.
    pub(in crate::serve) fn n_lanes(&self) -> usize {
        self.agents.len()
    }

    /// Finds the plugins and checks everything.
    ///
    /// # Errors
    /// With all that is wrong.
    pub(in crate::serve) fn plan(&self, finder: &PluginFinder) -> Result<RunPlan, Refusal> {
        self.check_fields()?;
        let source = TournamentSource::new("show.yaml", self.tournament().to_string());
        let refuse = |mistakes: Vec<Mistake>| {
            Refusal::of_fields(mistakes.into_iter().map(at_field).collect())
        };
        let tournament = tournament_file::read(&source).map_err(refuse)?;
        if let Some(speed) = self.speed {
            check_speed(speed).map_err(|message| Refusal::of_field("speed", message))?;
        }
        let entrants = enter_agents(&tournament, finder, None).map_err(refuse)?;
        let plan = RunPlan::new(tournament, entrants, None, None);
        debug_assert_eq!(plan.salt(), Salt::NONE, "what is shown is no secret");
        Ok(plan)
    }

    /// Visitors choose among the plugins that are found; they name no files.
    fn check_fields(&self) -> Result<(), Refusal> {
        if !(1..=MOST_LANES).contains(&self.agents.len()) {
            let message = format!("from one to {MOST_LANES} agents are shown at a time");
            return Err(Refusal::of_field("agents", message));
        }
        let agents = self.agents.iter().enumerate();
        let misnamed = agents.filter(|(_, agent)| !is_plain_name(&agent.plugin));
        let mut mistakes: Vec<FieldMistake> = misnamed
            .map(|(index, agent)| FieldMistake {
                field: format!("agents.{index}.plugin"),
                message: format!("{:?} is no plugin's name", agent.plugin),
            })
            .collect();
        // A tournament takes more than one seed, and says so.
        mistakes.extend(check_seed(&self.seed).err());
        mistakes.extend(self.check_time());
        if mistakes.is_empty() {
            Ok(())
        } else {
            Err(Refusal::of_fields(mistakes))
        }
    }

    /// What a person would not wait for.
    fn check_time(&self) -> Option<FieldMistake> {
        let text = self.budget.as_ref()?.get("per_move")?.as_str()?;
        let time = parse_duration(text).ok()?;
        (time > LONGEST_MOVE).then(|| FieldMistake {
            field: "budget.per_move".to_owned(),
            message: format!(
                "a move that is watched takes at most {}",
                format_duration(LONGEST_MOVE)
            ),
        })
    }

    /// JSON is YAML.
    fn tournament(&self) -> Value {
        let names = self.names();
        let agents = self.agents.iter().zip(&names);
        let agents: Vec<Value> = agents
            .map(|(agent, name)| {
                json!({"plugin": agent.plugin, "name": name, "params": agent.params})
            })
            .collect();
        let mut file = json!({
            "name": "show",
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

    /// An agent that is shown twice is called `mcts` and `mcts-2`. The name decides an
    /// agent's own random numbers, so the first plays as in a tournament.
    fn names(&self) -> Vec<String> {
        let agents = self.agents.iter().enumerate();
        agents
            .map(|(index, agent)| {
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
/// When it is no seed.
pub(in crate::serve) fn check_seed(seed: &Value) -> Result<u64, FieldMistake> {
    let number = seed.as_u64().filter(|number| *number <= LARGEST_SEED);
    number.ok_or_else(|| FieldMistake {
        field: "seed".to_owned(),
        message: "a seed is a whole number from 0 to 9,007,199,254,740,991".to_owned(),
    })
}

/// A mistake of the tournament file at the field that the value came from.
fn at_field(mistake: Mistake) -> FieldMistake {
    let steps = match &mistake.place {
        Place::Key(path) | Place::SecondKey(path) | Place::Value(path) => path.steps(),
        Place::File | Place::Position { .. } => &[],
    };
    let names: Vec<String> = steps
        .iter()
        .map(|step| match step {
            Step::Key(key) => key.clone(),
            Step::Index(number) => number.to_string(),
        })
        .collect();
    let field = match names.first().map(String::as_str) {
        Some("board") => "size".to_owned(),
        Some("seeds") => "seed".to_owned(),
        Some("four") => "four_share".to_owned(),
        _ => names.join("."),
    };
    FieldMistake {
        field,
        message: mistake.message,
    }
}
