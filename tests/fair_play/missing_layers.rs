//! What the sandbox still does when one of its layers is missing.
//!
//! A small program runs the host as on a kernel that lacks a layer.

use std::{fs, path::PathBuf, process::Command};

use crate::support::{Finished, TournamentTest, built_agent::build_c, host, repository};

/// A command of the host on a machine that lacks a layer.
fn host_without(test: &TournamentTest, layer: &str, arguments: &[&str]) -> Finished {
    let program = host().get_program().to_owned();
    let mut command = Command::new(build_launcher(test));
    command
        .arg(layer)
        .arg(program)
        .args(arguments)
        .current_dir(test.folder.path());
    Finished::of(&mut command)
}

fn build_launcher(test: &TournamentTest) -> PathBuf {
    let launcher = test.path("without-layer");
    let source = repository().join("tests/c-agents/without_layer.c");
    let compiled = Command::new("cc")
        .arg("-o")
        .args([&launcher, &source])
        .status()
        .expect("a C compiler");
    assert!(compiled.success());
    launcher
}

/// What became of an attempt, in the agent's own words.
fn attempt(test: &TournamentTest, layer: &str, more: &str) -> String {
    let yaml = format!(
        "seeds: 1..1\nsalt: secret\nagents: [{{plugin: scripted, params: {{on_move: 1, {more}}}}}]\n"
    );
    test.write("t.yaml", &yaml);
    host_without(test, layer, &["run", "t.yaml", "--fresh"]).expect_code(0);
    let record = test.records().remove(0);
    record.fault.expect("the agent tells by panicking")
}

const LAYERS: [(&str, &str); 3] = [
    ("landlock", "Landlock"),
    ("namespaces", "namespaces"),
    ("seccomp", "seccomp"),
];

#[track_caller]
fn expect_one_warning(finished: &Finished, name: &str) {
    let warning = format!("warning: the sandbox is incomplete on this machine: {name}");
    let n_warnings = finished.stderr.matches(&warning).count();
    assert_eq!(n_warnings, 1, "{}", finished.stderr);
}

#[test]
fn a_missing_layer_is_said_once_and_rejected_where_it_is_required() {
    let agents = "agents: [{plugin: greedy}, {plugin: random}]\n";
    for (layer, name) in LAYERS {
        let test = TournamentTest::new(&format!("seeds: 1..3\n{agents}"));
        let finished = host_without(&test, layer, &["run", "t.yaml"]).expect_code(0);
        expect_one_warning(&finished, name);
        assert_eq!(test.records().len(), 6);
        test.write("t.yaml", &format!("sandbox: required\n{agents}"));
        host_without(&test, layer, &["run", "t.yaml"])
            .expect_error(4, &format!("`sandbox: required` is set: {name}"));
    }
}

#[test]
fn every_command_that_opens_a_plugin_says_that_a_layer_is_missing() {
    let test = TournamentTest::new("seeds: 1..1\nagents: [{plugin: greedy}]\n");
    test.run(&[]).expect_code(0);
    let commands: [&[&str]; 4] = [
        &["list"],
        &["check", "greedy"],
        &["solve", "--size", "2", "--goal", "8"],
        &["verify", "runs/t", "--rerun"],
    ];
    for command in commands {
        let finished = host_without(&test, "landlock", command);
        expect_one_warning(&finished, "Landlock");
    }
}

/// See break B2: the salt is in the plan, a rival's score in the log.
#[test]
fn without_landlock_nothing_of_the_run_can_be_read_or_changed() {
    let test = TournamentTest::new("");
    for (attempted, file) in [
        ("read", "plan.json"),
        ("read", "games.jsonl"),
        ("write", "games.jsonl"),
    ] {
        let path = test.path("runs/t").join(file);
        let more = format!("attempt: {attempted}, path: {}", path.display());
        let told = attempt(&test, "landlock", &more);
        assert!(
            told.contains("the attempt failed"),
            "{attempted} {file}: {told}"
        );
    }
}

#[test]
fn without_namespaces_or_landlock_nothing_is_created_or_emptied_by_opening_a_plugin() {
    for layer in ["landlock", "namespaces"] {
        let test = TournamentTest::new("");
        test.write("precious", "content");
        let source = format!(
            "#define TARGET \"{}\"\n#include \"{}\"\n",
            test.path("precious").display(),
            repository().join("tests/c-agents/emptier.c").display()
        );
        test.write("emptier.c", &source);
        let include = repository().join("plugin-api/include");
        build_c(
            test.folder.path(),
            "cc",
            &include,
            &test.path("emptier.c"),
            "emptier",
        );
        let finished = host_without(&test, layer, &["list", "--plugins", "."]).expect_code(0);
        assert!(
            finished.stdout.contains("unusable: `./libemptier.so`"),
            "{}",
            finished.stdout
        );
        let content = fs::read_to_string(test.path("precious")).expect("the file is there");
        assert_eq!(content, "content", "without {layer}");
        assert!(!test.path("precious.new").exists(), "without {layer}");
    }
}
