//! The room a worker lives in: what is in it, and its limits.

use std::{fs, os::unix::fs::PermissionsExt};

use crate::support::{
    Finished, TournamentTest, records_of,
    snoop::{build_snoop, told},
    starters::{host_started_by, is_possible, starters},
};

/// What the agent has found in a mode, when the host is started by another program.
#[track_caller]
fn snoop(test: &TournamentTest, starter: &[&str], sandbox: &str, params: &str) -> String {
    let yaml = format!(
        "seeds: 1..1\nsandbox: {sandbox}\nmemory: 512MiB\nagents: [{{plugin: snoop, params: {{{params}}}}}]\n"
    );
    test.write("t.yaml", &yaml);
    let mut command = host_started_by(starter);
    command
        .args(["run", "t.yaml", "--fresh"])
        .current_dir(test.folder.path());
    Finished::of(&mut command).expect_code(0);
    told(records_of(&test.log()).remove(0))
}

#[test]
fn there_is_nothing_but_the_plugin_and_its_libraries_for_any_user() {
    let test = TournamentTest::new("");
    let plugin = build_snoop(&test);
    let everybody = fs::Permissions::from_mode(0o777);
    fs::set_permissions(test.folder.path(), everybody).expect("one's own folder");
    let params = format!("mode: look-around, path: {}", plugin.display());
    for starter in &starters() {
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

#[test]
fn a_limit_that_cannot_be_raised_takes_no_other_layer_away() {
    let test = TournamentTest::new("");
    let plugin = build_snoop(&test);
    let params = format!("mode: look-around, path: {}", plugin.display());
    let found = snoop(&test, &["prlimit", "--as=8000000000"], "on", &params);
    assert!(found.contains("size "), "{found}");
    assert!(!found.contains("/etc/passwd"), "{found}");
}

#[test]
fn calls_that_leave_traces_or_change_something_are_not_permitted() {
    let test = TournamentTest::new("");
    let plugin = build_snoop(&test);
    let params = format!("mode: denied, path: {}", plugin.display());
    assert_eq!(snoop(&test, &[], "on", &params), "tried 34");
}

#[test]
fn the_stack_is_limited_where_the_system_does_not_limit_it() {
    let test = TournamentTest::new("");
    build_snoop(&test);
    let unlimited = ["sh", "-c", "ulimit -s unlimited && exec \"$@\"", "sh"];
    if !is_possible(&unlimited) {
        return;
    }
    let found = snoop(&test, &unlimited, "on", "mode: stack");
    assert!(found.contains("SIGSEGV"), "{found}");
}

/// What a plugin takes on the disk says little about what it takes in memory.
#[test]
fn a_plugin_is_not_copied_into_memory_whatever_its_size() {
    let test = TournamentTest::new("");
    let plugin = build_snoop(&test);
    let file = fs::File::options().append(true).open(plugin);
    let file = file.expect("it was built");
    file.set_len(1 << 40).expect("a file with a hole");
    let list = test.host(&["list", "--plugins", "."]).expect_code(0);
    assert!(
        list.stdout.contains("has more than 1024 MiB"),
        "{}",
        list.stdout
    );
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
fn an_agent_may_have_a_memory_limit_of_its_own() {
    let test = TournamentTest::new(
        "seeds: 1..1\nmemory: 512MiB\nagents:\n\
         - {plugin: snoop, name: small, memory: 128MiB, params: {mode: memory}}\n\
         - {plugin: snoop, params: {mode: memory}}\n",
    );
    build_snoop(&test);
    test.run(&[]).expect_code(0);
    let filled = test.records().into_iter().map(|record| {
        let found = told(record);
        let number = found.split(' ').nth(1).map(str::parse::<u32>);
        number.expect("a number").expect("a number")
    });
    let filled: Vec<u32> = filled.collect();
    assert!((64..=128).contains(&filled[0]), "{filled:?}");
    assert!((400..=512).contains(&filled[1]), "{filled:?}");
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
    for part in [
        "1 game to play",
        "changed since then: contents of the readable files of agent greedy",
    ] {
        assert!(finished.stderr.contains(part), "{}", finished.stderr);
    }
    let after = test.records();
    assert_ne!(before[0].fingerprint, after[0].fingerprint);
    assert_eq!(before[1].fingerprint, after[1].fingerprint);
}

#[test]
fn more_memory_than_there_is_is_warned_of_and_rejected_where_it_is_required() {
    let agents = "memory: 900TiB\nagents: [{plugin: greedy}]\nseeds: 1..1\n";
    let test = TournamentTest::new(agents);
    let finished = test.run(&[]).expect_code(0);
    let warning = "warning: 1 worker may fill 921600.0 GiB each";
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
