//! The exit codes of `host`: few, documented in `host --help`, and stable.

/// Everything went well.
pub const OK: u8 = 0;
/// Something unexpected: a disk that is full, a worker that cannot be started.
pub const UNEXPECTED: u8 = 1;
/// The command line is wrong. (`clap` uses it, too.)
pub const USAGE: u8 = 2;
/// The tournament file is missing or wrong.
pub const TOURNAMENT_FILE: u8 = 3;
/// A plugin is missing, cannot be used, or failed its check.
pub const PLUGIN: u8 = 4;
/// A record does not hold, or runs cannot be merged: they disagree or miss games.
pub const VERIFICATION: u8 = 5;
/// Agents committed faults, and `--strict` was given.
pub const FAULTS: u8 = 6;
/// Interrupted; the command that resumes was printed.
pub const INTERRUPTED: u8 = 130;
