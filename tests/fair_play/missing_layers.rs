//! What the sandbox still does when one of its layers is missing.
//!
//! A small program runs the host as on a kernel that lacks a layer.

use std::{fs, path::PathBuf, process::Command};

use crate::support::{
    Finished, TournamentTest, attack::build_hostile, built_agent::build_c, host, kinds::kinds,
    repository,
};

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

/// What became of attempts at paths without a layer, in the words of libraries and programs
/// that made them in one run.
fn attempts(test: &TournamentTest, layer: &str, attempts: &[(&str, PathBuf)]) -> Vec<String> {
    let mut yaml = "seeds: 1..1\nagents:\n".to_owned();
    for kind in kinds("scripted") {
        for (attempt, path) in attempts {
            let number = yaml.lines().count();
            let params = format!("on_move: 1, attempt: {attempt}, path: {}", path.display());
            let name = format!("a{number}");
            yaml += &[
                "- {",
                &kind,
                ", name: ",
                &name,
                ", params: {",
                &params,
                "}}\n",
            ]
            .concat();
        }
    }
    test.write("t.yaml", &yaml);
    host_without(test, layer, &["run", "t.yaml", "--fresh"]).expect_code(0);
    let faults = test.records().into_iter().map(|record| record.fault);
    let told: Vec<String> = faults.map(Option::unwrap_or_default).collect();
    assert_eq!(told.len(), 2 * attempts.len());
    told
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

/// The salt is in the plan, a rival's score in the log. What one layer denies, another one
/// denies as well, to libraries and to programs.
#[test]
fn without_a_layer_the_others_still_deny() {
    let test = TournamentTest::new("");
    test.write("rival.txt", "a secret");
    let rival = test.path("rival.txt");
    let run = test.path("runs/t");
    let (plan, log) = (run.join("plan.json"), run.join("games.jsonl"));
    let read = |path: &PathBuf| ("read", path.clone());
    let write = |path: &PathBuf| ("write", path.clone());
    let other = |attempt: &'static str| (attempt, rival.clone());
    for (layer, tried) in [
        (
            "landlock",
            vec![read(&plan), read(&log), write(&log), other("open-socket")],
        ),
        (
            "namespaces",
            vec![
                read(&plan),
                read(&rival),
                write(&rival),
                other("open-socket"),
                other("fork"),
            ],
        ),
        ("seccomp", vec![read(&rival), write(&rival)]),
    ] {
        for told in attempts(&test, layer, &tried) {
            let has_failed = told.contains("the attempt failed");
            assert!(has_failed, "without {layer}, {tried:?}: {told}");
        }
    }
    let content = fs::read_to_string(rival).expect("the file is there");
    assert_eq!(content, "a secret");
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
        let target = test.path("precious");
        let script = format!("#!/bin/sh\n: > {0}\n: > {0}.new\n", target.display());
        test.write("emptier", &script);
        test.write("t.yaml", "agents: [{plugin: ./emptier}]\n");
        host_without(&test, layer, &["run", "t.yaml"]).expect_error(4, "emptier");
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

/// The first process of a namespace does not die of a signal for which it has no handler.
#[test]
fn a_signal_without_a_name_is_named_and_is_the_agents_own() {
    let test = TournamentTest::new(
        "seeds: 1..1\nagents: [{plugin: cheat, params: {mode: 5}}, {plugin: greedy}]\n",
    );
    build_hostile(&test, "cheat");
    let run = ["run", "t.yaml", "--fresh", "--plugins", "."];
    host_without(&test, "namespaces", &run).expect_code(0);
    let record = test.records().remove(0);
    assert_eq!(record.ending.name(), "crash");
    assert_eq!(
        record.fault.as_deref(),
        Some("crashed: real-time signal 33")
    );
    assert!(record.retries.is_empty());
    test.run(&["--fresh"]).expect_code(0);
    assert!(test.records().iter().all(|record| record.fault.is_none()));
}
