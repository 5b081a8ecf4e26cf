//! Repeatability: the records do not depend on workers, isolation, kills or extensions.

use std::fs;

use nix::sys::signal::Signal;

use crate::support::{Finished, TournamentTest, all_without_times, processes::send_to_child};

fn yaml(seeds: &str, isolation: &str) -> String {
    format!(
        "seeds: {seeds}\nisolation: {isolation}\nagents:\n- plugin: random\n- plugin: greedy\n\
         - plugin: scripted\n  params: {{misdeed: illegal-move, on_move: 20}}\n"
    )
}

fn records_with(yaml: &str, arguments: &[&str]) -> Vec<run::game_record::GameRecord> {
    let test = TournamentTest::new(yaml);
    test.run(arguments).expect_code(0);
    all_without_times(test.records())
}

#[test]
fn the_records_do_not_depend_on_workers_or_isolation() {
    let alone = records_with(&yaml("1..10", "process"), &["--workers", "1"]);
    assert_eq!(alone.len(), 10 + 10 + 3, "the third agent is disqualified");
    assert_eq!(
        alone,
        records_with(&yaml("1..10", "process"), &["--workers", "2"])
    );
    assert_eq!(
        alone,
        records_with(&yaml("1..10", "none"), &["--workers", "1"])
    );
    assert_eq!(
        alone,
        records_with(&yaml("1..10", "none"), &["--workers", "2"])
    );
}

#[test]
fn a_run_that_is_killed_ten_times_ends_with_the_same_records() {
    let tournament = yaml("1..60", "process");
    let undisturbed = records_with(&tournament, &[]);
    let test = TournamentTest::new(&tournament);
    // Each time it gets a little further; SIGKILL leaves no time to tidy up.
    for n_games in [1, 1, 1, 2, 3, 5, 8, 13, 21, 34] {
        let mut child = test.start_and_wait_for_games(n_games, &[]);
        child.kill().expect("the host can be killed");
        child.wait().expect("the host is reaped");
    }
    let resumed = test.run(&[]).expect_code(0);
    assert!(
        resumed.stderr.contains("already played"),
        "{}",
        resumed.stderr
    );
    assert_eq!(undisturbed, all_without_times(test.records()));
    test.host(&["verify", "runs/t", "--rerun"]).expect_code(0);
}

/// The rows of the report without times.
fn rows_of_report(test: &TournamentTest) -> Vec<Vec<String>> {
    let csv = test.host(&["report", "runs/t", "--format", "csv"]);
    let csv = csv.expect_code(0).stdout;
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let is_result = |(name, _): &(&str, &str)| !name.starts_with("cpu_ms");
    let without_times = |row: csv::StringRecord| {
        let fields = header.iter().zip(row.iter()).filter(is_result);
        fields.map(|(_, field)| field.to_owned()).collect()
    };
    let rows = reader.records().map(|row| row.expect("a row"));
    rows.map(without_times).collect()
}

/// How many games are planned, played and missing.
fn counts_of_report(test: &TournamentTest) -> serde_json::Value {
    let report = test.host(&["report", "runs/t", "--format", "json"]);
    let report: serde_json::Value =
        serde_json::from_str(&report.expect_code(0).stdout).expect("JSON");
    report["games"].clone()
}

/// The third agent faults in every game. What it was asked to play first disqualifies it, but
/// not before its earlier games are played.
#[test]
fn the_report_does_not_depend_on_the_seeds_that_were_played_first() {
    for stop in ["", "stop: {decided: 0.95, max_seeds: 40}\n"] {
        let yaml = format!("{stop}{}", yaml("1..10", "process"));
        let at_once = TournamentTest::new(&yaml);
        at_once.run(&[]).expect_code(0);
        let in_parts = TournamentTest::new(&yaml);
        let some = ["--seed", "5", "--seed", "6", "--seed", "7", "--seed", "9"];
        in_parts.run(&some).expect_code(0);
        let verify = || in_parts.host(&["verify", "runs/t"]);
        let missing = &counts_of_report(&in_parts)["missing"];
        let of_all = format!("the run is incomplete: {missing} of ");
        verify().expect_error(5, &of_all);
        let told = in_parts.run(&[]).expect_code(0).stderr;
        assert!(
            told.contains(&format!(" {missing} games to play")),
            "{told}"
        );
        let n_times = told.matches("is disqualified").count();
        assert_eq!(n_times, 1, "{told}");
        verify().expect_code(0);
        assert_eq!(rows_of_report(&in_parts), rows_of_report(&at_once));
        assert_eq!(counts_of_report(&in_parts), counts_of_report(&at_once));
    }
}

#[test]
fn a_cut_off_line_is_played_again() {
    let test = TournamentTest::new(&yaml("1..5", "process"));
    // In plan order: without the game that disqualifies an agent, more than one would be missing.
    test.run(&["--workers", "1"]).expect_code(0);
    let whole = all_without_times(test.records());
    let log = fs::read(test.log()).expect("a game log");
    fs::write(test.log(), &log[..log.len() - 40]).expect("a cut-off log");
    let resumed = test.run(&[]).expect_code(0);
    assert!(
        resumed.stderr.contains("1 game to play"),
        "{}",
        resumed.stderr
    );
    assert!(resumed.stderr.contains("cut off"), "{}", resumed.stderr);
    assert_eq!(whole, all_without_times(test.records()));
}

#[test]
fn a_damaged_line_is_moved_away_and_its_game_played_again() {
    let test = TournamentTest::new(&yaml("1..5", "process"));
    test.run(&[]).expect_code(0);
    let whole = all_without_times(test.records());
    let log = fs::read_to_string(test.log()).expect("a game log");
    let mut lines: Vec<&str> = log.lines().collect();
    lines[3] = "{\"v\":1,\"game\":\u{0}garbage";
    fs::write(test.log(), lines.join("\n") + "\n").expect("a damaged log");
    let report = test.host(&["report", "runs/t"]).expect_code(0);
    assert!(
        report.stderr.contains("line 4 of the game log"),
        "{}",
        report.stderr
    );
    let resumed = test.run(&[]).expect_code(0);
    assert!(resumed.stderr.contains("line 4"), "{}", resumed.stderr);
    assert_eq!(whole, all_without_times(test.records()));
    let damaged =
        fs::read_to_string(test.path("runs/t/damaged.jsonl")).expect("what was set aside");
    assert!(damaged.contains("garbage"));
}

/// They were played before the tournament disqualified any agent.
#[test]
fn games_after_a_disqualification_are_in_no_view() {
    let test = TournamentTest::new(&format!(
        "disqualify_after: none\n{}",
        yaml("1..10", "process")
    ));
    test.run(&[]).expect_code(0);
    assert_eq!(test.records().len(), 30);
    test.write("t.yaml", &yaml("1..10", "process"));
    test.run(&[]).expect_code(0);
    assert_eq!(counts_of_report(&test)["played"], 23);
    let read = |file: &str| fs::read_to_string(test.path(file)).expect("a file");
    assert!(read("runs/t/report.html").contains("23 games"));
    let report = |options: &[&str]| {
        let arguments = [&["report", "runs/t"], options].concat();
        test.host(&arguments).expect_code(0);
    };
    report(&["--participants", "pages"]);
    let page = read("pages/scripted.html");
    assert!(page.contains(" · 3 games"), "{page}");
}

/// Records name their budget only where there are several.
#[test]
fn added_and_removed_budgets_extend_and_shorten_a_run() {
    let yaml = |budget: &str| {
        format!(
            "seeds: 1..3\nbudget: {budget}\nagents: [{{plugin: expectimax}}, {{plugin: snake}}]\n"
        )
    };
    let budgets = [
        "{nodes: 100}",
        "[{nodes: 300}, {nodes: 100}]",
        "{nodes: 300}",
    ];
    let test = TournamentTest::new("");
    for (budget, n_missing) in budgets.into_iter().zip([6, 6, 0]) {
        test.write("t.yaml", &yaml(budget));
        let told = test.run(&[]).expect_code(0).stderr;
        let missing = format!("{n_missing} games to play");
        assert!(told.contains(&missing), "{told}");
        let expected = records_with(&yaml(budget), &[]);
        assert_eq!(all_without_times(test.records()), expected, "{budget}");
    }
}

#[test]
fn added_seeds_and_agents_extend_a_run() {
    let test = TournamentTest::new("seeds: 1..3\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let first = all_without_times(test.records());
    test.write(
        "t.yaml",
        "seeds: 1..5\nagents: [{plugin: random}, {plugin: greedy}]\n",
    );
    let extended = test.run(&[]).expect_code(0);
    assert!(
        extended
            .stderr
            .contains("7 games to play, 3 already played"),
        "{}",
        extended.stderr
    );
    let records = all_without_times(test.records());
    assert_eq!(records.len(), 10);
    for old in first {
        let same =
            |new: &&run::game_record::GameRecord| new.agent == old.agent && new.seed == old.seed;
        let new = records
            .iter()
            .find(same)
            .expect("the record is still there");
        assert_eq!(new.moves, old.moves);
    }
    test.host(&["verify", "runs/t"]).expect_code(0);
}

#[test]
fn new_parameters_replay_only_the_games_of_their_agent() {
    let agents = |label: &str| {
        format!(
            "seeds: 1..3\nagents: [{{plugin: greedy}}, {{plugin: scripted, params: {{label: {label}}}}}]\n"
        )
    };
    let test = TournamentTest::new(&agents("a"));
    test.run(&[]).expect_code(0);
    test.write("t.yaml", &agents("b"));
    let again = test.run(&[]).expect_code(0);
    assert!(
        again.stderr.contains("3 games to play, 3 already played"),
        "{}",
        again.stderr
    );
    let superseded = fs::read_to_string(test.path("runs/t/superseded.jsonl")).expect("old records");
    assert_eq!(superseded.lines().count(), 3);
}

#[test]
fn fresh_starts_anew_and_keeps_the_old_log() {
    let test = TournamentTest::new("seeds: 1..3\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let again = test.run(&["--fresh"]).expect_code(0);
    assert!(
        again.stderr.contains("3 games to play,"),
        "{}",
        again.stderr
    );
    assert!(test.path("runs/t/games.1.old.jsonl").is_file());
}

#[test]
fn ctrl_c_leaves_whole_records_and_prints_the_command_that_resumes() {
    // More games than any machine plays before the signal comes.
    let test = TournamentTest::new("seeds: 1..100000\nagents: [{plugin: greedy}]\n");
    let child = test.start_and_wait_for_games(1, &[]);
    send_to_child(&child, Signal::SIGINT);
    let stopped = Finished::of_started(child).expect_code(130);
    assert!(stopped.stderr.contains("run t.yaml"), "{}", stopped.stderr);
    let n_records = test.records().len();
    assert!(n_records > 0 && n_records < 100_000, "{n_records}");
    test.host(&["verify", "runs/t"])
        .expect_error(5, "the run is incomplete");
}
