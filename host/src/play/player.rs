//! Who the referee asks for moves: an agent in a worker, or one inside the host.

mod in_process;
mod in_worker;
mod stolen_time;

use std::time::Duration;

use plugin_api::{Answer, Board, Turn};

use crate::{run::game_record::Ending, text::printable::printable};

pub use in_process::InProcessPlayer;
pub use in_worker::{GameTask, WorkerPlayer};

/// Chooses moves. What it answers is a proposal; the referee judges it.
pub trait Player {
    /// Asks for a move.
    ///
    /// # Errors
    /// When no answer comes.
    fn choose(&mut self, board: &Board, turn: &Turn) -> Result<Reply, PlayerError>;

    /// The most threads it was seen with.
    fn n_threads(&mut self) -> u64;

    /// The last lines it printed.
    fn stderr_tail(&mut self) -> String;
}

/// An answer and the time it took.
#[derive(Clone, Copy, Debug)]
pub struct Reply {
    pub answer: Answer,
    pub cpu: Duration,
    pub wall: Duration,
    /// What the hypervisor took of `cpu`, as far as that is known.
    pub stolen: Duration,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerError {
    /// The agent did something wrong.
    Fault(Fault),
    /// Something outside killed the worker; nobody is to blame, the game is played
    /// again.
    KilledFromOutside(String),
    /// The run is to stop.
    Stopped,
}

/// More says no more.
const LONGEST_SENTENCE: usize = 1000;

/// What an agent did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub ending: Ending,
    /// One sentence, the agent being its subject: "panicked in `choose`: …".
    pub sentence: String,
    /// The last lines it printed.
    pub stderr_tail: String,
}

impl Fault {
    #[must_use]
    pub fn new(ending: Ending, sentence: impl Into<String>) -> Self {
        Self {
            ending,
            // The agent may have a hand in it: a panic's message is its own.
            sentence: printable(&sentence.into(), LONGEST_SENTENCE),
            stderr_tail: String::new(),
        }
    }
}
