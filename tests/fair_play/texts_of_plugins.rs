//! Texts of plugins: only text, in every format.

use std::fs;

use crate::support::{TournamentTest, built_agent::build_c, repository};

/// A tournament with a plugin whose every text tries to be more.
fn evil_plugin() -> TournamentTest {
    let test = TournamentTest::new(
        "seeds: 1..1\ndisqualify_after: never\nagents: [{plugin: texts}, {plugin: greedy}]\n",
    );
    fs::create_dir(test.path("plugins")).expect("a folder");
    let source = repository().join("tests/c-agents/texts.c");
    let include = repository().join("plugin-api/include");
    build_c(&test.path("plugins"), "cc", &include, &source, "texts");
    fs::copy(
        test.path("plugins/libtexts.so"),
        test.path("plugins/lib\u{1b}[2J.so"),
    )
    .expect("a plugin with an evil file name");
    test
}

/// Invisible characters that `texts.c` prints.
const INVISIBLE: [char; 6] = [
    '\u{200b}',
    '\u{2028}',
    '\u{202e}',
    '\u{2066}',
    '\u{feff}',
    '\u{e0041}',
];

/// Nothing that a terminal obeys: no control characters except line feeds, and none that
/// cannot be seen.
#[track_caller]
fn check_terminal(what: &str, text: &str) {
    let is_harmful = |c: char| c.is_control() || INVISIBLE.contains(&c);
    let harmful = text.chars().find(|c| is_harmful(*c) && *c != '\n');
    assert_eq!(harmful, None, "{what}:\n{text}");
}

/// No cell that a spreadsheet computes.
#[track_caller]
fn check_csv(text: &str) {
    for cell in text.split([',', '\n']) {
        let cell = cell.trim_start_matches('"');
        let starts = cell.starts_with(['=', '@', '\t', '\r'])
            || (cell.starts_with(['+', '-']) && cell.parse::<f64>().is_err());
        assert!(!starts, "the cell {cell:?} in:\n{text}");
    }
}

/// No tag outside of a block of code.
#[track_caller]
fn check_markdown(text: &str) {
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            let plain = line.replace(r"\<", "");
            assert!(!plain.contains("<script"), "{line}");
            let is_link = line.replace(r"]\(", "").contains("](");
            assert!(!is_link, "{line}");
        }
    }
    assert!(!is_code, "a block of code is not closed in:\n{text}");
}

#[test]
fn descriptions_and_faults_are_only_text_in_every_format() {
    let test = evil_plugin();
    let run = test
        .run(&["--plugins", "plugins", "--show-stderr"])
        .expect_code(0);
    assert!(run.stderr.contains("52;c;ZXZpbA=="), "{}", run.stderr);
    let fake = run
        .stderr
        .lines()
        .find(|line| line.contains("greedy crashed"));
    let begins = fake.is_some_and(|line| line.starts_with("texts seed 1 | "));
    assert!(
        begins,
        "the line of an agent does not name it: {}",
        run.stderr
    );
    check_terminal("run", &(run.stdout + &run.stderr));
    let report = |format: &'static str| vec!["report", "runs/t", "--format", format];
    let list = |format: &'static str| vec!["list", "--plugins", "plugins", "--format", format];
    let check = |format: &'static str| vec!["check", "plugins", "--format", format];
    for command in [report, list, check] {
        for format in ["table", "json", "csv", "markdown"] {
            let arguments = command(format);
            let finished = test.host(&arguments);
            let printed = finished.stdout;
            assert!(
                printed.contains("texts"),
                "{arguments:?}: {}",
                finished.stderr
            );
            check_terminal(
                &format!("{arguments:?}"),
                &(printed.clone() + &finished.stderr),
            );
            match format {
                "csv" => check_csv(&printed),
                "markdown" => check_markdown(&printed),
                "json" => drop(serde_json::from_str::<serde_json::Value>(&printed).expect("JSON")),
                _ => (),
            }
        }
    }
    let one = test.host(&["check", "plugins/lib\u{1b}[2J.so"]);
    check_terminal("check", &(one.stdout + &one.stderr));
    let arguments = [
        "verify",
        "runs/t",
        "--rerun",
        "--agent",
        "texts",
        "--show-stderr",
    ];
    let verified = test.host(&[&arguments[..], &["--plugins", "plugins"]].concat());
    check_terminal("verify", &(verified.stdout + &verified.stderr));
    let page = test
        .host(&["report", "runs/t", "--html", "-"])
        .expect_code(0);
    assert!(!page.stdout.contains("<script>alert"), "a tag on the page");
    let plan = fs::read_to_string(test.path("runs/t/plan.json")).expect("a plan");
    for text in [page.stdout, plan] {
        check_terminal("page and plan", &text);
    }
}

#[test]
fn errors_about_a_strangers_folder_are_only_text() {
    let test = TournamentTest::new("seeds: 1..1\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let log = fs::read_to_string(test.log()).expect("a log");
    let evil = log.replace("no-move-left", r"\u001b]52;c;ZXZpbA==\u0007");
    fs::write(test.log(), &evil).expect("a log");
    let verified = test.host(&["verify", "runs/t"]).expect_code(5);
    assert!(verified.stdout.contains("ZXZpbA"), "{}", verified.stdout);
    check_terminal("verify", &(verified.stdout + &verified.stderr));
    let plan = fs::read_to_string(test.path("runs/t/plan.json")).expect("a plan");
    let (plan, _) = plan.rsplit_once(",\n  \"check\"").expect("a checksum");
    let evil = plan.replace("\"process\"", "\"\u{9b}2J\\u001b[2J\"") + "\n}";
    test.write("runs/t/plan.json", &evil);
    let verified = test.host(&["verify", "runs/t"]).expect_code(5);
    check_terminal("an invalid plan", &verified.stderr);
}
