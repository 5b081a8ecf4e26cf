//! The moves of any game, recorded, live or a person's, with what decides its tiles.

use plugin_api::{Rules, Salt};

use run::{game_record::GameRecord, replay::Replay, run_plan::RunPlan};

pub(super) struct GameMoves {
    pub(super) rules: Rules,
    pub(super) salt: Salt,
    pub(super) seed: u64,
    /// One letter of `URDL` per move.
    pub(super) moves: String,
}

impl GameMoves {
    pub(super) fn of_record(plan: &RunPlan, record: GameRecord) -> Self {
        Self {
            rules: plan.tournament.rules(),
            salt: plan.salt,
            seed: record.seed,
            moves: record.moves,
        }
    }

    pub(super) fn n_moves(&self) -> u64 {
        self.moves.len() as u64
    }

    /// From the start tiles on.
    pub(super) fn replay(&self) -> Replay<'_> {
        Replay::of_moves(self.rules, &self.salt, self.seed, &self.moves)
    }
}
