//! Moves, how an agent evaluated them, and how games end, as the page receives them.

use explain::{Answered, MoveState};
use plugin_api::{Board, Direction, Spawn};
use serde::Serialize;

use play::player::{Interruption, Reply};
use report::tile_paths::{TilePath, tile_paths};
use run::{
    game_record::{Ending, GameRecord},
    replay,
};

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
    /// Why each move has a value, or none.
    states: [MoveState; 4],
    depth: Option<u32>,
    nodes: Option<u64>,
    cpu_us: f64,
    /// Numbers of the agent's own, by name.
    numbers: Vec<(String, f64)>,
    text: Option<String>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct EndingView {
    kind: &'static str,
    /// Whether the agent committed a fault.
    fault: bool,
    /// What happened, in a few words; the subject of a fault is the agent.
    words: &'static str,
    /// The same in detail.
    sentence: String,
}

impl EndingView {
    pub(super) fn of_record(record: &GameRecord) -> Self {
        let sentence = record.fault_sentence();
        Self::new(record.ending, sentence)
    }

    /// `sentence` is that of a fault.
    pub(super) fn new(ending: Ending, sentence: Option<String>) -> Self {
        Self {
            kind: ending.name(),
            fault: ending.is_fault(),
            words: ending.sentence(),
            sentence: sentence.unwrap_or_else(|| ending.sentence().to_owned()),
        }
    }

    /// A game that something outside has ended.
    pub(super) fn of_interruption(interruption: Interruption) -> Self {
        let (kind, sentence) = interruption.in_words();
        Self {
            kind,
            fault: false,
            words: kind,
            sentence,
        }
    }
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
    /// What an agent said about the moves on a board, of which it chose one.
    pub(super) fn new(board: &Board, choice: Direction, reply: &Reply) -> Self {
        let said = Answered::new(board, choice, reply);
        Self {
            values: said.moves.map(|opinion| opinion.value),
            states: said.moves.map(|opinion| opinion.state),
            depth: said.depth,
            nodes: said.nodes,
            cpu_us: said.cpu_us,
            numbers: said.numbers,
            text: said.text,
        }
    }
}
