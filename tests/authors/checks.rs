//! What `host check` reports about correct and broken plugins.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use run::agent::SHIPPED;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Finished, host, repository};

/// The variants of `c-agents/broken.c` by number, the claims that each one fails, and a
/// part of the first finding.
const BROKEN: [(u8, &str, &[&str], &str); 25] = [
    (
        1,
        "always_up",
        &[
            "thousand-positions",
            "one-move-from-the-end",
            "only-move",
            "high-tiles",
        ],
        "chose up on 32 0 32 16",
    ),
    (2, "no_high_tiles", &["high-tiles"], "SIGABRT"),
    (4, "by_the_clock", &["repeatable"], "`random_seed`"),
    (5, "global_state", &["two-agents"], "not in globals"),
    (6, "leaks", &["memory"], "a game of 20000 moves would need"),
    (
        7,
        "slow",
        &["one-millisecond", "ten-milliseconds"],
        "had no time left on move",
    ),
    (
        8,
        "too_many_nodes",
        &["nodes"],
        "searched 101 nodes with a budget of 100",
    ),
    (
        9,
        "thinks_on",
        &["other-peoples-time"],
        "of CPU time in a pause of",
    ),
    (
        10,
        "bad_default",
        &["schema"],
        "parameter `depth`: expected integer",
    ),
    (
        11,
        "no_type",
        &["ill-typed-parameter"],
        "accepts `depth: \"not a value\"`",
    ),
    (12, "bad_name", &["information"], "calls itself `my agent!`"),
    (13, "bad_boards", &["boards"], "from 4 to 9"),
    (14, "infinite", &["thoughts"], "is worth inf"),
    (
        15,
        "slow_to_load",
        &["loading-time", "makes-an-agent"],
        "which has its own limit",
    ),
    (16, "frees_twice", &["agents-end"], "aborted: SIGABRT"),
    (
        17,
        "no_extension",
        &["extensions"],
        "declares the extension `solve/1`",
    ),
    (
        18,
        "no_size_3",
        &["board-sizes"],
        "3×3: refused to play: “does not want to”",
    ),
    (19, "other_major", &["abi"], "it uses version 9."),
    (20, "crashes", &["first-move"], "aborted: SIGABRT"),
    (21, "refuses", &["makes-an-agent"], "does not want to"),
    (
        22,
        "no_json",
        &["description"],
        "returned an invalid description",
    ),
    (23, "strict_setup", &["later-setup"], "does not want to"),
    (
        25,
        "looks_twice",
        &["thousand-positions", "one-move-from-the-end"],
        "`choose` returned 1",
    ),
    (
        24,
        "only_tenth",
        &["share-of-fours"],
        "with four: 0: refused to play: “does not want to”",
    ),
    (
        26,
        "sleeps",
        &["makes-an-agent"],
        "slept for more than 250ms before the first move",
    ),
];

fn compile(folder: &Path, name: &str, source: &Path, more: &[&str]) -> PathBuf {
    let library = folder.join(format!("lib{name}.so"));
    let status = Command::new("cc")
        .args([
            "-std=c11", "-O2", "-shared", "-fPIC", "-Wall", "-Wextra", "-I",
        ])
        .arg(repository().join("plugin-api/include"))
        .arg(format!("-DPLUGIN_NAME=\"{name}\""))
        .arg(source)
        .args(more)
        .arg("-o")
        .arg(&library)
        .status()
        .expect("a C compiler runs");
    assert!(status.success(), "{name} could not be compiled");
    library
}

fn broken_source() -> PathBuf {
    repository().join("tests/c-agents/broken.c")
}

/// Checks plugins and returns the findings about each.
fn check(code: i32, plugins: &[PathBuf]) -> Vec<Value> {
    let finished =
        Finished::of(host().args(["check", "--format", "json"]).args(plugins)).expect_code(code);
    let page: Value = serde_json::from_str(&finished.stdout).expect("JSON");
    page["plugins"].as_array().expect("a list").clone()
}

fn failures(plugin: &Value) -> Vec<(&str, &str)> {
    with_outcome("failed", plugin)
}

/// The claims with this outcome, and the detail of each.
fn with_outcome<'a>(outcome: &str, plugin: &'a Value) -> Vec<(&'a str, &'a str)> {
    let claims = plugin["claims"].as_array().expect("a list");
    claims
        .iter()
        .filter(|claim| claim["outcome"] == outcome)
        .map(|claim| {
            let text = |key: &str| claim[key].as_str().expect("a text");
            (text("id"), text("detail"))
        })
        .collect()
}

fn check_broken(cases: &[(u8, &str, &[&str], &str)]) {
    let folder = TempDir::new().expect("a temporary folder");
    let plugins: Vec<PathBuf> = cases
        .iter()
        .map(|(number, name, ..)| {
            let diagnostic = format!("-DMISTAKE={number}");
            compile(folder.path(), name, &broken_source(), &[&diagnostic])
        })
        .collect();
    let found = check(4, &plugins);
    for ((_, name, claims, part), plugin) in cases.iter().zip(&found) {
        let failures = failures(plugin);
        let ids: Vec<&str> = failures.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids, *claims, "{name}: {failures:?}");
        let detail = failures[0].1;
        assert!(detail.contains(part), "{name}: {detail}");
    }
}

#[test]
fn a_broken_plugin_fails_the_claim_about_its_defect() {
    check_broken(&BROKEN[..12]);
}

#[test]
fn more_broken_plugins_fail_the_claims_about_their_defects() {
    check_broken(&BROKEN[12..]);
}

/// Each claim alone is within its limits.
#[test]
fn a_check_ends_when_the_plugin_has_used_its_cpu_time() {
    let folder = TempDir::new().expect("a temporary folder");
    let plugin = compile(folder.path(), "spins", &broken_source(), &["-DMISTAKE=27"]);
    let mut command = host();
    command.args(["check", "--cpu-limit", "1s", "--format", "json"]);
    let finished = Finished::of(command.arg(plugin)).expect_code(4);
    let page: Value = serde_json::from_str(&finished.stdout).expect("JSON");
    let failures = failures(&page["plugins"][0]);
    let untested = "was not tested: this plugin has used more than 1s of CPU time in this check";
    assert!(!failures.is_empty());
    for (id, detail) in failures {
        assert!(detail.starts_with(untested), "{id}: {detail}");
    }
}

#[test]
fn a_correct_c_plugin_passes() {
    let folder = TempDir::new().expect("a temporary folder");
    let plugin = compile(folder.path(), "fine", &broken_source(), &[]);
    let found = check(0, &[plugin]);
    let claims = found[0]["claims"].as_array().expect("a list");
    assert!(claims.len() >= 25);
    for claim in claims {
        assert_ne!(claim["outcome"], "warned", "{claim:#}");
    }
}

/// Output and a missing `-O2` do no harm, and a fixed depth only where time is limited.
#[test]
fn harmless_habits_are_warnings_that_say_what_to_do() {
    let folder = TempDir::new().expect("a temporary folder");
    let unoptimised = ["-DMISTAKE=3", "-O0"];
    let chatty = compile(folder.path(), "chatty", &broken_source(), &unoptimised);
    let found = check(0, &[chatty]);
    let warnings = with_outcome("warned", &found[0]);
    let [("optimised", build), ("no-output", output)] = warnings[..] else {
        panic!("{warnings:?}");
    };
    assert!(build.contains("`cc -O2`"), "{build}");
    assert!(output.contains("printed `thinking about move"), "{output}");
}

#[test]
fn notes_beyond_the_limits_are_counted_and_others_listed() {
    let folder = TempDir::new().expect("a temporary folder");
    let boastful = compile(
        folder.path(),
        "boastful",
        &broken_source(),
        &["-DMISTAKE=28"],
    );
    let found = check(0, &[boastful, "mcts".into()]);
    assert_eq!(
        with_outcome("warned", &found[0]),
        [(
            "thoughts",
            "left out of its notes on 100 positions: 100 × a name that is empty or longer than 24 \
             characters, 300 × a number beyond 8 of a move, 100 × a number that is not finite"
        )]
    );
    let passed = with_outcome("passed", &found[1]);
    let (_, detail) = passed.iter().find(|(id, _)| *id == "thoughts").expect("it");
    assert!(detail.ends_with(", notes: visits"), "{detail}");
}

/// A library and a glibc version that this machine does not have: stubs to link
/// against.
#[test]
fn a_missing_library_and_a_newer_glibc_are_named() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("stub.c"), "int answer(void) { return 42; }\n").expect("a file");
    fs::write(path("versions"), "GLIBC_2.99 { answer; };\n").expect("a file");
    fs::write(
        path("user.c"),
        format!(
            "extern int answer(void); int use_it(void) {{ return answer(); }}\n#include \"{}\"\n",
            broken_source().display()
        ),
    )
    .expect("a file");
    let stub = |name: &str, more: &[&str]| {
        let status = Command::new("cc")
            .args(["-shared", "-fPIC", "-o", &path(name), &path("stub.c")])
            .args(more)
            .status()
            .expect("a C compiler runs");
        assert!(status.success(), "{name}");
    };
    let source = folder.path().join("user.c");
    stub("libarena2048missing.so", &[]);
    let needs_missing = compile(
        folder.path(),
        "needs_missing",
        &source,
        &[&path("libarena2048missing.so")],
    );
    fs::remove_file(path("libarena2048missing.so")).expect("the stub can be removed");
    let versions = format!("-Wl,--version-script={}", path("versions"));
    stub("stub-libc.so.6", &["-Wl,-soname,libc.so.6", &versions]);
    let needs_newer = compile(
        folder.path(),
        "needs_newer",
        &source,
        &[&path("stub-libc.so.6")],
    );
    let found = check(4, &[needs_missing, needs_newer]);
    for (plugin, part) in found.iter().zip(["arena2048missing.so", "GLIBC_2.99"]) {
        let failures = failures(plugin);
        assert_eq!(failures.len(), 1, "{failures:?}");
        assert_eq!(failures[0].0, "dependencies");
        assert!(failures[0].1.contains(part), "{}", failures[0].1);
    }
}

#[test]
fn the_shipped_plugins_pass_and_fill_the_markdown_table() {
    let finished =
        Finished::of(host().args(["check", "--format", "markdown"]).args(SHIPPED)).expect_code(0);
    let rows: Vec<&str> = finished.stdout.lines().skip(2).collect();
    assert_eq!(rows.len(), SHIPPED.len(), "{}", finished.stdout);
    for (row, name) in rows.iter().zip(SHIPPED) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        assert_eq!(cells[2], name, "{row}");
        assert!(cells[5].starts_with("ready"), "{row}");
    }
}

#[test]
fn a_folder_is_checked_completely_and_a_missing_plugin_is_named() {
    let folder = TempDir::new().expect("a temporary folder");
    fs::write(folder.path().join("libanna.so"), "not a library").expect("a file");
    fs::write(folder.path().join("libbert.so"), "").expect("a file");
    let found = check(4, &[folder.path().to_path_buf()]);
    let all: Vec<_> = found.iter().flat_map(failures).collect();
    assert_eq!(all.len(), 2, "{all:?}");
    assert!(all[0].1.starts_with("is not a shared library"), "{all:?}");
    assert_eq!(all[1].1, "is empty");
    Finished::of(host().args(["check", "no-such-plugin"]))
        .expect_error(4, "no plugin `no-such-plugin`");
    Finished::of(host().args(["check", "random", "--params", "[1]"])).expect_error(2, "--params");
}

/// An agent that needs a parameter and a file can be checked with them.
#[test]
fn agents_are_checked_with_the_given_parameters_and_files() {
    let scripted = |params: &str| {
        let params = ["--params", params, "--format", "json"];
        Finished::of(host().args(["check", "scripted"]).args(params))
    };
    let finished = scripted("{misdeed: panic, on_move: 1}").expect_code(4);
    let page: Value = serde_json::from_str(&finished.stdout).expect("JSON");
    let failures = failures(&page["plugins"][0]);
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert_eq!(failures[0].0, "first-move");
    assert!(
        failures[0].1.contains("panicked on purpose"),
        "{failures:?}"
    );
    // What is wrong with the option is not blamed on the plugin.
    let misspelt = scripted("{misded: panic}")
        .expect_error(2, "parameter `misded`: unknown")
        .stderr;
    assert!(misspelt.contains("--params does not fit"), "{misspelt}");
    assert!(misspelt.contains("did you mean `misdeed`?"), "{misspelt}");
    scripted("{on_move: soon}").expect_error(2, "parameter `on_move`: expected integer");
    Finished::of(host().args(["check", "random", "--allow-read", "no-such-file"]))
        .expect_error(2, "--allow-read `no-such-file`");
}
