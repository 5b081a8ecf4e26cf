//! A game as the referee has played it, with all that a record needs.

use std::time::Duration;

use plugin_api::Game;

use run::{
    game_record::{Ending, GameCourse},
    move_times::TimeCollection,
};

use crate::player::Fault;

/// For how many moves there is room at the beginning. Longer games take more, piece by piece.
const N_MOVES_AT_FIRST: usize = 1024;

/// A game that has come to its end.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    pub game: Game,
    pub course: GameCourse,
    /// One letter of `URDL` a move.
    pub moves: String,
    pub ending: Ending,
    /// What the agent did wrong; the game then stands as it was before it.
    pub fault: Option<Fault>,
    pub cpu_times: TimeCollection,
    pub wall_times: TimeCollection,
    /// CPU time that a hypervisor took and the agent was not charged for.
    pub stolen: Duration,
    pub overdrawn: Duration,
    pub n_overruns: u64,
    pub n_threads: u64,
    pub nodes: u64,
}

impl PlayedGame {
    /// A game without a move.
    pub(super) fn begin(game: Game) -> Self {
        Self {
            course: GameCourse::start(game.board()),
            game,
            moves: String::with_capacity(N_MOVES_AT_FIRST),
            ending: Ending::NoMoveLeft,
            fault: None,
            cpu_times: TimeCollection::with_capacity(N_MOVES_AT_FIRST),
            wall_times: TimeCollection::with_capacity(N_MOVES_AT_FIRST),
            stolen: Duration::ZERO,
            overdrawn: Duration::ZERO,
            n_overruns: 0,
            n_threads: 1,
            nodes: 0,
        }
    }

    /// The game as it stands, ended by a fault.
    #[must_use]
    pub fn ended_by(self, fault: Fault) -> Self {
        Self {
            ending: fault.ending,
            fault: Some(fault),
            ..self
        }
    }

    /// A game that ended before its first move.
    #[must_use]
    pub fn not_started(game: Game, fault: Fault) -> Self {
        Self::begin(game).ended_by(fault)
    }
}
