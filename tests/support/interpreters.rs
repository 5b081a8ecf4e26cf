//! Interpreters that a machine may lack.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::program::repository;

/// Where an interpreter is; says so if there is none.
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
pub(crate) fn interpreter(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file());
    if found.is_none() {
        println!("skipped: `{name}` is not installed");
    }
    found
}

/// The programs of the tests for which this machine has an interpreter, put into a folder.
pub(crate) fn put_programs(folder: &Path) -> Vec<&'static str> {
    let sources = repository().join("tests/program-agents");
    let mut programs = Vec::new();
    for (name, needed) in [("plays.py", "python3"), ("plays.js", "node")] {
        if interpreter(needed).is_some() {
            fs::copy(sources.join(name), folder.join(name)).expect("a program");
            programs.push(name);
        }
    }
    if interpreter("javac").is_some() {
        let run = |command: &mut Command| {
            let status = command
                .current_dir(folder)
                .status()
                .expect("a tool of Java");
            assert!(status.success(), "{command:?}");
        };
        run(Command::new("javac")
            .args(["-d", "classes"])
            .arg(sources.join("Plays.java")));
        run(Command::new("jar").args([
            "-c",
            "-f",
            "plays.jar",
            "-e",
            "Plays",
            "-C",
            "classes",
            ".",
        ]));
        programs.push("plays.jar");
    }
    programs
}
