//! The host under users and in namespaces of a test's choice.

use std::process::Command;

use super::{host, program_folder};

/// As the user of the tests, as an unprivileged user, without a network, and as root of a user
/// namespace; those that this machine allows.
pub(crate) fn starters() -> Vec<Vec<&'static str>> {
    [
        "env",
        "setpriv --reuid=65534 --regid=65534 --clear-groups",
        "unshare --net",
        "setpriv --reuid=65534 --regid=65534 --clear-groups unshare --user --map-root-user",
    ]
    .map(|words| words.split(' ').collect::<Vec<_>>())
    .into_iter()
    .filter(|starter| is_possible(starter))
    .collect()
}

/// The host, started by another program; without one, by the test.
pub(crate) fn host_started_by(starter: &[&str]) -> Command {
    let mut command = Command::new(starter.first().copied().unwrap_or("env"));
    command
        .args(starter.iter().skip(1))
        .arg(host().get_program());
    command
}

/// Whether this machine lets a test start the host so, and the program is readable.
pub(crate) fn is_possible(starter: &[&str]) -> bool {
    let program = program_folder().join("host");
    let mut command = Command::new(starter[0]);
    command.args(&starter[1..]).arg(program).arg("--version");
    command.output().is_ok_and(|output| output.status.success())
}
