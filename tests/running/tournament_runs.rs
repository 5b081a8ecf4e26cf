//! A tournament from its file to its ranking.

use std::fs;

use crate::support::TournamentTest;

const BASELINES: &str = "seeds: 1..10\nagents:\n- plugin: random\n- plugin: greedy\n";

#[test]
fn a_tournament_ends_with_a_ranking_and_a_run_folder() {
    let test = TournamentTest::new(BASELINES);
    let finished = test.run(&[]).expect_code(0);
    let greedy = finished.stdout.find("greedy").expect("greedy is ranked");
    let random = finished.stdout.find("random").expect("random is ranked");
    assert!(greedy < random, "{}", finished.stdout);
    assert!(finished.stdout.contains("predictable tiles"));
    assert_eq!(test.records().len(), 20);
    for file in ["plan.json", "games.jsonl"] {
        assert!(test.path("runs/t").join(file).is_file(), "{file}");
    }
    let lines = finished.stderr;
    assert!(lines.contains("2 agents, 20 games to play"), "{lines}");
    assert!(lines.contains("20/20 games in"), "{lines}");
}

#[test]
fn a_list_of_values_enters_an_agent_for_each_and_is_drawn() {
    let yaml = "board: 3\nseeds: 1..3\ncontrol: mcts-runs-2-tree-false\nagents:\n\
                - {plugin: mcts, params: {runs: [1, 2, 4], tree: [true, false]}}\n";
    let test = TournamentTest::new(yaml);
    test.run(&[]).expect_code(0);
    let mut names: Vec<String> = test
        .records()
        .into_iter()
        .map(|record| record.agent)
        .collect();
    names.sort();
    names.dedup();
    let expected = [
        "mcts-runs-1-tree-false",
        "mcts-runs-1-tree-true",
        "mcts-runs-2-tree-false",
        "mcts-runs-2-tree-false-twin",
        "mcts-runs-2-tree-true",
        "mcts-runs-4-tree-false",
        "mcts-runs-4-tree-true",
    ];
    assert_eq!(names, expected);
    test.host(&["report", "runs/t", "--figures", "figures"])
        .expect_code(0);
    let svg = fs::read_to_string(test.path("figures/parameter-runs-0.svg")).expect("a figure");
    for family in [
        ">mcts-tree-true</text>",
        ">mcts-tree-false</text>",
        ">runs →</text>",
    ] {
        assert!(svg.contains(family), "{family} in {svg}");
    }
    assert!(!test.path("figures/parameter-tree-0.svg").exists());
    // The same file is the same run.
    test.run(&[]).expect_code(0);
    assert_eq!(test.records().len(), 7 * 3);
}

#[test]
fn json_is_one_object_with_agents_and_pairs() {
    let test = TournamentTest::new(BASELINES);
    let finished = test.run(&["--format", "json"]).expect_code(0);
    let report: serde_json::Value = serde_json::from_str(&finished.stdout).expect("JSON");
    let agents = report["agents"].as_array().expect("agents");
    assert_eq!(agents[0]["name"], "greedy");
    assert_eq!(agents[0]["rank"], 1);
    assert_eq!(agents[0]["games"], 10);
    assert!(agents[0]["mean_low"].as_f64() < agents[0]["mean"].as_f64());
    assert_eq!(report["pairs"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_later_report_prints_the_same() {
    let test = TournamentTest::new(BASELINES);
    let summary = ["--format", "table", "--tables", "ranking,notes"];
    let formats: [&[&str]; 4] = [
        &summary,
        &["--format", "json"],
        &["--format", "csv"],
        &["--format", "markdown"],
    ];
    for options in formats {
        let first = test.run(&options[..2]).expect_code(0);
        let later = test.host(&[&["report", "runs/t"], options].concat());
        assert_eq!(first.stdout, later.expect_code(0).stdout);
        let rest: Vec<&str> = first.stderr.lines().rev().take(2).collect();
        assert!(rest[0].ends_with(" runs/t/report.html"), "{}", first.stderr);
        assert!(rest[1].ends_with(" report runs/t"), "{}", first.stderr);
    }
}

#[test]
fn tables_are_selected_and_a_csv_file_has_one() {
    let yaml = "board: 3\nseeds: 1..4\nbudget: [{nodes: 10}, {per_move: 5ms}]\n\
                agents: [{plugin: greedy}, {plugin: random}]\n";
    let test = TournamentTest::new(yaml);
    let first = test.run(&[]).expect_code(0).stdout;
    assert!(!first.contains("Time per move"), "{first}");
    let report = |options: &[&str]| test.host(&[&["report", "runs/t"], options].concat());
    let first = report(&[]).expect_code(0).stdout;
    assert!(first.contains("Who beats whom"), "{first}");
    assert!(!first.contains("Tiles reached"), "{first}");
    let more = "more: --tables tiles,steps,ends,pairs,detectable,times,empty-cells,methods,\
                scores,highest,all\n";
    assert!(first.ends_with(more), "{first}");
    let all = report(&["--tables", "all"]).expect_code(0).stdout;
    let titles = [
        "Tiles reached",
        "Who beats whom",
        "Pairs on",
        "Time per move",
    ];
    assert!(!all.contains("Scores by seed"), "{all}");
    assert!(titles.iter().all(|title| all.contains(title)), "{all}");
    let times = report(&["--tables", "times"]).expect_code(0).stdout;
    let kept = titles.map(|title| times.contains(title));
    assert_eq!(kept, [false, false, false, true], "{times}");

    let csv = |table: &str| -> Vec<Vec<String>> {
        let printed = report(&["--format", "csv", "--tables", table]).expect_code(0);
        let cells = |line: &str| line.split(',').map(str::to_owned).collect();
        printed.stdout.lines().map(cells).collect()
    };
    let pairs = csv("pairs");
    assert_eq!(
        pairs[0][..5],
        ["budget", "budget_us", "budget_nodes", "a", "b"]
    );
    assert_eq!(pairs[1][..3], ["10 nodes", "", "10"]);
    assert_eq!(pairs[2][1..3], ["5000", ""]);
    // The score curve of an agent ends at its best game.
    let best = test.records().into_iter();
    let best = best.filter(|r| r.agent == "greedy" && r.budget.as_deref() == Some("10 nodes"));
    let best = best.map(|record| record.score).max().expect("games");
    let curves = csv("curves");
    assert_eq!(curves[0][3..], ["agent", "curve", "x", "y", "low", "high"]);
    let is_last = |line: &&Vec<String>| line[2..5] == ["10", "greedy", "score"] && line[6] == "1";
    let last = curves.iter().find(is_last).expect("the last point");
    assert_eq!(last[5], best.to_string());
    let scores = csv("scores");
    assert_eq!(
        scores[0][5..],
        [
            "seed_1",
            "seed_2",
            "seed_3",
            "seed_4",
            "mean",
            "cpu_ms_per_game",
            "moves_per_cpu_second"
        ]
    );
    let highest = csv("highest");
    let n_tiles = highest[0]
        .iter()
        .filter(|key| key.starts_with("highest_"))
        .count();
    let shares = highest[1][5..5 + n_tiles]
        .iter()
        .map(|share| share.parse::<f64>().expect("a share"));
    let all = shares.sum::<f64>();
    assert!((all - 1.0).abs() < 1e-9, "{all}");
    assert_eq!((scores.len(), highest.len()), (1 + 4, 1 + 4));
    for table in ["scores", "highest"] {
        for format in ["table", "markdown", "latex"] {
            let printed = report(&["--tables", table, "--format", format])
                .expect_code(0)
                .stdout;
            assert!(
                printed.contains("Moves/CPU-s") && printed.contains("greedy"),
                "{printed}"
            );
        }
    }

    report(&["--format", "csv", "--tables", "pairs,ranking"]).expect_error(2, "has one table");
    report(&["--tables", "curves"]).expect_error(2, "only available with --format csv");
    report(&["--tables", "nothing"]).expect_error(2, "possible values: ranking, tiles");
    report(&["--format", "json", "--tables", "tiles"]).expect_error(2, "always complete");
}

#[test]
fn a_run_of_many_agents_writes_who_beats_whom_to_a_file() {
    let yaml = |n_agents| {
        let agent = |number| format!("- {{plugin: random, name: r{number}}}\n");
        let agents: String = (0..n_agents).map(agent).collect();
        format!("board: 2\nseeds: 1..6\nisolation: none\nagents:\n{agents}")
    };
    let test = TournamentTest::new(&yaml(31));
    let many = test.run(&[]).expect_code(0);
    let place = "who beats whom  runs/t/matrix.csv";
    assert!(many.stderr.contains(place), "{}", many.stderr);
    let matrix = fs::read_to_string(test.path("runs/t/matrix.csv")).expect("a file");
    let arguments = ["report", "runs/t", "--format", "csv", "--tables", "matrix"];
    assert_eq!(test.host(&arguments).expect_code(0).stdout, matrix);
    let n_cells: Vec<usize> = matrix.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(n_cells, [34 + 1; 32]);
    let report = test.host(&["report", "runs/t", "--tables", "pairs"]);
    let report = report.expect_code(0).stdout;
    assert!(report.contains("Neighbours in the ranking"), "{report}");

    // What is no longer true does not stay there.
    test.write("t.yaml", &yaml(30));
    let few = test.run(&[]).expect_code(0);
    assert!(!few.stderr.contains(place), "{}", few.stderr);
    assert!(!test.path("runs/t/matrix.csv").exists());
}

#[test]
fn the_numbers_for_a_methods_section_are_in_every_report() {
    let test = TournamentTest::new(BASELINES);
    test.run(&[]).expect_code(0);
    let methods = methods_in_json(&test);
    assert_eq!(
        (&methods["games"], &methods["n_seeds"], &methods["seeds"]),
        (&20.into(), &10.into(), &"1..10".into())
    );
    assert_eq!(methods["host"], env!("CARGO_PKG_VERSION"));
    let paragraph = "20 games (none with a fault) on 10 seeds (1..10)";
    for options in [
        &["--tables", "methods"][..],
        &["--format", "markdown"],
        &["--html", "-"],
    ] {
        let report = test.host(&[&["report", "runs/t"], options].concat());
        let report = report.expect_code(0).stdout;
        assert!(report.contains(paragraph), "{options:?}: {report}");
    }
}

#[test]
fn a_report_claims_no_more_patterns_than_were_tried() {
    let agent = |number| format!("- {{plugin: random, name: r{number}}}\n");
    let agents: String = (0..10).map(agent).collect();
    let test = TournamentTest::new(&format!(
        "board: 2\nseeds: 1..21\nisolation: none\nagents:\n{agents}"
    ));
    test.run(&["--format", "csv"]).expect_code(0);
    // 45 pairs share 30 million additions: 8 for each pair, and 3 for each of 11 columns.
    let tried = serde_json::json!([{"budget": null, "patterns": 76_335, "all": false}]);
    assert_eq!(methods_in_json(&test)["inference"]["sign_flips"], tried);
}

/// The object `methods` of the JSON report.
fn methods_in_json(test: &TournamentTest) -> serde_json::Value {
    let report = test.host(&["report", "runs/t", "--format", "json"]);
    let report = report.expect_code(0).stdout;
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    report["methods"].clone()
}

#[test]
fn every_agent_gets_the_same_tiles() {
    let yaml =
        "seeds: 1..5\nagents:\n- {plugin: greedy, name: one}\n- {plugin: greedy, name: two}\n";
    let test = TournamentTest::new(yaml);
    test.run(&[]).expect_code(0);
    let records = test.records();
    for pair in records.chunks(2) {
        assert_eq!(pair[0].seed, pair[1].seed);
        assert_eq!(pair[0].moves, pair[1].moves);
    }
    assert_ne!(
        records[0].moves, records[2].moves,
        "a different seed gives a different game"
    );
}

#[test]
fn only_and_seed_select_games_and_a_later_run_plays_the_rest() {
    let test = TournamentTest::new(BASELINES);
    test.run(&["--only", "greedy", "--seed", "3"])
        .expect_code(0);
    let records = test.records();
    assert_eq!(records.len(), 1);
    assert_eq!((records[0].agent.as_str(), records[0].seed), ("greedy", 3));
    let rest = test.run(&[]).expect_code(0);
    assert!(
        rest.stderr.contains("19 games to play, 1 already played"),
        "{}",
        rest.stderr
    );
    test.run(&["--only", "nobody"])
        .expect_error(2, "known agents: random, greedy");
    test.run(&["--only", "gredy"])
        .expect_error(2, "did you mean `greedy`?");
    test.run(&["--seed", "99"])
        .expect_error(2, "not one of the tournament's seeds");
}

#[test]
fn every_budget_has_its_own_ranking() {
    let yaml = "seeds: 1..3\nbudget: [{nodes: 10}, {nodes: 20}]\nagents: [{plugin: scripted}]\n";
    let test = TournamentTest::new(yaml);
    let finished = test.run(&[]).expect_code(0);
    assert!(finished.stdout.contains("10 nodes") && finished.stdout.contains("20 nodes"));
    let labels: Vec<_> = test
        .records()
        .into_iter()
        .map(|record| record.budget)
        .collect();
    assert_eq!(
        labels[..2],
        [Some("10 nodes".to_owned()), Some("20 nodes".to_owned())]
    );
}

#[test]
fn goal_move_limit_board_and_deterministic_tiles_take_effect() {
    let yaml = "seeds: 1..3\nboard: 3\ngoal: 32\nagents: [{plugin: greedy}]\n";
    let test = TournamentTest::new(yaml);
    test.run(&[]).expect_code(0);
    assert!(
        test.records()
            .iter()
            .any(|record| record.ending.name() == "goal-reached")
    );
    assert_eq!(test.records()[0].board.len(), 3);

    let yaml = "seeds: 1..3\ntiles: deterministic\nmax_moves: 7\nagents: [{plugin: greedy}]\n";
    let test = TournamentTest::new(yaml);
    test.run(&[]).expect_code(0);
    let records = test.records();
    assert!(
        records
            .iter()
            .all(|record| record.ending.name() == "move-limit")
    );
    assert!(
        records
            .iter()
            .all(|record| record.moves == records[0].moves)
    );
    test.host(&["verify", "runs/t"]).expect_code(0);
}

#[test]
fn a_secret_salt_is_drawn_once_and_kept() {
    let test = TournamentTest::new("salt: secret\nseeds: 1..3\nagents: [{plugin: greedy}]\n");
    let finished = test.run(&[]).expect_code(0);
    assert!(
        !finished.stdout.contains("predictable tiles"),
        "{}",
        finished.stdout
    );
    let first = test.records();
    test.write(
        "t.yaml",
        "salt: secret\nseeds: 1..4\nagents: [{plugin: greedy}]\n",
    );
    test.run(&[]).expect_code(0);
    assert_eq!(test.records()[..3], first[..]);
    let open = TournamentTest::new("seeds: 1..3\nagents: [{plugin: greedy}]\n");
    open.run(&[]).expect_code(0);
    assert_ne!(open.records()[0].moves, first[0].moves);
    test.host(&["verify", "runs/t", "--rerun"]).expect_code(0);
}

#[test]
fn list_shows_the_descriptions_of_plugins() {
    let test = TournamentTest::new(BASELINES);
    let finished = test.host(&["list"]).expect_code(0);
    let rows: Vec<&str> = finished.stdout.lines().collect();
    assert!(rows[0].starts_with("NAME "), "{}", finished.stdout);
    for name in ["greedy", "random", "scripted"] {
        let n_rows = rows.iter().filter(|row| row.starts_with(name)).count();
        assert_eq!(n_rows, 1, "{name} in {}", finished.stdout);
    }
    let one = test.host(&["list", "scripted", "greedy"]).expect_code(0);
    for words in [
        "`scripted ",
        "`greedy ",
        "on_move = 3",
        "2×2 to 8×8",
        "Rust",
    ] {
        assert!(one.stdout.contains(words), "{words} in {}", one.stdout);
    }
    assert!(!one.stdout.contains("random"), "{}", one.stdout);
    test.host(&["list", "gredy"])
        .expect_error(4, "did you mean `greedy`?");
    for format in ["table", "json", "csv", "markdown"] {
        let finished = test.host(&["list", "--format", format]).expect_code(0);
        assert!(finished.stdout.contains("greedy"));
    }
}

#[test]
fn list_shows_a_hundred_parameters_and_counts_the_others() {
    let test = TournamentTest::new("");
    let parameters: Vec<String> = (0..1200).map(|n| format!("\"p{n}\": {{}}")).collect();
    let info = format!(
        "{{\"name\": \"x\", \"params\": {{\"type\": \"object\", \"properties\": {{{}}}}}}}",
        parameters.join(", ")
    );
    let code = format!("input()\nprint('agent {info}', flush=True)\ninput()\n");
    test.write("many.py", &code);
    let list = test.host(&["list", "many.py"]).expect_code(0).stdout;
    assert!(
        list.contains("    `p99`\n    … and 1,100 more parameters\n"),
        "{list}"
    );
    assert!(!list.contains("`p100`"), "{list}");
}

#[test]
fn schema_and_completions_are_printed() {
    let test = TournamentTest::new(BASELINES);
    let schema = test.host(&["schema"]).expect_code(0).stdout;
    let schema: serde_json::Value = serde_json::from_str(&schema).expect("JSON");
    assert!(schema["properties"]["agents"].is_object());
    assert!(
        test.host(&["completions", "bash"])
            .expect_code(0)
            .stdout
            .contains("complete")
    );
}

#[test]
fn strict_turns_faults_into_an_exit_code() {
    let yaml = "seeds: 1..2\nagents: [{plugin: scripted, params: {misdeed: panic}}]\n";
    let test = TournamentTest::new(yaml);
    test.run(&[]).expect_code(0);
    test.run(&["--strict"]).expect_code(6);
}
