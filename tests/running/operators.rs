//! What operators do to a run: terminals that close, folders that vanish, plugins that change,
//! file systems without locks, disks that refuse.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::{fs::FileExt, process::ExitStatusExt},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use nix::sys::signal::Signal;

use crate::support::{
    Finished, TournamentTest,
    built_agent::build_c,
    host,
    patience::wait_until,
    processes::{WAITS, finish, next_worker, send_to_child, tell_to_go_on, waiting_worker},
    program_folder, repository, write_records,
};

/// A run that takes longer than any test.
const ENDLESS: &str = "seeds: 1..100000\nagents: [{plugin: expectimax}]\n";
/// A run of short games that takes longer than any test.
const MANY_GAMES: &str = "seeds: 1..100000\nagents: [{plugin: greedy}]\n";
/// More records than are set aside without a word.
const TWELVE: &str = "board: 2\nseeds: 1..12\nagents: [{plugin: ./a.so, name: a}]\n";

/// A preload library that makes a function of the C library fail.
fn failing(test: &TournamentTest, function: &str, error: &str) -> PathBuf {
    let library = test.path("failing.so");
    let status = Command::new("cc")
        .args(["-Wall", "-Werror", "-shared", "-fPIC", "-o"])
        .arg(&library)
        .args([
            &format!("-DFUNCTION={function}"),
            &format!("-DERROR={error}"),
        ])
        .arg(repository().join("tests/c-agents/failing_call.c"))
        .status()
        .expect("a compiler runs");
    assert!(status.success(), "the library could not be compiled");
    library
}

fn use_plugin(test: &TournamentTest, name: &str) {
    host(); // builds the plugins
    let plugin = program_folder().join(format!("lib{name}.so"));
    fs::copy(plugin, test.path("a.so")).expect("a plugin");
}

fn log_of(test: &TournamentTest) -> String {
    fs::read_to_string(test.log()).expect("a log")
}

#[test]
fn a_run_started_with_nohup_outlives_its_terminal() {
    let test = TournamentTest::new(MANY_GAMES);
    let program = test.command(&["--workers", "1"]);
    let mut run = Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$@\"", "sh"])
        .arg(program.get_program())
        .args(program.get_args())
        .current_dir(test.folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a shell starts");
    let n_records = || fs::read_to_string(test.log()).map_or(0, |log| log.lines().count());
    wait_until("a record", || n_records() > 0);
    send_to_child(&run, Signal::SIGHUP);
    let before = n_records();
    // The game that is being played would be the last one.
    wait_until("two more records", || {
        assert!(
            run.try_wait().expect("our child").is_none(),
            "the run has stopped"
        );
        n_records() > before + 1
    });
    send_to_child(&run, Signal::SIGINT);
    assert_eq!(run.wait().expect("our child").code(), Some(130));
}

/// Each of these libraries would be given seconds of CPU time. There is nothing to save.
#[test]
fn a_signal_ends_a_check_and_a_run_that_is_opening_plugins() {
    let test = TournamentTest::new("agents: [{folder: slow}]\n");
    fs::create_dir(test.path("slow")).expect("a folder");
    test.write(
        "endless.c",
        "__attribute__((constructor)) static void f(void) { for (;;) __asm__ volatile(\"\"); }\n",
    );
    let include = repository().join("plugin-api/include");
    let (folder, source) = (test.path("slow"), test.path("endless.c"));
    let first = build_c(&folder, "cc", &include, &source, "a");
    for copy in 'b'..='m' {
        fs::copy(&first, folder.join(format!("lib{copy}.so"))).expect("a copy");
    }
    let of_slow_turns = ["check", "scripted", "--params", r#"{"burn_us": 1000000}"#];
    for arguments in [&["run", "t.yaml"][..], &["check", "slow"], &of_slow_turns] {
        let mut command = test.start_host(arguments);
        let worker = next_worker(&command, &[]);
        send_to_child(&command, Signal::SIGTERM);
        assert_eq!(command.wait().expect("our child").signal(), Some(15));
        wait_until("the end of its worker", || {
            !Path::new(&format!("/proc/{worker}")).exists()
        });
    }
    assert!(!test.path("runs").exists(), "nothing was written");
}

#[test]
fn limits_that_change_are_named_and_games_are_kept() {
    let yaml =
        |memory: &str| format!("board: 2\nseeds: 1..3\n{memory}agents: [{{plugin: greedy}}]\n");
    let test = TournamentTest::new(&yaml("memory: 100MiB\n"));
    test.run(&[]).expect_code(0);
    test.write("t.yaml", &yaml(""));
    let told = test.run(&[]).expect_code(0).stderr;
    let named = "changed since then: `memory`; games already played are kept, and --fresh plays";
    assert!(told.contains(named), "{told}");
    assert!(!test.run(&[]).expect_code(0).stderr.contains(named));
}

#[test]
fn a_changed_plugin_plays_anew_and_records_come_back_with_the_old_one() {
    let test = TournamentTest::new(TWELVE);
    use_plugin(&test, "greedy");
    test.run(&["--workers", "1"]).expect_code(0);
    let log = log_of(&test);
    use_plugin(&test, "random");
    let changed = "set aside 12 old games in superseded.jsonl (a 12); changed since then: plugin \
                   file of agent a\n";
    test.run(&[]).expect_error(0, changed);
    let other = log_of(&test);
    assert_ne!(other, log);
    use_plugin(&test, "greedy");
    let back = test.run(&[]).expect_error(0, "reused 12 records");
    assert!(back.stderr.contains("0 games to play"), "{}", back.stderr);
    assert_eq!(log_of(&test), log, "the records are the same");
    use_plugin(&test, "random");
    test.run(&["--workers", "1"]).expect_code(0);
    let mut lines: Vec<String> = log_of(&test).lines().map(str::to_owned).collect();
    let mut expected: Vec<String> = other.lines().map(str::to_owned).collect();
    lines.sort();
    expected.sort();
    assert_eq!(lines, expected);
    let aside = fs::read_to_string(test.path("runs/t/superseded.jsonl")).expect("lines");
    assert_eq!(aside.lines().count(), 12, "each record is somewhere once");
}

#[test]
fn a_changed_rule_is_asked_about() {
    let test = TournamentTest::new(TWELVE);
    use_plugin(&test, "greedy");
    test.run(&[]).expect_code(0);
    let log = log_of(&test);
    use_plugin(&test, "random");
    test.write("t.yaml", &TWELVE.replace("board: 2", "board: 3"));
    let refused = test.run(&[]).expect_error(7, "12 of 12 records");
    let changed = "changed since then: `board`, plugin file of agent a\n";
    assert!(refused.stderr.contains(changed), "{}", refused.stderr);
    assert!(refused.stderr.contains("--supersede"), "{}", refused.stderr);
    assert_eq!(log_of(&test), log, "nothing was changed");
    test.run(&["--supersede"]).expect_code(0);
}

#[test]
fn a_job_script_does_not_repeat_what_will_not_pass() {
    let test = TournamentTest::new(TWELVE);
    use_plugin(&test, "greedy");
    let printed = test.host(&["submit", "t.yaml", "--shards", "1", "--print"]);
    let script = printed.expect_code(0).stdout;
    test.write("job.sh", &script);
    let play = || {
        let mut job = Command::new("sh");
        job.arg("job.sh")
            .current_dir(test.folder.path())
            .env("SLURM_ARRAY_TASK_ID", "1")
            .stdin(Stdio::null());
        Finished::of(&mut job)
    };
    play().expect_code(0);
    let log = fs::read_to_string(test.path("runs/t.shards/1-of-1/games.jsonl")).expect("a log");
    use_plugin(&test, "random");
    let refused = play().expect_error(7, "no longer match the tournament");
    let n_attempts = refused
        .stderr
        .matches("no longer match the tournament")
        .count();
    assert_eq!(n_attempts, 1, "{}", refused.stderr);
    let kept = fs::read_to_string(test.path("runs/t.shards/1-of-1/games.jsonl")).expect("a log");
    assert_eq!(kept, log);
}

#[test]
fn a_run_folder_that_vanishes_stops_the_run() {
    let test = TournamentTest::new(ENDLESS);
    let run = test.start_and_wait_for_games(1, &["--workers", "1"]);
    fs::remove_dir_all(test.path("runs/t")).expect("a folder");
    let finished = Finished::of_started(run).expect_code(1);
    assert!(
        finished
            .stderr
            .contains("was deleted while games were played"),
        "{}",
        finished.stderr
    );
}

/// What another program does to the log while a game is played, and what the host says.
type Meddling = (fn(&TournamentTest), &'static str);

const MEDDLINGS: [Meddling; 5] = [
    (
        |test| {
            let log = fs::File::options().write(true).open(test.log());
            log.and_then(|log| log.write_all_at(b"?", 100))
                .expect("a log");
        },
        "was damaged while games were played: it lacks 1 game; the salt stays secret",
    ),
    (
        |test| fs::write(test.log(), "").expect("a log"),
        "was changed by another program while games were played: it has 0 bytes instead of",
    ),
    (
        |test| fs::rename(test.log(), test.path("away")).expect("a log"),
        "was moved while games were played",
    ),
    (
        |test| {
            fs::copy(test.log(), test.path("copy")).expect("a log");
            fs::rename(test.path("copy"), test.log()).expect("a copy");
        },
        "was replaced while games were played",
    ),
    (
        |test| fs::write(test.log(), log_of(test) + "{}\n").expect("a log"),
        "was changed by another program while games were played: it has",
    ),
];

#[test]
fn a_log_that_is_damaged_cut_moved_or_replaced_is_noticed_before_anything_is_concluded() {
    for (meddle, sentence) in MEDDLINGS {
        let test = TournamentTest::new(&format!("salt: secret\n{WAITS}"));
        let run = test.start(&[]);
        let first = waiting_worker(&run, &[]);
        tell_to_go_on(first);
        wait_until("a record", || log_of(&test).ends_with('\n'));
        waiting_worker(&run, &[first]);
        meddle(&test);
        let finished = finish(run).expect_error(1, sentence);
        assert_eq!(finished.stdout, "", "no ranking");
        let read = |file: &str| fs::read_to_string(test.path(file)).expect("a file");
        let is_published = read("runs/t/plan.json").contains(read("runs/t/salt").trim());
        assert!(!is_published, "{sentence}");
        finish(test.start(&[])).expect_code(0);
        assert_eq!(test.records().len(), 2, "{sentence}");
    }
}

#[test]
fn a_file_system_without_locks_is_named_and_can_be_used() {
    let test = TournamentTest::new("board: 2\nseeds: 1..2\nagents: [{plugin: greedy}]\n");
    let library = failing(&test, "flock", "ENOLCK");
    let run =
        |arguments: &[&str]| Finished::of(test.command(arguments).env("LD_PRELOAD", &library));
    run(&[]).expect_error(2, "has no locks");
    run(&["--no-lock"]).expect_code(0);
    assert_eq!(test.records().len(), 2);
}

/// Each agent waits, so both hosts have written their plans before a game ends.
#[test]
fn two_hosts_that_start_at_the_same_moment_without_locks_both_play() {
    let test = TournamentTest::new(WAITS);
    let hosts = [(); 4].map(|()| test.start(&["--no-lock", "--no-pin"]));
    for run in hosts {
        finish(run).expect_code(0);
    }
    let games: BTreeSet<u64> = test.records().iter().map(|record| record.game).collect();
    assert_eq!(games.len(), 2);
}

#[test]
fn a_disk_that_refuses_stops_the_run_with_a_sentence() {
    for function in ["fsync", "fdatasync"] {
        let test = TournamentTest::new("board: 2\nseeds: 1..4\nagents: [{plugin: greedy}]\n");
        let library = failing(&test, function, "EIO");
        let run = Finished::of(test.command(&[]).env("LD_PRELOAD", &library));
        run.expect_error(1, "Input/output error");
    }
}

#[test]
fn events_tell_a_program_everything_about_a_run() {
    let yaml = "board: 2\nseeds: 1..3\nagents:\n- plugin: greedy\n\
                - {plugin: scripted, params: {misdeed: panic}}\n";
    let test = TournamentTest::new(yaml);
    test.run(&["--seed", "2", "--events", "events"])
        .expect_code(0);
    test.run(&["--events", "events"]).expect_code(0);
    let written = fs::read_to_string(test.path("events")).expect("events");
    let events: Vec<serde_json::Value> = written
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let documented = fs::read_to_string(repository().join("docs/records.md")).expect("a page");
    for event in &events {
        let kind = event["event"].as_str().expect("a kind");
        assert!(
            documented.contains(&format!("`{kind}`")),
            "{kind} is documented"
        );
        let time = event["time"].as_str().expect("a time");
        assert!(time.ends_with('Z') && time.len() == 24, "{time}");
    }
    let of_kind = |kind: &str| events.iter().filter(|event| event["event"] == kind).count();
    assert_eq!((of_kind("start"), of_kind("end")), (2, 2));
    assert_eq!((of_kind("game"), of_kind("fault")), (3, 3));
    assert_eq!(events[0]["planned"], 6);
    let second = events
        .iter()
        .rfind(|event| event["event"] == "start")
        .expect("a start");
    assert_eq!(second["played"], 2);
    let end = events.last().expect("an event");
    assert_eq!(
        (&end["event"], &end["outcome"]),
        (&"end".into(), &"finished".into())
    );
    assert_eq!((&end["played"], &end["left"]), (&6.into(), &0.into()));
}

#[test]
fn a_full_disk_below_events_and_output_is_named_and_loses_no_game() {
    let test = TournamentTest::new("board: 2\nseeds: 1..2\nagents: [{plugin: greedy}]\n");
    let full = fs::File::options().write(true).open("/dev/full");
    let mut run = test.command(&["--events", "/dev/full"]);
    run.stdout(full.expect("a device"));
    let run =
        Finished::of(&mut run).expect_error(1, "cannot write to standard output: No space left");
    let warning = "warning: some events are missing from `/dev/full`: No space left";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
    assert_eq!(test.records().len(), 2);
    assert!(test.path("runs/t/report.html").exists());
}

#[test]
fn workers_can_be_left_to_the_system() {
    let test = TournamentTest::new(WAITS);
    let run = test.start(&["--no-pin"]);
    let worker = waiting_worker(&run, &[]);
    let cores_of = |process: &str| {
        let status = fs::read_to_string(format!("/proc/{process}/status")).expect("it lives");
        let mut lines = status.lines();
        let cores = lines.find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        cores.expect("a list of cores").trim().to_owned()
    };
    assert_eq!(cores_of(&worker.to_string()), cores_of("self"));
    finish(run).expect_code(0);
}

/// Nothing can end a turn inside the host but the end of the host.
#[test]
fn an_agent_inside_the_host_does_not_delay_ctrl_c() {
    // The second agent sleeps for hours in its third move.
    let yaml = "board: 2\nisolation: none\nworkers: 1\nseeds: 1..3\nagents:\n- {plugin: greedy}\n\
                - {plugin: scripted, params: {misdeed: sleep, on_move: 3}}\n";
    let test = TournamentTest::new(yaml);
    let run = test.start_and_wait_for_games(1, &["--events", "events.jsonl"]);
    send_to_child(&run, Signal::SIGINT);
    let stopped = Finished::of_started(run).expect_code(130);
    assert!(
        stopped.stderr.contains("finished games are kept"),
        "{}",
        stopped.stderr
    );
    assert_eq!(test.records().len(), 1, "the game of `greedy` is there");
    let events = fs::read_to_string(test.path("events.jsonl")).expect("events");
    let last: serde_json::Value =
        serde_json::from_str(events.lines().last().expect("an event")).expect("JSON");
    assert_eq!(
        (&last["event"], &last["outcome"]),
        (&"end".into(), &"interrupted".into())
    );

    // A game of many short turns is not played to its end: it has twenty thousand.
    let yaml = "board: 8\nfour: 0\nisolation: none\nworkers: 1\nseeds: 2976..2976\n\
                agents: [{plugin: scripted, params: {burn_us: 20000}}]\n";
    let test = TournamentTest::new(yaml);
    let run = test.start(&[]);
    wait_until("the plan", || test.path("runs/t/games.jsonl").exists());
    send_to_child(&run, Signal::SIGINT);
    Finished::of_started(run).expect_code(130);
    assert_eq!(test.records().len(), 0);
}

/// Runs the tournament from a shell with a limit of its own.
fn run_under(limit: &str, test: &TournamentTest) -> Finished {
    let program = test.command(&[]);
    let mut limited = Command::new("sh");
    limited
        .args(["-c", &format!("{limit}; exec \"$@\""), "sh"])
        .arg(program.get_program())
        .args(program.get_args())
        .current_dir(test.folder.path());
    Finished::of(&mut limited)
}

#[test]
fn too_few_descriptors_are_not_blamed_on_a_plugin() {
    let test = TournamentTest::new("board: 2\nseeds: 1..1\nagents: [{plugin: greedy}]\n");
    run_under("ulimit -n 150", &test).expect_error(1, "only 150 files may be open at once");
}

#[test]
fn a_limit_of_file_sizes_is_named_and_loses_no_game() {
    const LIMIT: usize = 32 << 20;
    let advice = "raise the limit, for example with `ulimit -f unlimited`";
    let test = TournamentTest::new("seeds: 1..100\nagents: [{plugin: greedy}]\n");
    run_under("ulimit -f 32", &test).expect_error(4, advice);
    // A log that is almost as long as a file may be.
    test.run(&["--seed", "1"]).expect_code(0);
    let mut records = test.records();
    records[0].moves = "U".repeat(LIMIT - 20_000);
    write_records(&test.log(), &records);
    let stopped = run_under(&format!("ulimit -f {}", LIMIT / 512), &test)
        .expect_error(1, "cannot write to the game log");
    assert!(stopped.stderr.contains(advice), "{}", stopped.stderr);
    let kept = test.records();
    assert!(kept.len() > 1 && kept.len() < 100, "{}", kept.len());
    assert!(kept[0] == records[0], "it is as before");
}

/// A control group for memory below that of this process, as version 1 has them.
struct ControlGroup(PathBuf);

impl ControlGroup {
    fn with_memory(limit: &str) -> Option<Self> {
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let mut lines = own.lines();
        let own = lines.find_map(|line| line.split_once(":memory:/").map(|(_, path)| path))?;
        let parent = Path::new("/sys/fs/cgroup/memory").join(own);
        let group = Self(parent.join(format!("arena2048-{}", std::process::id())));
        fs::create_dir(&group.0).ok()?;
        fs::write(group.0.join("memory.limit_in_bytes"), limit).ok()?;
        Some(group)
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        // Its processes have ended.
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn a_control_group_that_is_too_small_is_told_what_helps() {
    let test = TournamentTest::new("board: 2\nseeds: 1..2\nagents: [{plugin: greedy}]\n");
    let Some(group) = ControlGroup::with_memory("60M") else {
        println!("skipped: this machine lets the test make no control group");
        return;
    };
    let enter = format!("echo $$ > {}/cgroup.procs", group.0.display());
    let told = run_under(&enter, &test).stderr;
    let sentence = "a worker needs at least 64 MiB, so the machine, container or control group \
                    needs more memory";
    assert!(told.contains(sentence), "{told}");
    assert!(!told.contains("unexpected end of file"), "{told}");
}

#[test]
fn an_inspection_that_is_killed_once_is_repeated() {
    // The plugin kills its worker the first time it is opened, as a machine that is out of
    // memory would.
    let test = TournamentTest::new(
        "board: 2\nseeds: 1..1\nsandbox: off\nagents: [{plugin: ./libkilled.so}]\n",
    );
    let include = repository().join("plugin-api/include");
    let source = repository().join("tests/c-agents/killed_once.c");
    let mark = test.path("was-killed");
    let code = fs::read_to_string(source).expect("a source");
    test.write(
        "killed.c",
        &format!("#define MARK \"{}\"\n{code}", mark.display()),
    );
    build_c(
        test.folder.path(),
        "cc",
        &include,
        &test.path("killed.c"),
        "killed",
    );
    test.run(&[]).expect_code(0);
    assert!(mark.exists(), "the first worker was killed");
}
