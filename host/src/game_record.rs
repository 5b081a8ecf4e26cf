//! One line of the game log: what happened in one game, enough to play it again.
//!
//! The log is the only hand-over from playing to measuring: every table and page
//! is computed from these lines, and `moves` played from `seed` must give `score`.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

/// A game that has ended. Readers ignore fields they do not know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Version of this format: 1.
    pub v: u32,
    /// Position in the game plan, from 0. A log holds each number at most once.
    pub game: u64,
    /// The agent's name in the ranking.
    pub agent: String,
    /// The budget's label when the tournament has several; see `Budget`'s `Display`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<String>,
    /// Fixes the luck of the game; agents that share a seed are compared in pairs.
    /// Below 2^53, so that a web page reads it exactly.
    pub seed: u64,
    /// Sum of the tiles made by merging.
    pub score: u64,
    /// Face value of the highest tile.
    pub highest: u64,
    pub n_moves: u64,
    /// The accepted moves, one letter of `URDL` each, oldest first.
    pub moves: String,
    /// The final board: rows of face values.
    pub board: Vec<Vec<u64>>,
    pub ending: Ending,
    /// What the agent did wrong, in one sentence.
    pub fault: Option<String>,
    /// CPU time for making the agent.
    pub setup_ms: f64,
    /// CPU time of all moves together.
    pub cpu_ms: f64,
    /// Wall time of all moves together.
    pub wall_ms: f64,
    /// CPU time of the moves in logarithmic buckets that add up over games:
    /// the key is the bucket's upper end in microseconds, the value how many moves.
    pub cpu_us_histogram: BTreeMap<u64, u64>,
    /// Time of one move on the budget's clock.
    pub move_us: MoveTimes,
    /// CPU time that a hypervisor took during the moves: not charged to the agent.
    #[serde(default)]
    pub stolen_us: u64,
    /// How much time was used beyond income and purse, all turns together.
    pub overdrawn_us: u64,
    /// Turns that left the purse empty.
    pub overruns: u64,
    /// The most threads the worker was seen with.
    pub threads: u64,
    /// Search nodes, as the agent counted them.
    pub nodes: u64,
    /// Identifies plugin file, parameters, rules, budget and salt: a record is
    /// reused only where this is the same.
    pub fingerprint: String,
}

impl GameRecord {
    /// Of the format.
    pub const VERSION: u32 = 1;
}

/// Quantiles of the time of a move, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveTimes {
    pub p50: f64,
    pub p99: f64,
    pub max: f64,
}

/// Why a game stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    NoMoveLeft,
    GoalReached,
    MoveLimit,
    /// The agent chose a move that leaves the board as it was.
    IllegalMove,
    /// The purse was empty and the tournament says `overrun: end-game`.
    Overrun,
    Panic,
    /// The process that held the agent died.
    Crash,
    Hang,
    /// The answer was no direction, or not an answer at all.
    BadAnswer,
    /// The plugin would not start the game.
    Refused,
}

impl Ending {
    /// Whether the agent did something wrong.
    #[must_use]
    pub fn is_fault(self) -> bool {
        !matches!(self, Self::NoMoveLeft | Self::GoalReached | Self::MoveLimit)
    }

    /// What happened, in words for people; a fault has a sentence of its own in its record.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::NoMoveLeft => "no move is left",
            Self::GoalReached => "the goal is reached",
            Self::MoveLimit => "the limit of moves is reached",
            Self::IllegalMove => "chose an illegal move",
            Self::Overrun => "ran out of time",
            Self::Panic => "panicked",
            Self::Crash => "crashed",
            Self::Hang => "gave no answer",
            Self::BadAnswer => "gave an answer that is none",
            Self::Refused => "refused to play",
        }
    }

    /// The name used in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NoMoveLeft => "no-move-left",
            Self::GoalReached => "goal-reached",
            Self::MoveLimit => "move-limit",
            Self::IllegalMove => "illegal-move",
            Self::Overrun => "overrun",
            Self::Panic => "panic",
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::BadAnswer => "bad-answer",
            Self::Refused => "refused",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
