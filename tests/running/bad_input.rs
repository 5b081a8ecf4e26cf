//! Invalid files, folders and plugins: a clear message, and nothing is lost.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    process::{Command, Stdio},
};

use crate::support::{
    Finished, TournamentTest, host,
    processes::{WAITS, finish, waiting_worker},
    program_folder,
};

const GOOD: &str = "seeds: 1..3\nagents: [{plugin: greedy}]\n";

/// An invalid tournament file, the exit code and a part of the message.
#[track_caller]
fn check(yaml: &str, code: i32, part: &str) {
    TournamentTest::new(yaml).run(&[]).expect_error(code, part);
}

#[test]
fn a_missing_file_is_reported_by_name() {
    let test = TournamentTest::new(GOOD);
    test.host(&["run", "nowhere.yaml"])
        .expect_error(3, "nowhere.yaml");
    test.host(&["run", "."]).expect_error(3, "folder");
}

/// A list of values, each of which would be an agent.
#[test]
fn a_wrong_list_of_values_is_reported_at_its_place() {
    let agents = |params: &str| {
        format!("board: 2\nseeds: 1..1\nagents:\n- {{plugin: mcts, params: {{{params}}}}}\n")
    };
    for (params, message) in [
        (
            "runs: []",
            "t.yaml:4:33: parameter `runs`: the list is empty",
        ),
        (
            "runs: [1, {}]",
            "parameter `runs`: `{}` cannot be a part of an agent's name",
        ),
        (
            "runs: [1, 0]",
            "parameter `runs`: 0 is not between 1 and 1000000",
        ),
        ("runs: [1, 1]", "two agents are named `mcts-runs-1`"),
        ("rusn: [1, 2]", "parameter `rusn`: unknown"),
    ] {
        check(&agents(params), 4, message);
    }
    let many: Vec<String> = (1..=1001).map(|runs| runs.to_string()).collect();
    let many = format!("runs: [{}]", many.join(", "));
    check(
        &agents(&many),
        4,
        "the lists make 1001 agents; the limit is 1000",
    );
}

#[test]
fn all_errors_of_a_file_are_reported_with_their_positions() {
    let yaml =
        "board: 9\nseeds: 5..1\nagnets: []\nagents:\n- {plugin: greedy}\n- {plugin: greedy}\n";
    let finished = TournamentTest::new(yaml).run(&[]).expect_code(3);
    let message = finished.stderr;
    for part in [
        "t.yaml:1:8",
        "t.yaml:2:",
        "t.yaml:3:1",
        "did you mean `agents`?",
        "4 errors",
    ] {
        assert!(message.contains(part), "{part} in:\n{message}");
    }
}

/// Errors of the file and of its plugins in one round.
#[test]
fn errors_of_plugins_are_reported_together_with_those_of_the_file() {
    let yaml = "games: 20\nagents:\n- {plugin: greddy}\n- {nmae: x}\n\
                - {plugin: mcts, params: {tree: yes, nodse: 5}}\n- {plugin: ./target/release/libx.so}\n";
    let test = TournamentTest::new(yaml);
    fs::create_dir_all(test.path("target/release")).expect("a folder");
    fs::write(test.path("target/release/libx.rlib"), "").expect("a file");
    let message = test.run(&[]).expect_code(3).stderr;
    for part in [
        "t.yaml:1:1: unknown key `games`; every agent plays one game per seed; write `seeds: 1..20`",
        "t.yaml:3:12: no plugin `greddy`",
        "t.yaml:4:4: unknown key `nmae`",
        "t.yaml:5:33: parameter `tree`: expected boolean, found the string `yes`; write `true`",
        "t.yaml:5:38: parameter `nodse`: unknown",
        "t.yaml:6:12: no file `./target/release/libx.so`; there is only an `.rlib`",
        "`crate-type = [\"cdylib\"]`",
        "7 errors in t.yaml",
    ] {
        assert!(message.contains(part), "{part} in:\n{message}");
    }
    assert!(!message.contains("././"), "{message}");
}

#[test]
fn a_tournament_file_in_the_place_of_a_run_is_recognised() {
    let test = TournamentTest::new("name: cup\nagents: [{plugin: greedy}]\n");
    let sentence = "`t.yaml` is a tournament file, not the folder of a run; its run is runs/cup";
    for arguments in [
        &["report", "t.yaml"][..],
        &["verify", "t.yaml"],
        &["replay", "t.yaml", "--agent", "greedy", "--seed", "1"],
        &["serve", "t.yaml"],
    ] {
        test.host(arguments).expect_error(2, sentence);
    }
    test.write("notes.txt", "x");
    test.host(&["report", "notes.txt"])
        .expect_error(2, "`notes.txt` is a file, not the folder of a run");
}

#[test]
fn invalid_values_are_rejected_before_the_first_game() {
    check("agents: [", 3, "t.yaml:");
    check("seeds: 1..3\n", 3, "agents");
    check("agents: []\n", 3, "agents");
    for (key, message) in [
        ("agent", "did you mean `agents`?"),
        ("players", "write `agents:`, a list"),
    ] {
        let yaml = format!("seeds: 1..3\n{key}: [{{plugin: greedy}}]\n");
        let error = TournamentTest::new(&yaml).run(&[]).expect_error(3, message);
        assert_eq!(
            error.stderr.matches("t.yaml").count(),
            1,
            "{}",
            error.stderr
        );
    }
    check("board: 1\nagents: [{plugin: greedy}]\n", 3, "2 to 8");
    check("board: 9\nagents: [{plugin: greedy}]\n", 3, "2 to 8");
    check(
        "seeds: 1..9007199254740993\nagents: [{plugin: greedy}]\n",
        3,
        "2^53",
    );
    check(
        "agents: [{plugin: greedy}, {plugin: greedy}]\n",
        3,
        "greedy",
    );
    check(
        "tiles: deterministic\nstop: {decided: 0.95, max_seeds: 90}\nagents: [{plugin: greedy}]\n",
        3,
        "every seed is the same game",
    );
}

#[test]
fn invalid_plugins_and_parameters_are_rejected_before_the_first_game() {
    check("agents: [{plugin: gredy}]\n", 4, "did you mean `greedy`?");
    check("agents: [{plugin: ./no.so}]\n", 4, "no file");
    check(
        "agents: [{plugin: greedy, params: {depth: 3}}]\n",
        4,
        "the plugin has no parameters",
    );
    check(
        "agents: [{plugin: scripted, params: {on_mov: 3}}]\n",
        4,
        "did you mean `on_move`?",
    );
    check(
        "agents: [{plugin: scripted, params: {on_move: x}}]\n",
        4,
        "expected integer",
    );
    check(
        "agents: [{plugin: scripted, params: {misdeed: rob}}]\n",
        4,
        "is not one of",
    );
    let yaml = "agents:\n- plugin: scripted\n  params:\n    on_move: 0\n";
    check(yaml, 4, "t.yaml:4:14");
    let yaml = "agents:\n- plugin: scripted\n  params:\n    on_mov: 0\n";
    check(yaml, 4, "t.yaml:4:5");
    let yaml = "agents:\n- plugin: greedy\n  allow_read:\n  - no.weights\n";
    check(yaml, 4, "t.yaml:4:5");
}

/// A file beside the tournament file that is not a plugin.
#[track_caller]
fn check_plugin_file(make: impl Fn(&std::path::Path), part: &str) {
    let test = TournamentTest::new("agents: [{plugin: ./libx.so}]\n");
    make(&test.path("libx.so"));
    let finished = test.run(&[]).expect_error(4, part);
    assert!(finished.stderr.lines().count() <= 8, "{}", finished.stderr);
}

#[test]
fn a_plugin_file_that_is_not_a_library_is_reported_as_what_it_is() {
    let library = || {
        host();
        fs::read(program_folder().join("libgreedy.so")).expect("a plugin")
    };
    let write =
        |bytes: Vec<u8>| move |path: &std::path::Path| fs::write(path, &bytes).expect("a file");
    check_plugin_file(write(b"hello\n".to_vec()), "is not a shared library");
    check_plugin_file(write(Vec::new()), "is empty");
    let whole = library();
    check_plugin_file(write(whole[..1 << 16].to_vec()), "is truncated");
    let mut foreign = whole;
    foreign[18..20].copy_from_slice(&[243, 0]);
    check_plugin_file(write(foreign), "was built for RISC-V");
    check_plugin_file(
        |path| fs::create_dir(path).expect("a folder"),
        "is a folder",
    );
    check_plugin_file(
        |path| {
            let made = Command::new("mkfifo").arg(path).status();
            assert!(made.expect("mkfifo runs").success());
        },
        "is a named pipe",
    );
    let libm = [
        "/lib/x86_64-linux-gnu/libm.so.6",
        "/lib/aarch64-linux-gnu/libm.so.6",
        "/lib64/libm.so.6",
    ];
    if let Some(libm) = libm
        .into_iter()
        .find(|path| fs::exists(path).unwrap_or(false))
    {
        check_plugin_file(
            |path| {
                fs::copy(libm, path).expect("a copy");
            },
            "not a plugin",
        );
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_reported() {
    let test = TournamentTest::new(GOOD);
    test.write("file", "");
    test.run(&["--out", "file/run"]).expect_error(1, "--out");
    // Root may write everywhere except to /proc.
    test.run(&["--out", "/proc/run"]).expect_error(1, "--out");
    let locked = test.path("locked");
    fs::create_dir(&locked).expect("a folder");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o500)).expect("a right");
    if fs::write(locked.join("probe"), "").is_err() {
        test.run(&["--out", "locked/run"]).expect_error(1, "--out");
    }
}

/// Runs commands of the shell beside `disk`, a small disk that only they see. `$0` is the host.
pub(crate) fn with_a_disk_of(size: &str, test: &TournamentTest, commands: &str) -> Finished {
    let script = format!("mkdir disk && mount -t tmpfs -o size={size} tmpfs disk && {commands}");
    let limited = Command::new("unshare")
        .current_dir(test.folder.path())
        .args(["--map-root-user", "--mount", "bash", "-c", &script])
        .arg(env!("CARGO_BIN_EXE_host"))
        .stdin(Stdio::null())
        .output()
        .expect("unshare runs");
    Finished::from(limited)
}

#[test]
fn a_full_disk_stops_the_run_and_loses_nothing() {
    let test = TournamentTest::new("seeds: 1..300\nagents: [{plugin: greedy}]\n");
    // What the run leaves is copied to a larger disk.
    let commands = "mkdir -p runs && \"$0\" run t.yaml --workers 1 --out disk/t; code=$?; \
                    cp -r disk/t runs/t; exit $code";
    let finished = with_a_disk_of("64k", &test, commands);
    let finished = finished.expect_error(1, "cannot write to the game log");
    assert!(
        finished.stderr.contains("resume with:"),
        "{}",
        finished.stderr
    );
    let n_records = test.records().len();
    assert!(n_records > 0 && n_records < 300, "{n_records}");
    test.host(&["verify", "runs/t"])
        .expect_error(5, "the run is incomplete");
    test.run(&[]).expect_code(0);
    assert_eq!(test.records().len(), 300);
}

#[test]
fn a_second_host_in_the_same_folder_is_rejected() {
    let test = TournamentTest::new(WAITS);
    let mut first = test.start(&[]);
    waiting_worker(&first, &[]);
    finish(test.start(&[])).expect_error(1, "another host is playing in");
    first.kill().expect("the host can be killed");
    first.wait().expect("the host is reaped");
    test.host(&["verify", "runs/t"])
        .expect_error(5, "the run is incomplete");
}

#[test]
fn the_command_line_is_checked() {
    let test = TournamentTest::new(GOOD);
    test.host(&["rnu"])
        .expect_error(2, "unrecognized subcommand");
    test.host(&["solve", "--size", "9", "--goal", "8"])
        .expect_error(2, "9");
    test.host(&["solve", "--size", "3", "--goal", "7"])
        .expect_error(2, "not a tile; use a power of two");
    test.host(&["solve", "--size", "3", "--goal", "8", "--plugin", "greedy"])
        .expect_error(4, "no extension `solve/1`");
    assert!(test.host(&["--help"]).expect_code(0).stdout.contains("130"));
}

#[test]
fn a_board_that_an_agent_does_not_support_is_rejected_before_the_first_game() {
    let test = TournamentTest::new(
        "board: 5\nseeds: 1..1\nagents: [{plugin: greedy}, {plugin: expectimax}, {plugin: mcts}]\n",
    );
    let finished = test
        .run(&[])
        .expect_error(4, "`expectimax` supports boards of 2×2 to 4×4, not 5×5");
    assert!(
        finished.stderr.contains("`mcts` supports boards of"),
        "{}",
        finished.stderr
    );
    assert!(!test.log().exists());
}

#[test]
fn a_missing_plugin_folder_is_reported() {
    let test = TournamentTest::new("agents: [{plugin: greedy}]\n");
    test.run(&["--plugins", "nowhere"])
        .expect_error(2, "there is no such folder");
}

#[test]
fn an_error_states_its_cause_once() {
    let test = TournamentTest::new("agents: [{plugin: greedy}]\n");
    test.write("file", "");
    let error = test
        .run(&["--out", "file/run"])
        .expect_error(1, "Not a directory");
    assert_eq!(error.stderr.matches("Not a directory").count(), 1);
}

/// Commands that print, in the folder of a tournament that was played, each with its exit code.
fn printing_commands(test: &TournamentTest) -> Vec<(i32, Vec<&'static str>)> {
    test.run(&["--out", "run"]).expect_code(0);
    test.run(&["--out", "unfinished", "--seed", "1"])
        .expect_code(0);
    test.run(&["--out", "shard", "--shard", "1/1"])
        .expect_code(0);
    let board = "--board=2 4 8 16/4 8 16 32/2 2 4 8/0 0 2 4";
    vec![
        (0, vec!["run", "t.yaml", "--out", "run"]),
        (0, vec!["merge", "shard", "--out", "merged"]),
        (0, vec!["report", "run"]),
        (0, vec!["report", "run", "--html", "-"]),
        (0, vec!["report", "run", "--format", "latex"]),
        (0, vec!["verify", "run"]),
        (5, vec!["verify", "unfinished"]),
        (0, vec!["replay", "run", "--agent=greedy", "--seed=1"]),
        (0, vec!["list"]),
        (0, vec!["list", "--format=json"]),
        (0, vec!["check", "greedy"]),
        (0, vec!["new", "of_a_reader"]),
        (0, vec!["ask", board, "--agent=greedy"]),
        (0, vec!["explain", board, "--agent=expectimax"]),
        (0, vec!["solve", "--size=2", "--goal=8"]),
        (0, vec!["solve", "--size=2", "--goal=8", "--list"]),
        (0, vec!["solve", "--size=2", "--goal=8", "--trace"]),
        (0, vec!["submit", "t.yaml", "--shards=2", "--print"]),
        (0, vec!["salt", "salt"]),
        (0, vec!["schema"]),
        (0, vec!["completions", "bash"]),
    ]
}

fn host_with_stdout(test: &TournamentTest, arguments: &[&str], to: impl Into<Stdio>) -> Finished {
    let mut command = host();
    command.current_dir(test.folder.path()).args(arguments);
    Finished::of(command.stdin(Stdio::null()).stdout(to))
}

/// As `| head -1` does, but at once.
#[test]
fn a_reader_that_closes_early_changes_no_exit_code() {
    let test = TournamentTest::new(GOOD);
    for (code, arguments) in printing_commands(&test) {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let finished = host_with_stdout(&test, &arguments, writer).expect_code(code);
        for word in ["pipe", "panicked"] {
            let stderr = finished.stderr.to_lowercase();
            assert!(!stderr.contains(word), "{arguments:?}: {stderr}");
        }
    }
}

#[test]
fn a_full_standard_output_is_reported_by_name() {
    let test = TournamentTest::new(GOOD);
    for (_, arguments) in printing_commands(&test) {
        let full = fs::File::create("/dev/full").expect("the device");
        host_with_stdout(&test, &arguments, full).expect_error(
            1,
            "cannot write to standard output: No space left on device",
        );
    }
}
