//! `.ci/run` leaves no process behind when a step fails or when it is interrupted.
//!
//! The script runs with stand-ins for cargo and the other programs, so each test takes a
//! moment. The release build of the stand-in starts a process in a session of its own,
//! as a browser or a daemon would.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use nix::sys::signal::Signal;
use tempfile::TempDir;

use crate::support::{Finished, patience::wait_until, processes::send_to_child, repository};

/// The release build and its descendants go on until they are ended.
const ENDLESS_BUILD: &str = "setsid sleep 1000 & echo $! >> $PROCESSES; \
    sleep 1000 & echo $! >> $PROCESSES; echo $$ >> $PROCESSES; touch $PROCESSES.all; wait";

/// Waits until the release build runs.
const WAIT_FOR_BUILD: &str = "while [ ! -e $PROCESSES.all ]; do sleep 0.01; done";

struct StandIns {
    folder: TempDir,
}

impl StandIns {
    /// Stand-ins where `cargo test` does this.
    fn new(test: &str) -> Self {
        let stand_ins = Self {
            folder: tempfile::tempdir().expect("a temporary folder"),
        };
        let cargo =
            format!("case $1 in build) {ENDLESS_BUILD};; test) {WAIT_FOR_BUILD}; {test};; esac");
        stand_ins.write("cargo", &cargo);
        for program in [
            "npm",
            "apt-get",
            "chromium",
            "chromedriver",
            "munged",
            "slurmctld",
            "slurmd",
            "sbatch",
        ] {
            stand_ins.write(program, "exit 0");
        }
        stand_ins
    }

    fn write(&self, program: &str, script: &str) {
        let path = self.folder.path().join(program);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a script");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it can be run");
    }

    fn processes(&self) -> PathBuf {
        self.folder.path().join("processes")
    }

    fn command(&self) -> Command {
        let mut command = Command::new(repository().join(".ci/run"));
        let path = std::env::var("PATH").expect("a path");
        command
            .env("PATH", format!("{}:{path}", self.folder.path().display()))
            .env("PROCESSES", self.processes())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Every process of the release build was started and has ended.
    #[track_caller]
    fn expect_no_process(&self) {
        let text = fs::read_to_string(self.processes()).expect("the build was started");
        assert_eq!(text.lines().count(), 3);
        for process in text.lines() {
            let status = fs::read_to_string(Path::new("/proc").join(process).join("status"));
            let status = status.unwrap_or_default();
            assert!(
                status.is_empty() || status.contains("State:\tZ"),
                "{status}"
            );
        }
    }
}

#[test]
fn a_step_that_fails_ends_all_processes_and_is_named() {
    let stand_ins = StandIns::new("exit 3");
    let finished = Finished::of(&mut stand_ins.command()).expect_code(3);
    assert!(
        finished.stdout.contains("== FAILED: build tests"),
        "{}",
        finished.stdout
    );
    stand_ins.expect_no_process();
}

#[test]
fn an_interrupted_run_ends_all_processes() {
    let stand_ins = StandIns::new("touch $PROCESSES.testing; sleep 1000");
    let run = stand_ins.command().spawn().expect("bash runs");
    let testing = stand_ins.folder.path().join("processes.testing");
    wait_until("the tests of the stand-in", || testing.exists());
    send_to_child(&run, Signal::SIGTERM);
    Finished::of_started(run).expect_code(143);
    stand_ins.expect_no_process();
}

#[test]
fn each_step_has_its_time() {
    let stand_ins = StandIns::new("exit 3");
    let finished = Finished::of(&mut stand_ins.command());
    let (_, times) = finished
        .stdout
        .split_once("== time of each step\n")
        .expect("the times");
    for step in [
        "install programs",
        "format",
        "lints",
        "build tests",
        "total",
    ] {
        assert!(times.contains(&format!(" CPU  {step}\n")), "{times}");
    }
}

/// More than fits into a pipe: printing the slowest must not end the script.
#[test]
fn the_exit_code_is_that_of_the_steps_however_many_tests_there_are() {
    let stand_ins = StandIns::new("seq -f '%g test' 100000 > $ARENA2048_TEST_TIMES; exit 3");
    let finished = Finished::of(&mut stand_ins.command()).expect_code(3);
    let (_, slowest) = finished
        .stdout
        .split_once("== slowest tests, in seconds\n")
        .expect("the slowest tests");
    assert!(slowest.starts_with("100000 test\n"), "{slowest}");
    assert_eq!(slowest.matches(" test\n").count(), 15, "{slowest}");
}

/// The script chooses test programs by their names, to run one of them beside the others.
#[test]
fn every_test_program_is_run() {
    let script = fs::read_to_string(repository().join(".ci/run")).expect("the script");
    let metadata = Command::new(env!("CARGO"))
        .current_dir(repository())
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let targets = packages
        .iter()
        .flat_map(|package| package["targets"].as_array().expect("targets"));
    let programs: Vec<&str> = targets
        .filter(|target| target["kind"] == serde_json::json!(["test"]))
        .map(|target| target["name"].as_str().expect("a name"))
        .collect();
    assert!(programs.contains(&"slurm"), "{programs:?}");
    assert!(script.contains("--test '[!s]*'"));
    for program in programs.iter().filter(|name| name.starts_with('s')) {
        assert!(script.contains(&format!("--test {program} ")), "{program}");
    }
}
