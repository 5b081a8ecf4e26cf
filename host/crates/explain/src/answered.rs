//! What an agent answers to "which move on this board?": its move and what it says about all four.

use std::sync::atomic::AtomicBool;

use play::{
    player::{NoMove, Reply},
    runner::AskedAgent,
};
use plugin_api::{Board, Direction, Game};
use run::{run_plan::RunPlan, thought_files::shown_words};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// What an agent replied, as `host ask` and the page's server write it in JSON.
#[derive(Clone, Debug, Serialize)]
pub struct AgentReply<E> {
    /// Its name, with its settings if it needs them to be told from others.
    pub agent: String,
    /// Its plugin, parameters and budget, as in the question.
    #[serde(flatten)]
    pub entry: E,
    #[serde(flatten)]
    pub said: Said,
}

/// A move, or why there is none.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Said {
    Move(Box<Answered>),
    Nothing { error: String },
}

/// The answer of `host ask --format json`.
#[must_use]
pub fn replies_json<E: Serialize>(board: &Board, replies: &[AgentReply<E>]) -> Value {
    json!({"board": board.tiles(), "agents": replies})
}

/// An answer, ready to be shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answered {
    pub choice: Direction,
    /// In the order up, right, down, left.
    pub moves: [MoveOpinion; 4],
    /// How deep it searched, if it says so.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub cpu_us: f64,
    /// Numbers of its own by name, in its order.
    #[serde(serialize_with = "as_object")]
    pub numbers: Vec<(String, f64)>,
    /// What it wrote.
    pub text: Option<String>,
}

fn as_object<S: Serializer>(numbers: &[(String, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(numbers.iter().map(|(name, value)| (name, value)))
}

/// What an agent says about a move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MoveOpinion {
    #[serde(rename = "move")]
    pub direction: Direction,
    pub state: MoveState,
    pub value: Option<f64>,
    /// 1 is the highest value; equal values have the same rank.
    pub rank: Option<usize>,
}

/// Why a move has a value, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MoveState {
    Valued,
    /// Its value is minus infinity: the search knows no way out.
    Lost,
    /// It changes nothing.
    Illegal,
    /// The agent values other moves and not this one: its search cut it off.
    Pruned,
    /// The agent values no move.
    Unvalued,
}

impl Answered {
    /// Asks the first agent of a plan, until `stop` is set. A move must be left on the board.
    ///
    /// # Errors
    /// When the agent gives no move.
    pub fn ask(plan: &RunPlan, seed: u64, board: Board, stop: &AtomicBool) -> Result<Self, NoMove> {
        let game = Game::from_board(plan.tournament.rules(), board, &plan.salt, seed);
        let (choice, reply) = AskedAgent::start(plan, seed, stop)?.ask(&game)?;
        Ok(Self::new(&board, choice, &reply))
    }

    #[must_use]
    pub fn new(board: &Board, choice: Direction, reply: &Reply) -> Self {
        let answer = &reply.answer;
        let value = |direction: Direction| {
            let value = answer.values[direction.index()];
            (value.is_finite() && board.slide(direction).is_some()).then_some(value)
        };
        let values = Direction::ALL.map(value);
        let is_lost = |direction: Direction| answer.values[direction.index()] == f64::NEG_INFINITY;
        let says_values =
            Direction::ALL.into_iter().any(is_lost) || values.iter().any(Option::is_some);
        let moves = Direction::ALL.map(|direction| {
            let value = values[direction.index()];
            let state = match value {
                _ if board.slide(direction).is_none() => MoveState::Illegal,
                Some(_) => MoveState::Valued,
                None if is_lost(direction) => MoveState::Lost,
                None if says_values => MoveState::Pruned,
                None => MoveState::Unvalued,
            };
            let is_better = |other: &&f64| value.is_some_and(|value| **other > value);
            let rank = 1 + values.iter().flatten().filter(is_better).count();
            MoveOpinion {
                direction,
                state,
                value,
                rank: value.map(|_| rank),
            }
        });
        let numbers = reply.notes.numbers().iter();
        Self {
            choice,
            moves,
            depth: Some(answer.depth).filter(|&depth| depth > 0),
            nodes: Some(answer.nodes).filter(|&nodes| nodes > 0),
            cpu_us: reply.times.cpu.as_secs_f64() * 1e6,
            numbers: numbers
                .filter_map(|(name, value)| Some((shown_words(name)?, *value)))
                .collect(),
            text: reply.notes.text().and_then(shown_words),
        }
    }
}

impl MoveOpinion {
    /// `−4,804 (2)` with the rank, `−∞`, `illegal` or `pruned`.
    #[must_use]
    pub fn in_words(&self) -> String {
        match (self.state, self.value, self.rank) {
            (MoveState::Valued, Some(value), Some(rank)) => {
                format!("{} ({rank})", crate::words::number(value))
            }
            (MoveState::Illegal, ..) => "illegal".to_owned(),
            (MoveState::Lost, ..) => "−∞".to_owned(),
            (MoveState::Pruned, ..) => "pruned".to_owned(),
            _ => "–".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plugin_api::{Answer, Notes};

    #[test]
    fn illegal_and_pruned_moves_are_told_apart() {
        let board: Board = "2 2 / 0 0".parse().unwrap();
        let said = |values: [f64; 4]| {
            let answer = Answer {
                direction: 3,
                values,
                depth: 0,
                nodes: 7,
            };
            let reply = Reply {
                answer,
                times: play::clock::TurnTimes::default(),
                notes: Notes::default(),
            };
            let answered = Answered::new(&board, Direction::Left, &reply);
            assert_eq!((answered.depth, answered.nodes), (None, Some(7)));
            answered.moves.map(|opinion| opinion.in_words())
        };
        // In the order up, right, down, left; up changes nothing.
        let none = f64::NAN;
        assert_eq!(
            said([5.0, 2.5, none, 4.0]),
            ["illegal", "2.50 (2)", "pruned", "4 (1)"]
        );
        assert_eq!(
            said([none, 4.0, f64::INFINITY, 4.0])[1..],
            ["4 (1)", "pruned", "4 (1)"]
        );
        assert_eq!(
            said([none, f64::NEG_INFINITY, none, 4.0])[1..],
            ["−∞", "pruned", "4 (1)"]
        );
        assert_eq!(said([none; 4]), ["illegal", "–", "–", "–"]);
    }
}
