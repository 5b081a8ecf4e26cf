//! What the referee asks for moves: an agent in a worker, or one inside the host.

mod empty_turn;
mod in_process;
mod in_worker;
mod stolen_time;
mod turn_clock;

use std::time::Duration;

use plugin_api::{Answer, Board, Direction, Turn};

use run::{
    game_record::{Ending, GameRecord},
    thought_files::GameThoughts,
};
use text::printable::printable;
use worker::{PluginCall, PluginFailure};

pub use in_process::InProcessPlayer;
pub use in_worker::{FailedStart, GameTask, WorkerPlayer};

/// Chooses moves. What it answers is a proposal; the referee judges it.
pub trait Player {
    /// Asks for a move, and returns the answer and what the turn took. There is no answer if
    /// increment and bank are used up, and the host waits no longer.
    ///
    /// # Errors
    /// When no answer comes for another reason.
    fn choose(&mut self, board: &Board, turn: &Turn)
    -> Result<(Option<Answer>, TurnTimes), NoMove>;

    /// The most threads it was seen with.
    fn n_threads(&mut self) -> u64;

    /// The last lines it printed.
    fn stderr_tail(&mut self) -> String;
}

/// An answer and the time it took.
#[derive(Clone, Copy, Debug)]
pub struct Reply {
    pub answer: Answer,
    pub times: TurnTimes,
}

impl Reply {
    /// Adds what the agent reported about the move that it chose.
    pub fn add_to(&self, thoughts: &mut GameThoughts, chosen: Direction) {
        let value = self.answer.values[chosen as usize];
        thoughts.add(value, self.answer.depth, self.times.cpu);
    }
}

/// What a turn took, as the host has measured it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnTimes {
    pub cpu: Duration,
    pub wall: Duration,
    /// What the hypervisor took of `cpu`, as far as that is known.
    pub stolen: Duration,
}

/// Why an agent gives no move: the one type for it from the agent's start to its last turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoMove {
    /// The agent did something wrong.
    Fault(Fault),
    /// Something came in between that is not the agent's doing.
    Interrupted(Interruption),
}

/// Why a game cannot go on, although its agent did nothing wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interruption {
    /// The run is to stop.
    Stopped,
    /// A signal that neither the host nor the agent sent has killed the worker.
    Killed(String),
    /// The worker was stopped by a signal for a while, or the machine was suspended.
    Paused {
        /// Whether the sandbox keeps the agent from sending itself that signal.
        is_confined: bool,
    },
    /// There is no worker, for this reason.
    NotStarted(String),
}

impl Interruption {
    /// Its name, and what happened in one sentence.
    #[must_use]
    pub fn in_words(self) -> (&'static str, String) {
        match self {
            Self::Stopped => ("stopped", "was stopped".to_owned()),
            Self::Killed(signal) => (
                "killed",
                format!("the worker was killed by another process ({signal})"),
            ),
            Self::Paused { .. } => ("paused", "the worker was stopped by a signal".to_owned()),
            Self::NotStarted(reason) => (
                "not-started",
                format!("a worker could not be started: {reason}"),
            ),
        }
    }
}

/// What an agent did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub ending: Ending,
    /// One sentence, the agent being its subject: "panicked in `choose`: “…”".
    pub sentence: String,
    /// The last lines it printed.
    pub stderr_tail: String,
    /// Whether it used up a limit that protects the run.
    pub is_timeout: bool,
}

impl Fault {
    #[must_use]
    pub fn new(ending: Ending, sentence: impl Into<String>) -> Self {
        Self {
            ending,
            // The agent may have a hand in it: a panic's message is quoted.
            sentence: printable(&sentence.into(), GameRecord::LONGEST_SENTENCE),
            stderr_tail: String::new(),
            is_timeout: false,
        }
    }

    /// The fault of an agent that did not do what the host asked for. The hint follows the
    /// sentence, and begins with a separator.
    #[must_use]
    pub fn of_plugin(failure: &PluginFailure, call: PluginCall, hint: &str) -> Self {
        let ending = match failure {
            PluginFailure::Unusable(_) | PluginFailure::Refused(_) => Ending::Refused,
            PluginFailure::Panicked(_) | PluginFailure::ReportedError(_) => Ending::Panic,
            PluginFailure::Broken(_)
            | PluginFailure::UnknownExtension
            | PluginFailure::WrongLine(_) => Ending::BadAnswer,
        };
        Self::new(ending, failure.sentence(call) + hint)
    }
}
