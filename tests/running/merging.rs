//! `host merge`: merged shards equal the run that one machine would have recorded.

use std::{fs, num::NonZeroU32, path::Path, process::Command};

use run::{
    game_record::GameRecord, record_line::line_of, run_plan::RunPlan, shard::Shard,
    thought_files::ThoughtFiles,
};

use crate::{
    running::{bad_input::with_a_disk_of, shards::play_shards},
    support::{Finished, TournamentTest, without_times, write_records},
};

/// On one machine the third agent is disqualified after three seeds.
const THREE_AGENTS: &str = "seeds: 1..9\nagents:\n- plugin: random\n- plugin: greedy\n\
    - plugin: scripted\n  params: {misdeed: illegal-move, on_move: 20}\n";

const TWO_AGENTS: &str = "seeds: 1..6\nagents: [{plugin: random}, {plugin: greedy}]\n";

/// The records of a log in its order, without timings.
fn lines_of(log: &Path) -> Vec<GameRecord> {
    let text = fs::read_to_string(log).expect("a game log");
    text.lines()
        .map(|line| without_times(serde_json::from_str(line).expect("a record")))
        .collect()
}

fn shard_folders(n_shards: u32) -> Vec<String> {
    (1..=n_shards)
        .map(|number| format!("runs/t.shards/{number}-of-{n_shards}"))
        .collect()
}

fn merge(test: &TournamentTest, runs: &[String], more: &[&str]) -> Finished {
    let mut arguments = vec!["merge"];
    arguments.extend(runs.iter().map(String::as_str));
    arguments.extend(["--out", "runs/merged"]);
    arguments.extend(more);
    test.host(&arguments)
}

/// Plays in shards, and on one machine with one worker, and compares the logs.
#[track_caller]
fn check_equals_one_machine(yaml: &str, n_shards: u32) -> Finished {
    let test = TournamentTest::new(yaml);
    test.run(&["--workers", "1"]).expect_code(0);
    play_shards(&test, n_shards, &[]);
    let merged = merge(&test, &shard_folders(n_shards), &[]).expect_code(0);
    assert_eq!(
        lines_of(&test.path("runs/merged/games.jsonl")),
        lines_of(&test.log())
    );
    test.host(&["verify", "runs/merged", "--rerun"])
        .expect_code(0);
    let again = test.run(&["--out", "runs/merged"]).expect_code(0);
    let has_nothing_to_play =
        again.stderr.contains(" 0 games to play") || again.stderr.contains("settled after");
    assert!(has_nothing_to_play, "{}", again.stderr);
    assert_eq!(again.stdout, merged.stdout, "the same ranking");
    assert!(test.path("runs/merged/report.html").is_file());
    merged
}

#[test]
fn merged_shards_equal_one_machine_including_faults_and_disqualification() {
    let merged = check_equals_one_machine(THREE_AGENTS, 4);
    assert!(
        merged.stdout.contains("disqualified after 3 faults"),
        "{}",
        merged.stdout
    );
    // Nine games of the third agent were played, and one machine would have played three.
    assert!(
        merged.stderr.contains("records left out: 6;"),
        "{}",
        merged.stderr
    );
}

#[test]
fn merged_shards_stop_where_one_machine_would_have() {
    let yaml = "seeds: 11..15\nstop: {decided: 0.95, max_seeds: 90}\nagents:\n\
        - {plugin: greedy}\n- {plugin: random}\n";
    let merged = check_equals_one_machine(yaml, 3);
    assert!(merged.stdout.contains("settled after"), "{}", merged.stdout);
    assert!(
        merged.stderr.contains("records left out: "),
        "{}",
        merged.stderr
    );
}

#[test]
fn stderr_before_faults_and_thoughts_are_merged_too() {
    let yaml =
        "seeds: 1..2\nthoughts: 1MB\nagents: [{plugin: scripted, params: {misdeed: panic}}]\n";
    let test = TournamentTest::new(yaml);
    play_shards(&test, 2, &[]);
    merge(&test, &shard_folders(2), &[]).expect_code(0);
    let files = fs::read_dir(test.path("runs/merged/stderr")).expect("a folder");
    assert_eq!(files.count(), 2);
    let files = ThoughtFiles::of_run(&test.path("runs/merged"));
    let records = lines_of(&test.path("runs/merged/games.jsonl"));
    assert_eq!(records.len(), 2);
    for record in &records {
        let thoughts = files.read(record).expect("thoughts");
        let first = thoughts.numbers["twice the move"][0];
        assert_eq!(first, Some(2.0), "{}", record.seed);
    }
}

#[test]
fn missing_games_are_listed_with_the_commands_that_play_them() {
    let test = TournamentTest::new(TWO_AGENTS);
    for arguments in [
        ["--shard", "1/3"].as_slice(),
        &["--shard", "2/3", "--seed", "1"],
    ] {
        test.run(arguments).expect_code(0);
    }
    let runs = &shard_folders(3)[..2];
    let run = format!("play them with: {} run t.yaml", env!("CARGO_BIN_EXE_host"));
    let refused = merge(&test, runs, &[]).expect_error(
        5,
        &format!("shard 3/3: missing 4 of 4 games; {run} --shard 3/3"),
    );
    let second =
        format!("shard 2/3: missing 3 of 4 games; {run} --shard 2/3 --out runs/t.shards/2-of-3");
    assert!(refused.stderr.contains(&second), "{}", refused.stderr);
    assert!(!test.path("runs/merged").exists(), "nothing was written");

    let partial = merge(&test, runs, &["--partial"]).expect_code(0);
    assert!(
        partial.stderr.contains("games are missing"),
        "{}",
        partial.stderr
    );
    assert!(partial.stdout.contains("greedy"), "{}", partial.stdout);
    // Merged records are kept, and games played later are added.
    test.run(&["--shard", "2/3"]).expect_code(0);
    test.run(&["--shard", "3/3"]).expect_code(0);
    let rest = &shard_folders(3)[1..];
    merge(&test, rest, &[]).expect_code(0);
    assert_eq!(lines_of(&test.path("runs/merged/games.jsonl")).len(), 12);
}

#[test]
fn a_partial_run_is_finished_by_one_machine() {
    let test = TournamentTest::new(TWO_AGENTS);
    test.run(&["--shard", "1/2"]).expect_code(0);
    merge(&test, &shard_folders(2)[..1], &["--partial"]).expect_code(0);
    let finished = test.run(&["--out", "runs/merged"]).expect_code(0);
    assert!(
        finished
            .stderr
            .contains("6 games to play, 6 already played"),
        "{}",
        finished.stderr
    );
}

#[test]
fn all_differences_between_plans_are_listed() {
    let test = TournamentTest::new(TWO_AGENTS);
    test.run(&["--shard", "1/2"]).expect_code(0);
    test.write(
        "t.yaml",
        "seeds: 1..7\nfour: 0.2\nagents: [{plugin: random}, {plugin: scripted, name: greedy}]\n",
    );
    test.run(&["--shard", "2/2"]).expect_code(0);
    let refused = merge(&test, &shard_folders(2), &[]).expect_error(5, "not parts of one run");
    for part in [
        "`seeds`: 1..6 in `runs/t.shards/1-of-2`, 1..7 in `runs/t.shards/2-of-2`",
        "`four`: 0.1 in",
        "plugin file of agent greedy: sha256 ",
    ] {
        assert!(
            refused.stderr.contains(part),
            "no {part:?} in {}",
            refused.stderr
        );
    }
    assert!(
        !refused.stderr.contains("agent random"),
        "{}",
        refused.stderr
    );
}

#[test]
fn shards_whose_agents_read_different_files_are_not_parts_of_one_run() {
    let test = TournamentTest::new(
        "seeds: 1..4\nagents: [{plugin: greedy, allow_read: [weights]}, {plugin: random}]\n",
    );
    for (shard, weights) in [("1/2", "1 2 3"), ("2/2", "1 2 4")] {
        test.write("weights", weights);
        test.run(&["--shard", shard]).expect_code(0);
    }
    merge(&test, &shard_folders(2), &[])
        .expect_error(5, "contents of the readable files of agent greedy: sha256 ");
}

/// What labels of budgets do not show, what a plan leaves out, and what one agent has.
#[test]
fn shards_with_different_settings_are_not_parts_of_one_run() {
    let salt = "salt: 000102030405060708090a0b0c0d0e0f1011121314151617";
    for (one, other, named) in [
        (
            ["budget: {nodes: 50, hang: 10s}", ""],
            ["budget: {nodes: 50, hang: 20s}", ""],
            "`budget`: ",
        ),
        (
            ["", ""],
            ["private_seeds: 2", ""],
            "`private_seeds`: none in ",
        ),
        (["thoughts: 1MB", ""], ["", ""], "`thoughts`: "),
        (
            ["", ", memory: 1GiB"],
            ["", ""],
            "`memory` of agent greedy: ",
        ),
    ] {
        let test = TournamentTest::new("");
        for (shard, [setting, of_agent]) in [("1/2", one), ("2/2", other)] {
            let agents = format!("agents: [{{plugin: greedy{of_agent}}}]");
            let yaml = format!("board: 2\nseeds: 1..4\n{salt}\n{setting}\n{agents}\n");
            test.write("t.yaml", &yaml);
            test.run(&["--shard", shard]).expect_code(0);
        }
        merge(&test, &shard_folders(2), &[]).expect_error(5, named);
    }
}

#[test]
fn shards_of_different_numbers_or_given_twice_are_rejected() {
    let test = TournamentTest::new(TWO_AGENTS);
    play_shards(&test, 2, &[]);
    test.run(&["--shard", "1/3"]).expect_code(0);
    test.run(&["--shard", "1/2", "--out", "again"])
        .expect_code(0);
    let mut runs = shard_folders(2);
    runs.push("runs/t.shards/1-of-3".to_owned());
    merge(&test, &runs, &[]).expect_error(5, "number of shards: 2 in `runs/t.shards/1-of-2`");
    runs[2] = "again".to_owned();
    merge(&test, &runs, &[]).expect_error(
        5,
        "a shard given twice: 1/2 in `runs/t.shards/1-of-2` and `again`",
    );
    runs[2] = "nowhere".to_owned();
    merge(&test, &runs, &[]).expect_error(2, "there is no folder `nowhere`");
    let arguments = ["merge", "again", "--out", "runs/t.shards/1-of-2"];
    test.host(&arguments)
        .expect_error(2, "is the folder of shard 1/2; choose another with --out");
}

#[test]
fn equal_records_are_kept_once_and_different_ones_are_an_error() {
    let test = TournamentTest::new(TWO_AGENTS);
    play_shards(&test, 2, &[]);
    let log = test.path("runs/t.shards/1-of-2/games.jsonl");
    let old = fs::read_to_string(&log).expect("a game log");
    let first: GameRecord =
        serde_json::from_str(old.lines().next().expect("a record")).expect("a record");
    let mut repeated = first.clone();
    repeated.cpu_ms += 1.0;
    let with = |record: &GameRecord| {
        let line = String::from_utf8(line_of(record).expect("JSON")).expect("text");
        fs::write(&log, format!("{old}{line}")).expect("a log");
    };
    with(&repeated);
    merge(&test, &shard_folders(2), &[]).expect_code(0);
    let merged = lines_of(&test.path("runs/merged/games.jsonl"));
    assert_eq!(merged.len(), 12);

    repeated.score += 4;
    with(&repeated);
    let sentence = format!(
        "game 0 (random on seed 1) differs in score ({} and {}): \
         runs/t.shards/1-of-2/games.jsonl, line 1, and runs/t.shards/1-of-2/games.jsonl, line 7",
        first.score, repeated.score
    );
    let refused = merge(&test, &shard_folders(2), &["--fresh"]).expect_error(5, &sentence);
    // The command that the message names is all it takes.
    let remedy = "verify runs/t.shards/1-of-2 --repair";
    assert!(refused.stderr.contains(remedy), "{}", refused.stderr);
    let words: Vec<&str> = remedy.split(' ').collect();
    test.host(&words).expect_code(0);
    merge(&test, &shard_folders(2), &["--fresh"]).expect_code(0);
    assert_eq!(lines_of(&test.path("runs/merged/games.jsonl")), merged);
}

/// Each shard has its two games in the wrong order.
#[test]
fn more_shards_than_files_may_be_open_are_merged() {
    const N_SHARDS: u32 = 300;
    let yaml = "board: 2\nisolation: none\nseeds: 1..300\n\
                agents: [{plugin: greedy}, {plugin: random}]\n";
    let test = TournamentTest::new(yaml);
    test.run(&["--workers", "1"]).expect_code(0);
    let plan = RunPlan::read(&test.path("runs/t")).expect("a plan");
    let records = test.records();
    let of = NonZeroU32::new(N_SHARDS).expect("a number");
    for shard in Shard::all(of) {
        let folder = test.path("shards").join(shard.folder_name());
        fs::create_dir_all(&folder).expect("a folder");
        plan.clone()
            .for_shard(Some(shard))
            .write(&folder)
            .expect("a plan");
        let is_own = |record: &&GameRecord| shard.has(record.game, 2);
        let own: Vec<GameRecord> = records.iter().rev().filter(is_own).cloned().collect();
        assert_eq!(own.len(), 2);
        write_records(&folder.join("games.jsonl"), &own);
    }
    let mut merge = Command::new("sh");
    merge
        .args([
            "-c",
            "ulimit -n 256; exec \"$0\" merge shards/*-of-300 --out runs/merged",
        ])
        .arg(env!("CARGO_BIN_EXE_host"))
        .current_dir(test.folder.path());
    Finished::of(&mut merge).expect_code(0);
    let merged = fs::read(test.path("runs/merged/games.jsonl")).expect("a log");
    assert_eq!(merged, fs::read(test.log()).expect("a log"));
}

#[test]
fn a_full_disk_during_a_merge_names_the_file() {
    let test = TournamentTest::new("seeds: 1..60\nagents: [{plugin: greedy}]\n");
    play_shards(&test, 2, &[]);
    let commands = "\"$0\" merge runs/t.shards/*-of-2 --out disk/t";
    with_a_disk_of("24k", &test, commands).expect_error(
        1,
        "cannot write `disk/t/games.jsonl`: No space left on device",
    );
}

#[test]
fn the_game_of_a_damaged_line_is_missing_until_it_is_played_again() {
    let test = TournamentTest::new(TWO_AGENTS);
    play_shards(&test, 2, &[]);
    let log = test.path("runs/t.shards/2-of-2/games.jsonl");
    let old = fs::read_to_string(&log).expect("a game log");
    let mut lines: Vec<&str> = old.lines().collect();
    lines[2] = "{\"v\":1,\"game\":garbage";
    fs::write(&log, lines.join("\n") + "\n").expect("a log");
    let refused =
        merge(&test, &shard_folders(2), &[]).expect_error(5, "shard 2/2: missing 1 of 6 games");
    assert!(
        refused
            .stderr
            .contains("2-of-2/games.jsonl, line 3, is not a game record"),
        "{}",
        refused.stderr
    );
    test.run(&["--shard", "2/2"]).expect_code(0);
    merge(&test, &shard_folders(2), &[]).expect_code(0);
}

#[test]
fn a_run_with_a_different_plan_is_not_overwritten() {
    let test = TournamentTest::new(TWO_AGENTS);
    play_shards(&test, 2, &[]);
    merge(&test, &shard_folders(2), &[]).expect_code(0);
    test.write("t.yaml", &TWO_AGENTS.replace("1..6", "1..7"));
    play_shards(&test, 2, &[]);
    merge(&test, &shard_folders(2), &[])
        .expect_error(5, "if `runs/merged` is the one that differs, use --fresh");
    merge(&test, &shard_folders(2), &["--fresh"]).expect_code(0);
    assert!(test.path("runs/merged/games.1.old.jsonl").is_file());
    assert!(
        RunPlan::read(&test.path("runs/merged"))
            .expect("a plan")
            .shard
            .is_none()
    );
}
