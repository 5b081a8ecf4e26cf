//! Boards on which agents are tested: many ordinary ones, the last ones of a game, and
//! some with tiles that few games reach.

use plugin_api::{Board, Dice, Direction, Game, Rules, Salt, Side};

/// This many boards from random games, each with a legal move. Random play makes only
/// small tiles, so all tiles of a board are doubled a few times; this does not affect
/// the rules.
pub(super) fn ordinary(side: Side, n_boards: usize) -> Vec<Board> {
    const DOUBLINGS: u8 = 7;
    let rules = Rules {
        side,
        ..Rules::default()
    };
    let mut dice = Dice::new(2048);
    let mut boards = Vec::with_capacity(n_boards);
    for seed in 1.. {
        let mut game = Game::start(rules, &Salt::NONE, seed);
        while !game.board().is_over() {
            if boards.len() == n_boards {
                return boards;
            }
            let doublings = u8::try_from(boards.len()).unwrap_or(u8::MAX) % DOUBLINGS;
            boards.push(raised(game.board(), doublings));
            game.play(random_move(game.board(), &mut dice));
        }
    }
    boards
}

fn random_move(board: &Board, dice: &mut Dice) -> Direction {
    let legal: Vec<Direction> = board.legal_moves().collect();
    let n_legal = u32::try_from(legal.len()).expect("there are four directions");
    legal[dice.below(n_legal) as usize]
}

fn raised(board: &Board, doublings: u8) -> Board {
    let exponents: Vec<u8> = board
        .exponents()
        .iter()
        .map(|&exponent| match exponent {
            0 => 0,
            tile => tile + doublings,
        })
        .collect();
    Board::from_exponents(board.side(), &exponents)
        .expect("as many cells as before, and small tiles")
}

/// Full boards with a single pair to merge, in every position: after the next move the
/// game is over, whichever tile appears.
pub(super) fn one_move_from_the_end(side: Side) -> Vec<Board> {
    const PAIR: u8 = 8;
    let length = side.length();
    let full = chequered(side, |_, _| true);
    let mut boards = Vec::new();
    for cell in 0..side.n_cells() {
        let (row, column) = (cell / length, cell % length);
        let right = (column + 1 < length).then_some(cell + 1);
        let below = (row + 1 < length).then_some(cell + length);
        for neighbour in [right, below].into_iter().flatten() {
            boards.push(full.with_tile(cell, PAIR).with_tile(neighbour, PAIR));
        }
    }
    boards
}

/// Boards with one legal move: full rows or columns against an edge with nothing to
/// merge.
pub(super) fn one_legal_move(side: Side) -> Vec<Board> {
    let length = side.length();
    (1..length)
        .flat_map(|depth| {
            [
                chequered(side, move |row, _| row < depth),
                chequered(side, move |row, _| row >= length - depth),
                chequered(side, move |_, column| column < depth),
                chequered(side, move |_, column| column >= length - depth),
            ]
        })
        .collect()
}

/// A board of four different tiles, two alternating in every row, in the given cells.
/// Equal tiles never touch, not even if a row or a column moves by one, and none equals
/// a new tile.
fn chequered(side: Side, is_filled: impl Fn(usize, usize) -> bool) -> Board {
    let length = side.length();
    let mut board = Board::empty(side);
    for cell in 0..side.n_cells() {
        let (row, column) = (cell / length, cell % length);
        if is_filled(row, column) {
            let exponent = [[3, 4], [5, 6]][row % 2][column % 2];
            board = board.with_tile(cell, exponent);
        }
    }
    board
}

/// Boards with tiles up to 131072, including pairs of 32768 and of 65536.
pub(super) fn with_high_tiles(side: Side) -> Vec<Board> {
    const PAIRS: [(u8, u8); 5] = [(15, 15), (15, 16), (16, 16), (16, 15), (17, 16)];
    ordinary(side, 60)
        .into_iter()
        .enumerate()
        .map(|(number, board)| {
            let (first, second) = PAIRS[number % PAIRS.len()];
            board.with_tile(0, first).with_tile(1, second)
        })
        .filter(|board| !board.is_over())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides() -> impl Iterator<Item = Side> {
        (2..=8).filter_map(Side::new)
    }

    #[test]
    fn ordinary_boards_have_legal_moves_and_more_than_small_tiles() {
        for side in sides() {
            let boards = ordinary(side, 1000);
            assert_eq!(boards.len(), 1000);
            assert!(boards.iter().all(|board| !board.is_over()));
        }
        let highest = ordinary(Side::FOUR, 1000).iter().map(Board::highest).max();
        assert!(highest >= Some(8192), "{highest:?}");
    }

    #[test]
    fn boards_near_the_end_have_the_moves_they_should() {
        for side in sides() {
            let boards = one_move_from_the_end(side);
            assert_eq!(boards.len(), 2 * side.length() * (side.length() - 1));
            for board in boards {
                assert_eq!((board.n_empty(), board.legal_moves().count()), (0, 2));
                for direction in board.legal_moves() {
                    let after = board.slide(direction).unwrap().board;
                    let cell = after.empty_cells().next().unwrap();
                    assert!(after.with_tile(cell, 1).is_over(), "{board:?}");
                    assert!(after.with_tile(cell, 2).is_over(), "{board:?}");
                }
            }
            for board in one_legal_move(side) {
                assert_eq!(board.legal_moves().count(), 1, "{board:?}");
            }
        }
    }

    #[test]
    fn high_tiles_exist_and_some_of_them_merge() {
        for side in sides() {
            let boards = with_high_tiles(side);
            assert!(boards.len() >= 20, "{}", boards.len());
            assert!(boards.iter().all(|board| board.highest() >= 32_768));
            let made = boards
                .iter()
                .filter_map(|board| Some(board.slide(Direction::Left)?.board.highest()))
                .max();
            assert_eq!(made, Some(131_072));
        }
    }
}
