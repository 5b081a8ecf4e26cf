//! A game in few letters, for the player of the page.
//!
//! The page does not know the rules. For every move it gets the direction, how far each tile
//! slides and the tile that follows. `recorded_game.js` reads this code and describes its bits.

use plugin_api::{Board, Direction, Spawn};

use run::{
    game_record::GameRecord,
    replay::{Replay, ReplayError},
    run_plan::RunPlan,
};

use crate::tile_paths::tile_paths;

/// Six bits each, as in the URL-safe base 64 of RFC 4648.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The start tiles, then each move with the way of every tile and the tile that followed.
pub(super) fn game_code(plan: &RunPlan, record: &GameRecord) -> Result<String, ReplayError> {
    let replay = Replay::new(plan.tournament.rules(), &plan.salt, record);
    let mut bits = BitWriter::default();
    let mut before = *replay.board();
    let start: Vec<Spawn> = tiles(&before).collect();
    bits.push(start.len(), 4);
    for tile in start {
        push_tile(&mut bits, &before, tile);
    }
    for step in replay {
        let step = step?;
        bits.push(step.direction.index(), 2);
        for distance in distances(&before, step.direction) {
            push_distance(&mut bits, &before, distance);
        }
        push_tile(&mut bits, &before, step.spawn);
        before = step.board;
    }
    Ok(bits.into_letters())
}

fn tiles(board: &Board) -> impl Iterator<Item = Spawn> {
    let cells = board.exponents().iter().copied().enumerate();
    cells
        .filter(|(_, exponent)| *exponent > 0)
        .map(|(cell, exponent)| Spawn { cell, exponent })
}

/// How many cells each tile of the board slides, in the order of the cells.
fn distances(board: &Board, direction: Direction) -> Vec<usize> {
    let length = board.side().length();
    let step = match direction {
        Direction::Up | Direction::Down => length,
        Direction::Left | Direction::Right => 1,
    };
    let mut paths = tile_paths(board, direction);
    paths.sort_unstable();
    paths
        .into_iter()
        .map(|(from, to)| from.abs_diff(to) / step)
        .collect()
}

/// Ones, ended by a zero unless the distance is the longest there is.
fn push_distance(bits: &mut BitWriter, board: &Board, distance: usize) {
    for _ in 0..distance {
        bits.push(1, 1);
    }
    if distance < board.side().length() - 1 {
        bits.push(0, 1);
    }
}

/// The cell in as few bits as the largest cell needs, and one bit that is set for a 4.
fn push_tile(bits: &mut BitWriter, board: &Board, tile: Spawn) {
    let largest = board.exponents().len() - 1;
    bits.push(tile.cell, largest.ilog2() + 1);
    bits.push(usize::from(tile.exponent == 2), 1);
}

/// Collects bits in letters, the highest bit of each first.
#[derive(Default)]
struct BitWriter {
    letters: String,
    /// Bits that do not fill a letter yet.
    pending: usize,
    n_pending: u32,
}

impl BitWriter {
    fn push(&mut self, number: usize, n_bits: u32) {
        for bit in (0..n_bits).rev() {
            self.pending = self.pending << 1 | (number >> bit & 1);
            self.n_pending += 1;
            if self.n_pending == 6 {
                self.letters.push(char::from(LETTERS[self.pending]));
                (self.pending, self.n_pending) = (0, 0);
            }
        }
    }

    fn into_letters(mut self) -> String {
        while self.n_pending > 0 {
            self.push(0, 1);
        }
        self.letters
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plugin_api::Side;

    /// Reads a code as the page does.
    struct BitReader<'c>(Box<dyn Iterator<Item = usize> + 'c>);

    impl<'c> BitReader<'c> {
        fn new(code: &'c str) -> Self {
            let value = |letter| LETTERS.iter().position(|other| *other == letter).unwrap();
            let bits = code.bytes().map(value);
            let bits = bits.flat_map(|six| (0..6).rev().map(move |bit| six >> bit & 1));
            Self(Box::new(bits))
        }

        fn number(&mut self, n_bits: u32) -> usize {
            (0..n_bits).fold(0, |number, _| number << 1 | self.0.next().unwrap())
        }

        fn distance(&mut self, longest: usize) -> usize {
            (0..longest).take_while(|_| self.number(1) == 1).count()
        }

        fn tile(&mut self, side: Side) -> (usize, u64) {
            let n_cells = side.length() * side.length();
            let cell = self.number((n_cells - 1).ilog2() + 1);
            (cell, 2 << self.number(1))
        }
    }

    /// The last board and the score, from distances alone.
    fn decoded(code: &str, side: Side, n_moves: u64) -> (Vec<u64>, u64) {
        let mut bits = BitReader::new(code);
        let length = side.length();
        let (mut board, mut score) = (vec![0; length * length], 0);
        for _ in 0..bits.number(4) {
            let (cell, tile) = bits.tile(side);
            board[cell] = tile;
        }
        for _ in 0..n_moves {
            let direction = Direction::ALL[bits.number(2)];
            let mut after = vec![0; board.len()];
            for (from, tile) in board.iter().enumerate().filter(|(_, tile)| **tile > 0) {
                let distance = bits.distance(length - 1);
                let to = match direction {
                    Direction::Up => from - distance * length,
                    Direction::Right => from + distance,
                    Direction::Down => from + distance * length,
                    Direction::Left => from - distance,
                };
                if after[to] > 0 {
                    score += 2 * tile;
                }
                after[to] += tile;
            }
            let (cell, tile) = bits.tile(side);
            after[cell] = tile;
            board = after;
        }
        (board, score)
    }

    #[test]
    fn a_decoded_game_ends_as_its_record() {
        for side in [2, 3, 4, 8] {
            let plan = run::example::plan(side, &["a"]);
            let game = super::super::example::played_game(&plan, "a", 7, 5_000);
            let code = game_code(&plan, &game).unwrap();
            let decoded = decoded(&code, plan.tournament.side, game.n_moves);
            assert_eq!(decoded, (game.board.concat(), game.score));
        }
    }

    #[test]
    fn bits_fill_letters_from_the_highest() {
        let mut bits = BitWriter::default();
        bits.push(0b10, 2);
        bits.push(0b11_1111, 6);
        assert_eq!(bits.into_letters(), "vw");
    }
}
