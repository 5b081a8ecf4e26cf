//! `host submit` on a real cluster, including hosts and nodes that die.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, Command, Stdio},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use run::game_record::GameRecord;

use crate::{
    cluster::{Cluster, command_line},
    support::{
        Finished, TournamentTest, host,
        patience::{try_wait_until, wait_until},
        processes::send_to_child,
        without_times,
    },
};

/// A test on the cluster.
pub(crate) type Test = fn(&Cluster, &Reference);

pub(crate) const TESTS: [(&str, Test); 5] = [
    (
        "eight_shards_on_two_nodes_equal_one_machine",
        eight_shards_on_two_nodes_equal_one_machine,
    ),
    (
        "a_host_that_is_killed_loses_no_game_and_repeats_none",
        a_host_that_is_killed_loses_no_game_and_repeats_none,
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

/// Repeatable: the budget is in nodes. A game of the first agent takes a fraction of a
/// second, so that shards can be killed in the middle.
const YAML: &str = "seeds: 1..16\nmax_moves: 250\nbudget: {nodes: 2000}\nagents:\n\
    - {plugin: expectimax}\n- {plugin: greedy}\n\
    - {plugin: scripted, params: {misdeed: illegal-move, on_move: 20}}\n";

/// The records of one machine.
pub(crate) struct Reference(Vec<GameRecord>);

impl Reference {
    pub(crate) fn play() -> Self {
        let test = TournamentTest::new(YAML);
        test.run(&[]).expect_code(0);
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

/// A running `host submit`, while a test kills hosts and nodes.
struct Submitted {
    test: TournamentTest,
    child: Option<Child>,
}

impl Submitted {
    fn start(cluster: &Cluster) -> Self {
        let test = TournamentTest::new(YAML);
        let child = submit(cluster, &test).spawn().expect("the host starts");
        Self {
            test,
            child: Some(child),
        }
    }

    /// Waits until a shard has recorded some of its games; returns its number, or nothing if all
    /// games were played before that was seen.
    fn wait_for_a_shard_in_the_middle(&self, mut is_meant: impl FnMut(u32) -> bool) -> Option<u32> {
        let mut found = None;
        wait_until("a shard in the middle of its games", || {
            let mut n_ended = 0;
            found = (1..=8).find(|number| {
                let log = self
                    .test
                    .path(&format!("runs/t.shards/{number}-of-8/games.jsonl"));
                let n_lines = fs::read_to_string(log).map_or(0, |text| text.lines().count());
                n_ended += u32::from(n_lines >= 5);
                (1..5).contains(&n_lines) && is_meant(*number)
            });
            found.is_some() || n_ended == 8
        });
        found
    }

    fn finish(&mut self) -> Finished {
        let mut child = self.child.take().expect("it was started once");
        let ended = try_wait_until("the end of `host submit`", || {
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

/// The host that plays a shard of a tournament right now.
fn host_of_shard(cluster: &Cluster, folder: &Path, shard: u32) -> Option<i32> {
    let shard = format!("{shard}/8");
    let folder = folder.display().to_string();
    cluster.processes().into_iter().find(|process| {
        let words = command_line(*process);
        words.get(1).is_some_and(|word| word == "run")
            && words.contains(&shard)
            && words.iter().any(|word| word.starts_with(&folder))
    })
}

fn n_jobs(test: &TournamentTest) -> usize {
    let file = test.path("runs/t.shards/submit-of-8/submission.json");
    let json = fs::read_to_string(file).expect("what was submitted");
    let submission: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    submission["jobs"].as_array().expect("a list").len()
}

fn eight_shards_on_two_nodes_equal_one_machine(cluster: &Cluster, reference: &Reference) {
    let mut submitted = Submitted::start(cluster);
    submitted.wait_for_a_shard_in_the_middle(|_| true);
    // An interrupted command leaves the jobs running, and the same command follows them.
    let child = submitted.child.as_ref().expect("it was started");
    send_to_child(child, Signal::SIGINT);
    let interrupted = submitted.finish().expect_code(130);
    for part in [
        "the jobs continue",
        "submit t.yaml --engine slurm",
        "scancel ",
    ] {
        assert!(interrupted.stderr.contains(part), "{}", interrupted.stderr);
    }
    submitted.child = Some(
        submit(cluster, &submitted.test)
            .spawn()
            .expect("the host starts"),
    );
    let finished = submitted.check(reference);
    assert!(
        finished.stdout.contains("expectimax"),
        "{}",
        finished.stdout
    );
    assert_eq!(n_jobs(&submitted.test), 1, "nothing was submitted twice");
    // When no game is missing, nothing is submitted.
    submitted.child = Some(
        submit(cluster, &submitted.test)
            .spawn()
            .expect("the host starts"),
    );
    let again = submitted.check(reference);
    assert!(!again.stderr.contains("shards as job"), "{}", again.stderr);
    assert_eq!(again.stdout, finished.stdout);
}

fn a_host_that_is_killed_loses_no_game_and_repeats_none(cluster: &Cluster, reference: &Reference) {
    let mut submitted = Submitted::start(cluster);
    let folder = submitted.test.folder.path().to_path_buf();
    let mut killed = Vec::new();
    for _ in 0..3 {
        let mut victim = None;
        let shard = submitted.wait_for_a_shard_in_the_middle(|number| {
            victim = host_of_shard(cluster, &folder, number);
            victim.is_some() && !killed.contains(&number)
        });
        let Some(shard) = shard else { break };
        killed.push(shard);
        let victim = victim.expect("a shard that is being played");
        // It may have ended by now.
        let _ = kill(Pid::from_raw(victim), Signal::SIGKILL);
    }
    assert!(!killed.is_empty(), "no host was seen while it played");
    submitted.check(reference);
}

fn a_node_that_dies_loses_no_game_and_repeats_none(cluster: &Cluster, reference: &Reference) {
    let mut submitted = Submitted::start(cluster);
    let shard = submitted.wait_for_a_shard_in_the_middle(|_| true);
    assert!(shard.is_some(), "no shard was seen while it was played");
    cluster.kill_node("n1");
    submitted.check(reference);
    cluster.start_node("n1").expect("a node that comes back");
    wait_until("the queue to be empty", || {
        let answer = cluster.command("squeue").arg("--noheader").output();
        answer.is_ok_and(|answer| answer.stdout.is_empty())
    });
    cluster.wait_for_nodes().expect("both nodes are back");
}

/// `sbatch` submits, then takes a while to say so. The first job waits until it is released,
/// so that it is known which of its tasks are cancelled before they have ended.
const SLOW_SBATCH: &str = "#!/bin/sh\n\
    [ \"$1\" = --parsable ] && [ -e slow ] || exec REAL \"$@\"\n\
    answer=$(REAL --hold \"$@\") || exit\n\
    rm slow; touch submitted; sleep 3; touch answered; echo \"$answer\"\n";

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
    let start = || submit(cluster, &test).env("PATH", &path).spawn();
    let mut killed = start().expect("the host starts");
    wait_until("a job", || test.path("submitted").exists());
    killed.kill().expect("our own child");
    killed.wait().expect("our own child");
    // Its `sbatch` has not answered yet; the next command waits for it and finds the job.
    let followed = start().expect("the host starts");
    let mut submitted = Submitted {
        test,
        child: Some(followed),
    };
    let job = {
        let mut job = None;
        let file = "runs/t.shards/submit-of-8/submission.json";
        wait_until("the number of the job", || {
            let json = fs::read_to_string(submitted.test.path(file)).unwrap_or_default();
            let json: serde_json::Value = serde_json::from_str(&json).unwrap_or_default();
            job = json["jobs"][0].as_str().map(str::to_owned);
            job.is_some()
        });
        job.expect("it was waited for")
    };
    assert!(submitted.test.path("answered").exists());
    // Somebody cancels two shards, then the others are played.
    let tasks = format!("{job}_[7-8]");
    for (command, arguments) in [
        ("scancel", vec![&*tasks]),
        ("scontrol", vec!["release", &*job]),
    ] {
        let status = cluster.command(command).args(arguments).status();
        assert!(status.is_ok_and(|status| status.success()), "{command}");
    }
    let stopped = submitted.finish().expect_code(130);
    assert!(
        stopped
            .stderr
            .contains("somebody has cancelled shards 7, 8"),
        "{}",
        stopped.stderr
    );
    for sentence in ["waiting for the `sbatch` of an earlier", "following job"] {
        assert!(stopped.stderr.contains(sentence), "{}", stopped.stderr);
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
    // Whoever gives the command again wants them to be played.
    let again = submit(cluster, &submitted.test).env("PATH", &path).spawn();
    submitted.child = Some(again.expect("the host starts"));
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
