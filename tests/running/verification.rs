//! `host verify` finds every change of a log.

use std::fs;

use nix::sys::signal::Signal;
use run::game_record::GameRecord;

use crate::support::{
    TournamentTest, all_without_times,
    processes::{WAITS, finish, send_to_child, waiting_worker},
    program_folder, records_of, write_records,
};

const YAML: &str = "seeds: 1..3\nagents: [{plugin: greedy}, {plugin: random}]\n";

/// Changes the third line of a good log and expects `verify` to name the difference.
#[track_caller]
fn check(change: impl Fn(&mut GameRecord), difference: &str) {
    let test = TournamentTest::new(YAML);
    test.run(&["--workers", "1"]).expect_code(0);
    test.host(&["verify", "runs/t"]).expect_code(0);
    let mut records = records_of(&test.log());
    change(&mut records[2]);
    write_records(&test.log(), &records);
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
        |record| record.ending = run::game_record::Ending::MoveLimit,
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
    let told = test.run(&[]).expect_code(0).stderr;
    let moved = "has a game of an earlier line and was moved to damaged.jsonl\n";
    assert!(told.contains(moved), "{told}");
    assert!(told.contains("0 games to play"), "{told}");
    assert_eq!(test.records().len(), log.lines().count());
    let damaged = fs::read_to_string(test.path("runs/t/damaged.jsonl")).expect("lines");
    assert_eq!(damaged, format!("{first}\n"));
}

/// Logs are joined by hand.
#[test]
fn a_record_of_other_settings_does_not_displace_the_one_that_counts() {
    let test = TournamentTest::new(
        "seeds: 1..3\nagents: [{plugin: greedy, name: ada}, {plugin: random}]\n",
    );
    test.run(&[]).expect_code(0);
    let shown = || {
        [
            &["report", "runs/t", "--format", "csv"][..],
            &["replay", "runs/t", "--agent", "ada", "--seed", "2"],
        ]
        .map(|arguments| test.host(arguments).expect_code(0).stdout)
    };
    let page = || {
        let pages = ["report", "runs/t", "--participants", "pages"];
        test.host(&pages).expect_code(0);
        fs::read_to_string(test.path("pages/ada.html")).expect("a page")
    };
    let (before, page_before) = (shown(), page());
    let records = test.records();
    let is_first = |record: &&GameRecord| record.agent == "ada" && record.seed == 2;
    let other = GameRecord {
        score: 4,
        moves: String::new(),
        n_moves: 0,
        fingerprint: "0123456789abcdef".to_owned(),
        ..records.iter().find(is_first).expect("a record").clone()
    };
    let all: Vec<GameRecord> = [vec![other.clone()], records, vec![other]].concat();
    write_records(&test.log(), &all);
    let log = fs::read(test.log()).expect("a log");
    assert_eq!((shown(), page()), (before, page_before));
    test.host(&["verify", "runs/t", "--repair"])
        .expect_error(5, "2 records, which are sound, are not of the plan");
    assert_eq!(fs::read(test.log()).expect("a log"), log);
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
    // A path of the plan is not followed: the folder has to be named.
    let arguments = ["verify", "runs/t", "--rerun", "--plugins", "."];
    test.host(&arguments).expect_code(0);
    test.host(&arguments[..3])
        .expect_error(4, "name the folder of the plugin with --plugins");
    plugin("random");
    let reason = "is not the file that played: its SHA-256 is not that of the plan";
    test.host(&arguments).expect_error(4, reason);
}

#[test]
fn chosen_games_that_do_not_exist_are_rejected() {
    let test = TournamentTest::new("board: 2\nseeds: 1..2\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let again = |more: &[&str]| {
        let arguments = ["verify", "runs/t", "--rerun", "--agent", "greedy"];
        test.host(&[&arguments, more].concat())
    };
    let played = again(&["--seed", "2", "--budget", "no budget"]).expect_code(0);
    assert!(
        played.stdout.starts_with("greedy on seed 2 ended after"),
        "{}",
        played.stdout
    );
    again(&["--seed", "77"]).expect_error(2, "--seed 77: not one of the run's seeds (1..2)");
    again(&["--budget", "1ms cpu"]).expect_error(2, "its budgets are 'no budget'");
    fs::write(test.log(), "").expect("an empty log");
    again(&[]).expect_error(
        2,
        "`greedy` has not played yet; `host run` plays missing games",
    );
}

#[test]
fn a_rerun_that_is_interrupted_does_not_call_the_run_damaged() {
    let test = TournamentTest::new(WAITS);
    finish(test.start(&[])).expect_code(0);
    let rerun = test.start_host(&["verify", "runs/t", "--rerun", "--agent", "scripted"]);
    waiting_worker(&rerun, &[]);
    send_to_child(&rerun, Signal::SIGINT);
    let finished = finish(rerun).expect_error(130, "error: interrupted");
    let told = finished.stdout + &finished.stderr;
    assert!(!told.contains("damaged"), "{told}");
    test.host(&["verify", "runs/t"]).expect_code(0);
}

#[test]
fn a_plan_that_was_changed_is_blamed_and_not_the_records() {
    let test = TournamentTest::new("board: 2\nseeds: 1..3\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let log = fs::read(test.log()).expect("a log");
    let plan = fs::read_to_string(test.path("runs/t/plan.json")).expect("a plan");
    test.change_plan(|plan| plan["tournament"]["board"] = 3.into());
    for arguments in [&["verify", "runs/t"][..], &["verify", "runs/t", "--repair"]] {
        test.host(arguments)
            .expect_error(5, "3 records, which are sound, are not of the plan");
        assert_eq!(fs::read(test.log()).expect("a log"), log);
    }
    let report = test.host(&["report", "runs/t"]).expect_code(0);
    let warning = "ignored lines 1, 2 and 3 of the game log: each has a game that was not played with \
                   the settings of plan.json";
    assert!(report.stderr.contains(warning), "{}", report.stderr);
    // Seeds that the plan no longer has, and a line that is damaged indeed.
    test.change_plan(|plan| {
        plan["tournament"]["board"] = 2.into();
        plan["tournament"]["seeds"] = "1..2".into();
    });
    let mut damaged = log.clone();
    damaged.extend(b"{\n");
    fs::write(test.log(), &damaged).expect("a log");
    let verify = ["verify", "runs/t", "--repair"];
    test.host(&verify)
        .expect_error(5, "1 record, which is sound, is not of the plan");
    assert_eq!(fs::read(test.log()).expect("a log"), log);
    test.write("runs/t/plan.json", &plan);
    test.host(&["verify", "runs/t"]).expect_code(0);
}

#[test]
fn a_folder_that_is_not_a_run_is_reported() {
    let test = TournamentTest::new(YAML);
    test.host(&["verify", "."])
        .expect_error(2, "is not the folder of a run");
    test.host(&["verify", "runs/none"])
        .expect_error(2, "there is no folder `runs/none`");
}

#[test]
fn the_number_of_planned_games_is_shown_if_some_are_missing() {
    let test = TournamentTest::new("board: 2\nseeds: 1..3\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let complete = test.host(&["verify", "runs/t"]).expect_code(0);
    assert_eq!(
        complete.stdout,
        "3 records verified\ncomplete: no game of the plan is missing\n"
    );
    let log = fs::read_to_string(test.log()).expect("a log");
    let rest: Vec<&str> = log.split_inclusive('\n').skip(2).collect();
    fs::write(test.log(), rest.concat()).expect("a shorter log");
    let shorter = test
        .host(&["verify", "runs/t"])
        .expect_error(5, "the run is incomplete: 2 of 3 games are missing");
    assert_eq!(shorter.stdout, "1 record verified\n");
    fs::write(test.log(), "").expect("an empty log");
    test.host(&["verify", "runs/t"])
        .expect_error(5, "the run is incomplete: 3 of 3 games are missing");
    fs::remove_file(test.log()).expect("a log");
    test.host(&["verify", "runs/t"])
        .expect_error(5, "incomplete");
}

#[test]
fn every_flipped_bit_is_noticed_by_run_and_verify_and_can_be_repaired() {
    let test = TournamentTest::new("board: 2\nseeds: 1..4\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let expected = test.records();
    let log = fs::read(test.log()).expect("a log");
    // A score of 9304 instead of 1304 would enter the ranking.
    let written = String::from_utf8(log.clone()).expect("text");
    let score = written.find("\"score\":").expect("a score") + "\"score\":".len();
    let setup = written.find("\"cpu_ms\":").expect("a time") + "\"cpu_ms\":".len();
    for position in [score, setup] {
        let mut damaged = log.clone();
        damaged[position] = if damaged[position] == b'9' {
            b'8'
        } else {
            b'9'
        };
        fs::write(test.log(), &damaged).expect("a log");
        let verified = test.host(&["verify", "runs/t"]).expect_code(5);
        assert!(
            verified
                .stdout
                .contains("was changed or damaged: its checksum does not match"),
            "{}",
            verified.stdout
        );
        let repaired = test.host(&["verify", "runs/t", "--repair"]);
        let repaired = repaired.expect_error(5, "1 of 4 games are missing");
        assert!(
            repaired.stdout.contains("moved 1 line to damaged.jsonl"),
            "{}",
            repaired.stdout
        );
        assert_eq!(test.records().len(), 3);
        test.run(&[]).expect_code(0);
        assert_eq!(
            all_without_times(test.records()),
            all_without_times(expected.clone())
        );
        // `host run` does the same by itself.
        fs::write(test.log(), &damaged).expect("a log");
        test.run(&[])
            .expect_error(0, "is damaged and was moved to damaged.jsonl");
        assert_eq!(
            all_without_times(test.records()),
            all_without_times(expected.clone())
        );
        test.host(&["verify", "runs/t"]).expect_code(0);
    }
    let damaged = fs::read_to_string(test.path("runs/t/damaged.jsonl")).expect("lines");
    assert_eq!(damaged.lines().count(), 4);
}

#[test]
fn a_sample_replays_some_records_and_reads_all_of_them() {
    let test = TournamentTest::new("board: 2\nseeds: 1..20\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let sampled = test
        .host(&["verify", "runs/t", "--sample", "5"])
        .expect_code(0);
    assert!(
        sampled
            .stdout
            .starts_with("5 records verified, a sample of 20\n"),
        "{}",
        sampled.stdout
    );
    let mut records = test.records();
    for record in &mut records {
        record.score += 4;
    }
    write_records(&test.log(), &records);
    let sampled = test
        .host(&["verify", "runs/t", "--sample", "5"])
        .expect_code(5);
    assert!(
        sampled.stdout.contains("0 records verified"),
        "{}",
        sampled.stdout
    );
    let log = fs::read_to_string(test.log()).expect("a log");
    fs::write(test.log(), log.replace("\"v\":1", "\"v\":7")).expect("a log");
    test.host(&["verify", "runs/t", "--sample", "1"])
        .expect_error(5, "20 lines of the game log");
}

#[test]
fn a_report_ignores_duplicate_and_unknown_records_with_a_warning() {
    let test = TournamentTest::new("seeds: 1..3\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let before = test.host(&["report", "runs/t", "--format", "json"]);
    let mut records = test.records();
    records.push(records[0].clone());
    records.push(GameRecord {
        agent: "stranger".to_owned(),
        ..records[0].clone()
    });
    write_records(&test.log(), &records);
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
    test.change_plan(|plan| plan["v"] = 99.into());
    test.host(&["report", "runs/t"])
        .expect_error(2, "plans have format version 99; this host reads version 1");
}

#[test]
fn a_report_of_an_incomplete_run_says_so_in_every_format() {
    let test = TournamentTest::new("seeds: 1..3\nboard: 2\nagents: [{plugin: greedy}]\n");
    test.run(&["--seed", "1"]).expect_code(0);
    let sentence = "the run is incomplete: 2 of 3 games are missing";
    for (format, start) in [
        ("table", "note: "),
        ("markdown", "- "),
        ("latex", "% "),
        ("json", "\"notes\": [\n    \""),
    ] {
        let report = test.host(&["report", "runs/t", "--format", format]);
        let report = report.expect_code(0).stdout;
        let line = format!("{start}{sentence}");
        assert!(report.contains(&line), "{format}: {report}");
    }
    let csv = test.host(&["report", "runs/t", "--format", "csv"]);
    let csv = csv.expect_code(0);
    assert!(csv.stderr.contains(sentence), "{}", csv.stderr);
    assert!(!csv.stdout.contains(sentence), "{}", csv.stdout);
}
