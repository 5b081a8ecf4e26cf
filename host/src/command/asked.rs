//! What `host ask` and `host explain` share: the position and the agents of the command line.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches};
use explain::board_text;
use play::agents::{
    entering::{self, EntryError},
    plugin_finder::PluginFinder,
};
use plugin_api::{Board, FourShare, Rules, Tiles};
use run::{replay::Replay, run_plan::RunPlan};
use serde::Serialize;
use serde_json::{Map, Value, json};
use tournament::{
    BudgetLimit,
    file::{Diagnostic, KeyPath, PathStep, TournamentSource},
};

use super::{
    CommandError,
    chosen_games::{Options, game_of_run},
    exit_code,
};

/// A board as typed, or a position of a run.
#[derive(Debug, Args)]
pub(crate) struct PositionArguments {
    /// The board: rows of tiles, '2 4 8 16/4 8 16 32/2 2 4 8/0 0 2 4', or 16 hexadecimal digits
    /// of exponents, EDC1BA9187611110
    #[arg(
        long,
        value_name = "BOARD",
        required_unless_present = "run",
        allow_hyphen_values = true
    )]
    board: Option<String>,
    /// Take the board from a game of this run, with its rules
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with = "board",
        requires = "played_by"
    )]
    run: Option<PathBuf>,
    /// With --run: the agent that played the game
    #[arg(long, value_name = "AGENT", requires = "run")]
    played_by: Option<String>,
    /// With --run: the label of the budget it played under, if the run has several
    #[arg(long, value_name = "LABEL", requires = "run")]
    played_under: Option<String>,
    /// The seed of the game; with --board, only the random numbers of the agents depend on it
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = super::option_values::whole_number)]
    seed: u64,
    /// With --run: how many moves were made before the position [default: 0]
    #[arg(long = "move", value_name = "N", value_parser = super::option_values::whole_number)]
    n_moves: Option<u64>,
    /// With --board: the share of 4s among new tiles
    #[arg(long, value_name = "SHARE", conflicts_with = "run")]
    four: Option<f64>,
    /// With --board: new tiles are not random, but a 2 in the first empty cell
    #[arg(long, conflicts_with = "run")]
    deterministic: bool,
    /// With --board: the tile that ends the game
    #[arg(long, value_name = "TILE", conflicts_with = "run", value_parser = super::option_values::goal)]
    goal: Option<u64>,
}

/// A position to ask about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    pub(crate) board: Board,
    pub(crate) rules: Rules,
    pub(crate) seed: u64,
}

impl PositionArguments {
    /// # Errors
    /// When there is no such board.
    pub(crate) fn position(&self) -> Result<Position, CommandError> {
        let usage = |error: anyhow::Error| CommandError::new(exit_code::USAGE, error);
        if let (Some(folder), Some(agent)) = (&self.run, &self.played_by) {
            return self.of_run(folder, agent);
        }
        if let Some(n_moves) = self.n_moves {
            return Err(usage(anyhow!(
                "--move {n_moves}: belongs to --run; --board is already the position"
            )));
        }
        let text = self.board.as_deref().unwrap_or_default();
        let board = board_text::board(text).map_err(|error| usage(anyhow!("--board: {error}")))?;
        let four = match self.four {
            None => FourShare::DEFAULT,
            Some(share) => FourShare::new(share)
                .ok_or_else(|| usage(anyhow!("--four {share}: expected a share from 0 to 1")))?,
        };
        let tiles = if self.deterministic {
            Tiles::Deterministic
        } else {
            Tiles::Random
        };
        let rules = Rules {
            side: board.side(),
            four,
            tiles,
            goal: self.goal,
            max_moves: None,
        };
        Ok(Position {
            board,
            rules,
            seed: self.seed,
        })
    }

    fn of_run(&self, folder: &std::path::Path, agent: &str) -> Result<Position, CommandError> {
        let usage = |error: anyhow::Error| CommandError::new(exit_code::USAGE, error);
        let plan = RunPlan::read(folder)?;
        let budget = self.played_under.as_deref();
        let record = game_of_run(
            folder,
            &plan,
            Options::OF_POSITION,
            agent,
            self.seed,
            budget,
        )?;
        let n_moves = self.n_moves.unwrap_or(0);
        if n_moves > record.n_moves {
            return Err(usage(anyhow!(
                "--move {n_moves}: the game has {} moves",
                record.n_moves
            )));
        }
        let rules = plan.tournament.rules();
        let mut replay = Replay::new(rules, &plan.salt, &record);
        for _ in 0..n_moves {
            if let Some(Err(error)) = replay.next() {
                let message = anyhow!("the record of game {} is wrong: {error}", record.game);
                return Err(CommandError::new(exit_code::VERIFICATION, message));
            }
        }
        Ok(Position {
            board: *replay.board(),
            rules,
            seed: record.seed,
        })
    }
}

/// The agents of the command line, in their order.
///
/// `--params` and `--budget` belong to the `--agent` before them, or to all agents if they come
/// first.
#[derive(Clone, Debug)]
pub(crate) struct AgentArguments {
    pub(crate) agents: Vec<AgentArgument>,
}

/// An agent, as it is in a tournament file.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct AgentArgument {
    plugin: String,
    params: Map<String, Value>,
    budget: Map<String, Value>,
}

const AGENT: &str = "agent";
const PARAMS: &str = "params";
const BUDGET: &str = "budget";

impl Args for AgentArguments {
    fn augment_args(command: clap::Command) -> clap::Command {
        let option = |name: &'static str, value: &'static str, help: &'static str| {
            Arg::new(name)
                .long(name)
                .value_name(value)
                .action(ArgAction::Append)
                .help(help)
        };
        command
            .arg(
                option(AGENT, "PLUGIN", "An agent: the name of a plugin, or a file").required(true),
            )
            .arg(
                option(
                    PARAMS,
                    "KEY=VALUE",
                    "A parameter of the --agent before it; before the first --agent, of all",
                )
                .value_parser(parameter),
            )
            .arg(
                option(
                    BUDGET,
                    "BUDGET",
                    "What the --agent before it may spend: a time as 10ms, a number of nodes as \
                     20000, or none [default: none, so that it plays by its own parameters]",
                )
                .allow_negative_numbers(true)
                .value_parser(budget),
            )
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for AgentArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        type Budget = Map<String, Value>;
        let places: Vec<usize> = matches.indices_of(AGENT).into_iter().flatten().collect();
        let plugins = matches.get_many::<String>(AGENT).into_iter().flatten();
        let mut agents: Vec<AgentArgument> = plugins
            .map(|plugin| AgentArgument {
                plugin: plugin.clone(),
                ..AgentArgument::default()
            })
            .collect();
        // The agents that an option at this place is about.
        let about = |place: usize| match places.iter().rposition(|&agent| agent < place) {
            Some(agent) => agent..=agent,
            None => 0..=places.len().saturating_sub(1),
        };
        let budgets = matches.indices_of(BUDGET).into_iter().flatten();
        let values = matches.get_many::<Budget>(BUDGET).into_iter().flatten();
        for (place, budget) in budgets.zip(values) {
            for agent in &mut agents[about(place)] {
                agent.budget.clone_from(budget);
            }
        }
        let params = matches.indices_of(PARAMS).into_iter().flatten();
        let values = matches.get_many::<(String, Value)>(PARAMS);
        for (place, (key, value)) in params.zip(values.into_iter().flatten()) {
            for agent in &mut agents[about(place)] {
                agent.params.insert(key.clone(), value.clone());
            }
        }
        Ok(Self { agents })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// `depth=3`: the value is a number, true or false, or else a text.
fn parameter(text: &str) -> Result<(String, Value), String> {
    let (key, value) = (text.split_once('=')).ok_or("expected KEY=VALUE, for example depth=3")?;
    let value = serde_json::from_str(value).unwrap_or_else(|_| json!(value));
    Ok((key.to_owned(), value))
}

fn budget(text: &str) -> Result<Map<String, Value>, String> {
    let nodes = text.strip_suffix("nodes").unwrap_or(text).trim();
    let budget = match nodes.parse::<u64>() {
        _ if text == "none" => json!({}),
        Ok(nodes) => json!({"nodes": nodes}),
        Err(_) => {
            text::duration_text::parse_duration(text).map_err(|error| {
                format!("{error}; expected a time as 10ms, a number of nodes as 20000, or none")
            })?;
            json!({"per_move": text})
        }
    };
    let Value::Object(budget) = budget else {
        unreachable!("every arm is an object")
    };
    Ok(budget)
}

impl AgentArgument {
    /// An agent without a budget.
    pub(crate) fn new(plugin: &str, params: Map<String, Value>) -> Self {
        Self {
            plugin: plugin.to_owned(),
            params,
            budget: Map::new(),
        }
    }

    /// A plan with this agent alone, for games by these rules.
    ///
    /// The agent becomes the text of a tournament file, so that a mistake has the same message as
    /// there.
    ///
    /// # Errors
    /// When there is no such agent.
    pub(crate) fn plan(
        &self,
        position: &Position,
        finder: &PluginFinder,
    ) -> Result<RunPlan, CommandError> {
        let rules = &position.rules;
        let mut file = json!({
            "name": "asked",
            "board": rules.side,
            "four": rules.four,
            "tiles": rules.tiles,
            "seeds": [position.seed],
            "agents": [{"plugin": self.plugin, "params": self.params}],
        });
        if let Some(goal) = rules.goal {
            file["goal"] = goal.into();
        }
        if let Some(max_moves) = rules.max_moves {
            file["max_moves"] = max_moves.into();
        }
        if !self.budget.is_empty() {
            file["budget"] = Value::Object(self.budget.clone());
        }
        let source = TournamentSource::new("command line", file.to_string());
        let here = PathBuf::from(".");
        let (code, message) = match entering::enter(&source, finder, Some(&here)) {
            Ok(entered) => {
                return Ok(RunPlan::new(entered.tournament, entered.agents, None, None));
            }
            Err(EntryError::Machine(message)) => (exit_code::UNEXPECTED, message),
            Err(EntryError::File(found)) => (exit_code::USAGE, sentences(&found)),
            Err(EntryError::Plugins(found)) => (exit_code::PLUGIN, sentences(&found)),
        };
        let message = anyhow!("--agent {}: {message}", self.plugin);
        Err(CommandError::new(code, message))
    }

    /// The agent as it was typed: `minimax depth=4, 10ms`.
    pub(crate) fn label(&self, plan: &RunPlan) -> String {
        let params = self.params.iter().map(|(key, value)| match value {
            Value::String(text) => format!(" {key}={text}"),
            value => format!(" {key}={value}"),
        });
        let mut label = plan.agents[0].name.clone();
        label.extend(params);
        let budget = &plan.tournament.budgets[0];
        if budget.limit != BudgetLimit::None {
            label.extend([", ", &budget.label()]);
        }
        label
    }
}

/// What is wrong, with the part of the command line it is about.
fn sentences(found: &[Diagnostic]) -> String {
    let sentences = found.iter().map(|diagnostic| {
        let steps = diagnostic.path().map_or(&[][..], KeyPath::steps);
        let keys = steps.iter().filter_map(|step| match step {
            PathStep::Key(key) if !matches!(&**key, "agents" | "plugin" | "params") => {
                Some(key.as_str())
            }
            _ => None,
        });
        // The message names a parameter itself.
        let is_parameter = diagnostic.message.starts_with("parameter `");
        let place = match keys.collect::<Vec<_>>()[..] {
            ["budget", ..] => "--budget".to_owned(),
            _ if is_parameter => String::new(),
            ref keys => keys.join("."),
        };
        let separator = if place.is_empty() { "" } else { ": " };
        format!("{place}{separator}{}", diagnostic.message)
    });
    sentences.collect::<Vec<_>>().join("; ")
}
