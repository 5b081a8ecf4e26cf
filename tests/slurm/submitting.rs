//! `host submit` on a real cluster, including hosts and nodes that die.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use run::game_record::GameRecord;

use crate::{
    cluster::{Cluster, command_line, is_on_node, parent, process_numbers},
    support::{
        Finished, TournamentTest, host,
        patience::{try_wait_until, wait_until},
        processes::{NAME_WHILE_WAITING, finish, send, send_to_child},
        without_times,
    },
};

/// A test on the cluster.
pub(crate) type Test = fn(&Cluster, &Reference);

pub(crate) const TESTS: [(&str, Test); 7] = [
    (
        "eight_shards_on_two_nodes_equal_one_machine",
        eight_shards_on_two_nodes_equal_one_machine,
    ),
    (
        "a_host_that_is_killed_loses_no_game_and_repeats_none",
        a_host_that_is_killed_loses_no_game_and_repeats_none,
    ),
    (
        "a_shard_that_dies_is_submitted_again_while_others_play",
        a_shard_that_dies_is_submitted_again_while_others_play,
    ),
    (
        "more_shards_than_an_array_may_have_are_played",
        more_shards_than_an_array_may_have_are_played,
    ),
    (
        "a_node_that_dies_loses_no_game_and_repeats_none",
        a_node_that_dies_loses_no_game_and_repeats_none,
    ),
    (
        "nothing_is_queued_twice_and_what_was_cancelled_stays_so",
        nothing_is_queued_twice_and_what_was_cancelled_stays_so,
    ),
    (
        "a_stop_rule_is_played_look_by_look",
        a_stop_rule_is_played_look_by_look,
    ),
];

/// Repeatable: the budget is in nodes. The agent `waits` waits for the test in each of its games,
/// of which every shard has two, so no shard ends before the test lets it.
const YAML: &str = "seeds: 1..16\nmax_moves: 250\nbudget: {nodes: 50, sleep: 1h}\nagents:\n\
    - {plugin: expectimax}\n- {plugin: scripted, name: waits, params: {wait_on_move: 3}}\n\
    - {plugin: scripted, params: {misdeed: illegal-move, on_move: 20}}\n";

/// The records of one machine.
pub(crate) struct Reference(Vec<GameRecord>);

impl Reference {
    pub(crate) fn play() -> Self {
        let test = TournamentTest::new(YAML);
        finish(test.start(&[])).expect_code(0);
        let mut records = lines_of(&test.log());
        records.sort_by_key(|record| record.game);
        assert_eq!(records.len(), 16 + 16 + 3);
        Self(records)
    }
}

fn lines_of(log: &Path) -> Vec<GameRecord> {
    let text = fs::read_to_string(log).expect("a game log");
    text.lines()
        .map(|line| without_times(serde_json::from_str(line).expect("a record")))
        .collect()
}

/// A shard in the middle of a game: an agent waits.
struct WaitingShard {
    number: u32,
    host: i32,
    worker: i32,
}

impl WaitingShard {
    /// The shards of the tournament in a folder whose agents wait.
    fn all(folder: &Path) -> Vec<Self> {
        let folder = folder.display().to_string();
        let waits = |process: &i32| {
            let name = fs::read_to_string(format!("/proc/{process}/comm"));
            name.is_ok_and(|name| name.trim_end() == NAME_WHILE_WAITING)
        };
        let shard = |worker| {
            let host = parent(worker)?;
            let words = command_line(host);
            let is_of_folder = words.iter().any(|word| word.starts_with(&folder));
            let mut words = words.iter().skip_while(|word| *word != "--shard");
            let number = words.nth(1)?.strip_suffix("/8")?.parse().ok()?;
            is_of_folder.then_some(Self {
                number,
                host,
                worker,
            })
        };
        process_numbers().filter(waits).filter_map(shard).collect()
    }

    fn go_on(&self) {
        // It may have been told before, and have ended a moment ago.
        let _ = kill(Pid::from_raw(self.worker), Signal::SIGUSR1);
    }
}

/// A running `host submit`, while a test kills hosts and nodes.
struct Submitted {
    test: TournamentTest,
    child: Option<Child>,
}

impl Submitted {
    fn start(cluster: &Cluster) -> Self {
        let test = TournamentTest::new(YAML);
        let mut submitted = Self { test, child: None };
        submitted.start_again(cluster);
        submitted
    }

    /// Gives the same command again.
    fn start_again(&mut self, cluster: &Cluster) {
        let child = submit(cluster, &self.test).spawn();
        self.child = Some(child.expect("the host starts"));
    }

    /// The jobs that were submitted.
    fn jobs(&self) -> Vec<String> {
        jobs_of(&self.test)
    }

    /// How many games a shard has recorded.
    fn n_games_of(&self, shard: u32) -> usize {
        let log = format!("runs/t.shards/{shard}-of-8/games.jsonl");
        fs::read_to_string(self.test.path(&log)).map_or(0, |text| text.lines().count())
    }

    /// Waits for a shard that has recorded some of its games and is in the middle of another,
    /// in which it stays until the test tells it to go on.
    fn wait_for_a_shard_in_the_middle(
        &self,
        mut is_meant: impl FnMut(&WaitingShard) -> bool,
    ) -> WaitingShard {
        let mut found = None;
        wait_until("a shard in the middle of its games", || {
            for shard in WaitingShard::all(self.test.folder.path()) {
                if self.n_games_of(shard.number) == 0 {
                    shard.go_on();
                } else if is_meant(&shard) {
                    found = Some(shard);
                    break;
                }
            }
            found.is_some()
        });
        found.expect("it was waited for")
    }

    /// Lets all agents go on until the command has ended.
    fn finish(&mut self) -> Finished {
        /// Looking at all processes takes a while.
        const TELL_EVERY: Duration = Duration::from_millis(50);
        let mut child = self.child.take().expect("it was started once");
        let ended = try_wait_until("the end of `host submit`", || {
            for shard in WaitingShard::all(self.test.folder.path()) {
                shard.go_on();
            }
            thread::sleep(TELL_EVERY);
            child.try_wait().expect("our own child").is_some()
        });
        if ended.is_err() {
            let _ = child.kill();
        }
        Finished::of_started(child)
    }

    /// Checks that all games are recorded once, as one machine records them.
    fn check(&mut self, reference: &Reference) -> Finished {
        let finished = self.finish().expect_code(0);
        let merged = lines_of(&self.test.path("runs/t/games.jsonl"));
        assert!(
            merged == reference.0,
            "{} records: {}",
            merged.len(),
            finished.stderr
        );
        for number in 1..=8 {
            let folder = self.test.path(&format!("runs/t.shards/{number}-of-8"));
            let mut games: Vec<u64> = lines_of(&folder.join("games.jsonl"))
                .iter()
                .map(|record| record.game)
                .collect();
            assert_eq!(games.len(), 6, "shard {number}");
            games.sort_unstable();
            games.dedup();
            assert_eq!(games.len(), 6, "shard {number} holds a game twice");
            assert!(!folder.join("superseded.jsonl").exists(), "shard {number}");
        }
        finished
    }
}

impl Drop for Submitted {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn submit(cluster: &Cluster, test: &TournamentTest) -> Command {
    let (name, value) = cluster.variable();
    let mut command = host();
    command
        .env(name, value)
        .current_dir(test.folder.path())
        .args(["submit", "t.yaml", "--engine", "slurm", "--shards", "8"])
        .args([
            "--partition",
            "main",
            "--time",
            "60",
            "--sbatch-arg=--comment=test",
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The jobs of a tournament that is played in eight shards.
fn jobs_of(test: &TournamentTest) -> Vec<String> {
    let file = "runs/t.shards/submit-of-8/submission.json";
    let json = fs::read_to_string(test.path(file)).unwrap_or_default();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap_or_default();
    serde_json::from_value(json["jobs"].clone()).unwrap_or_default()
}

/// How often a command has submitted shards.
fn n_submissions(finished: &Finished) -> usize {
    finished.stderr.matches("shards as job").count()
}

fn eight_shards_on_two_nodes_equal_one_machine(cluster: &Cluster, reference: &Reference) {
    let mut submitted = Submitted::start(cluster);
    let shard = submitted.wait_for_a_shard_in_the_middle(|_| true);
    // An interrupted command leaves the jobs running, and the same command follows them.
    let child = submitted.child.take().expect("it was started");
    send_to_child(&child, Signal::SIGINT);
    let interrupted = Finished::of_started(child).expect_code(130);
    for part in [
        "the jobs continue",
        "submit t.yaml --engine slurm",
        "scancel ",
    ] {
        assert!(interrupted.stderr.contains(part), "{}", interrupted.stderr);
    }
    let waiting = WaitingShard::all(submitted.test.folder.path());
    assert!(waiting.iter().any(|other| other.worker == shard.worker));
    submitted.start_again(cluster);
    let finished = submitted.check(reference);
    assert!(
        finished.stdout.contains("expectimax"),
        "{}",
        finished.stdout
    );
    assert!(
        finished.stderr.contains("following job"),
        "{}",
        finished.stderr
    );
    assert_eq!(n_submissions(&finished), 0, "{}", finished.stderr);
    // When no game is missing, nothing is submitted.
    submitted.start_again(cluster);
    let again = submitted.check(reference);
    assert_eq!(n_submissions(&again), 0, "{}", again.stderr);
    assert_eq!(again.stdout, finished.stdout);
}

fn a_host_that_is_killed_loses_no_game_and_repeats_none(cluster: &Cluster, reference: &Reference) {
    let mut submitted = Submitted::start(cluster);
    let mut killed = Vec::new();
    for _ in 0..3 {
        let shard =
            submitted.wait_for_a_shard_in_the_middle(|shard| !killed.contains(&shard.number));
        killed.push(shard.number);
        send(shard.host, Signal::SIGKILL);
    }
    // The script of the task starts the host again.
    let finished = submitted.check(reference);
    assert_eq!(n_submissions(&finished), 1, "{}", finished.stderr);
}

fn a_shard_that_dies_is_submitted_again_while_others_play(
    cluster: &Cluster,
    reference: &Reference,
) {
    let mut submitted = Submitted::start(cluster);
    let shard = submitted.wait_for_a_shard_in_the_middle(|_| true);
    // Without its script, no one starts the host again.
    let script = parent(shard.host).expect("the script of the task");
    send(script, Signal::SIGKILL);
    let _ = kill(Pid::from_raw(shard.host), Signal::SIGKILL);
    // The agents of the others wait for this test.
    wait_until("a second job", || submitted.jobs().len() == 2);
    let others = WaitingShard::all(submitted.test.folder.path());
    assert!(!others.is_empty(), "others play");
    let finished = submitted.check(reference);
    let again = "submitted 1 of 8 shards as job";
    assert!(finished.stderr.contains(again), "{}", finished.stderr);
}

/// An array of this Slurm has eight tasks at most.
fn more_shards_than_an_array_may_have_are_played(cluster: &Cluster, _: &Reference) {
    let mut too_large = cluster.command("sbatch");
    too_large.args(["--array=1-9", "--wrap=true"]);
    Finished::of(&mut too_large).expect_error(1, "Invalid job array specification");
    let yaml = "board: 2\nseeds: 1..20\nagents: [{plugin: greedy}]\n";
    let test = TournamentTest::new(yaml);
    let (name, value) = cluster.variable();
    let mut command = host();
    command
        .env(name, value)
        .current_dir(test.folder.path())
        .args(["submit", "t.yaml", "--shards", "20"]);
    Finished::of(&mut command).expect_error(0, "submitted 20 of 20 shards as job");
    let merged = lines_of(&test.path("runs/t/games.jsonl"));
    test.run(&["--out", "one", "--workers", "1"]).expect_code(0);
    assert!(merged == lines_of(&test.path("one/games.jsonl")));
    for shard in [8, 9, 20] {
        let output = format!("runs/t.shards/submit-of-20/{shard}.log");
        let output = fs::read_to_string(test.path(&output)).expect("its output");
        let sentence = format!("shard {shard}/20 is complete");
        assert!(output.contains(&sentence), "{output}");
    }
}

fn a_node_that_dies_loses_no_game_and_repeats_none(cluster: &Cluster, reference: &Reference) {
    let mut submitted = Submitted::start(cluster);
    submitted.wait_for_a_shard_in_the_middle(|shard| is_on_node(shard.host, "n1"));
    cluster.kill_node("n1");
    // Slurm starts the tasks again.
    let finished = submitted.check(reference);
    assert_eq!(n_submissions(&finished), 1, "{}", finished.stderr);
    cluster.start_node("n1").expect("a node that comes back");
    wait_until("the queue to be empty", || {
        let answer = cluster.command("squeue").arg("--noheader").output();
        answer.is_ok_and(|answer| answer.stdout.is_empty())
    });
    cluster.wait_for_nodes().expect("both nodes are back");
}

/// `sbatch` submits, then waits until the test lets it say so. The first job waits until it is
/// released, so it is known which of its tasks are cancelled before they have ended.
const SLOW_SBATCH: &str = "#!/bin/sh\n\
    [ \"$1\" = --parsable ] && [ -e slow ] || exec REAL \"$@\"\n\
    answer=$(REAL --hold \"$@\") || exit\n\
    rm slow; touch submitted; until [ -e may-answer ]; do sleep 0.1; done; echo \"$answer\"\n";

fn nothing_is_queued_twice_and_what_was_cancelled_stays_so(
    cluster: &Cluster,
    reference: &Reference,
) {
    let test = TournamentTest::new(YAML);
    fs::create_dir(test.path("bin")).expect("a folder");
    test.write("slow", "");
    let real = fs::canonicalize("/usr/bin/sbatch").expect("Slurm");
    let script = SLOW_SBATCH.replace("REAL", &real.display().to_string());
    test.write("bin/sbatch", &script);
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(test.path("bin/sbatch"), executable).expect("our own file");
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", test.path("bin").display());
    let command = || {
        let mut command = submit(cluster, &test);
        command.env("PATH", &path);
        command
    };
    let mut killed = command().spawn().expect("the host starts");
    wait_until("a job", || test.path("submitted").exists());
    killed.kill().expect("our own child");
    killed.wait().expect("our own child");
    // Its `sbatch` has not answered; the next command waits for it and finds the job.
    let stderr = fs::File::create(test.path("stderr")).expect("a file");
    let followed = command().stderr(stderr).spawn().expect("the host starts");
    let job = || jobs_of(&test).into_iter().next();
    let said = || fs::read_to_string(test.path("stderr")).expect("a file");
    wait_until("the command that waits", || {
        job().is_some() || said().contains("waiting for the `sbatch` of an earlier")
    });
    assert_eq!(job(), None, "{}", said());
    test.write("may-answer", "");
    wait_until("the number of the job", || job().is_some());
    let job = job().expect("it was waited for");
    let mut submitted = Submitted {
        test,
        child: Some(followed),
    };
    // Two shards are cancelled, then the others are played.
    let tasks = format!("{job}_[7-8]");
    for (command, arguments) in [
        ("scancel", vec![&*tasks]),
        ("scontrol", vec!["release", &*job]),
    ] {
        let status = cluster.command(command).args(arguments).status();
        assert!(status.is_ok_and(|status| status.success()), "{command}");
    }
    let code = submitted.finish().code;
    let stopped = fs::read_to_string(submitted.test.path("stderr")).expect("a file");
    assert_eq!(code, Some(130), "{stopped}");
    for sentence in ["shards 7, 8 were cancelled", "following job"] {
        assert!(stopped.contains(sentence), "{stopped}");
    }
    let mut squeue = cluster.command("squeue");
    squeue.args(["--noheader", "--states=all", "--format=%F"]);
    let jobs = Finished::of(&mut squeue).expect_code(0).stdout;
    let later = jobs
        .lines()
        .filter_map(|number| number.trim().parse::<u64>().ok())
        .max();
    assert_eq!(
        later.map(|number| number.to_string()),
        Some(job),
        "one job only"
    );
    // The same command once more plays them.
    submitted.start_again(cluster);
    submitted.check(reference);
}

fn a_stop_rule_is_played_look_by_look(cluster: &Cluster, _: &Reference) {
    let yaml = "name: t\nboard: 3\nseeds: 1..8\nstop: {decided: 0.95, max_seeds: 24}\nbudget: {nodes: 50}\nagents:\n\
                - {plugin: expectimax}\n- {plugin: greedy}\n- {plugin: greedy, name: again}\n";
    let one = TournamentTest::new(yaml);
    one.run(&["--workers", "1"]).expect_code(0);
    let test = TournamentTest::new(yaml);
    let (name, value) = cluster.variable();
    let mut command = host();
    command
        .env(name, value)
        .current_dir(test.folder.path())
        .args(["submit", "t.yaml", "--shards", "2", "--partition", "main"]);
    let finished = Finished::of(&mut command).expect_code(0);
    let n_looks = finished.stderr.matches("playing up to the look at").count();
    assert!(n_looks > 1, "{}", finished.stderr);
    assert!(
        !finished.stderr.contains("records left out"),
        "no game was played in vain: {}",
        finished.stderr
    );
    let in_order = |test: &TournamentTest| {
        let mut records = lines_of(&test.path("runs/t/games.jsonl"));
        records.sort_by_key(|record| record.game);
        records
    };
    assert!(in_order(&test) == in_order(&one), "{}", finished.stderr);
}
