//! `host ask` and `host explain`.
//!
//! The values in the trees of the papers' agents are compared with recursions that are written
//! here, without bounds, tables or order: they share nothing with the agents but the rules.

use std::{collections::HashMap, fs};

use plugin_api::{Board, Direction, Side};
use serde_json::{Value, json};

use crate::support::{Finished, TournamentTest, host};

/// A board with few empty cells, so that the plain recursions end soon.
const CROWDED: &str = "256 128 32 8/16 64 16 4/4 8 2 2/2 4 8 0";
const OTHER: &str = "2 4 8 16/4 8 16 32/2 2 4 8/0 0 2 4";

fn explain(arguments: &[&str]) -> Finished {
    Finished::of(host().arg("explain").args(arguments))
}

fn explained(board: &str, agent: &[&str]) -> Value {
    let mut arguments = vec![
        "--board", board, "--format", "json", "--nodes", "20000", "--agent",
    ];
    arguments.extend(agent);
    let finished = explain(&arguments).expect_code(0);
    serde_json::from_str(&finished.stdout).expect("JSON")
}

fn board_of(node: &Value) -> Board {
    let rows: Vec<Vec<u64>> = serde_json::from_value(node["board"].clone()).expect("rows");
    Board::from_tiles(&rows).expect("a board")
}

fn number(value: &Value) -> f64 {
    match value.as_str() {
        Some("inf") => f64::INFINITY,
        Some("-inf") => f64::NEG_INFINITY,
        Some(other) => panic!("{other}"),
        None => value
            .as_f64()
            .unwrap_or_else(|| panic!("{value} is no number")),
    }
}

/// The boards after a move.
fn moved(board: &Board) -> Vec<Board> {
    let slides = Direction::ALL.map(|direction| board.slide(direction));
    slides
        .into_iter()
        .flatten()
        .map(|slide| slide.board)
        .collect()
}

/// The boards after a new tile, with their probabilities.
fn with_tiles(board: &Board) -> Vec<(Board, f64)> {
    let n_empty = f64::from(u32::try_from(board.n_empty()).expect("a few cells"));
    let cells = board.empty_cells();
    cells
        .flat_map(|cell| {
            [(1, 0.9), (2, 0.1)]
                .map(|(exponent, share)| (board.with_tile(cell, exponent), share / n_empty))
        })
        .collect()
}

/// The paper's H = 4096·E − 10·D − 10·P.
fn paper_value(board: &Board) -> f64 {
    let tiles = board.tiles();
    let last = tiles.len() - 1;
    let (mut empty, mut differences, mut inside) = (0, 0, 0);
    for (row, column) in (0..=last).flat_map(|row| (0..=last).map(move |column| (row, column))) {
        let tile = tiles[row][column];
        empty += u64::from(tile == 0);
        if row < last {
            differences += tile.abs_diff(tiles[row + 1][column]);
        }
        if column < last {
            differences += tile.abs_diff(tiles[row][column + 1]);
        }
        let to_edge = row.min(column).min(last - row).min(last - column);
        inside += tile * to_edge as u64;
    }
    as_f64(4096 * empty) - as_f64(10 * differences) - as_f64(10 * inside)
}

#[expect(clippy::cast_precision_loss, reason = "values of small boards")]
fn as_f64(number: u64) -> f64 {
    number as f64
}

/// Plain minimax: the value of a board, and the number of nodes below it with itself.
fn minimax(board: &Board, plies: u32, is_players_turn: bool) -> (f64, u64) {
    if is_players_turn && board.is_over() {
        return (f64::NEG_INFINITY, 1);
    }
    if plies == 0 {
        return (paper_value(board), 1);
    }
    let results: Vec<(f64, u64)> = if is_players_turn {
        let boards = moved(board);
        boards
            .iter()
            .map(|board| minimax(board, plies - 1, false))
            .collect()
    } else {
        let boards = with_tiles(board);
        boards
            .iter()
            .map(|(board, _)| minimax(board, plies - 1, true))
            .collect()
    };
    let n_nodes = 1 + results.iter().map(|result| result.1).sum::<u64>();
    let values = results.iter().map(|result| result.0);
    let value = if is_players_turn {
        values.fold(f64::NEG_INFINITY, f64::max)
    } else {
        values.fold(f64::INFINITY, f64::min)
    };
    (value, n_nodes)
}

/// Every node of a tree with the depth that is left for it, from the root down.
fn each_node(tree: &Value, mut check: impl FnMut(&Value, usize)) {
    let nodes = tree["nodes"].as_array().expect("nodes");
    let mut levels: Vec<usize> = Vec::new();
    for node in nodes {
        let level = node["parent"].as_u64().map_or(0, |parent| {
            1 + levels[usize::try_from(parent).expect("an index")]
        });
        levels.push(level);
        check(node, level);
    }
}

fn n_visited(tree: &Value) -> u64 {
    let n_listed = tree["nodes"].as_array().expect("nodes").len();
    n_listed as u64 + tree["left_out"].as_u64().expect("a number")
}

fn check_close(found: f64, expected: f64, node: &Value) {
    let is_close = found.total_cmp(&expected).is_eq()
        || (found - expected).abs() <= 1e-9 * expected.abs().max(1.0);
    assert!(is_close, "{found} instead of {expected}: {node:#}");
}

/// Alpha-beta gives the value of plain minimax with fewer nodes, and every node of its tree says
/// something true.
#[test]
fn a_minimax_tree_has_the_values_of_a_plain_recursion() {
    for (board, plies) in [(CROWDED, 2), (CROWDED, 4), (OTHER, 3)] {
        let plies_left = |level: usize| plies - u32::try_from(level).expect("a few levels");
        let tree = explained(board, &["minimax", "--params", &format!("depth={plies}")]);
        let mut n_valued = 0;
        each_node(&tree, |node, level| {
            let (expected, _) = minimax(&board_of(node), plies_left(level), level % 2 == 0);
            let found = number(&node["value"]);
            match node["relation"].as_str() {
                None => check_close(found, expected, node),
                Some("at-most") => assert!(expected <= found, "{expected}: {node:#}"),
                Some("at-least") => assert!(expected >= found, "{expected}: {node:#}"),
                Some(other) => panic!("{other}"),
            }
            n_valued += 1;
        });
        let root: Board = board.parse().expect("a board");
        let (value, n_plain) = minimax(&root, plies, true);
        check_close(number(&tree["nodes"][0]["value"]), value, &tree["nodes"][0]);
        let n_pruned = n_visited(&tree);
        assert!(
            n_valued > 3 && n_pruned < n_plain,
            "{n_pruned} of {n_plain} nodes"
        );
    }
}

/// Without pruning and without a table, the agent visits exactly the nodes of the recursion.
#[test]
fn minimax_without_savings_visits_every_node() {
    for (board, plies) in [(CROWDED, 4), (OTHER, 3)] {
        let visited = |switches: &[&str]| {
            let depth = format!("depth={plies}");
            let mut agent = vec!["minimax", "--params", &depth];
            agent.extend(switches.iter().flat_map(|switch| ["--params", switch]));
            let tree = explained(board, &agent);
            (number(&tree["nodes"][0]["value"]), n_visited(&tree))
        };
        let root: Board = board.parse().expect("a board");
        let (value, n_plain) = minimax(&root, plies, true);
        let (plain, n_nodes) = visited(&["prune=false", "table=false"]);
        assert_eq!(n_nodes, n_plain, "{board}");
        let (pruned, n_pruned) = visited(&[]);
        assert!(n_pruned < n_plain, "{n_pruned} of {n_plain} nodes");
        for found in [plain, pruned] {
            check_close(found, value, &found.into());
        }
    }
}

/// Values that were computed before: recursions ask for a board many times.
type Known = HashMap<(Board, u32, bool), f64>;

/// The mean over the tiles and the best of the moves, with this many moves to follow.
fn expectimax(board: &Board, depth: u32, is_players_turn: bool, known: &mut Known) -> f64 {
    const LOST: f64 = -1e9;
    if let Some(&value) = known.get(&(*board, depth, is_players_turn)) {
        return value;
    }
    let value = match (is_players_turn, depth) {
        (true, _) if board.is_over() => LOST,
        (true, 0) => paper_value(board),
        (true, _) => {
            let boards = moved(board);
            let values = boards
                .iter()
                .map(|board| expectimax(board, depth - 1, false, known));
            values.fold(f64::NEG_INFINITY, f64::max)
        }
        (false, _) => {
            let boards = with_tiles(board);
            let parts = boards
                .iter()
                .map(|(board, share)| share * expectimax(board, depth, true, known));
            parts.sum()
        }
    };
    known.insert((*board, depth, is_players_turn), value);
    value
}

#[test]
fn an_expectimax_tree_has_the_values_of_a_plain_recursion() {
    for (board, depth) in [(CROWDED, 1), (CROWDED, 2), (OTHER, 2)] {
        let tree = explained(
            board,
            &["expectimax", "--params", &format!("depth={depth}")],
        );
        let mut known = Known::new();
        each_node(&tree, |node, level| {
            // Max nodes are on even levels; each has one move less to go than the one above.
            let n_moves = u32::try_from(level.div_ceil(2)).expect("a few levels");
            let is_players_turn = level % 2 == 0;
            let depth = depth - n_moves;
            let expected = expectimax(&board_of(node), depth, is_players_turn, &mut known);
            check_close(number(&node["value"]), expected, node);
        });
        assert_eq!(tree["left_out"], 0, "every node was compared");
        assert!(n_visited(&tree) > 10);
    }
}

/// The highest of the eight sums of weight times tile along a snake.
fn snake_score(board: &Board, ratio: f64) -> f64 {
    let mut tiles = board.tiles();
    let mut best = 0.0_f64;
    for _ in 0..2 {
        for _ in 0..4 {
            let snake = tiles.iter().enumerate().flat_map(|(row, line)| {
                let mut line = line.clone();
                if row % 2 == 1 {
                    line.reverse();
                }
                line
            });
            let weights = std::iter::successors(Some(1.0), |weight| Some(weight * ratio));
            best = best.max(
                snake
                    .zip(weights)
                    .map(|(tile, weight)| as_f64(tile) * weight)
                    .sum(),
            );
            // A quarter turn.
            let side = tiles.len();
            let turned = (0..side).map(|row| (0..side).map(|c| tiles[side - 1 - c][row]).collect());
            tiles = turned.collect();
        }
        tiles.reverse();
    }
    best
}

/// The depth for a number of empty cells, as in the paper.
fn snake_depth(n_empty: usize) -> u32 {
    match n_empty {
        0..=2 => 3,
        3..=5 => 2,
        _ => 1,
    }
}

fn snake(board: &Board, depth: u32, is_players_turn: bool, known: &mut Known) -> f64 {
    const RATIO: f64 = 4.0;
    if let Some(&value) = known.get(&(*board, depth, is_players_turn)) {
        return value;
    }
    let value = if is_players_turn {
        let boards = if depth == 0 { Vec::new() } else { moved(board) };
        let values = boards
            .iter()
            .map(|board| snake(board, depth - 1, false, known));
        let best = values.max_by(f64::total_cmp);
        best.unwrap_or_else(|| snake_score(board, RATIO))
    } else {
        let depth = depth.min(snake_depth(board.n_empty()));
        let boards = with_tiles(board);
        let parts = boards
            .iter()
            .map(|(board, share)| share * snake(board, depth, true, known));
        parts.sum()
    };
    known.insert((*board, depth, is_players_turn), value);
    value
}

#[test]
fn a_snake_tree_has_the_values_of_a_plain_recursion() {
    for board in [CROWDED, OTHER, "64 32 16 8/0 0 2 4/0 0 0 0/0 0 0 2"] {
        let tree = explained(board, &["snake", "--params", "r=4"]);
        let mut depths: Vec<u32> = Vec::new();
        let mut known = Known::new();
        each_node(&tree, |node, level| {
            let board = board_of(node);
            let above = node["parent"]
                .as_u64()
                .map(|parent| depths[usize::try_from(parent).expect("an index")]);
            let depth = match (above, level % 2) {
                (None, _) => snake_depth(board.n_empty()),
                (Some(above), 1) => (above - 1).min(snake_depth(board.n_empty())),
                (Some(above), _) => above,
            };
            depths.push(depth);
            let expected = snake(&board, depth, level % 2 == 0, &mut known);
            check_close(number(&node["value"]), expected, node);
        });
        assert!(depths.len() > 30, "{} nodes", depths.len());
    }
}

/// Figure 11 of the paper on backtracking, and the steps that it describes.
#[test]
fn the_state_space_tree_of_the_paper_comes_out() {
    let paper = [
        "--board",
        "2 2/0 0",
        "--deterministic",
        "--goal",
        "4",
        "--agent",
        "backtracking",
    ];
    let steps = explain(&paper).expect_code(0).stdout;
    let expected = "\
1  root: no goal yet, node expanded
2    try up: the board does not change, node killed
3    try left: goal, solution 1  → 4 2 / . .
4    try down: no goal yet, node expanded  → 2 . / 2 2
5      try up: goal, solution 2  → 4 2 / 2 .
6      try left: goal, solution 3  → 2 2 / 4 .
7      try down: goal, solution 4  → 2 . / 4 2
8      try right: goal, solution 5  → 2 2 / . 4
   back to node 1
9    try right: goal, solution 6  → 2 4 / . .
   the search ends

choice: left
nodes:  9 nodes visited, 2 expanded, 6 solutions, 1 killed
";
    assert!(steps.ends_with(expected), "{steps}");
    let svg = explain(&[&paper[..], &["--format", "svg"]].concat())
        .expect_code(0)
        .stdout;
    assert_eq!(svg.matches("class=\"still-board\"").count(), 9);
    assert_eq!(svg.matches(">killed<").count(), 1);
    assert!(svg.contains(">solution 6<"), "{svg}");
}

#[test]
fn every_agent_is_drawn_in_every_format() {
    for agent in [
        ["--agent", "minimax", "--budget", "500"],
        ["--agent", "expectimax", "--budget", "500"],
        ["--agent", "snake", "--budget", "500"],
        ["--agent", "mcts", "--budget", "500"],
        ["--agent", "backtracking", "--budget", "500"],
    ] {
        let written = |format: &str| {
            let arguments = [&["--board", OTHER, "--format", format], &agent[..]].concat();
            explain(&arguments).expect_code(0).stdout
        };
        let svg = written("svg");
        let n_boards = svg.matches("class=\"still-board\"").count();
        assert!((4..=60).contains(&n_boards), "{agent:?}: {n_boards} boards");
        assert!(svg.contains("width=\"180.0mm\""), "{agent:?}");
        // The same nodes in every drawing.
        let dot = written("dot");
        assert_eq!(dot.matches(" [label=<").count(), n_boards, "{agent:?}");
        assert_eq!(dot.matches(" -> ").count(), n_boards - 1, "{agent:?}");
        let tikz = written("tikz");
        assert_eq!(tikz.matches("fill=well").count(), n_boards, "{agent:?}");
        let n_open = tikz.matches('{').count();
        assert_eq!(n_open, tikz.matches('}').count(), "{agent:?}");
        assert!(tikz.is_ascii(), "{agent:?}: {tikz}");
        assert!(written("text").contains("\nchoice: "), "{agent:?}");
    }
}

/// A board whose tiles are drawn from a generator with this state.
fn random_board(mut state: u64) -> String {
    let mut below = |limit: u64| {
        // Knuth's multiplier; the high bits are the random ones.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % limit
    };
    let tiles: Vec<u64> = (0..16)
        .map(|_| match below(4) {
            0 => 0,
            _ => 2 << below(8),
        })
        .collect();
    let rows = tiles.chunks(4).map(|row| row.iter().map(u64::to_string));
    let rows: Vec<String> = rows.map(|row| row.collect::<Vec<_>>().join(" ")).collect();
    rows.join("/")
}

#[test]
fn every_agent_explains_random_boards_without_a_budget() {
    for agent in [
        &["minimax"][..],
        &["minimax", "--params", "depth=2"],
        &["expectimax"],
        &["expectimax", "--params", "depth=2"],
        &["snake"],
        &["mcts"],
        &["backtracking"],
        &["backtracking", "--params", "depth=2"],
    ] {
        for seed in [1, 2, 3] {
            let board = random_board(seed);
            let steps = explain(&[&["--board", &board, "--agent"], agent].concat());
            let steps = steps.expect_code(0).stdout;
            assert!(
                steps.contains("\nchoice: "),
                "{agent:?} on {board}: {steps}"
            );
        }
    }
}

#[test]
fn a_depth_is_searched_or_refused() {
    let with_depth = |agent: &[&str], depth: &str| {
        explain(&[&["--board", OTHER, "--depth", depth, "--agent"], agent].concat())
    };
    for (agent, depth, method) in [
        (
            &["minimax"][..],
            "1",
            "minimax: minimax with alpha–beta, 1 ply\n",
        ),
        (
            &["minimax"],
            "6",
            "minimax: minimax with alpha–beta, 6 plies\n",
        ),
        (
            &["expectimax", "--params", "depth=1"],
            "2",
            "expectimax: expectimax, 2 moves deep\n",
        ),
    ] {
        let steps = with_depth(agent, depth).expect_code(0).stdout;
        assert!(steps.starts_with(method), "{steps}");
    }
    let deeper = with_depth(&["expectimax"], "6").expect_code(0).stdout;
    assert!(deeper.contains(", 6 "), "{deeper}");
    for (agent, reason) in [
        (
            "minimax",
            "it searches 1 to 20 plies, as its parameter `depth`",
        ),
        ("snake", "with 2 empty cells it searches 3 deep"),
        ("mcts", "it has no depth; its parameter `nodes`"),
        (
            "backtracking",
            "it plans 1 to 64 moves, as its parameter `depth`",
        ),
    ] {
        let refused = with_depth(&[agent], "99").expect_code(4).stderr;
        assert!(refused.contains(reason), "{refused}");
    }
}

/// A program that does this in Python when it is to explain a board.
fn agent_that(statement: &str) -> String {
    format!(
        "import sys\n\
         for line in sys.stdin:\n    \
             word = line.split()[0]\n    \
             if word == 'arena':\n        \
                 print('agent {{\"name\": \"liar\", \"extensions\": [\"explain/1\"]}}')\n    \
             elif word == 'extension':\n        \
                 print('message {{}}')\n        \
                 {statement}\n"
    )
}

#[test]
fn a_wrong_explanation_names_the_agent_and_the_node() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("liar.py");
    for (answer, expected) in [
        (
            r#"answer {"method": "m", "nodes": [{"kind": "max"}, {"parent": 5, "kind": "leaf"}]}"#,
            "agent `liar`: its explanation is wrong: node 1: its parent, 5, is not an earlier node",
        ),
        (
            r#"answer {"method": "m", "nodes": [{"kind": "max"}, {"parent": 0, "kind": "min", "move": "up"}]}"#,
            "agent `liar`: its explanation is wrong: node 1: the move up changes nothing",
        ),
        ("answer [", "agent `liar`: its explanation is malformed"),
        (
            "error no time",
            "agent `liar`: rejected the request: “no time”",
        ),
        (
            "move up",
            "agent `liar`: wrote `move …` where `message {…}` or `answer {…}` was expected",
        ),
    ] {
        fs::write(&file, agent_that(&format!("print('''{answer}''')"))).expect("a file");
        let path = file.to_string_lossy();
        let finished = explain(&["--board", "2 4/0 0", "--agent", &path]).expect_code(4);
        assert!(finished.stderr.contains(expected), "{}", finished.stderr);
    }
}

/// What no honest agent does ends with a sentence about the agent.
#[test]
fn a_hostile_explanation_does_no_harm() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("liar.py");
    let run = |statement: &str, format: &str| {
        fs::write(&file, agent_that(statement)).expect("a file");
        let path = file.to_string_lossy();
        explain(&["--board", "2 4/0 0", "--agent", &path, "--format", format])
    };
    for (statement, expected) in [
        (
            "raise ValueError('no idea')",
            "agent `liar`: ended its process with exit code 1: \
             “ValueError: no idea (liar.py, line 8)”",
        ),
        (
            "print('x' * (65 << 20))",
            "which is longer than 64 MiB, where `message {…}` or `answer {…}` was expected",
        ),
        (
            r#"print('answer {"method": "m", "nodes": [{"kind": "max", "value": "nan"}]}')"#,
            "expected a number, 'inf' or '-inf'",
        ),
    ] {
        let finished = run(statement, "text").expect_code(4);
        assert!(finished.stderr.contains(expected), "{}", finished.stderr);
    }
    // Counts that no number can hold together.
    let counts = r#"print('answer {"method": "m", "left_out": 18446744073709551615, "nodes": [
        {"kind": "max", "left_out": 18446744073709551615},
        {"parent": 0, "kind": "leaf", "move": "down", "left_out": 18446744073709551615},
        {"parent": 1, "kind": "leaf", "left_out": 18446744073709551615}]}')"#;
    let text = run(&counts.replace('\n', " "), "text")
        .expect_code(0)
        .stdout;
    assert!(
        text.contains("18,446,744,073,709,551,615 nodes visited"),
        "{text}"
    );
    run(&counts.replace('\n', " "), "svg").expect_code(0);
}

#[test]
fn agents_without_the_extension_say_so() {
    for agent in ["greedy", "random"] {
        let finished = explain(&["--board", "2 4/0 0", "--agent", agent]).expect_code(4);
        let expected = format!("agent `{agent}` does not explain its moves");
        assert!(finished.stderr.contains(&expected), "{}", finished.stderr);
        let way_out = "`host ask` gives the move of any agent";
        assert_eq!(
            finished.stderr.matches(way_out).count(),
            1,
            "{}",
            finished.stderr
        );
    }
    let over = explain(&["--board", "2 4/4 2", "--agent", "minimax"]).expect_code(2);
    assert!(over.stderr.contains("no move is left"), "{}", over.stderr);
    let typo = explain(&["--board", "2 4/4 3", "--agent", "minimax"]).expect_code(2);
    assert!(
        typo.stderr.contains("row 2, number 2: `3` is not a tile"),
        "{}",
        typo.stderr
    );
}

#[test]
fn several_agents_are_asked_each_with_its_own_parameters() {
    let ask = |more: &[&str]| {
        let mut command = host();
        command.args([
            "ask", "--board", CROWDED, "--agent", "minimax", "--params", "depth=2",
        ]);
        command.args([
            "--agent",
            "expectimax",
            "--params",
            "depth=2",
            "--agent",
            "greedy",
            "--agent",
            "scripted",
        ]);
        Finished::of(command.args(more)).expect_code(0).stdout
    };
    let answers: Value = serde_json::from_str(&ask(&["--format", "json"])).expect("JSON");
    let root: Board = CROWDED.parse().expect("a board");
    let states = |agent: usize| {
        let moves = answers["agents"][agent]["moves"].as_array().expect("moves");
        let states = moves
            .iter()
            .map(|said| said["state"].as_str().expect("a state"));
        states.collect::<Vec<_>>()
    };
    assert_eq!(states(0), ["illegal", "valued", "lost", "pruned"]);
    assert_eq!(states(1), ["illegal", "valued", "valued", "valued"]);
    assert_eq!(states(2), ["illegal", "unvalued", "unvalued", "unvalued"]);
    let (value, _) = minimax(&root, 2, true);
    let said = &answers["agents"][0]["moves"][1];
    check_close(number(&said["value"]), value, said);
    let ranks: Vec<Option<u64>> = answers["agents"][1]["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .map(|said| said["rank"].as_u64())
        .collect();
    assert_eq!(ranks, [None, Some(1), Some(3), Some(2)]);
    let table = ask(&[]);
    assert!(
        table.contains("minimax depth=2     right  illegal  "),
        "{table}"
    );
    let notes = |agent: usize| {
        let said = &answers["agents"][agent];
        (said["numbers"].clone(), said["text"].clone())
    };
    assert_eq!(notes(2), (json!({}), Value::Null));
    assert_eq!(
        notes(3),
        (json!({"twice the move": 2.0}), json!("<b>ten</b> moves"))
    );
    let line = "\nscripted: “twice the move” 2, “<b>ten</b> moves”\n";
    assert!(table.contains(line), "{table}");
}

#[test]
fn a_position_of_a_run_is_the_board_of_its_replay() {
    let test = TournamentTest::new("name: t\nseeds: [3]\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let run = test.path("runs/t");
    let run = run.to_string_lossy();
    let replay = test.host(&[
        "replay", &run, "--agent", "greedy", "--seed", "3", "--from", "9", "--to", "9",
    ]);
    let replay = replay.expect_code(0).stdout;
    let shown = replay
        .lines()
        .next()
        .expect("a line")
        .rsplit("  ")
        .next()
        .expect("a board");
    let position = [
        "--run",
        &run,
        "--played-by",
        "greedy",
        "--seed",
        "3",
        "--move",
        "9",
    ];
    let asked = test.host(
        &[
            &["ask", "--agent", "greedy", "--format", "json"],
            &position[..],
        ]
        .concat(),
    );
    let answer: Value = serde_json::from_str(&asked.expect_code(0).stdout).expect("JSON");
    let board: Board = shown.parse().expect("a board");
    assert_eq!((board.side(), board_of(&answer)), (Side::FOUR, board));
    let late = [
        &["ask", "--agent", "greedy"],
        &position[..6],
        &["--move", "99999"],
    ]
    .concat();
    let late = test.host(&late).expect_code(2);
    assert!(
        late.stderr.contains("--move 99999: the game has "),
        "{}",
        late.stderr
    );
}

#[test]
fn errors_of_the_command_line_name_the_option_and_the_way_out() {
    let test = TournamentTest::new("seeds: 1..1\nboard: 2\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let board = "2 2/0 0";
    let large = "2 2/1180591620717411303424 0";
    for (arguments, code, part) in [
        (
            &["--board", board, "--move", "4"][..],
            2,
            "--move 4: belongs to --run",
        ),
        (&["--board", "-2 2/0 0"], 2, "`-2` is not a tile"),
        (
            &["--board", large],
            2,
            "is too large; the largest tile is 9223372036854775808",
        ),
        (&["--board", "0 0/0 0"], 2, "--board: has no tile"),
        (
            &["--board", board, "--nodes", "-1"],
            2,
            "expected a whole number of at least 1",
        ),
        (
            &["--board", board, "--budget", "-5"],
            2,
            "a number of nodes as 20000",
        ),
        (
            &["--board", board, "--budget", "0"],
            2,
            "--agent minimax: --budget: ",
        ),
        (
            &["--board", board, "--params", "dept=3"],
            4,
            "--agent minimax: parameter `dept`: unknown",
        ),
        (
            &["--run", "runs/t", "--played-by", "gready"],
            2,
            "--played-by gready: the run has no agent of this name",
        ),
        (
            &["--board", board, "--format", "svg", "--out", "x.png"],
            2,
            "the ending of the file says png, and --format says svg",
        ),
    ] {
        let mut all = vec!["explain", "--agent", "minimax"];
        all.extend(arguments);
        test.host(&all).expect_error(code, part);
    }
}

#[test]
fn a_missing_folder_of_a_file_is_created() {
    let test = TournamentTest::new("seeds: 1..1\nboard: 2\nagents: [{plugin: greedy}]\n");
    test.run(&["--events", "new/a/events.jsonl"]).expect_code(0);
    test.host(&["report", "runs/t", "--html", "new/b/page.html"])
        .expect_code(0);
    let position = ["explain", "--board", "2 2/0 0", "--agent", "minimax"];
    test.host(&[&position[..], &["--out", "new/c/x.svg"]].concat())
        .expect_code(0);
    let tree = ["solve", "--size", "2", "--goal", "8", "--tree"];
    test.host(&[&tree[..], &["new/d/x.svg"]].concat())
        .expect_code(0);
    for file in ["a/events.jsonl", "b/page.html", "c/x.svg", "d/x.svg"] {
        assert!(test.path("new").join(file).is_file(), "{file}");
    }
    test.host(&[&position[..], &["--out", "t.yaml/x.svg"]].concat())
        .expect_error(1, "cannot write `t.yaml/x.svg`");
    fs::remove_file(test.log()).expect("a log");
    fs::create_dir(test.log()).expect("a folder");
    test.host(&["report", "runs/t"]).expect_error(
        1,
        "cannot read `runs/t/games.jsonl`: it is not a regular file",
    );
}
