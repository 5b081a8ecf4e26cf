//! A plugin under check: what it says of itself, and how its agents are started.

use std::{
    cell::Cell,
    path::{Path, PathBuf},
    time::Duration,
};

use plugin_api::{
    Allowance, Answer, Board, Clock, Direction, GameSetup, Limits, PluginInfo, Rules, Side, Turn,
};
use serde_json::{Map, Value};

use super::CheckOptions;
use crate::{
    game_record::Ending,
    player::{Fault, GameTask, Player, PlayerError, Reply, WorkerPlayer},
    plugin_inspection::inspect,
    tournament::{Budget, BudgetLimit, Sandbox},
    worker::{Abi, Rehearsal, WorkerOptions, check_file, sandbox::SandboxRules},
};

/// The memory limit of a tournament that sets none.
pub(super) const MEMORY: u64 = 4 << 30;
/// How long a turn may hang before its worker is killed: shorter than in a tournament,
/// for somebody is waiting.
const HANG: Duration = Duration::from_secs(5);
/// How long the turns of one claim may take together.
const PATIENCE: Duration = Duration::from_secs(4);

pub(super) struct Candidate<'a> {
    pub(super) path: PathBuf,
    pub(super) info: PluginInfo,
    pub(super) abi: Abi,
    options: &'a CheckOptions<'a>,
    /// How long a turn takes, once it is known.
    pace: Cell<Duration>,
}

/// How an agent is started for a claim.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    pub(super) rules: Rules,
    pub(super) budget: Budget,
    /// Parameters beside those that every agent is made with.
    pub(super) params: Map<String, Value>,
    pub(super) random_seed: u64,
    pub(super) rehearsal: Option<Rehearsal>,
    /// What a later version may add to the setup.
    pub(super) later_key: Option<&'static str>,
}

impl<'a> Candidate<'a> {
    /// Asks a plugin what it is; `None` when it does not say.
    pub(super) fn new(path: &Path, options: &'a CheckOptions<'a>) -> Option<Self> {
        let path = check_file(path).ok()?;
        let inspection = inspect(&path, Sandbox::On).ok()?;
        Some(Self {
            path,
            info: inspection.info,
            abi: inspection.abi,
            options,
            pace: Cell::new(Duration::ZERO),
        })
    }

    pub(super) fn honours(&self, limits: Limits) -> bool {
        self.info.honours.contains(&limits)
    }

    /// The side that most claims are tried on: the ordinary one where it plays that.
    pub(super) fn side(&self) -> Side {
        if self.info.boards.contains(Side::FOUR) {
            return Side::FOUR;
        }
        Side::new(self.info.boards.max).unwrap_or(Side::FOUR)
    }

    /// A short budget of a kind it honours, for claims that are not about budgets.
    pub(super) fn short_budget(&self) -> Budget {
        if self.honours(Limits::Time) {
            let per_move = Duration::from_micros(200);
            budget(BudgetLimit::Time { per_move })
        } else {
            self.repeatable_budget()
        }
    }

    /// A budget under which play does not depend on a clock.
    pub(super) fn repeatable_budget(&self) -> Budget {
        let nodes = 500.try_into().expect("500 is not 0");
        budget(if self.honours(Limits::Nodes) {
            BudgetLimit::Nodes(nodes)
        } else {
            BudgetLimit::None
        })
    }

    pub(super) fn stage(&self, budget: Budget) -> Stage {
        Stage {
            rules: Rules {
                side: self.side(),
                ..Rules::default()
            },
            budget,
            params: Map::new(),
            random_seed: 7,
            rehearsal: None,
            later_key: None,
        }
    }

    pub(super) fn short_stage(&self) -> Stage {
        self.stage(self.short_budget())
    }

    /// Starts an agent as a tournament does.
    pub(super) fn start(&self, stage: &Stage) -> Result<WorkerPlayer<'a>, PlayerError> {
        let mut params = self.options.params.clone();
        params.extend(stage.params.clone());
        let task = GameTask {
            plugin: self.path.clone(),
            sandbox: SandboxRules {
                mode: Sandbox::On,
                memory: MEMORY,
                cpu: None,
                allow_read: self.options.allow_read.clone(),
            },
            params: Value::Object(params).to_string(),
            setup: stage.setup(),
            budget: stage.budget,
        };
        let options = WorkerOptions {
            stop: self.options.stop,
            ..WorkerOptions::default()
        };
        match stage.rehearsal {
            Some(rehearsal) => WorkerPlayer::rehearse(&task, rehearsal, options),
            None => WorkerPlayer::start(&task, options),
        }
    }

    /// Remembers how long a turn takes, so that no claim asks for more than it can wait.
    pub(super) fn set_pace(&self, turn: Duration) {
        self.pace.set(turn);
    }

    /// As many turns of those wanted as there is patience for.
    pub(super) fn n_turns(&self, wanted: u64) -> u64 {
        const FEWEST: u64 = 5;
        let pace = self.pace.get().as_nanos().max(1);
        let affordable = u64::try_from(PATIENCE.as_nanos() / pace).unwrap_or(u64::MAX);
        wanted.min(affordable.max(FEWEST))
    }
}

impl Stage {
    fn setup(&self) -> String {
        let setup = GameSetup::new()
            .with_rules(self.rules)
            .with_limit(self.budget.limit_for_agents())
            .with_random_seed(self.random_seed)
            .to_json();
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

/// A budget with the limits of a check.
pub(super) fn budget(limit: BudgetLimit) -> Budget {
    Budget {
        limit,
        hang: HANG,
        ..Budget::default()
    }
}

/// Asks for a move on a board and judges it as the referee would, with a full purse.
pub(super) fn ask(
    player: &mut WorkerPlayer<'_>,
    board: &Board,
    budget: &Budget,
    move_number: u64,
) -> Result<Reply, PlayerError> {
    let allowance = match budget.limit {
        BudgetLimit::Time { per_move } => Allowance::Time {
            clock: Clock::Cpu,
            start_ns: 0,
            income: per_move,
            bank: budget.bank,
        },
        BudgetLimit::Nodes(nodes) => Allowance::Nodes(nodes.get()),
        BudgetLimit::None => Allowance::Unlimited,
    };
    let turn = Turn {
        move_number,
        score: 0,
        allowance,
    };
    let reply = player.choose(board, &turn)?;
    match mistake(board, &reply.answer) {
        Some((ending, sentence)) => Err(PlayerError::Fault(Fault::new(ending, sentence))),
        None => Ok(reply),
    }
}

fn mistake(board: &Board, answer: &Answer) -> Option<(Ending, String)> {
    let number = answer.direction;
    let shown = one_line(board);
    let Some(direction) = Direction::from_index(number) else {
        let sentence = format!(
            "answered with direction {number} on {shown}; directions are 0 up, 1 right, 2 down, 3 left"
        );
        return Some((Ending::BadAnswer, sentence));
    };
    if board.slide(direction).is_some() {
        return None;
    }
    let sentence = format!("chose {direction}, which changes nothing on {shown}");
    Some((Ending::IllegalMove, sentence))
}

/// A board on one line, as it can be parsed again.
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
    fn an_answer_is_judged_with_the_board_it_was_given_for() {
        let board: Board = "2 0 / 4 0".parse().unwrap();
        let answer = |direction| Answer {
            direction,
            values: [f64::NAN; 4],
            depth: 0,
            nodes: 0,
        };
        let judged = |direction| mistake(&board, &answer(direction)).map(|(ending, _)| ending);
        assert_eq!(judged(1), None);
        assert_eq!(judged(3), Some(Ending::IllegalMove));
        assert_eq!(judged(77), Some(Ending::BadAnswer));
        let (_, sentence) = mistake(&board, &answer(0)).unwrap();
        assert_eq!(sentence, "chose up, which changes nothing on 2 0 / 4 0");
        assert_eq!(one_line(&board).parse::<Board>().unwrap(), board);
    }
}
