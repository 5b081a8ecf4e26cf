//! `host verify` finds every change of a log.

use std::fs;

use arena2048::run::game_record::GameRecord;

use crate::support::{TournamentTest, program_folder, records_of};

const YAML: &str = "seeds: 1..3\nagents: [{plugin: greedy}, {plugin: random}]\n";

/// Changes the third line of a good log and expects `verify` to name the difference.
#[track_caller]
fn check(change: impl Fn(&mut GameRecord), difference: &str) {
    let test = TournamentTest::new(YAML);
    test.run(&["--workers", "1"]).expect_code(0);
    test.host(&["verify", "runs/t"]).expect_code(0);
    let mut records = records_of(&test.log());
    change(&mut records[2]);
    let lines: Vec<String> = records
        .iter()
        .map(|record| serde_json::to_string(record).expect("JSON"))
        .collect();
    fs::write(test.log(), lines.join("\n") + "\n").expect("a log");
    let finished = test.host(&["verify", "runs/t"]).expect_code(5);
    let expected = "games.jsonl line 3: ";
    assert!(finished.stdout.contains(expected), "{}", finished.stdout);
    assert!(finished.stdout.contains(difference), "{}", finished.stdout);
    assert!(
        finished.stdout.contains("5 records verified"),
        "{}",
        finished.stdout
    );
}

#[test]
fn a_changed_move_is_found() {
    for letter in ["U", "R", "D", "L"] {
        check(
            |record| {
                let middle = record.moves.len() / 2;
                let changed = if &record.moves[middle..=middle] == letter {
                    "U"
                } else {
                    letter
                };
                if &record.moves[middle..=middle] == changed {
                    record.moves.remove(middle);
                } else {
                    record.moves.replace_range(middle..=middle, changed);
                }
            },
            "",
        );
    }
}

#[test]
fn a_changed_score_is_found() {
    check(|record| record.score += 4, "the score is");
}

#[test]
fn a_changed_board_is_found() {
    check(|record| record.board[1][1] = 4096, "the final board is");
}

#[test]
fn a_changed_seed_is_found() {
    check(|record| record.seed += 1, "has seed 2, the record says 3");
}

#[test]
fn a_changed_agent_ending_or_count_is_found() {
    check(
        |record| record.agent = "random".to_owned(),
        "belongs to agent `greedy`",
    );
    check(|record| record.n_moves -= 1, "the number of moves is");
    check(|record| record.highest *= 2, "the highest tile is");
    check(
        |record| record.ending = arena2048::run::game_record::Ending::MoveLimit,
        "the ending is no-move-left",
    );
}

#[test]
fn a_duplicate_record_is_found() {
    let test = TournamentTest::new(YAML);
    test.run(&[]).expect_code(0);
    let log = fs::read_to_string(test.log()).expect("a log");
    let first = log.lines().next().expect("a line");
    fs::write(test.log(), format!("{log}{first}\n")).expect("a log");
    let finished = test.host(&["verify", "runs/t"]).expect_code(5);
    assert!(
        finished.stdout.contains("duplicates an earlier record"),
        "{}",
        finished.stdout
    );
}

#[test]
fn a_plugin_file_that_has_changed_is_named_as_the_reason() {
    let test = TournamentTest::new("board: 2\nseeds: 1\nagents: [{plugin: ./libown.so}]\n");
    let plugin = |name: &str| {
        let file = program_folder().join(format!("lib{name}.so"));
        fs::copy(file, test.path("libown.so")).expect("a copy");
    };
    plugin("greedy");
    test.run(&[]).expect_code(0);
    test.host(&["verify", "runs/t", "--rerun"]).expect_code(0);
    plugin("random");
    let finished = test.host(&["verify", "runs/t", "--rerun"]).expect_code(5);
    let reason = "played again, own on seed 1 ended after 0 moves: refused: is not the file";
    assert!(finished.stdout.contains(reason), "{}", finished.stdout);
}

#[test]
fn a_folder_that_is_not_a_run_is_reported() {
    let test = TournamentTest::new(YAML);
    test.host(&["verify", "."])
        .expect_error(2, "is not the folder of a run");
}

#[test]
fn the_number_of_planned_games_is_shown_if_some_are_missing() {
    let test = TournamentTest::new("board: 2\nseeds: 1..3\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let complete = test.host(&["verify", "runs/t"]).expect_code(0);
    assert_eq!(complete.stdout, "3 records verified\n");
    let log = std::fs::read_to_string(test.log()).expect("a log");
    let rest: Vec<&str> = log.split_inclusive('\n').skip(2).collect();
    std::fs::write(test.log(), rest.concat()).expect("a shorter log");
    let shorter = test.host(&["verify", "runs/t"]).expect_code(0);
    assert_eq!(
        shorter.stdout,
        "1 record verified\nplanned games without a verified record: 2 of 3\n"
    );
}

#[test]
fn a_report_ignores_duplicate_and_unknown_records_with_a_warning() {
    let test = TournamentTest::new("seeds: 1..3\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let before = test.host(&["report", "runs/t", "--format", "json"]);
    let log = fs::read_to_string(test.log()).unwrap();
    let first = log.lines().next().unwrap();
    let foreign = first.replace("\"agent\":\"greedy\"", "\"agent\":\"stranger\"");
    fs::write(test.log(), format!("{log}{first}\n{foreign}\n")).unwrap();
    let after = test
        .host(&["report", "runs/t", "--format", "json"])
        .expect_error(
            0,
            "ignored line 4 of the game log: it duplicates an earlier game",
        );
    assert!(
        after
            .stderr
            .contains("line 5 of the game log: it has a game of an agent")
    );
    assert_eq!(after.stdout, before.stdout);
}

#[test]
fn an_unknown_format_version_is_rejected() {
    let test = TournamentTest::new("seeds: 1..2\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let log = fs::read_to_string(test.log()).unwrap();
    fs::write(test.log(), log.replacen("{\"v\":1,", "{\"v\":99,", 1)).unwrap();
    let verdict = test.host(&["verify", "runs/t"]).expect_code(5);
    assert!(verdict.stdout.contains("version 99"), "{}", verdict.stdout);
    let plan = fs::read_to_string(test.path("runs/t/plan.json")).unwrap();
    test.write(
        "runs/t/plan.json",
        &plan.replacen("\"v\": 1,", "\"v\": 99,", 1),
    );
    test.host(&["report", "runs/t"])
        .expect_error(2, "format version 99 is not supported");
}
