//! Programs under a time budget.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    process::Command,
};

use crate::support::{Finished, TournamentTest, host, interpreters::put_programs};

/// Each thinks for 8 of 10 milliseconds by its own reading of the CPU clock, as an ordinary
/// user, and none runs out of time.
#[test]
fn programs_play_under_a_time_budget_in_the_whole_sandbox() {
    let test = TournamentTest::new("");
    let programs = put_programs(test.folder.path());
    let entry =
        |name: &&str| format!("- {{plugin: ./{name}, name: {name}, params: {{what: think}}}}\n");
    let entries: String = programs.iter().map(entry).collect();
    let yaml = format!(
        "seeds: 1..2\nmax_moves: 40\nsandbox: required\nbudget: {{per_move: 10ms}}\nagents:\n{entries}- plugin: greedy\n"
    );
    test.write("t.yaml", &yaml);
    let everybody = fs::Permissions::from_mode(0o777);
    fs::set_permissions(test.folder.path(), everybody).expect("one's own folder");
    Finished::of(&mut as_ordinary_user(&test)).expect_code(0);
    for record in test.records() {
        assert_eq!(record.fault, None, "{}", record.agent);
        assert_eq!(record.n_moves, 40, "{}", record.agent);
        if record.agent != "greedy" {
            let per_move = record.cpu_ms / 40.0;
            assert!(per_move > 4.0, "{}: {per_move} ms", record.agent);
        }
    }
}

/// `host run t.yaml`, as an ordinary user even if this process is root. Such a user has the
/// interpreters of the system.
fn as_ordinary_user(test: &TournamentTest) -> Command {
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    let starter = if is_root {
        "setpriv --reuid=65534 --regid=65534 --clear-groups"
    } else {
        "env"
    };
    let mut words = starter.split(' ');
    let mut command = Command::new(words.next().unwrap_or("env"));
    command
        .args(words)
        .arg(host().get_program())
        .args(["run", "t.yaml"])
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .current_dir(test.folder.path());
    command
}
