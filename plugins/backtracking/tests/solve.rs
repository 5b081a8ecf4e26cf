//! `solve/1` compared with the paper's table and with itself.

use std::ops::ControlFlow;

use backtracking::{Backtracking, solver::ExhaustiveSolver};
use plugin_api::{
    Agent, Direction, Game, Rules, Salt, Side, Status, Tiles,
    solve::{NAME, Solution, SolveAnswer, SolveMessage, SolveRequest, Solver},
};

fn request(size: u8, goal: u64) -> SolveRequest {
    SolveRequest {
        size: Side::new(size).unwrap(),
        goal,
        list: false,
        examples: 0,
        memory: None,
        order: None,
        unpruned: false,
    }
}

fn listed(size: u8, goal: u64) -> SolveRequest {
    SolveRequest {
        list: true,
        ..request(size, goal)
    }
}

/// The answer to a request, and the solutions that were sent.
fn solve(request: &SolveRequest) -> (SolveAnswer, Vec<Solution>) {
    let mut solutions = Vec::new();
    let answer = ExhaustiveSolver.solve(request, &mut |message| {
        if let SolveMessage::Solution(solution) = message {
            solutions.push(solution);
        }
        ControlFlow::Continue(())
    });
    (answer.unwrap(), solutions)
}

/// Plays a solution by the rules of the game: it reaches its goal with its last move.
#[track_caller]
fn check_solution(size: u8, goal: u64, solution: &Solution) {
    let rules = Rules {
        side: Side::new(size).unwrap(),
        tiles: Tiles::Deterministic,
        goal: Some(goal),
        ..Rules::default()
    };
    let mut game = Game::start(rules, &Salt::NONE, 0);
    for letter in solution.moves.chars() {
        assert_eq!(game.status(), Status::Running);
        let direction = Direction::from_letter(letter).unwrap();
        assert!(game.play(direction).is_some());
    }
    assert_eq!(game.status(), Status::GoalReached);
    assert_eq!(game.board().tiles(), solution.board);
}

#[track_caller]
fn check(answer: &SolveAnswer, solutions: &str, moves: Option<(u64, u64)>) {
    assert!(answer.complete);
    assert_eq!(answer.solutions.as_deref(), Some(solutions));
    assert_eq!(answer.min_moves.zip(answer.max_moves), moves);
    let shortest = answer.shortest.as_ref().map(|path| path.moves.len() as u64);
    assert_eq!(shortest, moves.map(|(fewest, _)| fewest));
}

/// The rows of the paper's table.
const PAPER_TABLE: [(u8, u64, &str, (u64, u64)); 5] = [
    (2, 4, "6", (1, 2)),
    (2, 8, "48", (4, 5)),
    (2, 16, "168", (9, 9)),
    (3, 8, "21526", (4, 13)),
    (4, 8, "1104588", (4, 23)),
];

#[test]
fn counting_reproduces_the_papers_table() {
    for (size, goal, solutions, moves) in PAPER_TABLE {
        check(&solve(&request(size, goal)).0, solutions, Some(moves));
    }
}

#[test]
fn listing_reproduces_the_papers_table() {
    for (size, goal, n_solutions, moves) in PAPER_TABLE {
        let (answer, solutions) = solve(&listed(size, goal));
        check(&answer, n_solutions, Some(moves));
        assert_eq!(solutions.len().to_string(), n_solutions);
    }
}

#[test]
fn counting_matches_an_independent_program() {
    check(&solve(&request(2, 32)).0, "0", None);
    check(&solve(&listed(2, 32)).0, "0", None);
    check(&solve(&request(3, 16)).0, "2314261848", Some((9, 24)));
    let (answer, _) = solve(&request(3, 32));
    check(&answer, "7706864293758326", Some((18, 43)));
}

#[test]
fn solutions_are_listed_as_the_paper_prints_them() {
    let (_, solutions) = solve(&listed(2, 4));
    let printed: Vec<(&str, &[Vec<u64>])> = solutions
        .iter()
        .map(|solution| (solution.moves.as_str(), solution.board.as_slice()))
        .collect();
    assert_eq!(
        printed,
        [
            ("L", &[vec![4, 2], vec![0, 0]][..]),
            ("DU", &[vec![4, 2], vec![2, 0]]),
            ("DL", &[vec![2, 2], vec![4, 0]]),
            ("DD", &[vec![2, 0], vec![4, 2]]),
            ("DR", &[vec![2, 2], vec![0, 4]]),
            ("R", &[vec![2, 4], vec![0, 0]]),
        ]
    );
}

/// The nodes below a board, one by one: generated, expanded, killed. Without `kills`, a move that
/// changes nothing is one of at most `depth` moves.
fn nodes_below(game: &Game, kills: bool, depth: u64) -> [u64; 3] {
    if depth == 0 {
        return [0, 0, 0];
    }
    let mut nodes = [0, 1, 0];
    for direction in Direction::ALL {
        let mut after = game.clone();
        nodes[0] += 1;
        let moves = after.play(direction).is_some();
        if !moves && kills {
            nodes[2] += 1;
        } else if after.status() != Status::GoalReached {
            let below = nodes_below(&after, kills, depth - 1);
            nodes = [0, 1, 2].map(|place| nodes[place] + below[place]);
        }
    }
    nodes
}

#[test]
fn the_size_of_the_tree_is_as_counted_node_by_node() {
    // The tree of the paper's figure 11.
    let figure = ["9", "2", "1"];
    for (size, goal, deepest, known) in [(2, 4, 2, Some(figure)), (2, 8, 5, None)] {
        let rules = Rules {
            side: Side::new(size).unwrap(),
            tiles: Tiles::Deterministic,
            goal: Some(goal),
            ..Rules::default()
        };
        let game = Game::start(rules, &Salt::NONE, 0);
        let below = nodes_below(&game, true, u64::MAX);
        let expected = [below[0] + 1, below[1], below[2]].map(|number| number.to_string());
        assert!(known.is_none_or(|known| known == expected), "{expected:?}");
        let unpruned = nodes_below(&game, false, deepest)[0] + 1;
        for request in [request(size, goal), listed(size, goal)] {
            let request = SolveRequest {
                unpruned: true,
                ..request
            };
            let tree = solve(&request).0.tree.unwrap();
            assert_eq!([tree.generated, tree.expanded, tree.killed], expected);
            assert_eq!(tree.unpruned, Some(unpruned.to_string()));
        }
    }
}

#[test]
fn paths_are_listed_in_the_order_of_the_request() {
    let in_order = |order: Option<&str>| {
        let request = SolveRequest {
            order: order.map(str::to_owned),
            ..listed(2, 8)
        };
        let (_, solutions) = solve(&request);
        let paths = solutions.into_iter().map(|solution| solution.moves);
        paths.collect::<Vec<_>>()
    };
    let mut reversed = in_order(Some("RDLU"));
    reversed.reverse();
    assert_eq!(in_order(None), reversed);
    assert_eq!(in_order(Some("ULDR")), reversed);
    for wrong in ["ULD", "ULDD", "ULDRU", "uldr"] {
        let request = SolveRequest {
            order: Some(wrong.to_owned()),
            ..request(2, 4)
        };
        let refusal = ExhaustiveSolver.solve(&request, &mut |_| ControlFlow::Continue(()));
        let sentence = format!("the order must have each of U, L, D and R once, not `{wrong}`");
        assert_eq!(refusal.unwrap_err().to_string(), sentence);
    }
}

#[test]
fn every_listed_path_is_a_game_to_the_goal_and_unique() {
    let (_, solutions) = solve(&listed(3, 8));
    for solution in &solutions {
        check_solution(3, 8, solution);
    }
    let mut moves: Vec<&str> = solutions.iter().map(|path| path.moves.as_str()).collect();
    moves.sort_unstable();
    moves.dedup();
    assert_eq!(moves.len(), 21_526);
}

#[test]
fn shortest_paths_are_known_where_the_count_is_out_of_reach() {
    for exponent in 2..=11 {
        let goal = 1 << exponent;
        let small = SolveRequest {
            memory: Some(16 << 20),
            ..request(4, goal)
        };
        let (answer, _) = solve(&small);
        let shortest = answer.shortest.unwrap();
        check_solution(4, goal, &shortest);
        assert_eq!(shortest.moves.len() as u64, goal / 2 + exponent - 3);
        assert_eq!(answer.min_moves, Some(goal / 2 + exponent - 3));
        // 4×4 goal 16 has 5 million states.
        assert_eq!(answer.complete, goal <= 8);
        let reason = answer.incomplete_because.unwrap_or_default();
        assert_eq!(reason.contains("memory limit of 16 MiB"), goal > 8);
    }
}

#[test]
fn examples_come_first_in_the_order_of_the_list() {
    let (_, all) = solve(&listed(3, 8));
    let with_examples = SolveRequest {
        examples: 3,
        ..request(3, 8)
    };
    let (answer, examples) = solve(&with_examples);
    assert_eq!(examples, all[..3]);
    assert_eq!(answer.solutions.as_deref(), Some("21526"));
}

#[test]
fn a_stopped_search_answers_with_its_results_so_far() {
    for list in [false, true] {
        let mut n_messages = 0;
        let endless = SolveRequest {
            list,
            ..request(4, 2048)
        };
        let answer = ExhaustiveSolver
            .solve(&endless, &mut |_| {
                n_messages += 1;
                ControlFlow::Break(())
            })
            .unwrap();
        assert_eq!(n_messages, 1);
        assert!(!answer.complete);
        assert_eq!(answer.incomplete_because.as_deref(), Some("it was stopped"));
    }
}

#[test]
fn unsolvable_requests_are_rejected_with_the_reason() {
    #[track_caller]
    fn check_refusal(size: u8, goal: u64, sentence: &str) {
        let refusal = ExhaustiveSolver.solve(&request(size, goal), &mut |_| {
            panic!("nothing is sent");
        });
        assert_eq!(refusal.unwrap_err().to_string(), sentence);
    }
    check_refusal(5, 8, "only boards of 2×2 to 4×4 can be solved, not 5×5");
    check_refusal(
        3,
        12,
        "the goal must be one of the tiles 4, 8, 16, …, not 12",
    );
    check_refusal(3, 2, "the goal must be one of the tiles 4, 8, 16, …, not 2");
    check_refusal(4, 65536, "only goals up to 32768 can be solved, not 65536");
}

#[test]
fn the_plugin_answers_in_json() {
    let mut extension = Backtracking::extension(NAME).unwrap();
    let request = r#"{"size":3,"goal":8}"#;
    let answer = extension.call(request, &mut |_| ControlFlow::Continue(()));
    let answer = answer.unwrap();
    assert!(answer.contains(r#""solutions":"21526","min_moves":4,"max_moves":13"#));
    assert!(Backtracking::extension("solve/2").is_none());
}
