//! Why parts cannot be merged, and what to do about it.

use std::{
    collections::BTreeSet,
    fmt, io, iter,
    path::{Path, PathBuf},
};

use text::{listing::first_items, program, shell_word::quoted_path};

/// Why parts cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    #[error("cannot read the game log of `{folder}`: {source}")]
    Unreadable { folder: String, source: io::Error },
    /// The first of them, and how many there are.
    #[error("different records of the same game:{}{}", listed_of(.0, *.1), remedy(.0))]
    Contradictions(Vec<Contradiction>, u64),
    #[error("cannot write `{file}`: {source}")]
    Unwritable { file: String, source: io::Error },
}

/// What to do about different records of a game, most of which two hosts without locks have left.
fn remedy(found: &[Contradiction]) -> String {
    let folders: BTreeSet<&Path> = found.iter().filter_map(Contradiction::folder).collect();
    let verify = |folder| {
        let (program, folder) = (program::as_called(), quoted_path(folder));
        format!("\nkeep the first record of each game with: {program} verify {folder} --repair")
    };
    let commands: String = folders.into_iter().map(verify).collect();
    if found.iter().all(|it| it.folder().is_some()) {
        return commands;
    }
    let other = "\nof two runs that have the same game, name one; --fresh leaves out what is in the \
                 folder of --out";
    commands + other
}

/// How many sentences of one kind are shown.
pub(super) const MOST_SHOWN: usize = 10;

/// The first of these sentences, each on a line of its own.
#[must_use]
pub fn listed(sentences: &[impl ToString]) -> String {
    listed_of(sentences, sentences.len() as u64)
}

/// The same where only the first sentences are known, and how many there are.
#[must_use]
pub fn listed_of(sentences: &[impl ToString], n_sentences: u64) -> String {
    let n_sentences = usize::try_from(n_sentences).unwrap_or(usize::MAX);
    let lines = first_items(
        sentences.iter().map(ToString::to_string),
        n_sentences,
        MOST_SHOWN,
    );
    let lines = iter::once(String::new()).chain(lines);
    lines.collect::<Vec<_>>().join("\n  ")
}

/// Two records of one game that differ in more than timings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    pub(super) game: u64,
    pub(super) agent: String,
    pub(super) seed: u64,
    pub(super) differing: String,
    pub(super) positions: [(PathBuf, u64); 2],
}

impl Contradiction {
    /// The folder of the run, if both records are in one.
    fn folder(&self) -> Option<&Path> {
        let [a, b] = &self.positions;
        (a.0 == b.0).then(|| a.0.parent()).flatten()
    }
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = &self.positions;
        write!(
            f,
            "game {} ({} on seed {}) differs in {}: {}, line {}, and {}, line {}",
            self.game,
            self.agent,
            self.seed,
            self.differing,
            a.0.display(),
            a.1,
            b.0.display(),
            b.1
        )
    }
}
