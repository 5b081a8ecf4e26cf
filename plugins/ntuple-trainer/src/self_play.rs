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
const PERCENT_FRESH: u32 = 50;
/// How far stages are apart, as sums of tiles, and how many boards of each are kept.
const STAGE_SUM: u32 = 1024;
const N_STAGES: usize = 128;
const N_KEPT: usize = 256;
/// How many moves lie between two boards that may be kept.
const KEEP_EVERY: usize = 64;
/// A 4 is one new tile in ten.
const FOURS: u32 = 10;

/// One thread's games.
pub(crate) struct SelfPlay<'a> {
    network: &'a LearningNetwork,
    tables: &'static RowTables,
    dice: Dice,
    /// The moves of the game being played: the boards they made, and their gains.
    path: Vec<(PackedBoard, f32)>,
    /// Boards of earlier games by stage.
    kept: Vec<Vec<PackedBoard>>,
    /// The scores of games from an empty board since they were last taken.
    pub(crate) scores: Vec<f64>,
}

impl<'a> SelfPlay<'a> {
    pub(crate) fn new(network: &'a LearningNetwork, seed: u64) -> Self {
        Self {
            network,
            tables: RowTables::of(Side::FOUR).expect("packed boards are 4×4"),
            dice: Dice::new(seed),
            path: Vec::new(),
            kept: vec![Vec::new(); N_STAGES],
            scores: Vec::new(),
        }
    }

    /// Plays a game and learns from it; returns the number of its moves.
    pub(crate) fn play_and_learn(&mut self) -> usize {
        let start = self.start();
        let is_fresh = start.is_none();
        let mut board = start.unwrap_or_else(|| first_board(self.tables, &mut self.dice));
        self.path.clear();
        while let Some((moved, gain)) = best_move(self.network, self.tables, board, TRAINING_CAP) {
            self.path.push((moved, gain));
            board = with_random_tile(self.tables, moved, &mut self.dice);
        }
        self.learn();
        self.keep();
        if is_fresh {
            let score = self.path.iter().map(|&(_, gain)| f64::from(gain)).sum();
            self.scores.push(score);
        }
        self.path.len()
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

    fn learn(&self) {
        let mut target = 0.0;
        for &(moved, gain) in self.path.iter().rev() {
            let value = self.network.learn(&features(moved, TRAINING_CAP), target);
            target = gain + LAMBDA * target + (1.0 - LAMBDA) * value;
        }
    }

    /// Keeps the first board of every stage that the game has reached.
    fn keep(&mut self) {
        let mut reached = self.path.first().map_or(0, |&(board, _)| stage(board));
        for &(board, _) in self.path.iter().step_by(KEEP_EVERY) {
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

/// The move with the best sum of gain and value: the board it makes, and its gain.
#[inline]
pub(crate) fn best_move(
    network: &LearningNetwork,
    tables: &RowTables,
    board: PackedBoard,
    cap: u32,
) -> Option<(PackedBoard, f32)> {
    let mut best: Option<(f32, PackedBoard, f32)> = None;
    let moves = Direction::ALL.map(|direction| {
        let (moved, gain) = tables.slide_with_gain(board, direction);
        let of_moved: Features = features(moved, cap);
        (moved, gain as f32, of_moved)
    });
    for (moved, gain, of_moved) in &moves {
        let value = gain + network.value(of_moved);
        if *moved != board && best.is_none_or(|(best, ..)| value > best) {
            best = Some((value, *moved, *gain));
        }
    }
    best.map(|(_, moved, gain)| (moved, gain))
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
