//! The packed board agrees with the exact one, on random boards.

use plugin_api::{
    Board, Dice, Direction, FourShare, Game, PackedBoard, PlayOut, RowTables, Rules, Salt, Side,
    Status,
};
use proptest::prelude::*;

/// A board with one of these sides and exponents up to `largest`, about a third of them
/// 0.
fn board(sides: std::ops::RangeInclusive<u8>, largest: u8) -> impl Strategy<Value = Board> {
    let exponent = prop_oneof![1 => Just(0), 1 => 1..=3u8, 1 => 0..=largest];
    let cells = prop::collection::vec(exponent, Board::MAX_CELLS);
    (sides, cells).prop_map(|(length, cells)| {
        let side = Side::new(length).unwrap();
        Board::from_exponents(side, &cells[..side.n_cells()]).unwrap()
    })
}

fn packed(board: &Board) -> (PackedBoard, &'static RowTables) {
    let tables = RowTables::of(board.side()).unwrap();
    (PackedBoard::try_from(board).unwrap(), tables)
}

proptest! {
    #[test]
    fn slide_and_gain_are_the_same(board in board(2..=4, 14)) {
        let (packed, tables) = packed(&board);
        for direction in Direction::ALL {
            let (moved, gain) = tables.slide_with_gain(packed, direction);
            prop_assert_eq!(moved, tables.slide(packed, direction));
            if let Some(slide) = board.slide(direction) {
                prop_assert_eq!(moved.to_board(board.side()), slide.board);
                prop_assert_eq!(u64::from(gain), slide.gain);
            } else {
                prop_assert_eq!((moved, gain), (packed, 0));
            }
        }
        prop_assert_eq!(tables.is_over(packed), board.is_over());
    }

    #[test]
    fn a_tile_of_32768_slides_as_on_the_exact_board(board in board(2..=4, 15)) {
        let (packed, tables) = packed(&board);
        for direction in Direction::ALL {
            let Some(slide) = board.slide(direction) else {
                prop_assert_eq!(tables.slide(packed, direction), packed);
                continue;
            };
            // The exact board has a 65536 exactly where two packed tiles do not merge.
            if slide.board.highest() <= 32768 {
                let moved = tables.slide(packed, direction);
                prop_assert_eq!(moved.to_board(board.side()), slide.board);
            }
        }
    }

    #[test]
    fn empty_cells_and_tiles_are_the_same(board in board(2..=4, 15)) {
        let (packed, tables) = packed(&board);
        prop_assert_eq!(packed.to_board(board.side()), board);
        prop_assert_eq!(tables.n_empty(packed) as usize, board.n_empty());
        prop_assert_eq!(1u64 << packed.highest_exponent(), board.highest().max(1));
        let length = board.side().length();
        let cells = tables.empty_mask(packed).into_iter();
        let cells = cells.map(|cell| cell.index() / 4 * length + cell.index() % 4);
        prop_assert!(cells.eq(board.empty_cells()));
    }

    #[test]
    fn a_shrunk_view_loses_no_tile_and_keeps_the_order(board in board(2..=4, 20)) {
        let view = PackedBoard::shrunk(&board).unwrap().to_board(board.side());
        prop_assert_eq!(view.n_empty(), board.n_empty());
        prop_assert!(view.highest() <= 32768);
        for (a, view_a) in board.exponents().iter().zip(view.exponents()) {
            for (b, view_b) in board.exponents().iter().zip(view.exponents()) {
                prop_assert!(a > b || view_a <= view_b);
                prop_assert!(a != b || view_a == view_b);
            }
        }
    }

    #[test]
    fn a_game_is_over_when_no_slide_changes_it(board in board(2..=8, 4)) {
        prop_assert_eq!(board.is_over(), board.legal_moves().next().is_none());
    }

    #[test]
    fn a_game_adds_one_tile_per_move(seed: u64, length in 2..=8u8, choices: u64) {
        let rules = Rules { side: Side::new(length).unwrap(), ..Rules::default() };
        let mut game = Game::start(rules, &Salt::NONE, seed);
        let mut dice = Dice::new(choices);
        prop_assert_eq!(game.board().n_empty(), rules.side.n_cells() - 2);
        for _ in 0..50 {
            let before = game.clone();
            let direction = Direction::ALL[dice.below(4) as usize];
            match (before.board().slide(direction), game.play(direction)) {
                (Some(slide), Some(gain)) => {
                    prop_assert_eq!(slide.gain, gain);
                    prop_assert_eq!(game.score(), before.score() + gain);
                    prop_assert_eq!(game.board().n_empty() + 1, slide.board.n_empty());
                }
                (None, None) => prop_assert_eq!(game.board(), before.board()),
                (None, Some(_)) => prop_assert!(false, "an illegal move was played"),
                (Some(_), None) => prop_assert!(false, "a legal move was rejected"),
            }
            prop_assert_eq!(game.status() == Status::Running, !game.board().is_over());
            if game.status() != Status::Running { break; }
        }
    }

    #[test]
    fn a_random_move_is_legal(board in board(2..=4, 14), seed: u64) {
        let (packed, tables) = packed(&board);
        let play_out = PlayOut::new(board.side(), FourShare::DEFAULT).unwrap();
        let mut legal: Vec<_> = Direction::ALL
            .map(|direction| tables.slide_with_gain(packed, direction))
            .into_iter()
            .filter(|slide| slide.0 != packed)
            .collect();
        let mut dice = Dice::new(seed);
        let mut seen: Vec<_> = (0..300).filter_map(|_| play_out.slide(packed, &mut dice)).collect();
        legal.sort_unstable();
        legal.dedup();
        seen.sort_unstable();
        seen.dedup();
        // The probability that one of four moves is missing in 300 draws is below
        // 10^-37.
        prop_assert_eq!(seen, legal);
    }

    #[test]
    fn a_random_tile_is_a_2_or_4_in_an_empty_cell(board in board(2..=4, 15), seed: u64) {
        let (packed, tables) = packed(&board);
        let play_out = PlayOut::new(board.side(), FourShare::new(0.5).unwrap()).unwrap();
        let next = play_out.spawn(packed, &mut Dice::new(seed));
        let mut possible = tables.empty_mask(packed).into_iter().flat_map(|cell| {
            [1, 2].map(|exponent| packed.with_new_tile(cell, exponent))
        });
        prop_assert!(possible.any(|board| board == next) || board.n_empty() == 0 && next == packed);
    }
}
