//! Names that a plugin or a submission chooses: of its file, of itself and of its parameters. In a
//! sentence of the host, each is shown as code or quoted.

use std::fs;

use super::words_of_plugins::{FORGED, in_formats, without_quotations};
use crate::support::{Finished, TournamentTest, built_agent::build_c, repository};

/// A name that says it before, within and after what would be code if it were shown as it is.
fn evil_name() -> String {
    format!("{FORGED}` is fine; {FORGED} \u{202e}\u{200b}\n“{FORGED}” `{FORGED}")
}

/// What the host says itself: the text without what is shown as code.
fn without_code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts
        .filter(|(number, _)| number % 2 == 0)
        .map(|(_, part)| part)
        .collect()
}

/// Names that a submission chooses: of its file, and of what its description contains.
#[test]
fn names_that_a_submission_chooses_are_shown_as_code() {
    let evil = evil_name();
    let test =
        TournamentTest::new("seeds: 1..1\nagents: [{folder: submissions}, {plugin: greedy}]\n");
    fs::create_dir(test.path("submissions")).expect("a folder");
    test.write(&format!("submissions/{evil}.so"), "not a library");
    let run = test.run(&[]).expect_code(0);
    let report = test.host(&["report", "runs/t"]).expect_code(0);
    for told in [&run.stderr, &report.stdout] {
        let left_out: Vec<&str> = told.lines().filter(|line| line.contains(FORGED)).collect();
        let [line] = left_out[..] else {
            panic!("one line: {told}");
        };
        let said = without_code(line);
        assert!(
            said.starts_with("left out:  is not a shared library"),
            "{line}"
        );
        assert!(!line.contains(['\u{202e}', '\u{200b}']), "{line}");
    }
}

/// A program that describes itself in evil words only.
#[test]
fn descriptions_are_quoted_in_every_sentence() {
    let evil = evil_name();
    let test = TournamentTest::new("");
    let mut info = serde_json::json!({
        "name": evil, "version": evil, "author": evil, "description": evil, "boards": {"min": 3, "max": 3},
        "params": {"type": "object", "properties": {&evil: {"type": evil, "default": evil, "description": evil}}},
    });
    let write = |name: &str, info: &serde_json::Value| {
        let line = format!("agent {info}").replace('\'', r"'\''");
        let code = format!(
            "#!/bin/sh\nwhile read -r word rest; do case $word in\narena) printf '%s\\n' '{line}';;\n\
             new) echo ready;;\nturn) echo error done;;\nesac; done\n"
        );
        test.write(name, &code);
    };
    write("named.sh", &info);
    info["files"] = vec![evil].into();
    write("files.sh", &info);
    let agent = |more: &str| format!("seeds: 1..1\nagents: [{{plugin: ./{more}}}]\n");
    test.write("files.yaml", &agent("files.sh"));
    test.write("params.yaml", &agent("named.sh, params: {first: 1}"));
    test.write("t.yaml", &(agent("named.sh") + "board: 3\n"));
    test.run(&[]).expect_code(0);
    let mut commands = in_formats(&["check", "named.sh"]);
    commands.extend([vec!["run", "files.yaml"], vec!["run", "params.yaml"]]);
    for command in commands {
        let Finished { stdout, stderr, .. } = test.host(&command);
        // Markdown writes backticks after a backslash.
        let told = (stdout + &stderr).replace("\\`", "`");
        assert!(told.contains(FORGED), "{command:?}: {told}");
        // A field of its own in JSON is no sentence.
        let is_field = |part: &&str| {
            let part = part.trim_start();
            part.starts_with("\"version\": ") || part.starts_with("\"author\": ")
        };
        for part in told.lines().filter(|part| !is_field(part)) {
            let said = without_code(&without_quotations(part));
            assert!(!said.contains(FORGED), "{command:?}: {part}");
        }
    }
}

/// A line feed in the name of a file begins no line of the host.
#[test]
fn a_file_name_of_several_lines_is_shown_on_one() {
    let test = TournamentTest::new("");
    fs::create_dir(test.path("plugins")).expect("a folder");
    let file = format!("plugins/libx\n{FORGED}\n{FORGED}.so");
    test.write(&file, "not a library");
    for command in [&["list", "--plugins", "plugins"][..], &["check", &file]] {
        let Finished { stdout, stderr, .. } = test.host(command);
        let told = stdout + &stderr;
        assert!(told.contains(FORGED), "{command:?}: {told}");
        // At the beginning of a line, or of the first cell of a table.
        let begins = |line: &&str| line.strip_prefix("│ ").unwrap_or(line).starts_with(FORGED);
        let forged = told.lines().find(begins);
        assert_eq!(forged, None, "{command:?}: {told}");
    }
}

/// A plugin whose search ends for a reason in its own words, and whose parameter has a help text.
#[test]
fn reasons_of_a_search_and_help_texts_are_quoted_and_long_versions_cut() {
    // As long as a string may be in C.
    const LONG: usize = 3000;
    let test = TournamentTest::new("");
    let include = repository().join("plugin-api/include");
    for (name, states) in [
        ("reason", "1"),
        ("malformed", "\\\"finished_with_999999_points\\\""),
    ] {
        let source = format!(
            "#include \"agent2048.h\"\n\
             static int extension(const char *name, const char *request, const agent2048_sink *sink, char *error, size_t size) {{\n\
             (void)name, (void)request, (void)error, (void)size;\n\
             sink->answer(sink->context, \"{{\\\"solutions\\\": \\\"5\\\", \\\"states\\\": {states}, \\\"complete\\\": false,\"\n\
             \" \\\"incomplete_because\\\": \\\"{FORGED}\\\\n  {FORGED}\\\"}}\");\nreturn AGENT2048_OK;\n}}\n\
             static void *create(const agent2048_host *host, const char *params, const char *setup, char *error, size_t size) {{\n\
             (void)host, (void)params, (void)setup, (void)error, (void)size;\nreturn 0;\n}}\n\
             static int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn, agent2048_choice *choice) {{\n\
             (void)agent, (void)board, (void)turn, (void)choice;\nreturn 1;\n}}\n\
             const agent2048_entry_v1 agent2048_entry = {{sizeof(agent2048_entry_v1), AGENT2048_MAJOR, AGENT2048_MINOR, 0,\n\
             \"{{\\\"name\\\": \\\"x\\\", \\\"version\\\": \\\"{}\\\", \\\"params\\\": {{\\\"type\\\": \\\"object\\\", \\\"properties\\\":\"\n\
             \" {{\\\"depth\\\": {{\\\"type\\\": \\\"integer\\\", \\\"description\\\": \\\"{FORGED}\\\"}}}}}}}}\", create, 0, choose, extension}};\n",
            "v".repeat(LONG)
        );
        let file = test.path(&format!("{name}.c"));
        fs::write(&file, source).expect("a source file");
        build_c(test.folder.path(), "cc", &include, &file, name);
    }
    let solve = [
        "solve",
        "--size",
        "2",
        "--goal",
        "8",
        "--plugins",
        ".",
        "--plugin",
    ];
    let commands = [
        [&solve[..], &["reason"]].concat(),
        [&solve[..], &["malformed"]].concat(),
        vec!["list", "reason", "--plugins", "."],
        vec!["list", "--plugins", ".", "--format", "csv"],
    ];
    for command in commands {
        let Finished { stdout, stderr, .. } = test.host(&command);
        let told = stdout + &stderr;
        assert!(told.contains(FORGED), "{command:?}: {told}");
        // A row of a table, or an indented line below the name of the plugin, is no sentence.
        if command[0] == "solve" {
            let said = without_quotations(&told);
            assert!(!said.contains(FORGED), "{command:?}: {told}");
        }
        let begins = told.lines().find(|line| line.starts_with(FORGED));
        assert_eq!(begins, None, "{command:?}: {told}");
        assert!(
            !told.contains(&"v".repeat(LONG)),
            "{command:?}: the whole version is shown"
        );
    }
}
