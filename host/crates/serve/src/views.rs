//! Moves, and how an agent evaluated them, as the page receives them.

use plugin_api::{Board, Direction, Spawn};
use serde::Serialize;

use play::player::Reply;
use report::tile_paths::{TilePath, tile_paths};
use run::replay;

/// One move: how the tiles slide, and the tile that appears afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct StepView {
    direction: char,
    gain: u64,
    slides: Vec<TilePath>,
    spawn: SpawnView,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct SpawnView {
    cell: usize,
    exponent: u8,
}

/// What an agent reported about its move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct MoveEvaluation {
    /// In the order up, right, down, left.
    values: [Option<f64>; 4],
    depth: Option<u32>,
    nodes: Option<u64>,
    cpu_us: f64,
}

impl StepView {
    /// A move on the board `before` that gained `gain` points and led to `after`.
    pub(super) fn new(before: &Board, direction: Direction, gain: u64, after: &Board) -> Self {
        Self::with_spawn(
            before,
            direction,
            gain,
            replay::spawn_after(before, direction, after),
        )
    }

    pub(super) fn of_replay(before: &Board, step: &replay::ReplayedMove) -> Self {
        Self::with_spawn(before, step.direction, step.gain, step.spawn)
    }

    fn with_spawn(before: &Board, direction: Direction, gain: u64, spawn: Spawn) -> Self {
        Self {
            direction: direction.letter(),
            gain,
            slides: tile_paths(before, direction),
            spawn: SpawnView {
                cell: spawn.cell,
                exponent: spawn.exponent,
            },
        }
    }
}

impl MoveEvaluation {
    pub(super) fn new(reply: &Reply) -> Self {
        let answer = &reply.answer;
        Self {
            values: answer
                .values
                .map(|value| Some(value).filter(|value| value.is_finite())),
            depth: Some(answer.depth).filter(|&depth| depth > 0),
            nodes: Some(answer.nodes).filter(|&nodes| nodes > 0),
            cpu_us: reply.times.cpu.as_secs_f64() * 1e6,
        }
    }
}
