//! `host replay` shows a game of a run, move by move.

use std::fs;

use crate::support::{TournamentTest, write_records};

const YAML: &str = "seeds: 1..2\nagents: [{plugin: greedy}, {plugin: random}]\n";

#[test]
fn a_pipe_gets_one_line_per_move_and_the_recorded_score() {
    let test = TournamentTest::new(YAML);
    test.run(&[]).expect_code(0);
    let records = test.records();
    let record = &records[2];
    assert_eq!((record.agent.as_str(), record.seed), ("greedy", 2));
    let replay = |more: &[&str]| {
        let arguments = ["replay", "runs/t", "--agent", "greedy", "--seed", "2"];
        let finished = test.host(&[&arguments, more].concat()).expect_code(0);
        let lines = finished.stdout.lines().map(str::to_owned);
        lines.collect::<Vec<String>>()
    };
    let lines = replay(&[]);
    // The start, the moves, the ending.
    assert_eq!(lines.len() as u64, record.n_moves + 2);
    let last = lines.last().expect("a line");
    assert_eq!(
        last,
        &format!(
            "ended with no-move-left, score {}, highest tile {}",
            record.score, record.highest
        )
    );
    let rows: Vec<String> = record
        .board
        .iter()
        .map(|row| row.iter().map(u64::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    assert!(lines[lines.len() - 2].ends_with(&rows.join(" / ")));

    let part = replay(&["--from", "5", "--to", "7"]);
    assert_eq!(part[..3], lines[5..8]);
    assert_eq!(
        part[3],
        format!("the game continues to move {}", record.n_moves)
    );
}

#[test]
fn the_board_after_a_move_is_written_as_a_picture() {
    let test = TournamentTest::new("seeds: 1..1\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let replay = [
        "replay", "runs/t", "--agent", "greedy", "--seed", "1", "--from", "9",
    ];
    let picture = |file: &str| test.host(&[&replay[..], &["--picture", file]].concat());
    picture("new/board.svg").expect_code(0);
    let svg = fs::read_to_string(test.path("new/board.svg")).expect("a picture");
    assert!(
        svg.starts_with("<svg ") && svg.contains("class=\"still-board\""),
        "{svg}"
    );
    assert!(svg.contains(", move 9</text>"), "{svg}");
    picture("board.gif").expect_error(2, "--picture board.gif: the ending must be svg, pdf or png");
}

#[test]
fn a_game_that_cannot_be_replayed_is_explained() {
    let test = TournamentTest::new(YAML);
    test.run(&[]).expect_code(0);
    let check = |agent: &str, seed: &str, more: &[&str], code: i32, part: &str| {
        let arguments = ["replay", "runs/t", "--agent", agent, "--seed", seed];
        test.host(&[&arguments, more].concat())
            .expect_error(code, part);
    };
    check("greedi", "1", &[], 2, "did you mean `greedy`?");
    check("mcts", "1", &[], 2, "known agents: greedy, random");
    check("greedy", "3", &[], 2, "not one of the run's seeds (1..2)");
    let budget = ["--budget", "1ms cpu"];
    check("greedy", "1", &budget, 2, "its budgets are 'no budget'");
    check(
        "greedy",
        "1",
        &["--from", "99999"],
        2,
        "must not be after the last move shown",
    );
    check("greedy", "1", &["--speed", "0"], 2, "a number above 0");
    let mut records = test.records();
    for record in &mut records {
        record.moves.insert(0, 'X');
    }
    write_records(&test.log(), &records);
    check(
        "greedy",
        "1",
        &[],
        5,
        "move 1 is `X`, which is not a direction",
    );
    fs::write(test.log(), "").expect("a log");
    check("greedy", "1", &[], 2, "has not played seed 1 yet");
}

#[test]
fn one_of_several_budgets_has_to_be_chosen() {
    let yaml = "seeds: 1..1\nbudget: [{nodes: 10}, {nodes: 20}]\nagents: [{plugin: greedy}]\n";
    let test = TournamentTest::new(yaml);
    test.run(&[]).expect_code(0);
    let arguments = ["replay", "runs/t", "--agent", "greedy", "--seed", "1"];
    test.host(&arguments)
        .expect_error(2, "choose one with --budget: '10 nodes', '20 nodes'");
    let chosen = [&arguments[..], &["--budget", "20 nodes"]].concat();
    test.host(&chosen).expect_code(0);
}
