//! What several tests use: the program under test, its processes, its records, and
//! agents that are built for one test.
//!
//! Several test programs include this module and each uses a part of it.

/// Hostile agents against hosts of several users.
pub(crate) mod attack;

/// Agents that are built for one test, in Rust, C and C++.
pub(crate) mod built_agent;

/// Blocks and commands of documents.
pub(crate) mod document;

/// How a command ended.
mod finished;

/// Interpreters that a machine may lack.
pub(crate) mod interpreters;

/// Agents of both kinds: a library, and the same library as a program.
pub(crate) mod kinds;

/// Patience with a busy machine.
pub(crate) mod patience;

/// Workers and other processes that the host starts.
pub(crate) mod processes;

/// The program under test.
mod program;

/// Records, and what in them differs from run to run.
mod records;

/// A class of thirty.
pub(crate) mod school_class;

/// A running `host serve`.
pub(crate) mod serving_host;

/// The agent that looks for what it must not find.
pub(crate) mod snoop;

/// Ways to start the host that change what the sandbox has to work with.
pub(crate) mod starters;

/// A folder with a tournament file, and the commands that use it.
mod tournament_test;

pub(crate) use finished::Finished;
pub(crate) use program::{host, program_folder, repository};
pub(crate) use records::{all_without_times, records_of, without_times, write_records};
pub(crate) use tournament_test::TournamentTest;
