//! Agents built outside this repository, in Rust and in C.

use std::{fs, process::Command};

use crate::support::{
    TournamentTest,
    built_agent::{build_c, build_crate},
    repository,
};

const AGENT: &str = r#"
use plugin_api::{Agent, Board, Choice, Direction, GameSetup, Info, Refusal, Turn, export_agent};

plugin_api::parameters! {
    pub struct Params {
        /// Whether it prefers down to up.
        down: bool = true,
    }
}

struct Corner(Params);

impl Agent for Corner {
    const INFO: Info = Info::new("corner", "0.1.0").author("A. Student");
    type Params = Params;

    fn new(params: Params, _setup: &GameSetup) -> Result<Self, Refusal> {
        Ok(Corner(params))
    }

    fn choose(&mut self, board: &Board, _turn: &Turn) -> Choice {
        let first = if self.0.down { Direction::Down } else { Direction::Up };
        let wishes = [first, Direction::Left, Direction::Right, Direction::Up, Direction::Down];
        wishes.into_iter().find(|&wish| board.slide(wish).is_some()).expect("a legal move").into()
    }
}

export_agent!(Corner);
"#;

#[test]
fn a_crate_of_twenty_lines_takes_part_when_its_library_is_beside_the_file() {
    let test = TournamentTest::new(
        "seeds: 1..5\nagents:\n- plugin: corner\n- {plugin: corner, name: up, params: {down: false}}\n- plugin: random\n",
    );
    let plugin_api = repository().join("plugin-api");
    build_crate(&test.path("corner"), "corner", &plugin_api, AGENT);
    test.run(&["--strict"]).expect_code(0);
    assert_eq!(test.records().len(), 15);
    let list = test
        .host(&["list", "corner", "--plugins", "."])
        .expect_code(0);
    assert!(list.stdout.contains("A. Student"), "{}", list.stdout);
}

/// Compiles an agent of `tests/c-agents` into the folder of a tournament.
fn build_test_agent(test: &TournamentTest, compiler: &str, file: &str) {
    let include = repository().join("plugin-api/include");
    let source = repository().join("tests/c-agents").join(file);
    let name = file.split('.').next().expect("a file name");
    build_c(test.folder.path(), compiler, &include, &source, name);
}

/// The endings of all games of a tournament, in the order of its records.
fn endings(test: &TournamentTest) -> Vec<&'static str> {
    let records = test.records();
    records.iter().map(|record| record.ending.name()).collect()
}

#[test]
fn a_c_file_takes_part() {
    let test = TournamentTest::new(
        "seeds: 1..5\nagents:\n- {plugin: corner, params: {first: 2}}\n- plugin: random\n",
    );
    build_test_agent(&test, "cc", "corner.c");
    test.run(&["--strict"]).expect_code(0);
    test.host(&["verify", "runs/t", "--rerun", "--plugins", "."])
        .expect_code(0);
    let list = test
        .host(&["list", "corner", "--plugins", "."])
        .expect_code(0);
    assert!(list.stdout.contains("ABI: C\n"), "{}", list.stdout);
    test.write("t.yaml", "agents: [{plugin: corner, params: {frist: 2}}]\n");
    test.run(&[]).expect_error(4, "did you mean `first`?");
    test.write(
        "t.yaml",
        "seeds: 1..1\nagents: [{plugin: corner, params: {first: 9}}]\n",
    );
    test.run(&[]).expect_error(4, "is not between 0 and 3");
}

#[test]
fn a_cpp_file_takes_part_and_its_exceptions_are_named() {
    let test = TournamentTest::new(
        "seeds: 1..1\nagents:\n- plugin: thrower\n- {plugin: thrower, name: throws, params: {throw_on: 4}}\n\
         - {plugin: thrower, name: never, params: {throw_on: -1}}\n",
    );
    build_test_agent(&test, "c++", "thrower.cpp");
    let told = test.run(&[]).expect_code(0);
    assert_eq!(endings(&test), ["no-move-left", "crash", "crash"]);
    let sentence = "threw an exception that it did not catch: “std::runtime_error: thrown";
    let faults: Vec<String> = test
        .records()
        .into_iter()
        .filter_map(|it| it.fault)
        .collect();
    assert_eq!(
        faults,
        [
            format!("{sentence} on purpose”"),
            format!("{sentence} by create”")
        ]
    );
    assert!(!told.stderr.contains("Rust"), "{}", told.stderr);
    // The check says it in its own column, once.
    let params = ["--params", "{throw_on: 4}"];
    let check = test
        .host(&["check", "./libthrower.so", params[0], params[1]])
        .expect_code(4);
    assert!(check.stdout.contains(sentence), "{}", check.stdout);
    assert!(
        !check.stdout.contains("its last output was"),
        "{}",
        check.stdout
    );
}

#[test]
fn answers_that_only_c_can_give_are_bad_answers() {
    let test = TournamentTest::new(
        "seeds: 1..1\nagents:\n- {plugin: offender, name: seventy-seven, params: {mode: 1}}\n\
         - {plugin: offender, name: silent, params: {mode: 2}}\n- {plugin: offender, name: error, params: {mode: 3}}\n\
         - {plugin: offender, name: thoughts, params: {mode: 4}}\n- {plugin: offender, name: refuses, params: {mode: 5}}\n",
    );
    build_test_agent(&test, "cc", "offender.c");
    test.run(&[]).expect_code(0);
    let endings = endings(&test);
    assert_eq!(
        endings,
        [
            "bad-answer",
            "bad-answer",
            "bad-answer",
            "no-move-left",
            "refused"
        ]
    );
    assert!(
        test.records()[0]
            .fault
            .as_deref()
            .unwrap_or_default()
            .contains("direction 77")
    );
}

#[test]
fn a_jump_out_of_a_c_function_stays_in_the_worker() {
    let test = TournamentTest::new(
        "seeds: 1..2\nbudget: {hang: 2s}\ndisqualify_after: none\nagents:\n\
         - {plugin: offender, name: jumps, params: {mode: 6}}\n- plugin: random\n",
    );
    build_test_agent(&test, "cc", "offender.c");
    test.run(&[]).expect_code(0);
    let records = test.records();
    assert_eq!(records.len(), 4);
    for record in records {
        // The target of the jump is undefined, but the fault must stay within the game.
        assert_eq!(
            record.fault.is_some(),
            record.agent == "jumps",
            "{record:?}"
        );
    }
}

#[test]
fn the_examples_in_c_and_cpp_use_the_whole_contract() {
    let test = TournamentTest::new(
        "seeds: 1..2\nmax_moves: 200\nbudget: [{per_move: 100us}, {nodes: 300}]\nagents:\n\
         - {plugin: planner, params: {empty: 30}}\n- {plugin: cautious, params: {empty: 12.5}}\n",
    );
    let include = repository().join("plugin-api/include");
    let examples = repository().join("plugin-api/c-examples");
    for (compiler, file, name) in [
        ("cc", "planner.c", "planner"),
        ("c++", "cautious.cpp", "cautious"),
    ] {
        build_c(
            test.folder.path(),
            compiler,
            &include,
            &examples.join(file),
            name,
        );
    }
    test.run(&["--strict"]).expect_code(0);
    assert!(test.records().iter().all(|record| record.nodes > 0));
    test.host(&["verify", "runs/t", "--rerun", "--plugins", "."])
        .expect_code(0);
    let page = test
        .host(&[
            "check",
            "--format",
            "csv",
            "./libplanner.so",
            "./libcautious.so",
        ])
        .expect_code(0);
    for name in ["planner", "cautious"] {
        for claim in [
            "defaults",
            "one-millisecond",
            "nodes",
            "thoughts",
            "extensions",
        ] {
            let is_row = |line: &&str| {
                line.starts_with(&format!("{name},")) && line.contains(&format!(",{claim},passed,"))
            };
            assert!(
                page.stdout.lines().any(|line| is_row(&line)),
                "{name} {claim}:\n{}",
                page.stdout
            );
        }
    }
}

/// The header on its own, in both languages, with every warning as an error.
#[test]
fn the_header_compiles_without_warnings_as_c11_and_cpp17() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let header = repository().join("plugin-api/include");
    let alone = "#include \"agent2048.h\"\n#include \"agent2048.h\"\n\
                 int use_it(const agent2048_host *host);\n\
                 int use_it(const agent2048_host *host) { return (int)host->size; }\n";
    for (compiler, file) in [("cc", "alone.c"), ("c++", "alone.cpp")] {
        let source = folder.path().join(file);
        fs::write(&source, alone).expect("a source file");
        build_c(folder.path(), compiler, &header, &source, "alone");
        // Without optimisation the header has a part of its own.
        let unoptimised = Command::new(compiler)
            .args([
                "-Wall",
                "-Wextra",
                "-pedantic",
                "-Werror",
                "-fsyntax-only",
                "-I",
            ])
            .args([&header, &source])
            .status();
        assert!(unoptimised.expect("a compiler runs").success(), "{file}");
    }
}

/// Every function pointer of the header states its thread, its state and its lifetimes.
#[test]
fn each_function_of_the_header_states_thread_state_and_lifetime() {
    let path = repository().join("plugin-api/include/agent2048.h");
    let text = fs::read_to_string(path).expect("the header");
    let functions: Vec<(usize, &str)> = text
        .match_indices("(*")
        .map(|(at, _)| (at, text[at + 2..].split(')').next().expect("a name")))
        .collect();
    assert_eq!(functions.len(), 16, "{functions:?}");
    for (at, name) in functions {
        if matches!(name, "json_number" | "json_text") {
            continue; // the three readers of JSON share one comment
        }
        let comment = &text[text[..at].rfind("/*").expect("a comment")..at];
        for part in ["[thread]", "[state]", "[lifetime]"] {
            assert!(comment.contains(part), "{name} has no {part}: {comment}");
        }
    }
}
