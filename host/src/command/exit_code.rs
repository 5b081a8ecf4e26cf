//! The exit codes of `host`: few, stable, and listed in `host --help`.

/// Success.
pub(super) const OK: u8 = 0;
/// An unexpected error: a full disk, a worker that cannot be started.
pub(super) const UNEXPECTED: u8 = 1;
/// The command line is invalid. (`clap` uses the same code.)
pub(super) const USAGE: u8 = 2;
/// The tournament file is missing or invalid.
pub(super) const TOURNAMENT_FILE: u8 = 3;
/// A plugin is missing, unusable, rejects its parameters, or failed its check.
pub(super) const PLUGIN: u8 = 4;
/// A run is damaged or incomplete, or runs cannot be merged: they differ, or games are
/// missing.
pub(super) const VERIFICATION: u8 = 5;
/// An agent committed a fault, and `--strict` was given.
pub(super) const FAULTS: u8 = 6;
/// Plugin files, parameters, rules or seeds have changed, so that records no longer match;
/// trying again does not help.
pub(super) const CHANGED: u8 = 7;
/// After these codes of `run` the same command does not get further: it would end in the same way.
pub(super) const LASTING: [u8; 5] = [USAGE, TOURNAMENT_FILE, PLUGIN, VERIFICATION, CHANGED];
/// Interrupted; `run` and `submit` print the command that resumes.
pub(super) const INTERRUPTED: u8 = 130;
