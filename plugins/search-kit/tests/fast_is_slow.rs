//! The fast versions compared with slow ones, on boards of every side.
//!
//! The slow searches are written on the exact board, directly from the definition: no
//! packed boards, no tables, no cut-offs.
#![expect(
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "values of boards are whole numbers below 2^53: exact, and equal or not"
)]

use plugin_api::{Board, Direction, FourShare, PackedBoard, Rules, Side, Turn};
use proptest::prelude::*;
use search_kit::{
    AlphaBeta, ChanceSearch, Evaluation, LostBoard, PaperEvaluation, SearchBudget, SnakeScore,
    exact_paper_value, exact_snake_score, is_lost, root_moves,
};

/// Boards of side 2 to 4: half of them crowded with small tiles, half with empty cells
/// and tiles of every size.
fn boards(largest: u8) -> impl Strategy<Value = Board> {
    (2u8..=4, any::<bool>()).prop_flat_map(move |(length, crowded)| {
        let side = Side::new(length).unwrap();
        let cell = if crowded {
            prop_oneof![1 => Just(0), 9 => 1..=largest.min(4)].boxed()
        } else {
            prop_oneof![1 => Just(0), 1 => 1..=largest].boxed()
        };
        prop::collection::vec(cell, side.n_cells())
            .prop_map(move |exponents| Board::from_exponents(side, &exponents).unwrap())
    })
}

fn rules(board: &Board, four: f64) -> Rules {
    Rules {
        side: board.side(),
        four: FourShare::new(four).unwrap(),
        ..Rules::default()
    }
}

/// Expectimax by its definition, over `H`.
fn slow_chance(board: &Board, depth: u32, four: f64) -> f64 {
    if board.is_over() {
        return -1e9;
    }
    if depth == 0 {
        return exact_paper_value(board) as f64;
    }
    let mean_after = |moved: Board| {
        let values = moved.empty_cells().map(|cell| {
            let value = |exponent| slow_chance(&moved.with_tile(cell, exponent), depth - 1, four);
            (1.0 - four) * value(1) + four * value(2)
        });
        values.sum::<f64>() / moved.n_empty() as f64
    };
    Direction::ALL
        .into_iter()
        .filter_map(|direction| board.slide(direction))
        .map(|slide| mean_after(slide.board))
        .fold(f64::NEG_INFINITY, f64::max)
}

/// Minimax by its definition, over `H`: the player is to move, with `plies` of both to
/// follow.
fn slow_minimax(board: &Board, plies: u8) -> f64 {
    if board.is_over() {
        return f64::NEG_INFINITY;
    }
    if plies == 0 {
        return exact_paper_value(board) as f64;
    }
    Direction::ALL
        .into_iter()
        .filter_map(|direction| board.slide(direction))
        .map(|slide| slow_minimax_of_moved(&slide.board, plies - 1))
        .fold(f64::NEG_INFINITY, f64::max)
}

fn slow_minimax_of_moved(moved: &Board, plies: u8) -> f64 {
    if plies == 0 {
        return exact_paper_value(moved) as f64;
    }
    moved
        .empty_cells()
        .flat_map(|cell| [1, 2].map(|exponent| moved.with_tile(cell, exponent)))
        .map(|board| slow_minimax(&board, plies - 1))
        .fold(f64::INFINITY, f64::min)
}

#[track_caller]
fn assert_close(fast: f64, slow: f64) {
    let tolerance = 1e-11 * slow.abs().max(1.0);
    assert!((fast - slow).abs() <= tolerance, "{fast} {slow}");
}

proptest! {
    #[test]
    fn the_paper_value_of_a_packed_board_is_the_exact_one(board in boards(15)) {
        let packed = PackedBoard::try_from(&board).unwrap();
        let fast = PaperEvaluation::new(board.side()).unwrap().value(packed);
        assert_eq!(fast, exact_paper_value(&board) as f64);
    }

    #[test]
    fn the_snake_score_of_a_packed_board_is_the_exact_one(board in boards(15), ratio in 1.0..8.0) {
        let packed = PackedBoard::try_from(&board).unwrap();
        let fast = |ratio| SnakeScore::new(board.side(), ratio).unwrap().value(packed);
        assert_eq!(fast(4.0), exact_snake_score(&board, 4.0), "powers of 4 are exact");
        assert_close(fast(ratio), exact_snake_score(&board, ratio));
    }

    #[test]
    fn a_packed_board_is_lost_when_the_exact_one_is_over(board in boards(14)) {
        prop_assume!(board.highest() > 0);
        let packed = PackedBoard::try_from(&board).unwrap();
        let tables = plugin_api::RowTables::of(board.side()).unwrap();
        assert_eq!(is_lost(tables, packed), board.is_over());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_chance_search_is_expectimax_as_defined(
        board in boards(9),
        four in prop_oneof![Just(0.0), Just(0.1), Just(0.2), Just(1.0)],
    ) {
        let deepest = if board.n_empty() > 6 { 1 } else { 2 };
        let packed = PackedBoard::try_from(&board).unwrap();
        let evaluation = PaperEvaluation::new(board.side()).unwrap();
        let lost = LostBoard::Worth(-1e9);
        let mut search = ChanceSearch::new(evaluation, &rules(&board, four), lost).unwrap();
        let evaluation = PaperEvaluation::new(board.side()).unwrap();
        let without_table = ChanceSearch::new(evaluation, &rules(&board, four), lost).unwrap();
        let mut without_table = without_table.with_table(false);
        prop_assume!(board.highest() > 0);
        for depth in 0..=deepest {
            let mut budget = Turn::unlimited().budget();
            let fast = search.value(packed, depth, &mut budget).unwrap();
            assert_close(fast, slow_chance(&board, depth, four));
            let mut more = Turn::unlimited().budget();
            assert_eq!(without_table.value(packed, depth, &mut more), Some(fast));
            assert!(more.nodes() >= budget.nodes());
        }
    }

    #[test]
    fn alpha_beta_is_plain_minimax(board in boards(9)) {
        let deepest = match board.n_empty() {
            0..=4 => 4,
            5..=8 => 3,
            _ => 2,
        };
        let evaluation = PaperEvaluation::new(board.side()).unwrap();
        let mut search = AlphaBeta::new(evaluation, &rules(&board, 0.1)).unwrap();
        let moves = root_moves(&board, Direction::ALL).unwrap();
        for plies in 1..=deepest {
            let mut budget = SearchBudget::of(&Turn::unlimited());
            let best = search.best_moves(&moves, plies, &mut budget).values.best();
            assert_eq!(best.map(|(_, value)| value), moves.iter().map(|root| {
                let moved = board.slide(root.direction).unwrap().board;
                let slow = slow_minimax_of_moved(&moved, plies - 1);
                assert_eq!(search.value_of_moved(root.moved, plies - 1, &mut budget), Some(slow));
                slow
            }).reduce(f64::max));
        }
    }

    #[test]
    fn without_pruning_and_table_the_values_are_the_same_with_more_nodes(board in boards(9)) {
        let plies = if board.n_empty() > 4 { 2 } else { 4 };
        let moves = root_moves(&board, Direction::ALL).unwrap();
        let savings = [(true, true), (true, false), (false, true), (false, false)];
        let [all, no_table, no_pruning, none] = savings.map(|(prunes, remembers)| {
            let evaluation = PaperEvaluation::new(board.side()).unwrap();
            let search = AlphaBeta::new(evaluation, &rules(&board, 0.1)).unwrap();
            let mut search = search.with_savings(prunes, remembers);
            let mut budget = SearchBudget::of(&Turn::unlimited());
            let found = search.best_moves(&moves, plies, &mut budget);
            (found.values.best(), budget.nodes())
        });
        for other in [no_table, no_pruning, none] {
            assert_eq!(other.0, all.0);
        }
        assert!(none.1 >= no_table.1 && none.1 >= no_pruning.1);
    }
}
