//! The room a worker lives in: what is in it, and its limits.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf, process::Command};

use crate::support::{
    Finished, TournamentTest, built_agent::build_c, host, program_folder, records_of, repository,
};

/// Builds the agent that tries what must not work.
pub(crate) fn build_snoop(test: &TournamentTest) -> PathBuf {
    let include = repository().join("plugin-api/include");
    let source = repository().join("tests/c-agents/snoop.c");
    build_c(test.folder.path(), "cc", &include, &source, "snoop")
}

/// What the agent has found in a mode, when the host is started by another program.
#[track_caller]
fn snoop(test: &TournamentTest, starter: &[&str], sandbox: &str, params: &str) -> String {
    let yaml = format!(
        "seeds: 1..1\nsandbox: {sandbox}\nmemory: 512MiB\nagents: [{{plugin: snoop, params: {{{params}}}}}]\n"
    );
    test.write("t.yaml", &yaml);
    let program = host().get_program().to_owned();
    let mut command = Command::new(starter.first().copied().unwrap_or("env"));
    command
        .args(starter.iter().skip(1))
        .arg(program)
        .args(["run", "t.yaml", "--fresh"])
        .current_dir(test.folder.path());
    Finished::of(&mut command).expect_code(0);
    let record = records_of(&test.log()).remove(0);
    record.fault.expect("it tells what it has found")
}

/// Ways to start the host: as the user of the tests, as an unprivileged user, without a
/// network, and as root of a user namespace.
const STARTERS: [&str; 4] = [
    "env",
    "setpriv --reuid=65534 --regid=65534 --clear-groups",
    "unshare --net",
    "setpriv --reuid=65534 --regid=65534 --clear-groups unshare --user --map-root-user",
];

#[test]
fn there_is_nothing_but_the_plugin_and_its_libraries_whoever_starts_the_host() {
    let test = TournamentTest::new("");
    let plugin = build_snoop(&test);
    let everybody = fs::Permissions::from_mode(0o777);
    fs::set_permissions(test.folder.path(), everybody).expect("one's own folder");
    let params = format!("mode: look-around, path: {}", plugin.display());
    let starters = STARTERS.map(|words| words.split(' ').collect::<Vec<_>>());
    for starter in starters.iter().filter(|starter| is_possible(starter)) {
        let found = snoop(&test, starter, "required", &params);
        assert!(
            found.starts_with("process 1 of 0 on arena;"),
            "{starter:?}: {found}"
        );
        for place in [
            "/etc/passwd",
            "/proc",
            "/home",
            "/usr/bin",
            "/sys",
            "/dev/shm",
            "/var",
        ] {
            assert!(!found.contains(place), "{starter:?}: {found}");
        }
        let size = fs::metadata(&plugin).expect("it was built").len();
        assert!(
            found.ends_with(&format!("size {size}")),
            "{starter:?}: {found}"
        );
        let found = snoop(&test, starter, "required", "mode: threads");
        assert_eq!(found, "started 255 threads", "{starter:?}");
        fs::remove_dir_all(test.path("runs")).expect("the run was written");
    }
}

/// Whether this machine lets a test start the host so, and the program is readable.
fn is_possible(starter: &[&str]) -> bool {
    let program = program_folder().join("host");
    let mut command = Command::new(starter[0]);
    command.args(&starter[1..]).arg(program).arg("--version");
    command.output().is_ok_and(|output| output.status.success())
}

#[test]
fn calls_that_leave_traces_or_change_something_are_not_permitted() {
    let test = TournamentTest::new("");
    let plugin = build_snoop(&test);
    let params = format!("mode: denied, path: {}", plugin.display());
    assert_eq!(snoop(&test, &[], "on", &params), "tried 33");
}

#[test]
fn memory_is_limited_by_what_is_filled_not_by_what_is_reserved() {
    let test = TournamentTest::new("");
    build_snoop(&test);
    let found = snoop(&test, &[], "on", "mode: memory");
    let filled = found
        .strip_prefix("filled ")
        .and_then(|rest| rest.strip_suffix(" MiB"));
    let filled: u32 = filled.expect("a number").parse().expect("a number");
    assert!((400..=512).contains(&filled), "{found}");
    assert_eq!(snoop(&test, &[], "on", "mode: reserve"), "reserved");
}

#[test]
fn files_that_may_be_read_are_part_of_the_fingerprint() {
    let test = TournamentTest::new(
        "seeds: 1..1\nagents: [{plugin: greedy, allow_read: [weights]}, {plugin: random}]\n",
    );
    test.write("weights", "1 2 3");
    test.run(&[]).expect_code(0);
    let before = test.records();
    test.write("weights", "1 2 4");
    let finished = test.run(&[]).expect_code(0);
    assert!(
        finished.stderr.contains("1 game to play"),
        "{}",
        finished.stderr
    );
    let after = test.records();
    assert_ne!(before[0].fingerprint, after[0].fingerprint);
    assert_eq!(before[1].fingerprint, after[1].fingerprint);
}

#[test]
fn more_memory_than_there_is_is_warned_of_and_rejected_where_it_is_required() {
    let agents = "memory: 900TiB\nagents: [{plugin: greedy}]\nseeds: 1..1\n";
    let test = TournamentTest::new(agents);
    let finished = test.run(&[]).expect_code(0);
    let warning = "warning: 1 workers may fill 921600.0 GiB each";
    assert_eq!(
        finished.stderr.matches(warning).count(),
        1,
        "{}",
        finished.stderr
    );
    test.write("t.yaml", &format!("sandbox: required\n{agents}"));
    test.run(&["--fresh"])
        .expect_error(1, "`sandbox: required` needs memory for all workers");
}
