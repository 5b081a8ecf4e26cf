//! What agents printed to stderr before a fault: one small file per faulty game.
//!
//! The text is not part of the record: panic messages contain addresses and thread
//! numbers, and records are identical in every execution.

use std::{
    io,
    path::{Path, PathBuf},
};

use text::printable::printable;

use crate::{game_record::GameRecord, run_files, unlinked::InnerFolder};

/// How much of it a report shows.
const LINES_SHOWN: usize = 6;
const LONGEST_LINE: usize = 200;
/// Hosts write far less; the rest of a longer file is not read.
const MOST_BYTES: u64 = 1 << 20;

/// The stderr files of a run.
#[derive(Clone, Debug)]
pub struct StderrFiles {
    folder: PathBuf,
}

impl StderrFiles {
    #[must_use]
    pub fn of_run(run: &Path) -> Self {
        Self {
            folder: run_files::stderr_folder(run),
        }
    }

    /// Writes the stderr tail of a game, unless it is empty.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep(&self, record: &GameRecord, text: &str) -> io::Result<()> {
        if text.trim().is_empty() {
            return Ok(());
        }
        let name = file_name(&record.agent, record.seed, &record.fingerprint);
        InnerFolder::open_or_create(&self.folder)?.write(&name, text.as_bytes())
    }

    /// Copies the stderr tail of a game from another run, if that has one.
    ///
    /// # Errors
    /// When it cannot be copied.
    pub fn copy_from(&self, other: &Self, record: &GameRecord) -> io::Result<()> {
        let name = file_name(&record.agent, record.seed, &record.fingerprint);
        let read = |folder: InnerFolder| folder.read_beginning(&name, MOST_BYTES);
        match InnerFolder::open(&other.folder).and_then(read) {
            Ok(text) => InnerFolder::open_or_create(&self.folder)?.write(&name, &text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The last lines of a game's stderr, without control characters.
    #[must_use]
    pub fn lines(&self, agent: &str, seed: u64, fingerprint: &str) -> Vec<String> {
        let name = file_name(agent, seed, fingerprint);
        let read = |folder: InnerFolder| folder.read_beginning(&name, MOST_BYTES);
        let bytes = InnerFolder::open(&self.folder).and_then(read);
        shown(&String::from_utf8_lossy(&bytes.unwrap_or_default()))
    }
}

/// The fingerprint differs between budgets and versions of a plugin. Neither name nor
/// fingerprint contains a slash: reading a record checks both.
fn file_name(agent: &str, seed: u64, fingerprint: &str) -> String {
    format!("{agent}-seed-{seed}-{fingerprint}.txt")
}

/// The last lines of a text, without control characters and shortened.
#[must_use]
pub fn shown(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    lines[lines.len().saturating_sub(LINES_SHOWN)..]
        .iter()
        .map(|line| printable(line, LONGEST_LINE))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_lines_are_shown_without_control_characters() {
        let text: Vec<String> = (1..=20).map(|n| format!("line {n}\n\n")).collect();
        let lines = shown(&(text.concat() + "\u{1b}[2Jred"));
        assert_eq!(lines.len(), 6);
        assert_eq!(lines[0], "line 16");
        assert_eq!(lines[5], " [2Jred");
        assert_eq!(shown(&"x".repeat(1000))[0].chars().count(), 201);
    }
}
