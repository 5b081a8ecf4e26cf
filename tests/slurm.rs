//! A tournament on a real Slurm: Debian's, with two nodes on this machine.
//!
//! A test program of its own, as that of the browser: where Slurm is missing, each test
//! is counted as ignored and says what to install.

/// Says when Slurm is missing.
mod skippable;

#[path = "support.rs"]
#[expect(dead_code, reason = "these tests need only a part of it")]
mod support;

/// Starts and ends the daemons.
#[path = "slurm/cluster.rs"]
mod cluster;

/// What `host submit` makes of it, and of hosts and nodes that die.
#[path = "slurm/submitting.rs"]
mod submitting;

use std::{cell::LazyCell, process::ExitCode};

use cluster::Cluster;
use submitting::Reference;

fn main() -> ExitCode {
    let reference = LazyCell::new(Reference::play);
    let tests = submitting::TESTS.iter().copied();
    skippable::run(tests, Cluster::start, |cluster, test| {
        test(cluster, &reference);
    })
}
