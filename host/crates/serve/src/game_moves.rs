//! The moves of any game, recorded, live or a person's, with what decides its tiles.

use plugin_api::{FourShare, Rules, Salt, Side, Tiles};

use run::{game_record::GameRecord, replay::Replay, run_plan::RunPlan};
use tournament::Tournament;

use super::error_response::{ApiResult, ErrorResponse};

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

/// The rules that a request asks for; the share of 4s comes with the name of its field.
///
/// # Errors
/// When a field is invalid.
pub(super) fn game_rules(
    side: Side,
    (field, four): (&str, f64),
    tiles: Tiles,
    goal: Option<u64>,
) -> ApiResult<Rules> {
    let four = FourShare::new(four)
        .ok_or_else(|| ErrorResponse::of_field(field, "is not a valid share of 4s; use 0 to 1"))?;
    if let Some(goal) = goal {
        check_goal(goal)?;
    }
    Ok(Rules {
        side,
        four,
        tiles,
        goal,
        max_moves: None,
    })
}

/// # Errors
/// When no game can have this goal.
pub(super) fn check_goal(goal: u64) -> ApiResult<()> {
    if Tournament::is_goal(goal) {
        return Ok(());
    }
    let message = format!("{goal} is not a tile to reach; use a power of two: 4, 8, 16, …");
    Err(ErrorResponse::of_field("goal", message))
}
