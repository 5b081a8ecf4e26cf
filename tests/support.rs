//! Runs the host as a person would; builds plugins; reads records.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::OnceLock,
};

use arena2048::game_record::GameRecord;
use tempfile::TempDir;

/// The root of the repository.
pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the host lies in the repository")
}

/// The program under test.
pub(crate) fn host() -> Command {
    build_plugins();
    let mut command = Command::new(env!("CARGO_BIN_EXE_host"));
    command.env_remove("HOST_PLUGINS").env("NO_COLOR", "1");
    command
}

/// The folder of the program and of the plugins.
pub(crate) fn program_folder() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_host"))
        .parent()
        .expect("a program lies in a folder")
}

/// Builds all plugins once: `cargo test` alone builds no dynamic library. Examples are
/// named because they bring the features of dependencies that tests have: nothing but
/// the plugins is built anew.
fn build_plugins() {
    static BUILT: OnceLock<()> = OnceLock::new();
    BUILT.get_or_init(|| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(repository()).args([
            "build",
            "--quiet",
            "--workspace",
            "--lib",
            "--examples",
        ]);
        if !cfg!(debug_assertions) {
            cargo.arg("--release");
        }
        let target = program_folder()
            .parent()
            .expect("target/debug has a parent");
        let status = cargo
            .env("CARGO_TARGET_DIR", target)
            .status()
            .expect("cargo runs");
        assert!(status.success(), "the plugins could not be built");
    });
}

/// A folder with a tournament file, and what happens to it.
pub(crate) struct TournamentTest {
    pub(crate) folder: TempDir,
}

impl TournamentTest {
    /// A tournament with this text.
    pub(crate) fn new(yaml: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let test = Self { folder };
        test.write("t.yaml", yaml);
        test
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file in the temporary folder");
    }

    /// The command `host run t.yaml`, with more arguments.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = host();
        command
            .current_dir(self.folder.path())
            .args(["run", "t.yaml"])
            .args(arguments)
            .stdin(Stdio::null());
        command
    }

    /// Runs the tournament.
    pub(crate) fn run(&self, arguments: &[&str]) -> Finished {
        Finished::of(&mut self.command(arguments))
    }

    /// Starts the tournament and lets it go on.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the host starts")
    }

    /// Another command of the host, in the same folder.
    pub(crate) fn host(&self, arguments: &[&str]) -> Finished {
        Finished::of(host().current_dir(self.folder.path()).args(arguments))
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.path("runs/t/games.jsonl")
    }

    /// The records of the default run folder in plan order.
    pub(crate) fn records(&self) -> Vec<GameRecord> {
        records_of(&self.log())
    }
}

/// The records of a log in plan order.
pub(crate) fn records_of(log: &Path) -> Vec<GameRecord> {
    let text = fs::read_to_string(log).expect("a game log");
    let mut records: Vec<GameRecord> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect();
    records.sort_by_key(|record| record.game);
    records
}

/// A record without what differs from one execution to the next: times.
pub(crate) fn without_times(mut record: GameRecord) -> GameRecord {
    record.setup_ms = 0.0;
    record.cpu_ms = 0.0;
    record.wall_ms = 0.0;
    record.stolen_us = 0;
    record.cpu_us_histogram = BTreeMap::new();
    record.move_us = arena2048::game_record::MoveTimes::default();
    record
}

pub(crate) fn all_without_times(records: Vec<GameRecord>) -> Vec<GameRecord> {
    records.into_iter().map(without_times).collect()
}

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Finished {
    pub(crate) fn of(command: &mut Command) -> Self {
        Self::from(command.output().expect("the host starts"))
    }

    #[track_caller]
    pub(crate) fn expect_code(self, code: i32) -> Self {
        assert_eq!(
            self.code,
            Some(code),
            "stdout:\n{}\nstderr:\n{}",
            self.stdout,
            self.stderr
        );
        self
    }

    #[track_caller]
    pub(crate) fn expect_error(self, code: i32, part: &str) -> Self {
        let finished = self.expect_code(code);
        assert!(
            finished.stderr.contains(part),
            "expected {part:?} in:\n{}",
            finished.stderr
        );
        assert!(
            !finished.stderr.contains("panicked at"),
            "{}",
            finished.stderr
        );
        finished
    }
}

impl From<Output> for Finished {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}
