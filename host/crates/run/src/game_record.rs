//! One line of the game log: what happened in one game, and enough to replay it.
//!
//! Every table and page is computed from these records alone. Playing `moves` from `seed`
//! gives `score` and `board`.

use std::{collections::BTreeMap, fmt};

use plugin_api::{Board, Game, RulesName};
use serde::{Deserialize, Serialize};

/// A game that has ended. Readers ignore unknown fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Version of this format: 1.
    pub v: u32,
    /// The rules of the game; hosts up to 1.1.0 did not name them.
    #[serde(default)]
    pub rules: RulesName,
    /// Position in the game plan, from 0. A log holds each number at most once.
    pub game: u64,
    /// The agent's name in the ranking.
    pub agent: String,
    /// The label of the budget if the tournament has several; see `Budget::label`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<String>,
    /// Determines the tiles of the game; agents are compared in pairs on equal seeds.
    /// Below 2^53, so that JavaScript reads it exactly.
    pub seed: u64,
    /// The sum of all tiles made by merging.
    pub score: u64,
    /// The face value of the highest tile.
    pub highest: u64,
    pub n_moves: u64,
    /// The number of moves after which the highest tile was on the board; hosts up to 1.0.0
    /// did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highest_at: Option<u64>,
    /// The moves since the board last had at least a quarter of its cells empty; hosts up to
    /// 1.0.0 did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crowded_moves: Option<u64>,
    /// The accepted moves, one letter of `URDL` each, oldest first.
    pub moves: String,
    /// The final board: rows of face values.
    pub board: Vec<Vec<u64>>,
    pub ending: Ending,
    /// What the agent did wrong, in one sentence.
    pub fault: Option<String>,
    /// Whether the agent used up `setup` or `hang`, the limits that protect a run. Such a
    /// fault disqualifies alone; records of earlier hosts do not say.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub timeout: bool,
    /// CPU time spent on creating the agent.
    pub setup_ms: f64,
    /// CPU time of all moves together.
    pub cpu_ms: f64,
    /// Wall time of all moves together.
    pub wall_ms: f64,
    /// CPU time of the moves in logarithmic buckets, which can be added up over games.
    /// The key is the upper end of the bucket in microseconds, the value the number of
    /// moves.
    pub cpu_us_histogram: BTreeMap<u64, u64>,
    /// By the number of empty cells before the turn, from 0: the number of turns, and their CPU
    /// time in microseconds. Empty in records of hosts up to 1.0.0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cpu_us_by_empty: Vec<(u64, u64)>,
    /// Time per move on the clock of the budget.
    pub move_us: MoveTimes,
    /// CPU time that a hypervisor took during the moves. It is not charged to the agent.
    #[serde(default)]
    pub stolen_us: u64,
    /// The time used beyond increment and bank, all turns together.
    pub overdrawn_us: u64,
    /// The number of turns that left the bank empty.
    pub overruns: u64,
    /// The highest number of threads the worker was seen with.
    pub threads: u64,
    /// Search nodes, as counted by the agent.
    pub nodes: u64,
    /// Earlier attempts at this game that something outside has ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retries: Vec<Retry>,
    /// Identifies plugin file, parameters, rules, budget and salt. A record is reused only
    /// if this is the same.
    pub fingerprint: String,
    /// The version of the host that played the game; hosts up to 1.0.0 did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

impl GameRecord {
    /// What the agent did wrong, in one sentence; `None` for a game without a fault. A record
    /// that was edited may lack the sentence.
    #[must_use]
    pub fn fault_sentence(&self) -> Option<String> {
        let known = || self.fault.clone();
        let of_ending = || self.ending.sentence().to_owned();
        (self.ending.is_fault()).then(|| known().unwrap_or_else(of_ending))
    }

    /// What the game counts towards disqualification.
    #[must_use]
    pub fn fault_weight(&self) -> FaultWeight {
        FaultWeight::new(self.ending, self.timeout)
    }

    /// The version of this host, for the records that it makes.
    #[must_use]
    pub fn this_host() -> Option<String> {
        Some(env!("CARGO_PKG_VERSION").to_owned())
    }

    /// The version of the format.
    pub const VERSION: u32 = 1;
    /// The number of hexadecimal digits of a fingerprint.
    pub const FINGERPRINT_DIGITS: usize = 16;
    /// The length of the longest sentence about an agent that a host writes.
    pub const LONGEST_SENTENCE: usize = 1000;
}

/// An interrupted attempt at a game, after which the host played the game again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retry {
    pub reason: RetryReason,
    /// The moves that had been made.
    pub n_moves: u64,
    /// What is known about the reason, such as the signal.
    pub detail: String,
}

/// What ended an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RetryReason {
    /// A signal from outside killed the worker.
    Killed,
    /// The worker or the machine was stopped for a while.
    Paused,
    /// No worker could be started.
    NotStarted,
}

/// Quantiles of the time per move, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveTimes {
    pub p50: f64,
    pub p99: f64,
    pub max: f64,
}

/// Declares every way in which a game ends, one per line: its name in records, what happened in
/// words, and what that means.
macro_rules! endings {
    ($($(#[$doc:meta])* $ending:ident, $name:literal, $sentence:literal, $meaning:ident;)*) => {
        /// Why a game stopped.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Ending {
            $($(#[$doc])* #[serde(rename = $name)] $ending,)*
        }

        impl Ending {
            pub const ALL: &[Self] = &[$(Self::$ending),*];

            fn row(self) -> (&'static str, &'static str, EndingMeaning) {
                match self {
                    $(Self::$ending => ($name, $sentence, EndingMeaning::$meaning),)*
                }
            }
        }
    };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EndingMeaning {
    /// The game reached what it was played for.
    Success,
    /// The game ended before that, as games do.
    Loss,
    /// The game ended before that, because the agent did something wrong.
    Fault,
}

endings! {
    NoMoveLeft, "no-move-left", "no move is left", Loss;
    GoalReached, "goal-reached", "the goal is reached", Success;
    MoveLimit, "move-limit", "the move limit is reached", Success;
    /// The agent chose a move that leaves the board as it was.
    IllegalMove, "illegal-move", "chose an illegal move", Fault;
    /// The bank was empty and the tournament says `overrun: end-game`.
    Overrun, "overrun", "ran out of time", Fault;
    Panic, "panic", "panicked", Fault;
    /// The process of the agent died.
    Crash, "crash", "crashed", Fault;
    /// The move timeout passed without an answer.
    Hang, "hang", "did not answer in time", Fault;
    /// The answer was not a direction, or was malformed.
    BadAnswer, "bad-answer", "gave an invalid answer", Fault;
    /// The plugin rejected the game: its parameters, its board or its budget.
    Refused, "refused", "refused to play", Fault;
}

impl Ending {
    /// Whether the agent did something wrong.
    #[must_use]
    pub fn is_fault(self) -> bool {
        self.row().2 == EndingMeaning::Fault
    }

    /// Whether the game ended before what it was played for: a fault loses it too.
    #[must_use]
    pub fn is_loss(self) -> bool {
        self.row().2 != EndingMeaning::Success
    }

    /// What happened, in words. The record of a fault has a more detailed sentence.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        self.row().1
    }

    /// The name in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().0
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a game counts towards disqualification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultWeight {
    Nothing,
    /// One of the faults in a row.
    One,
    /// Enough alone: the fault used up a whole limit of the run.
    Enough(Ending),
}

impl FaultWeight {
    #[must_use]
    pub fn new(ending: Ending, is_timeout: bool) -> Self {
        match (ending.is_fault(), is_timeout) {
            (false, _) => Self::Nothing,
            (true, false) => Self::One,
            (true, true) => Self::Enough(ending),
        }
    }
}

/// Whether a board is crowded: fewer than a quarter of its cells are empty.
#[must_use]
pub fn is_crowded(n_empty: usize, n_cells: usize) -> bool {
    n_empty.saturating_mul(4) < n_cells
}

/// The course of a game in a few numbers, remembered move by move: when its highest tile was made,
/// and how long the board had been crowded when it ended.
///
/// The numbers follow from the moves. They are recorded all the same, because a report that
/// replayed every game would take minutes. They cost two looks at the board per move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameCourse {
    n_empty: usize,
    highest: u64,
    highest_at: u64,
    /// The number of moves after which the board last had room.
    roomy_at: u64,
}

impl GameCourse {
    /// The course of a game before its first move.
    #[must_use]
    pub fn start(board: &Board) -> Self {
        Self {
            n_empty: board.n_empty(),
            highest: board.highest(),
            highest_at: 0,
            roomy_at: 0,
        }
    }

    /// Takes note of the board after a move and the tile that followed it.
    pub fn after_move(&mut self, game: &Game) {
        let board = game.board();
        self.n_empty = board.n_empty();
        let highest = board.highest();
        if highest > self.highest {
            self.highest = highest;
            self.highest_at = game.n_moves();
        }
        if !is_crowded(self.n_empty, board.exponents().len()) {
            self.roomy_at = game.n_moves();
        }
    }

    /// The number of empty cells of the board as it is now.
    #[must_use]
    pub fn n_empty(&self) -> usize {
        self.n_empty
    }

    /// The number of moves after which the highest tile was on the board.
    #[must_use]
    pub fn highest_at(&self) -> u64 {
        self.highest_at
    }

    /// The moves since the board last had at least a quarter of its cells empty.
    #[must_use]
    pub fn crowded_moves(&self, game: &Game) -> u64 {
        game.n_moves().saturating_sub(self.roomy_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plugin_api::{Rules, Salt};

    /// The same numbers from the list of all boards.
    #[test]
    fn the_course_is_that_of_the_boards() {
        let mut game = Game::start(Rules::default(), &Salt::NONE, 7);
        let mut course = GameCourse::start(game.board());
        let mut boards = vec![*game.board()];
        loop {
            let next = game.board().legal_moves().next();
            let Some(direction) = next else { break };
            game.play(direction).expect("a legal move");
            course.after_move(&game);
            boards.push(*game.board());
        }
        let last = boards.last().expect("a board");
        assert!(boards.len() > 50 && last.n_empty() == 0);
        let first_with_highest = boards.iter().position(|b| b.highest() == last.highest());
        let last_with_four_empty = boards.iter().rposition(|b| b.n_empty() >= 4);
        assert_eq!(course.highest_at(), first_with_highest.unwrap() as u64);
        let crowded = boards.len() - 1 - last_with_four_empty.unwrap();
        assert_eq!(course.crowded_moves(&game), crowded as u64);
    }

    #[test]
    fn every_ending_has_one_name_in_records_and_messages() {
        for ending in Ending::ALL {
            let name = serde_json::to_value(ending).expect("a name");
            assert_eq!(name, ending.name());
        }
    }
}
