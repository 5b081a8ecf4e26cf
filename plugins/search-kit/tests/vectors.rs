//! Values from an independent implementation, on boards that anyone can inspect.
//!
//! The key `semantics` of `plugin-api/tests/vectors.json` explains the file.
#![expect(
    clippy::cast_precision_loss,
    reason = "values of boards are whole numbers below 2^53"
)]

use plugin_api::{Board, Direction, FourShare, PackedBoard, Rules, Side, Turn};
use search_kit::{
    AlphaBeta, ChanceSearch, Evaluation, LostBoard, MoveValues, PaperEvaluation, SearchBudget,
    SnakeScore, exact_paper_value, exact_snake_score, root_moves,
};
use serde_json::Value;

const VECTORS: &str = include_str!("../../../plugin-api/tests/vectors.json");

/// Each case and its board.
fn cases() -> Vec<(Value, Board)> {
    let vectors: Value = serde_json::from_str(VECTORS).expect("the file is JSON");
    let cases = vectors["eval"].as_array().expect("eval is a list");
    cases
        .iter()
        .map(|case| {
            let rows: Vec<Vec<u8>> = serde_json::from_value(case["board"].clone()).unwrap();
            let side = Side::new(u8::try_from(rows.len()).unwrap()).unwrap();
            let board = Board::from_exponents(side, &rows.concat()).unwrap();
            (case.clone(), board)
        })
        .collect()
}

fn rules(board: &Board, four: f64) -> Rules {
    Rules {
        side: board.side(),
        four: FourShare::new(four).unwrap(),
        ..Rules::default()
    }
}

/// An illegal move has no value here and `null` there.
#[track_caller]
fn check_moves(board: &Board, found: &MoveValues, expected: &Value) {
    for direction in Direction::ALL {
        let expected = match &expected[direction.to_string()] {
            Value::Null => None,
            Value::String(text) if text == "-inf" => Some(f64::NEG_INFINITY),
            number => Some(number.as_f64().expect("a value is a number")),
        };
        match (found.of(direction), expected) {
            (Some(found), Some(expected)) => check_close(found, expected),
            (found, expected) => assert_eq!(found, expected, "{board:?} {direction}"),
        }
    }
}

#[track_caller]
fn check_close(found: f64, expected: f64) {
    let is_close = (found - expected).abs() <= 1e-12 * expected.abs().max(1.0);
    let is_same_infinity = found.is_infinite() && found.total_cmp(&expected).is_eq();
    assert!(is_close || is_same_infinity, "{found}, expected {expected}");
}

#[test]
fn the_paper_value_and_the_snake_score_match_the_vectors() {
    for (case, board) in cases() {
        let packed = PackedBoard::try_from(&board).unwrap();
        let paper = case["H_zero"].as_f64().unwrap();
        check_close(exact_paper_value(&board) as f64, paper);
        check_close(
            PaperEvaluation::new(board.side()).unwrap().value(packed),
            paper,
        );
        let snake = case["snake"].as_f64().unwrap();
        check_close(exact_snake_score(&board, 4.0), snake);
        check_close(
            SnakeScore::new(board.side(), 4.0).unwrap().value(packed),
            snake,
        );
    }
}

#[test]
fn expectimax_values_of_the_paper_match_the_vectors() {
    for (case, board) in cases() {
        let moves = root_moves(&board, Direction::ALL).unwrap();
        for (lost, ending) in [(-1e9, "fin"), (f64::NEG_INFINITY, "inf")] {
            let evaluation = PaperEvaluation::new(board.side()).unwrap();
            let lost = LostBoard::Worth(lost);
            let mut search = ChanceSearch::new(evaluation, &rules(&board, 0.2), lost).unwrap();
            for depth in [1, 2] {
                let mut budget = Turn::unlimited().budget();
                let found = search.move_values(&moves, depth, &mut budget).unwrap();
                let key = format!("exH_zero_d{depth}_{ending}_moves");
                check_moves(&board, &found, &case[key]);
            }
        }
    }
}

#[test]
fn expectimax_values_of_the_snake_match_the_vectors() {
    for (case, board) in cases() {
        let moves = root_moves(&board, Direction::ALL).unwrap();
        let evaluation = SnakeScore::new(board.side(), 4.0).unwrap();
        let rules = rules(&board, 0.1);
        let mut search = ChanceSearch::new(evaluation, &rules, LostBoard::AsEvaluated).unwrap();
        for depth in [1, 2] {
            let mut budget = Turn::unlimited().budget();
            let found = search.move_values(&moves, depth, &mut budget).unwrap();
            check_moves(&board, &found, &case[format!("exS_d{depth}_moves")]);
        }
    }
}

#[test]
fn the_depth_rule_of_the_snake_matches_the_vectors() {
    for (case, board) in cases() {
        let moves = root_moves(&board, Direction::ALL).unwrap();
        let evaluation = SnakeScore::new(board.side(), 4.0).unwrap();
        let rules = rules(&board, 0.1);
        let rule: fn(u32) -> u32 = |n_empty| match n_empty {
            0..=2 => 3,
            3..=5 => 2,
            _ => 1,
        };
        let mut search = ChanceSearch::new(evaluation, &rules, LostBoard::AsEvaluated)
            .unwrap()
            .with_depth_cap(rule);
        let depth = rule(u32::try_from(board.n_empty()).unwrap());
        assert_eq!(
            Some(u64::from(depth)),
            case["snake_agent"]["depth"].as_u64()
        );
        let found = search
            .move_values(&moves, depth, &mut Turn::unlimited().budget())
            .unwrap();
        check_moves(&board, &found, &case["snake_agent"]["moves"]);
    }
}

#[test]
fn minimax_values_match_the_vectors() {
    for (case, board) in cases() {
        let evaluation = PaperEvaluation::new(board.side()).unwrap();
        let mut search = AlphaBeta::new(evaluation, &rules(&board, 0.2)).unwrap();
        for plies in [2, 4] {
            let mut budget = SearchBudget::of(&Turn::unlimited());
            let moves = root_moves(&board, Direction::ALL).unwrap();
            let found: MoveValues = moves
                .iter()
                .map(|root| {
                    let value = search.value_of_moved(root.moved, plies - 1, &mut budget);
                    (root.direction, value.unwrap())
                })
                .collect();
            check_moves(&board, &found, &case[format!("mm_plies{plies}_moves")]);
            let best = search.best_moves(&moves, plies, &mut budget);
            assert!(best.is_complete);
            assert_eq!(best.values.best(), found.best());
        }
    }
}
