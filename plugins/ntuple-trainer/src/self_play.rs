//! Learning from games against chance: play greedily, then learn from the end to the start.
//!
//! Targets are those of TD(λ) over boards after moves. Most games do not begin with an empty
//! board but with a board kept from an earlier game, from any stage with the same chance:
//! games that come far are rare, and their boards would otherwise be learned last (the
//! "carousel" of Jaśkowski 2018, with a store of boards instead of the game before).

use plugin_api::{Dice, Direction, PackedBoard, RowTables, Side};

use crate::learning_network::{Features, LearningNetwork, features};

/// The highest tile of a board that is learned as it is, 16384; boards with higher ones are
/// downgraded.
pub(crate) const TRAINING_CAP: u32 = 14;
/// How much of the return beyond the next board counts: λ.
const LAMBDA: f32 = 0.5;
/// The share of games that begin with an empty board, in percent.
const PERCENT_FRESH: u32 = 20;
/// How far stages are apart, as sums of tiles, and how many boards of each are kept.
const STAGE_SUM: u32 = 1024;
const N_STAGES: usize = 128;
const N_KEPT: usize = 256;
/// How many moves lie between two boards that may be kept.
const KEEP_EVERY: usize = 64;
/// A 4 is one new tile in ten.
const FOURS: u32 = 10;

/// Games that a thread plays in turns, so that the memory has time to answer.
const N_LANES: usize = 3;
/// For how many boards ahead learning asks for memory.
const AHEAD: usize = 3;

/// One thread's games.
pub(crate) struct SelfPlay<'a> {
    network: &'a LearningNetwork,
    tables: &'static RowTables,
    dice: Dice,
    lanes: [Lane; N_LANES],
    /// Boards of earlier games by stage.
    kept: Vec<Vec<PackedBoard>>,
    /// The scores of games from an empty board since they were last taken.
    pub(crate) scores: Vec<f64>,
}

/// A game being played.
struct Lane {
    moves: [Move; 4],
    /// The moves so far: the boards they made, and their gains.
    path: Vec<(PackedBoard, f32)>,
    is_fresh: bool,
}

impl<'a> SelfPlay<'a> {
    pub(crate) fn new(network: &'a LearningNetwork, seed: u64) -> Self {
        let tables = RowTables::of(Side::FOUR).expect("packed boards are 4×4");
        let mut dice = Dice::new(seed);
        let lanes = std::array::from_fn(|_| Lane {
            moves: moves(tables, first_board(tables, &mut dice), TRAINING_CAP),
            path: Vec::new(),
            is_fresh: true,
        });
        Self {
            network,
            tables,
            dice,
            lanes,
            kept: vec![Vec::new(); N_STAGES],
            scores: Vec::new(),
        }
    }

    /// Makes so many moves in each game. A game that is over is learned from, and another
    /// begins.
    pub(crate) fn play_and_learn(&mut self, n_steps: u64) -> u64 {
        for _ in 0..n_steps {
            for number in 0..N_LANES {
                let lane = &mut self.lanes[number];
                let board = match best_of(self.network, &lane.moves) {
                    Some((moved, gain)) => {
                        lane.path.push((moved, gain));
                        with_random_tile(self.tables, moved, &mut self.dice)
                    }
                    None => self.end_and_start(number),
                };
                let moves = moves(self.tables, board, TRAINING_CAP);
                for option in moves.iter().filter(|option| option.is_legal) {
                    self.network.prefetch(&option.features);
                }
                self.lanes[number].moves = moves;
            }
        }
        n_steps * N_LANES as u64
    }

    /// Learns from a game that is over; returns the first board of the next.
    fn end_and_start(&mut self, number: usize) -> PackedBoard {
        let path = std::mem::take(&mut self.lanes[number].path);
        self.learn(&path);
        self.keep(&path);
        if self.lanes[number].is_fresh {
            let score = path.iter().map(|&(_, gain)| f64::from(gain)).sum();
            self.scores.push(score);
        }
        let start = self.start();
        let lane = &mut self.lanes[number];
        lane.is_fresh = start.is_none();
        lane.path = path;
        lane.path.clear();
        start.unwrap_or_else(|| first_board(self.tables, &mut self.dice))
    }

    /// A kept board with a new tile; `None` for a fresh game.
    fn start(&mut self) -> Option<PackedBoard> {
        if self.dice.below(100) < PERCENT_FRESH {
            return None;
        }
        let stages: Vec<&Vec<PackedBoard>> =
            self.kept.iter().filter(|kept| !kept.is_empty()).collect();
        let stage = pick(&stages, &mut self.dice)?;
        let board = pick(stage, &mut self.dice)?;
        Some(with_random_tile(self.tables, board, &mut self.dice))
    }

    fn learn(&self, path: &[(PackedBoard, f32)]) {
        let look = |&(moved, _): &(PackedBoard, f32)| {
            let features = features(moved, TRAINING_CAP);
            self.network.prefetch_to_learn(&features);
            features
        };
        let mut ahead = path.iter().rev().map(look);
        let mut known: [Option<Features>; AHEAD] = std::array::from_fn(|_| ahead.next());
        let mut target = 0.0;
        for (number, &(_, gain)) in path.iter().rev().enumerate() {
            let place = &mut known[number % AHEAD];
            let Some(features) = place else { break };
            let value = self.network.learn(features, target);
            target = gain + LAMBDA * target + (1.0 - LAMBDA) * value;
            *place = ahead.next();
        }
    }

    /// Keeps the first board of every stage that the game has reached.
    fn keep(&mut self, path: &[(PackedBoard, f32)]) {
        let mut reached = path.first().map_or(0, |&(board, _)| stage(board));
        for &(board, _) in path.iter().step_by(KEEP_EVERY) {
            if stage(board) > reached {
                reached = stage(board);
                let kept = &mut self.kept[reached];
                if kept.len() < N_KEPT {
                    kept.push(board);
                } else {
                    kept[self.dice.below(N_KEPT as u32) as usize] = board;
                }
            }
        }
    }
}

/// How far a game has come.
fn stage(board: PackedBoard) -> usize {
    let sum: u32 = (0..16)
        .map(|cell| (1 << (board.bits() >> (4 * cell) & 15)) & !1)
        .sum();
    ((sum / STAGE_SUM) as usize).min(N_STAGES - 1)
}

fn pick<T: Copy>(items: &[T], dice: &mut Dice) -> Option<T> {
    let place = dice.below((items.len() as u32).max(1));
    items.get(place as usize).copied()
}

/// A move, whether legal or not.
#[derive(Clone, Copy)]
pub(crate) struct Move {
    moved: PackedBoard,
    gain: f32,
    is_legal: bool,
    features: Features,
}

/// The four moves of a board.
#[inline]
pub(crate) fn moves(tables: &RowTables, board: PackedBoard, cap: u32) -> [Move; 4] {
    Direction::ALL.map(|direction| {
        let (moved, gain) = tables.slide_with_gain(board, direction);
        let is_legal = moved != board;
        Move {
            moved,
            gain: gain as f32,
            is_legal,
            features: if is_legal {
                features(moved, cap)
            } else {
                [0; _]
            },
        }
    })
}

/// The move with the best sum of gain and value: the board it makes, and its gain.
#[inline]
pub(crate) fn best_of(network: &LearningNetwork, moves: &[Move; 4]) -> Option<(PackedBoard, f32)> {
    let mut best: Option<(f32, &Move)> = None;
    for option in moves.iter().filter(|option| option.is_legal) {
        let value = option.gain + network.value(&option.features);
        if best.is_none_or(|(best, _)| value > best) {
            best = Some((value, option));
        }
    }
    best.map(|(_, option)| (option.moved, option.gain))
}

#[inline]
pub(crate) fn with_random_tile(
    tables: &RowTables,
    board: PackedBoard,
    dice: &mut Dice,
) -> PackedBoard {
    let empty = tables.empty_mask(board);
    let number = dice.below(empty.n_cells().max(1));
    let exponent = if dice.below(FOURS) == 0 { 2 } else { 1 };
    match empty.nth_cell(number) {
        Some(cell) => board.with_new_tile(cell, exponent),
        None => board,
    }
}

pub(crate) fn first_board(tables: &RowTables, dice: &mut Dice) -> PackedBoard {
    let one = with_random_tile(tables, PackedBoard::EMPTY, dice);
    with_random_tile(tables, one, dice)
}
