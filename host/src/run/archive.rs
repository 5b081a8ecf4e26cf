//! A run in one file, to keep or to give away: a tar file with the run's folder in it.
//!
//! The log is compressed, and `SHA256SUMS` has the checksum of every file, so that `tar` and
//! `sha256sum` can open and check an archive where there is no `host`. An archive may come
//! from a stranger: only the files of a run are taken from it, none twice, and no link. Thoughts are
//! not archived: they are large, and no figure depends on them.

mod archive_reader;
mod archive_writer;

use std::{
    collections::BTreeMap,
    io::{self, Read, Write},
};

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{run_files, run_plan::RunPlan};
use crate::text::hex::hex;

pub use archive_reader::{ArchiveError, check, extract};
pub use archive_writer::{ArchivedReport, write};

/// What the archive says about itself; `sha256sum --check` reads the other file.
const DESCRIPTION: &str = "archive.json";
const CHECKSUMS: &str = "SHA256SUMS";
/// The report as JSON; a run folder has none, because `host report` prints it.
pub const REPORT_JSON: &str = "report.json";

/// Files of a run's folder that are archived as they are, if they exist.
const COPIED: [&str; 4] = [
    run_files::PLAN,
    run_files::SALT,
    run_files::SUPERSEDED_RECORDS,
    run_files::DAMAGED_LINES,
];

/// The version of the format of `archive.json`.
const VERSION: u32 = 1;

/// What an archive contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveSummary {
    /// The folder in the archive: the tournament's name.
    pub name: String,
    pub n_files: usize,
    pub n_bytes: u64,
    /// Whether it contains the salt of a run that has not ended.
    pub has_secret_salt: bool,
}

/// `archive.json`.
#[derive(Serialize)]
struct Description<'p> {
    v: u32,
    host: &'static str,
    tournament: &'p str,
    /// By the name of the agent.
    plugins: BTreeMap<&'p str, ArchivedPlugin<'p>>,
    /// How many games are planned, played and missing.
    games: serde_json::Value,
}

/// The plugin that played; the file itself is not in the archive.
#[derive(Serialize)]
struct ArchivedPlugin<'p> {
    plugin: &'p str,
    version: &'p str,
    sha256: &'p str,
}

impl<'p> Description<'p> {
    fn of(plan: &'p RunPlan, games: serde_json::Value) -> Self {
        let plugins = plan.agents.iter().map(|agent| {
            let plugin = ArchivedPlugin {
                plugin: &agent.plugin.info.name,
                version: &agent.plugin.info.version,
                sha256: &agent.sha256,
            };
            (agent.name.as_str(), plugin)
        });
        Self {
            v: VERSION,
            host: env!("CARGO_PKG_VERSION"),
            tournament: &plan.tournament.name,
            plugins: plugins.collect(),
            games,
        }
    }
}

/// Passes bytes on and computes their checksum.
struct Hashing<S> {
    stream: S,
    digest: Sha256,
}

impl<S> Hashing<S> {
    fn new(stream: S) -> Self {
        Self {
            stream,
            digest: Sha256::new(),
        }
    }

    fn finish(self) -> String {
        hex(&self.digest.finalize())
    }
}

impl<S: Write> Write for Hashing<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n_written = self.stream.write(bytes)?;
        self.digest.update(&bytes[..n_written]);
        Ok(n_written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl<S: Read> Read for Hashing<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self.stream.read(buffer)?;
        self.digest.update(&buffer[..n_read]);
        Ok(n_read)
    }
}
