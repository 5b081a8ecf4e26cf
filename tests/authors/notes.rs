//! Notes: numbers and a text that agents give with their moves, in Rust, in C and in a program.

use run::thought_files::{GameThoughts, ThoughtFiles};

use crate::{
    repository::documentation::{document, file},
    support::{
        TournamentTest,
        built_agent::{build_c, build_crate},
        interpreters::interpreter,
        repository,
    },
};

/// A tournament of the agents in the documents.
fn play(thoughts: &str, test: &TournamentTest) {
    test.write(
        "t.yaml",
        &format!(
            "seeds: 1..1\nmax_moves: 30\nbudget: {{nodes: 60}}\nthoughts: {thoughts}\nagents:\n\
             - plugin: searcher\n- plugin: planner\n- plugin: mcts\n- plugin: ./first.py\n"
        ),
    );
    test.run(&["--fresh"]).expect_code(0);
}

/// What each agent reported about its game.
fn thoughts(test: &TournamentTest) -> Vec<Option<GameThoughts>> {
    let files = ThoughtFiles::of_run(&test.path("runs/t"));
    let records = test.records();
    ["searcher", "planner", "mcts", "first"]
        .map(|name| {
            let record = records.iter().find(|record| record.agent == name);
            files.read(record.expect("a record"))
        })
        .into()
}

#[test]
fn notes_are_kept_beside_the_moves_and_change_none() {
    if interpreter("python3").is_none() {
        return;
    }
    let test = TournamentTest::new("");
    let tutorial = document("writing-an-agent.md");
    let api = repository().join("plugin-api");
    let code = file(&tutorial, "searcher/src/lib.rs");
    build_crate(&test.path("searcher"), "searcher", &api, &code);
    let source = api.join("c-examples/planner.c");
    build_c(
        test.folder.path(),
        "cc",
        &api.join("include"),
        &source,
        "planner",
    );
    let page = document("text-protocol.md");
    let program = file(&page, "first.py");
    let (begin, _) = program.split_once("        wishes = ").expect("a line");
    let wishes = "        wishes = [\"down\", \"left\", \"right\", \"up\"]\n";
    test.write(
        "first.py",
        &format!("{begin}{wishes}{}", file(&page, "notes")),
    );

    play("none", &test);
    let without: Vec<String> = test.records().into_iter().map(|it| it.moves).collect();
    assert!(thoughts(&test).iter().all(Option::is_none));
    play("1MB", &test);
    let records = test.records();
    let with: Vec<String> = records.iter().map(|it| it.moves.clone()).collect();
    assert_eq!(with, without, "notes change no move");

    let all = thoughts(&test);
    let all: Vec<GameThoughts> = all.into_iter().map(|it| it.expect("thoughts")).collect();
    for (thoughts, name, text) in [
        (
            &all[0],
            "empty cells",
            Some("the last iteration was cut short"),
        ),
        (
            &all[1],
            "planned score",
            Some("the last search was cut short"),
        ),
        (&all[2], "visits", None),
        (&all[3], "legal moves", Some("down whenever it can")),
    ] {
        let names: Vec<&String> = thoughts.numbers.keys().collect();
        assert_eq!(names, [name]);
        let values = &thoughts.numbers[name];
        assert!(values.iter().flatten().any(|value| *value > 0.0), "{name}");
        let found = thoughts.texts.iter().flatten().next();
        assert_eq!(found.map(String::as_str), text, "{name}");
    }

    let replayed = |agent: &str| {
        let arguments = ["replay", "runs/t", "--agent", agent, "--seed", "1"];
        test.host(&arguments).expect_code(0).stdout
    };
    let lines = replayed("first");
    let line = lines.lines().nth(1).expect("a move");
    assert!(
        line.contains("  “legal moves” ") && line.ends_with(", “down whenever it can”"),
        "{line}"
    );
    let visits = replayed("mcts");
    assert!(
        visits.lines().nth(1).expect("a move").contains("  visits "),
        "{visits}"
    );
}
