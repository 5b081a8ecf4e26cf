//! Where each tile moves in a slide, for animations.
//!
//! The rules give only the board after the move. The paths follow from both boards, line
//! by line: tiles keep their order, and two of them merge where the cell's new tile is
//! higher than the first of them.

use plugin_api::{Board, Direction};

/// The cell that a tile leaves and the one it reaches, which may be the same.
pub type TilePath = (usize, usize);

/// The paths of all tiles in a legal move; empty for an illegal move.
#[must_use]
pub fn tile_paths(board: &Board, direction: Direction) -> Vec<TilePath> {
    let Some(slide) = board.slide(direction) else {
        return Vec::new();
    };
    let length = board.side().length();
    let (before, after) = (board.exponents(), slide.board.exponents());
    let mut paths = Vec::new();
    for line in 0..length {
        let cells = (0..length).map(|depth| cell(direction, length, line, depth));
        let mut tiles = cells.clone().filter(|&cell| before[cell] != 0).peekable();
        for target in cells {
            let Some(first) = tiles.next() else { break };
            paths.push((first, target));
            if before[first] < after[target]
                && let Some(second) = tiles.next()
            {
                paths.push((second, target));
            }
        }
    }
    paths
}

/// The cell of a line at this distance from the border that the line slides to.
fn cell(direction: Direction, length: usize, line: usize, depth: usize) -> usize {
    let far = length - 1 - depth;
    let (row, column) = match direction {
        Direction::Up => (depth, line),
        Direction::Right => (line, far),
        Direction::Down => (far, line),
        Direction::Left => (line, depth),
    };
    row * length + column
}

#[cfg(test)]
mod tests {
    use super::*;
    use plugin_api::{Game, Rules, Salt, Side};

    #[test]
    fn paths_match_those_found_by_hand() {
        // 2 2 4     4 4 .
        // . . .  <  . . .
        // 8 . 8     16 . .
        let board: Board = "2 2 4 / 0 0 0 / 8 0 8".parse().unwrap();
        let paths = tile_paths(&board, Direction::Left);
        assert_eq!(paths, [(0, 0), (1, 0), (2, 1), (6, 6), (8, 6)]);
        let paths = tile_paths(&board, Direction::Down);
        assert_eq!(paths, [(6, 6), (0, 3), (1, 7), (8, 8), (2, 5)]);
        assert!(tile_paths(&"2 4 / 8 2".parse().unwrap(), Direction::Up).is_empty());
    }

    #[test]
    fn moving_every_tile_along_its_path_gives_the_board_after_the_slide() {
        for (side, seed) in [(2, 1), (3, 2), (4, 3), (5, 4)] {
            let rules = Rules {
                side: Side::new(side).unwrap(),
                ..Rules::default()
            };
            let mut game = Game::start(rules, &Salt::NONE, seed);
            for turn in 0..400 {
                let board = *game.board();
                for direction in board.legal_moves() {
                    let mut moved = vec![0_u64; board.exponents().len()];
                    for (from, to) in tile_paths(&board, direction) {
                        moved[to] += 1 << board.exponents()[from];
                    }
                    let expected = board.slide(direction).unwrap().board.tiles().concat();
                    assert_eq!(moved, expected, "{direction} on {board}");
                }
                let Some(direction) = board.legal_moves().nth(turn % 2) else {
                    break;
                };
                game.play(direction);
            }
        }
    }
}
