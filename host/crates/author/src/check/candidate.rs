//! The plugin under test: its description, and how its agents are started.

use std::{
    cell::Cell,
    path::{Path, PathBuf},
    time::Duration,
};

use plugin_api::{Board, GameSetup, Limits, PluginInfo, Rules, Side, Turn};
use serde_json::{Map, Value};

use play::agents::{companion_files::companion_files, inspection::inspect_file};
use play::{
    player::{Fault, GameTask, NoMove, Player, Reply, WorkerPlayer},
    referee::{full_allowance, judge},
};
use run::{agent::with_folder_of_companions, game_record::Ending};
use tournament::{Budget, BudgetLimit, Overrun, Sandbox, Tournament};
use worker::{Abi, PluginFile, Rehearsal, WorkerOptions, sandbox::SandboxRules};

/// The CPU time that all turns of one claim may take together.
const PATIENCE: Duration = Duration::from_secs(4);

/// The CPU time that all claims about one plugin may take together. Sleeping is limited by
/// the budget of each trial.
pub const DEFAULT_CPU_LIMIT: Duration = Duration::from_mins(3);

/// How plugins are checked.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// Parameters that every agent is created with.
    pub params: serde_json::Map<String, serde_json::Value>,
    /// Files that the sandbox lets the agents read.
    pub allow_read: Vec<PathBuf>,
    /// The CPU time that all claims about one plugin may take together; `None` is
    /// [`DEFAULT_CPU_LIMIT`].
    pub cpu_limit: Option<Duration>,
}

pub(super) struct Candidate<'a> {
    pub(super) plugin: PluginFile,
    pub(super) info: PluginInfo,
    pub(super) abi: Abi,
    /// The files beside the plugin that it reads.
    companions: Vec<PathBuf>,
    options: &'a CheckOptions,
    /// The CPU time of one turn, once it is known.
    pace: Cell<Duration>,
}

/// How an agent is started for a claim.
#[derive(Clone, Debug)]
pub(super) struct TrialSetup {
    pub(super) rules: Rules,
    pub(super) budget: Budget,
    /// Parameters in addition to those that every agent is created with.
    pub(super) params: Map<String, Value>,
    pub(super) random_seed: u64,
    pub(super) rehearsal: Option<Rehearsal>,
    /// Whether the agent is to take notes.
    pub(super) notes: bool,
    /// A key that a later version may add to the setup.
    pub(super) later_key: Option<&'static str>,
}

impl<'a> Candidate<'a> {
    /// Reads the description of a plugin; `None` if it has none.
    pub(super) fn new(path: &Path, options: &'a CheckOptions) -> Option<Self> {
        let plugin = PluginFile::seal(path).ok()?;
        let inspection = inspect_file(&plugin, Sandbox::On).ok()?;
        // A claim about the description reports files that the plugin may not have.
        let companions = companion_files(plugin.path(), &inspection.info).unwrap_or_default();
        Some(Self {
            companions,
            plugin,
            info: inspection.info,
            abi: inspection.abi,
            options,
            pace: Cell::new(Duration::ZERO),
        })
    }

    pub(super) fn is_program(&self) -> bool {
        self.plugin.program().is_some()
    }

    pub(super) fn supports(&self, limits: Limits) -> bool {
        self.info.honours.contains(&limits)
    }

    /// The side on which most claims are tested: 4 if the plugin supports it.
    pub(super) fn side(&self) -> Side {
        if self.info.boards.contains(Side::FOUR) {
            return Side::FOUR;
        }
        Side::new(self.info.boards.max).unwrap_or(Side::FOUR)
    }

    /// A short budget of a kind that the plugin supports, for claims that are not about
    /// budgets. Agents that exceed it fail other claims.
    pub(super) fn short_budget(&self) -> Budget {
        if self.supports(Limits::Time) {
            let per_move = Duration::from_micros(200);
            Budget {
                overrun: Overrun::Warn,
                ..budget(BudgetLimit::Time { per_move })
            }
        } else {
            self.repeatable_budget()
        }
    }

    /// A budget under which play does not depend on a clock.
    pub(super) fn repeatable_budget(&self) -> Budget {
        let nodes = 500.try_into().expect("500 is not 0");
        budget(if self.supports(Limits::Nodes) {
            BudgetLimit::Nodes(nodes)
        } else {
            BudgetLimit::None
        })
    }

    pub(super) fn trial(&self, budget: Budget) -> TrialSetup {
        TrialSetup {
            rules: Rules {
                side: self.side(),
                ..Rules::default()
            },
            budget,
            params: Map::new(),
            random_seed: 7,
            rehearsal: None,
            notes: false,
            later_key: None,
        }
    }

    pub(super) fn short_trial(&self) -> TrialSetup {
        self.trial(self.short_budget())
    }

    /// Starts an agent as a tournament does.
    pub(super) fn start(&self, trial: &TrialSetup) -> Result<WorkerPlayer<'a>, NoMove> {
        let mut params = self.options.params.clone();
        params.extend(trial.params.clone());
        let own = self.plugin.own_files();
        let allowed = own.iter().chain(&self.companions);
        let allowed = allowed.chain(&self.options.allow_read);
        let task = GameTask {
            plugin: self.plugin.clone(),
            sandbox: SandboxRules {
                mode: Sandbox::On,
                memory: Tournament::DEFAULT_MEMORY,
                allow_read: allowed.cloned().collect(),
                allow_read_sha256: None,
            },
            params: Value::Object(params).to_string(),
            setup: trial.setup(self),
            budget: trial.budget,
        };
        let options = WorkerOptions {
            notes: trial.notes,
            ..WorkerOptions::default()
        };
        Ok(match trial.rehearsal {
            Some(rehearsal) => WorkerPlayer::rehearse(&task, rehearsal, options)?,
            None => WorkerPlayer::start(&task, options)?,
        })
    }

    /// Stores the CPU time of one turn, from which claims compute how many turns they can afford.
    pub(super) fn set_pace(&self, turn: Duration) {
        self.pace.set(turn);
    }

    /// The wanted number of turns, or fewer if they would take too long.
    pub(super) fn n_turns(&self, wanted: u64) -> u64 {
        const FEWEST_TURNS: u64 = 5;
        let pace = self.pace.get().as_nanos().max(1);
        let affordable = u64::try_from(PATIENCE.as_nanos() / pace).unwrap_or(u64::MAX);
        wanted.min(affordable.max(FEWEST_TURNS))
    }
}

impl TrialSetup {
    fn setup(&self, candidate: &Candidate<'_>) -> String {
        let setup = GameSetup::new()
            .with_rules(self.rules)
            .with_limit(self.budget.limit_for_agents())
            .with_random_seed(self.random_seed);
        let (plugin, info) = (candidate.plugin.path(), &candidate.info);
        let setup = with_folder_of_companions(setup, plugin, info).to_json();
        match (self.later_key, serde_json::from_str(&setup)) {
            (Some(key), Ok(Value::Object(mut keys))) => {
                keys.insert(
                    key.to_owned(),
                    serde_json::json!({"since": "a later version"}),
                );
                Value::Object(keys).to_string()
            }
            _ => setup,
        }
    }
}

/// A budget with the limits that a tournament has by default.
pub(super) fn budget(limit: BudgetLimit) -> Budget {
    Budget {
        limit,
        hang: Budget::default_hang(limit, Budget::DEFAULT_BANK),
        ..Budget::default()
    }
}

/// Asks for a move on a board and judges it as the referee does, with a full bank.
pub(super) fn ask(
    player: &mut WorkerPlayer<'_>,
    board: &Board,
    budget: &Budget,
    move_number: u64,
) -> Result<Reply, NoMove> {
    let turn = Turn {
        move_number,
        score: 0,
        allowance: full_allowance(budget),
    };
    let (answer, times) = player.choose(board, &turn)?;
    let Some(answer) = answer else {
        let fault = Fault::new(Ending::Overrun, "used up its budget");
        return Err(NoMove::Fault(fault));
    };
    match judge(board, &answer, &one_line(board)) {
        Ok(_) => Ok(Reply {
            answer,
            times,
            notes: player.take_notes(),
        }),
        Err(fault) => Err(NoMove::Fault(fault)),
    }
}

/// A board on one line, in a form that can be parsed.
pub(super) fn one_line(board: &Board) -> String {
    let rows: Vec<String> = board
        .tiles()
        .iter()
        .map(|row| {
            let tiles: Vec<String> = row.iter().map(ToString::to_string).collect();
            tiles.join(" ")
        })
        .collect();
    rows.join(" / ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_on_one_line_can_be_parsed() {
        let board: Board = "2 0 / 4 0".parse().unwrap();
        assert_eq!(one_line(&board), "2 0 / 4 0");
        assert_eq!(one_line(&board).parse::<Board>().unwrap(), board);
    }
}
