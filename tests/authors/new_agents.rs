//! `host new`: a new agent that builds and plays without an edit.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use tempfile::TempDir;

use crate::support::{Finished, host, program_folder, records_of};

fn new_agent(folder: &Path, arguments: &[&str]) -> Finished {
    Finished::of(host().current_dir(folder).arg("new").args(arguments))
}

fn play(folder: &Path) {
    let mut command = host();
    let arguments = ["run", "tournament.yaml", "--strict"];
    Finished::of(
        command
            .current_dir(folder)
            .args(arguments)
            .stdin(Stdio::null()),
    )
    .expect_code(0);
    let name = folder.file_name().expect("a name").to_string_lossy();
    let records = records_of(&folder.join(format!("runs/{name}/games.jsonl")));
    assert_eq!(records.len(), 3 * 30);
    let mean = |agent: &str| {
        let of_agent = records.iter().filter(|record| record.agent == agent);
        of_agent.map(|record| record.score).sum::<u64>() / 30
    };
    assert!(mean(&name) > mean("greedy"), "it beats greedy");
}

#[test]
fn a_new_crate_builds_passes_its_tests_and_plays_without_an_edit() {
    let folder = TempDir::new().expect("a temporary folder");
    let told = new_agent(folder.path(), &["my_first"]).expect_code(0);
    assert!(
        told.stdout.contains("cargo build --release"),
        "{}",
        told.stdout
    );
    assert!(!told.stdout.contains("plugin-api"), "{}", told.stdout);
    // It has to work wherever its author moves it.
    let own = folder.path().join("elsewhere/my_first");
    fs::create_dir(folder.path().join("elsewhere")).expect("a folder");
    fs::rename(folder.path().join("my_first"), &own).expect("a folder can be moved");
    let manifest = fs::read_to_string(own.join("Cargo.toml")).expect("a manifest");
    assert!(
        manifest.contains("plugin-api = { path = \"plugin-api\" }"),
        "{manifest}"
    );
    for file in [
        "src/lib.rs",
        "tournament.yaml",
        "README.md",
        ".gitignore",
        "plugin-api/Cargo.toml",
    ] {
        assert!(own.join(file).is_file(), "{file}");
    }
    // Built in the target folder of the other third-party crates, where `plugin-api` is
    // already compiled. Its debug library replaces the release one, which would take
    // another minute.
    let target = program_folder().join("third-party");
    for arguments in [["build", "--quiet"], ["test", "--quiet"]] {
        let finished = Finished::of(
            Command::new(env!("CARGO"))
                .current_dir(&own)
                .env("CARGO_TARGET_DIR", &target)
                .args(arguments),
        )
        .expect_code(0);
        assert!(!finished.stderr.contains("warning"), "{}", finished.stderr);
    }
    fs::create_dir_all(own.join("target/release")).expect("a folder");
    let library = own.join("target/release/libmy_first.so");
    fs::copy(target.join("debug/libmy_first.so"), &library).expect("the library was built");
    play(&own);
    let check = Finished::of(host().arg("check").arg(&library)).expect_code(0);
    // This is a debug build, which the check notices.
    let is_warning = |line: &&str| line.starts_with("warned");
    let warnings: Vec<&str> = check.stdout.lines().filter(is_warning).collect();
    assert_eq!(warnings.len(), 1, "{}", check.stdout);
    assert!(
        warnings[0].contains("`cargo build --release`"),
        "{}",
        warnings[0]
    );
}

#[test]
fn a_new_c_file_builds_passes_the_check_and_plays_without_an_edit() {
    let folder = TempDir::new().expect("a temporary folder");
    new_agent(folder.path(), &["my_second", "--c"]).expect_code(0);
    let own = folder.path().join("my_second");
    let make = Finished::of(
        Command::new("make")
            .current_dir(&own)
            .args(["CFLAGS=-O2 -Wall -Wextra -pedantic -Werror", "test"]),
    )
    .expect_code(0);
    assert!(!make.stdout.contains("warned"), "{}", make.stdout);
    play(&own);
}

#[test]
fn nothing_is_overwritten_and_invalid_names_are_rejected() {
    let folder = TempDir::new().expect("a temporary folder");
    fs::create_dir(folder.path().join("mine")).expect("a folder");
    new_agent(folder.path(), &["mine"]).expect_error(2, "`./mine` already exists");
    assert!(
        fs::read_dir(folder.path().join("mine"))
            .expect("a folder")
            .next()
            .is_none()
    );
    new_agent(folder.path(), &["my-agent"]).expect_error(2, "use `my_agent`");
    new_agent(folder.path(), &["random", "--c"]).expect_error(2, "use `my_random`");
    new_agent(folder.path(), &["x", "--plugin-api", "nowhere"])
        .expect_error(2, "not the folder of a crate");
    assert!(!folder.path().join("x").exists());
}

/// A DNS tool is called `host` too, so the README tells how to link the program as `arena2048`.
#[test]
fn the_program_works_under_another_name_and_finds_installed_plugins() {
    host(); // builds the plugins
    let folder = TempDir::new().expect("a temporary folder");
    let plugins = folder.path().join("arena2048/plugins");
    fs::create_dir_all(&plugins).expect("a folder");
    let library = program_folder().join("librandom.so");
    fs::copy(library, plugins.join("libinstalled.so")).expect("a copy");
    let link = folder.path().join("arena2048-link");
    fs::create_dir(&link).expect("a folder");
    let link = link.join("arena2048");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_host"), &link).expect("a link");
    let list = Finished::of(
        Command::new(&link)
            .env("XDG_DATA_HOME", folder.path())
            .args(["list", "--format", "csv"]),
    )
    .expect_code(0);
    assert!(list.stdout.contains("\ninstalled,"), "{}", list.stdout);
    let help = Finished::of(Command::new(&link).arg("--help"));
    assert!(help.stdout.contains("Usage: arena2048"), "{}", help.stdout);
}
