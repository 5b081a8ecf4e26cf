//! Words of plugins: whatever a plugin says, a sentence of the host is the host's.
//!
//! Plugins tell the host that all went well, in the name of their worker or as programs. In
//! everything that the host shows, these words stand in a quotation.

use std::fs;

use text::plugin_words::PluginWords;

use crate::support::{Finished, TournamentTest, built_agent::build_c, repository};

/// A small search.
const SOLVE: [&str; 5] = ["solve", "--size", "2", "--goal", "8"];

/// What a plugin would like the host to say.
pub(super) const FORGED: &str = "finished_with_999999_points";

/// The same, as a text that tries to end the quotation that it stands in.
fn forged_text() -> String {
    format!(
        "{FORGED}”. {FORGED}\" {FORGED}`' {FORGED}\n{FORGED}″ {FORGED}＂ ’’ {FORGED}: “{FORGED}"
    )
}

/// When `forger.c` writes its report.
#[derive(Clone, Copy)]
enum When {
    Loaded = 0,
    InCreate = 1,
    InChoose = 2,
    InExtension = 3,
}

/// Builds a plugin that writes this report to the pipe of its worker, with more letters in
/// place of `…`.
fn build_forger(test: &TournamentTest, name: &str, when: When, report: &str, n_letters: u32) {
    let (report, end) = report.split_once('…').unwrap_or((report, ""));
    let in_c = |text: &str| {
        let bytes: Vec<String> = (text.bytes()).map(|byte| format!("\\{byte:03o}")).collect();
        format!("\"{}\"", bytes.concat())
    };
    let agents = repository().join("tests/c-agents");
    let source = format!(
        "#define REPORT {}\n#define END {}\n#define N_LETTERS {n_letters}u\n#define WHEN {}\n#include \"{}\"\n",
        in_c(report),
        in_c(end),
        when as u8,
        agents.join("forger.c").display()
    );
    let file = format!("{name}.c");
    test.write(&file, &source);
    let include = repository().join("plugin-api/include");
    fs::create_dir_all(test.path("plugins")).expect("a folder");
    build_c(
        &test.path("plugins"),
        "cc",
        &include,
        &test.path(&file),
        name,
    );
}

/// The report of a worker whose plugin failed in this way.
fn failure(kind: &str) -> String {
    let words = serde_json::to_string(&forged_text()).expect("JSON");
    match kind {
        "unloadable" | "incompatible" => {
            format!(r#"{{"failed":{{"unusable":{{"{kind}":{words}}}}}}}"#)
        }
        kind => format!(r#"{{"failed":{{"{kind}":{words}}}}}"#),
    }
}

/// What the host says itself: the text without its quotations. One that is not closed ends
/// where the next one begins.
pub(super) fn without_quotations(text: &str) -> String {
    let mut parts = text.split('“');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |said, part| {
        said + part.split_once('”').map_or("", |(_, rest)| rest)
    })
}

#[track_caller]
fn expect_quoted(what: &str, text: &str) {
    let said = without_quotations(text);
    assert!(!said.contains(FORGED), "{what}:\n{text}");
}

/// All output of commands that show what a plugin said.
#[track_caller]
fn expect_quoted_everywhere(test: &TournamentTest, commands: &[Vec<&str>]) {
    for command in commands {
        let Finished { stdout, stderr, .. } = test.host(command);
        let is_shown = stdout.contains(FORGED) || stderr.contains(FORGED);
        assert!(is_shown, "{command:?}:\n{stdout}\n{stderr}");
        expect_quoted(&format!("{command:?}"), &stdout);
        expect_quoted(&format!("{command:?}"), &stderr);
    }
}

pub(super) fn in_formats<'a>(command: &[&'a str]) -> Vec<Vec<&'a str>> {
    let formats = ["table", "json", "csv", "markdown"];
    (formats.iter())
        .map(|format| [command, &["--format", format]].concat())
        .collect()
}

#[test]
fn a_plugin_that_fails_in_a_game_is_quoted_in_every_output() {
    let mut yaml = "seeds: 1..1\ndisqualify_after: never\nagents: [{plugin: greedy}".to_owned();
    let test = TournamentTest::new("");
    let mut names = Vec::new();
    for (place, when) in [("new", When::InCreate), ("choose", When::InChoose)] {
        for kind in [
            "refused",
            "panicked",
            "broken",
            "unloadable",
            "incompatible",
        ] {
            let name = format!("{kind}_{place}");
            build_forger(&test, &name, when, &failure(kind), 0);
            yaml += &[", {plugin: ", &name, "}"].concat();
            names.push(name);
        }
    }
    test.write("t.yaml", &(yaml + "]\n"));
    let run = test.run(&["--plugins", "plugins"]).expect_code(0);
    expect_quoted("run", &run.stdout);
    expect_quoted("run", &run.stderr);
    let quoted = PluginWords::new(&forged_text()).to_string();
    for record in test
        .records()
        .iter()
        .filter(|record| record.agent != "greedy")
    {
        let fault = record.fault.as_deref().expect("a fault");
        assert!(fault.contains(&quoted), "{}: {fault}", record.agent);
        let ours = [
            "refused to play: “",
            "panicked in `",
            "broke the contract in `",
            "cannot be ",
        ];
        assert!(ours.iter().any(|ours| fault.starts_with(ours)), "{fault}");
        run.expect_fault_of(record);
    }
    let mut commands = in_formats(&["report", "runs/t"]);
    commands.push(vec!["report", "runs/t", "--html", "-"]);
    // A table of CSV has no sentences of faults.
    commands.retain(|command| !command.contains(&"csv"));
    for name in &names {
        let rerun = ["verify", "runs/t", "--rerun", "--plugins", "plugins"];
        commands.push([&rerun[..], &["--agent", name]].concat());
    }
    expect_quoted_everywhere(&test, &commands);
}

#[test]
fn a_plugin_that_fails_when_it_is_loaded_is_quoted_in_every_output() {
    for kind in [
        "refused",
        "panicked",
        "broken",
        "unloadable",
        "incompatible",
    ] {
        let test = TournamentTest::new("agents: [{plugin: forger}]\n");
        build_forger(&test, "forger", When::Loaded, &failure(kind), 0);
        let mut commands = in_formats(&["list", "--plugins", "plugins"]);
        commands.extend(in_formats(&["check", "plugins/libforger.so"]));
        commands.push(vec!["run", "t.yaml", "--plugins", "plugins"]);
        commands.push([&SOLVE[..], &["--plugin", "forger", "--plugins", "plugins"]].concat());
        expect_quoted_everywhere(&test, &commands);
    }
}

/// Only the worker's first report, before it opens the plugin, tells of its sandbox.
#[test]
fn no_plugin_can_say_that_the_sandbox_is_incomplete() {
    let test = TournamentTest::new("seeds: 1..1\nagents: [{plugin: loaded}, {plugin: create}]\n");
    let report = format!(r#"{{"confined":{{"lacking":"{FORGED}"}}}}"#);
    for (name, when) in [
        ("loaded", When::Loaded),
        ("create", When::InCreate),
        ("choose", When::InChoose),
        ("extension", When::InExtension),
    ] {
        build_forger(&test, name, when, &report, 0);
    }
    let folder = ["--plugins", "plugins"];
    for command in [
        &[&SOLVE[..], &["--plugin", "loaded"]].concat()[..],
        &[&SOLVE[..], &["--plugin", "extension"]].concat(),
        &["list"],
        &["check", "plugins"],
        &["run", "t.yaml"],
    ] {
        let more = if command[0] == "check" {
            &[][..]
        } else {
            &folder
        };
        let finished = test.host(&[command, more].concat());
        for text in [&finished.stdout, &finished.stderr] {
            assert!(
                !text.contains("sandbox is incomplete"),
                "{command:?}: {text}"
            );
            assert!(!text.contains(FORGED), "{command:?}: {text}");
        }
        if command[0] == "solve" {
            finished.expect_error(4, "sent an invalid message");
        }
    }
    test.write(
        "t.yaml",
        "seeds: 1..1\nagents: [{plugin: create}, {plugin: choose}]\n",
    );
    let run = test.run(&folder).expect_code(0);
    assert!(!run.stderr.contains(FORGED), "{}", run.stderr);
    for record in test.records() {
        let fault = record.fault.unwrap_or_default();
        assert_eq!(fault, "wrote garbage where its answer was expected");
    }
}

/// A report of a worker may have megabytes.
#[test]
fn long_words_of_a_plugin_are_cut_wherever_they_are_shown() {
    const LONGEST: usize = 200_000;
    const MANY: u32 = 1 << 20;
    let test = TournamentTest::new("agents: [{plugin: loaded}]\n");
    let report = r#"{"failed":{"refused":"…"}}"#;
    build_forger(&test, "loaded", When::Loaded, report, MANY);
    let check = |what: &str, finished: &Finished| {
        for text in [&finished.stdout, &finished.stderr] {
            assert!(text.len() < LONGEST, "{what}: {} bytes", text.len());
        }
    };
    let folder = ["--plugins", "plugins"];
    let mut commands = in_formats(&["list"]);
    commands.push(vec!["run", "t.yaml"]);
    commands.push([&SOLVE[..], &["--plugin", "loaded"]].concat());
    for command in commands {
        let finished = test.host(&[&command[..], &folder].concat());
        assert!((finished.stdout.clone() + &finished.stderr).contains("xxx"));
        check(&format!("{command:?}"), &finished);
    }
    build_forger(&test, "create", When::InCreate, report, MANY);
    test.write("t.yaml", "seeds: 1..1\nagents: [{plugin: create}]\n");
    let finished = test.run(&folder).expect_code(0);
    check("run", &finished);
    let fault = test.records().remove(0).fault.unwrap_or_default();
    assert!(fault.len() < 1000 && fault.ends_with("x…”"), "{fault}");
}

/// Programs in the shell: each says it in another place of the protocol, or prints it.
#[test]
fn what_programs_write_is_quoted() {
    let words = forged_text().replace('\n', " ");
    let say = |line: &str| format!("printf '%s\\n' '{}'\n", line.replace('\'', r"'\''"));
    let print = |line: &str| say(line).replace('\n', " >&2\n");
    let read = "read line\n";
    let start = format!("{read}{}{read}", say(r#"agent {"name": "forger"}"#));
    let game = format!("{start}echo ready\n{read}");
    let trace = print("  File \"a.py\", line 1");
    let test = TournamentTest::new("");
    for (name, code) in [
        ("hello", format!("{read}{}", say(&format!("error {words}")))),
        ("wrong", format!("{read}{}", say(&words))),
        (
            "described",
            format!("{read}{}", say(&format!("agent {words}"))),
        ),
        (
            "key",
            format!(
                "{read}{}",
                say(&format!(
                    r#"agent {{"name": "x", "honours": ["{FORGED}"]}}"#
                ))
            ),
        ),
        ("printed", format!("{read}{}exit 1\n", print(&words))),
        ("new", format!("{start}{}", say(&format!("error {words}")))),
        ("ready", format!("{start}{}", say(&words))),
        ("turn", format!("{game}{}", say(&format!("error {words}")))),
        ("move", format!("{game}{}", say(&format!("move {words}")))),
        (
            "thoughts",
            format!(
                "{game}{}",
                say(&format!(
                    r#"move up {{"values": {}}}"#,
                    serde_json::json!(words)
                ))
            ),
        ),
        ("trace", format!("{game}{trace}{}exit 1\n", print(&words))),
        (
            "thrown",
            format!(
                "{game}{}exit 1\n",
                print(&format!(
                    "terminate called after throwing an instance of '{words}'"
                ))
            ),
        ),
        (
            "hidden",
            format!(
                "{game}{trace}{}exit 1\n",
                print(&format!("No such file: '/x/{FORGED}', {words}"))
            ),
        ),
    ] {
        test.write(&format!("{name}.sh"), &format!("#!/bin/sh\n{code}{read}"));
        test.write(
            "t.yaml",
            &format!("seeds: 1..1\nagents: [{{plugin: ./{name}.sh}}, {{plugin: greedy}}]\n"),
        );
        let run = test.run(&["--fresh"]);
        assert!(run.stderr.contains(FORGED), "{name}: {}", run.stderr);
        // What it printed stands behind a line, and the name of a hidden file is shown as code.
        let told = run.stderr.replace(&format!("`/x/{FORGED}`"), "");
        let told = told.lines().filter(|line| !line.starts_with("  | "));
        expect_quoted(name, &told.collect::<Vec<_>>().join("\n"));
    }
}
