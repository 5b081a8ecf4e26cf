//! A folder with a tournament file, and the commands that use it.

use std::{
    fs,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use run::game_record::GameRecord;
use tempfile::TempDir;

use super::{finished::Finished, patience::wait_until, program::host, records::records_of};

/// A temporary folder with the tournament file `t.yaml`.
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

    /// Runs the tournament to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Finished {
        Finished::of(&mut self.command(arguments))
    }

    /// Starts the tournament and returns while it runs.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the host starts")
    }

    /// Starts another command of the host in the same folder and returns while it runs.
    pub(crate) fn start_host(&self, arguments: &[&str]) -> Child {
        host()
            .current_dir(self.folder.path())
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the host starts")
    }

    /// Changes the plan of the default run folder, as a stranger might.
    pub(crate) fn change_plan(&self, change: impl FnOnce(&mut serde_json::Value)) {
        let written = fs::read_to_string(self.path("runs/t/plan.json")).expect("a plan");
        let mut plan: serde_json::Value = serde_json::from_str(&written).expect("JSON");
        // With a checksum of its own the plan would only be damaged.
        plan.as_object_mut().map(|plan| plan.remove("check"));
        change(&mut plan);
        self.write("runs/t/plan.json", &plan.to_string());
    }

    /// Runs another command of the host in the same folder.
    pub(crate) fn host(&self, arguments: &[&str]) -> Finished {
        Finished::of(host().current_dir(self.folder.path()).args(arguments))
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.path("runs/t/games.jsonl")
    }

    /// How many lines the log has; 0 before the run has started.
    fn n_lines_of_log(&self) -> usize {
        fs::read_to_string(self.log()).map_or(0, |log| log.lines().count())
    }

    /// Starts the tournament and waits until it has recorded so many more games, or has ended
    /// because fewer were left.
    #[track_caller]
    pub(crate) fn start_and_wait_for_games(&self, n_games: usize, arguments: &[&str]) -> Child {
        let before = self.n_lines_of_log();
        let mut run = self.start(arguments);
        wait_until("another record", || {
            let has_ended = run.try_wait().expect("our own child").is_some();
            has_ended || self.n_lines_of_log() >= before + n_games
        });
        run
    }

    /// The records of the default run folder in plan order.
    pub(crate) fn records(&self) -> Vec<GameRecord> {
        records_of(&self.log())
    }
}
