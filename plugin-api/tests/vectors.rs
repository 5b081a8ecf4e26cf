//! The rules checked against vectors from an independent implementation.
//!
//! `vectors.json` has boards of 2×2 to 5×5 with tiles up to 2^17, and the result of
//! each move. Its key `eval` belongs to the agents' tests.

use plugin_api::{Board, Direction, PackedBoard, RowTables, Side};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vectors {
    moves: Vec<MoveVector>,
}

#[derive(Deserialize)]
struct MoveVector {
    n: u8,
    board: Vec<Vec<u8>>,
    up: Slid,
    right: Slid,
    down: Slid,
    left: Slid,
    over: bool,
}

#[derive(Deserialize)]
struct Slid {
    board: Vec<Vec<u8>>,
    moved: bool,
    gain: u64,
}

impl MoveVector {
    fn board(&self, rows: &[Vec<u8>]) -> Board {
        Board::from_exponents(Side::new(self.n).unwrap(), &rows.concat()).unwrap()
    }

    fn slid(&self, direction: Direction) -> &Slid {
        match direction {
            Direction::Up => &self.up,
            Direction::Right => &self.right,
            Direction::Down => &self.down,
            Direction::Left => &self.left,
        }
    }
}

fn vectors() -> Vec<MoveVector> {
    let vectors: Vectors = serde_json::from_str(include_str!("vectors.json")).unwrap();
    assert_eq!(vectors.moves.len(), 175);
    vectors.moves
}

#[test]
fn the_exact_board_slides_as_in_the_vectors() {
    for vector in vectors() {
        let board = vector.board(&vector.board);
        assert_eq!(board.is_over(), vector.over, "{board:?}");
        for direction in Direction::ALL {
            let expected = vector.slid(direction);
            match board.slide(direction) {
                Some(slide) => {
                    assert!(expected.moved, "{board:?} {direction}");
                    assert_eq!(slide.board, vector.board(&expected.board));
                    assert_eq!(slide.gain, expected.gain);
                }
                None => assert!(!expected.moved, "{board:?} {direction}"),
            }
        }
    }
}

#[test]
fn the_packed_board_slides_as_in_the_vectors() {
    let mut n_checked = 0;
    for vector in vectors() {
        let board = vector.board(&vector.board);
        let Ok(packed) = PackedBoard::try_from(&board) else {
            continue;
        };
        let tables = RowTables::of(board.side()).unwrap();
        for direction in Direction::ALL {
            let expected = vector.slid(direction);
            // The packed board cannot hold 65536.
            let Ok(moved) = PackedBoard::try_from(&vector.board(&expected.board)) else {
                continue;
            };
            let (slid, gain) = tables.slide_with_gain(packed, direction);
            assert_eq!(slid, moved, "{board:?} {direction}");
            assert_eq!(u64::from(gain), expected.gain);
            assert_eq!(slid != packed, expected.moved);
            n_checked += 1;
        }
    }
    assert!(n_checked > 400, "only {n_checked} moves fit");
}
