//! A tournament on a real Slurm: Debian's, with two nodes on this machine.
//!
//! A test program of its own, like that of the browser: where Slurm is missing, each
//! test is counted as ignored and names what to install.

/// Ignores tests whose programs are missing.
mod skippable;

#[expect(
    dead_code,
    unused_imports,
    reason = "these tests need only a part of it"
)]
mod support;

/// Starts and ends the daemons.
#[path = "slurm/cluster.rs"]
mod cluster;

/// `host submit`, also when hosts and nodes die.
#[path = "slurm/submitting.rs"]
mod submitting;

use std::{cell::OnceCell, process::ExitCode};

use cluster::Cluster;
use skippable::Stage;
use submitting::{Reference, Test};

/// The cluster, and what one machine records without it.
struct Compared {
    cluster: Cluster,
    reference: OnceCell<Reference>,
}

impl Compared {
    fn start() -> Result<Self, String> {
        Ok(Self {
            cluster: Cluster::start()?,
            reference: OnceCell::new(),
        })
    }

    fn try_out(&self, test: Test) {
        let reference = self.reference.get_or_init(Reference::play);
        test(&self.cluster, reference);
    }
}

fn main() -> ExitCode {
    let stage = Stage {
        missing: Cluster::missing(),
        missing_for: |_| None,
        start: Compared::start,
    };
    skippable::run(stage, submitting::TESTS.to_vec(), Compared::try_out)
}
