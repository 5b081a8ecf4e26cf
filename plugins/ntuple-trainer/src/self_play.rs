//! Learning from games against chance: play greedily, then learn from the end to the start.
//!
//! Targets are those of TD(λ) over boards after moves. Many games do not begin with an empty
//! board but with a board kept from an earlier game, such that all phases of a game are played
//! equally long: games that come far are rare, and their boards would otherwise be learned last
//! (the "carousel" of Jaśkowski 2018, with a store of boards instead of the game before).

use std::ops::Range;

use plugin_api::{Dice, Direction, PackedBoard, RowTables, Side};

use crate::{learned_weights::Features, learning_network::LearningNetwork};

/// The highest tile of a board that is learned as it is, 16384; boards with higher ones are
/// downgraded.
pub(crate) const TRAINING_CAP: u32 = 14;
/// How much of the return beyond the next board counts: λ.
const LAMBDA: f32 = 0.5;
/// How far phases of a game are apart, as sums of tiles, and how many boards of each are kept.
const PHASE_SUM: u32 = 1024;
const N_PHASES: usize = 128;
const N_KEPT: usize = 512;
/// A 4 is one new tile in ten.
const FOURS: u32 = 10;

/// Games that a thread plays in turns, to hide the latency of memory.
const N_LANES: usize = 3;
/// How many moves lie between two boards that may be kept.
const KEEP_EVERY: usize = 64;
/// The number of boards ahead whose weights are prefetched for learning.
const AHEAD: usize = 3;

/// Where games begin.
#[derive(Clone, Debug)]
pub(crate) struct Starts {
    /// The share of moves that are made in games from an empty board, in percent.
    pub(crate) percent_fresh: u64,
    /// The sums of tiles of the kept boards with which other games begin.
    pub(crate) sums: Range<u32>,
}

/// One thread's games.
pub(crate) struct SelfPlay<'a, const N_TUPLES: usize> {
    network: &'a LearningNetwork,
    tables: &'static RowTables,
    starts: Starts,
    dice: Dice,
    lanes: [Lane<N_TUPLES>; N_LANES],
    /// Boards of earlier games by phase.
    pub(crate) kept: KeptBoards,
    /// The moves made in games from an empty board, and in each phase of the others.
    n_fresh: u64,
    n_moves: Vec<u64>,
    /// The scores of games from an empty board.
    pub(crate) scores: Vec<f64>,
}

/// Boards of earlier games, by how far these had come.
pub(crate) type KeptBoards = Vec<Vec<PackedBoard>>;

/// A game being played.
struct Lane<const N_TUPLES: usize> {
    moves: [Move<N_TUPLES>; 4],
    /// The moves so far: the boards they made, and their gains.
    path: Vec<(PackedBoard, f32)>,
    is_fresh: bool,
}

impl<'a, const N_TUPLES: usize> SelfPlay<'a, N_TUPLES> {
    /// `kept` are the boards of earlier rounds, if there are any.
    pub(crate) fn new(
        network: &'a LearningNetwork,
        starts: Starts,
        seed: u64,
        kept: Option<KeptBoards>,
    ) -> Self {
        let tables = RowTables::of(Side::FOUR).expect("packed boards are 4×4");
        let mut dice = Dice::new(seed);
        let lanes = std::array::from_fn(|_| Lane {
            moves: moves(
                network,
                tables,
                first_board(tables, &mut dice),
                TRAINING_CAP,
            ),
            path: Vec::new(),
            is_fresh: true,
        });
        Self {
            network,
            tables,
            starts,
            dice,
            lanes,
            kept: kept.unwrap_or_else(|| vec![Vec::new(); N_PHASES]),
            n_fresh: 0,
            n_moves: vec![0; N_PHASES],
            scores: Vec::new(),
        }
    }

    /// Makes this many moves in each game. A game that is over is learned from, and another
    /// begins.
    pub(crate) fn play_and_learn(&mut self, n_steps: u64) -> u64 {
        for _ in 0..n_steps {
            for number in 0..N_LANES {
                let lane = &mut self.lanes[number];
                let board = match best_of(self.network, &lane.moves) {
                    Some(&Move { moved, gain, .. }) => {
                        lane.path.push((moved, gain));
                        with_random_tile(self.tables, moved, &mut self.dice)
                    }
                    None => self.end_and_start(number),
                };
                let moves = moves(self.network, self.tables, board, TRAINING_CAP);
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
        let is_fresh = self.lanes[number].is_fresh;
        self.keep(&path, is_fresh);
        if is_fresh {
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

    /// A kept board with a new tile; `None` for a fresh game. It is a board of the phase with
    /// the fewest moves: games that begin late are short, so late phases would be learned little
    /// if all were chosen equally often. A phase with few boards counts less, because the network
    /// would learn them by heart.
    fn start(&mut self) -> Option<PackedBoard> {
        let n_kept: u64 = self.n_moves.iter().sum();
        let percent_fresh = self.starts.percent_fresh.min(100);
        if self.n_fresh * (100 - percent_fresh) <= n_kept * percent_fresh {
            return None;
        }
        let [first, end] = [self.starts.sums.start, self.starts.sums.end]
            .map(|sum| ((sum / PHASE_SUM) as usize).min(N_PHASES));
        let phases = self.kept.iter().zip(&self.n_moves);
        let (phase, _) = phases
            .take(end)
            .skip(first)
            .filter(|(kept, _)| !kept.is_empty())
            .min_by_key(|(kept, n_moves)| *n_moves * N_KEPT as u64 / kept.len() as u64)?;
        let board = pick(phase, &mut self.dice)?;
        Some(with_random_tile(self.tables, board, &mut self.dice))
    }

    fn learn(&self, path: &[(PackedBoard, f32)]) {
        let look = |&(moved, _): &(PackedBoard, f32)| {
            let features = self.network.features::<N_TUPLES>(moved, TRAINING_CAP);
            self.network.prefetch_to_learn(&features);
            features
        };
        let mut ahead = path.iter().rev().map(look);
        let mut known: [Option<Features<N_TUPLES>>; AHEAD] = std::array::from_fn(|_| ahead.next());
        let mut target = 0.0;
        for (number, &(_, gain)) in path.iter().rev().enumerate() {
            let place = &mut known[number % AHEAD];
            let Some(features) = place else { break };
            let value = self.network.learn(features, target);
            target = gain + LAMBDA * target + (1.0 - LAMBDA) * value;
            *place = ahead.next();
        }
    }

    /// Keeps the first board of every phase that the game has reached, and counts its moves.
    fn keep(&mut self, path: &[(PackedBoard, f32)], is_fresh: bool) {
        let mut reached = path.first().map_or(0, |&(board, _)| phase(board));
        for part in path.chunks(KEEP_EVERY) {
            let (board, _) = part[0];
            let phase = phase(board);
            if is_fresh {
                self.n_fresh += part.len() as u64;
            } else {
                self.n_moves[phase] += part.len() as u64;
            }
            if phase > reached {
                reached = phase;
                let kept = &mut self.kept[phase];
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
fn phase(board: PackedBoard) -> usize {
    let sum: u32 = (0..16)
        .map(|cell| (1 << (board.bits() >> (4 * cell) & 15)) & !1)
        .sum();
    ((sum / PHASE_SUM) as usize).min(N_PHASES - 1)
}

pub(crate) fn pick<T: Copy>(items: &[T], dice: &mut Dice) -> Option<T> {
    let place = dice.below((items.len() as u32).max(1));
    items.get(place as usize).copied()
}

/// A move, whether legal or not.
#[derive(Clone, Copy)]
pub(crate) struct Move<const N_TUPLES: usize> {
    pub(crate) moved: PackedBoard,
    pub(crate) gain: f32,
    is_legal: bool,
    features: Features<N_TUPLES>,
}

/// The four moves of a board.
#[inline]
pub(crate) fn moves<const N: usize>(
    network: &LearningNetwork,
    tables: &RowTables,
    board: PackedBoard,
    cap: u32,
) -> [Move<N>; 4] {
    Direction::ALL.map(|direction| {
        let (moved, gain) = tables.slide_with_gain(board, direction);
        let is_legal = moved != board;
        Move {
            moved,
            gain: gain as f32,
            is_legal,
            features: if is_legal {
                network.features(moved, cap)
            } else {
                [[0; N]; 8]
            },
        }
    })
}

/// The move with the best sum of gain and value.
#[inline]
pub(crate) fn best_of<'a, const N: usize>(
    network: &LearningNetwork,
    moves: &'a [Move<N>; 4],
) -> Option<&'a Move<N>> {
    let mut best: Option<(f32, &Move<N>)> = None;
    for option in moves.iter().filter(|option| option.is_legal) {
        let value = option.gain + network.value(&option.features);
        if best.is_none_or(|(best, _)| value > best) {
            best = Some((value, option));
        }
    }
    best.map(|(_, option)| option)
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
