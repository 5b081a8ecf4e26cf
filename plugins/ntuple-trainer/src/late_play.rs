//! Learning late boards from games with a search.
//!
//! Without a search, games hardly ever make a 32768, and all late boards look lost. Games
//! begin with boards of earlier games, half of them in the phases that were corrected last, and
//! end with a 32768 or without a legal move; then the boards are learned from the last to the first.

use ntuple::Search;
use ntuple_network::{LATE_REACH, LOST_LATE, LateBoard};
use plugin_api::{Dice, Direction, PackedBoard, RowTables, Rules, Side, Turn};
use search_kit::{CountedSearch, Deepening, NodeCount};

use crate::{
    late_network::LateNetwork,
    self_play::{first_board, pick, with_random_tile},
};

/// The nodes per move of the games whose boards are the first starts.
const NODES_OF_FIRST_GAMES: u64 = 1600;
const DEEPEST: i32 = 40;
/// How much of the return beyond the next board counts: λ.
const LAMBDA: f32 = 0.5;
/// A phase begins where this much is missing from the sum of a 32768.
const PHASES: [u32; 12] = [
    LATE_REACH, 1536, 1024, 768, 512, 384, 256, 192, 128, 96, 64, 32,
];
pub(crate) const N_PHASES: usize = PHASES.len();
/// The boards that are kept per phase.
const N_KEPT: usize = 4096;

/// One thread's games.
pub(crate) struct LatePlay<'a> {
    network: &'a LateNetwork,
    search: Search<&'a LateNetwork>,
    tables: &'static RowTables,
    dice: Dice,
    pub(crate) kept: KeptBoards,
    /// Of the games that began in each phase, how many there were and how many made a 32768.
    pub(crate) results: [(u64, u64); N_PHASES],
}

/// Boards by phase.
pub(crate) type KeptBoards = [Vec<PackedBoard>; N_PHASES];

impl<'a> LatePlay<'a> {
    pub(crate) fn new(network: &'a LateNetwork, seed: u64, kept: KeptBoards) -> Self {
        Self {
            network,
            search: Search::new(network, &Rules::default()),
            tables: RowTables::of(Side::FOUR).expect("packed boards are 4×4"),
            dice: Dice::new(seed),
            kept,
            results: [(0, 0); N_PHASES],
        }
    }

    /// Plays a game from an empty board up to a 32768 and keeps its late boards.
    pub(crate) fn play_first_game(&mut self) {
        let start = first_board(self.tables, &mut self.dice);
        self.play(start, NODES_OF_FIRST_GAMES);
    }

    /// Whether a game can begin with a board of which less than `reach` is missing.
    pub(crate) fn has_boards(&self, reach: u32) -> bool {
        let mut kept = self.kept[first_phase(reach)..].iter();
        kept.any(|boards| !boards.is_empty())
    }

    /// Plays a game from a kept board of which less than `reach` is missing, and learns from
    /// it. Half of the games begin where boards were not corrected with half the reach.
    /// Returns the number of moves.
    pub(crate) fn play_and_learn(&mut self, reach: u32, nodes: u64) -> u64 {
        let first = first_phase(reach);
        let newest = first..first_phase(reach / 2);
        let is_kept = |phase: &usize| !self.kept[*phase].is_empty();
        let all: Vec<usize> = (first..N_PHASES).filter(is_kept).collect();
        let new: Vec<usize> = newest.filter(is_kept).collect();
        let phases = if self.dice.below(2) == 0 && !new.is_empty() {
            new
        } else {
            all
        };
        let Some(phase) = pick(&phases, &mut self.dice) else {
            return 0;
        };
        let Some(start) = pick(&self.kept[phase], &mut self.dice) else {
            return 0;
        };
        self.search.forget();
        let path = self.play(start, nodes);
        let (n_games, n_made) = &mut self.results[phase];
        *n_games += 1;
        *n_made += u64::from(path.last().is_some_and(|&(board, _)| has_32768(board)));
        self.learn(&path);
        path.len() as u64
    }

    /// The moves up to a 32768 or the end: the boards they made, and their gains.
    fn play(&mut self, start: PackedBoard, nodes: u64) -> Vec<(PackedBoard, f32)> {
        let mut path = Vec::new();
        let mut board = start;
        let mut reached = phase(start);
        while let Some(direction) = self.choose(board, nodes) {
            let (moved, gain) = self.tables.slide_with_gain(board, direction);
            path.push((moved, gain as f32));
            if has_32768(moved) {
                break;
            }
            board = with_random_tile(self.tables, moved, &mut self.dice);
            let phase = phase(board);
            if phase > reached {
                reached = phase;
                self.keep(board, phase);
            }
        }
        path
    }

    fn choose(&mut self, board: PackedBoard, nodes: u64) -> Option<Direction> {
        *self.search.nodes() = NodeCount::new(Turn::with_nodes(nodes).budget());
        let mut deepening = Deepening::new(self.search.root_moves(board));
        deepening.search(&mut self.search, DEEPEST);
        Some(deepening.choice()?.direction)
    }

    fn keep(&mut self, board: PackedBoard, phase: Option<usize>) {
        let Some(phase) = phase else { return };
        let kept = &mut self.kept[phase];
        if kept.len() < N_KEPT {
            kept.push(board);
        } else {
            kept[self.dice.below(N_KEPT as u32) as usize] = board;
        }
    }

    /// Learns from the last board to the first. A 32768 is worth what the network says of the
    /// board it leaves, which is not late any more.
    fn learn(&self, path: &[(PackedBoard, f32)]) {
        let mut target = LOST_LATE;
        for &(board, gain) in path.iter().rev() {
            let value = self.network.learn(board, target);
            if has_32768(board) {
                target = value;
            }
            target = gain + LAMBDA * target + (1.0 - LAMBDA) * value;
        }
    }
}

/// The phase of a board; `None` before the first.
fn phase(board: PackedBoard) -> Option<usize> {
    first_phase(LateBoard::of(board.bits())?.missing).checked_sub(1)
}

/// The first phase that begins with no more than this missing.
fn first_phase(missing: u32) -> usize {
    PHASES.iter().filter(|&&begin| begin > missing).count()
}

fn has_32768(board: PackedBoard) -> bool {
    board.highest_exponent() >= 15
}
