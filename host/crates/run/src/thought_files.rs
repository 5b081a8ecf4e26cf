//! What agents reported about their moves: one small file per game, up to a limit.
//!
//! Thoughts are not part of the record: they contain times, a game has thousands of them, and
//! no figure is computed from them. Only the curves of a replay need them.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use plugin_api::Notes;
use serde::{Deserialize, Serialize};
use text::strangers_words::beginning_on_one_line;

use crate::{game_record::GameRecord, run_files, unlinked::InnerFolder};

/// A longer file is not read. It has room for a million moves.
const MOST_BYTES: u64 = 64 << 20;

/// The most names of numbers in a game; an agent could use others for every move.
const MOST_NAMES: usize = 16;

/// The most bytes of texts in a game.
const MOST_TEXT: usize = 4 << 20;

/// What an agent reported about the moves of a game, one entry per move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameThoughts {
    /// The value of the chosen move, on the agent's own scale.
    pub values: Vec<Option<f32>>,
    pub depths: Vec<Option<u32>>,
    /// CPU time in microseconds, measured by the host.
    pub cpu_us: Vec<u32>,
    /// Numbers of the agent's own, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub numbers: BTreeMap<String, Vec<Option<f64>>>,
    /// What it wrote; empty if it wrote nothing in the whole game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<Option<String>>,
    /// The bytes of all texts.
    #[serde(skip)]
    n_text_bytes: usize,
}

/// The thoughts of a run.
#[derive(Clone, Debug)]
pub struct ThoughtFiles {
    folder: PathBuf,
}

/// Keeps thoughts until their files reach a limit.
#[derive(Debug)]
pub struct ThoughtKeeper {
    files: ThoughtFiles,
    limit: u64,
    /// How many bytes are used; `None` once the limit was reached.
    used: Mutex<Option<u64>>,
}

impl GameThoughts {
    /// Adds what was reported about the next move. A depth of 0 was not reported.
    pub fn add(&mut self, value: f64, depth: u32, cpu: Duration, notes: &Notes) {
        self.add_notes(notes);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a curve needs no more than seven digits"
        )]
        let value = value as f32;
        self.values
            .push(Some(value).filter(|value| value.is_finite()));
        self.depths.push(Some(depth).filter(|depth| *depth > 0));
        let cpu = u32::try_from(cpu.as_micros()).unwrap_or(u32::MAX);
        self.cpu_us.push(cpu);
    }

    /// Adds the notes on the next move. What is beyond a limit is left out.
    fn add_notes(&mut self, notes: &Notes) {
        let n_before = self.cpu_us.len();
        for (name, value) in notes.numbers() {
            if !self.numbers.contains_key(name) && self.numbers.len() < MOST_NAMES {
                self.numbers.insert(name.clone(), vec![None; n_before]);
            }
            if let Some(values) = self.numbers.get_mut(name) {
                values.push(Some(*value));
            }
        }
        for values in self.numbers.values_mut() {
            values.resize(n_before + 1, None);
        }
        let text = notes.text().filter(|text| {
            self.n_text_bytes += text.len();
            self.n_text_bytes <= MOST_TEXT
        });
        if text.is_some() || !self.texts.is_empty() {
            self.texts.resize(n_before, None);
            self.texts.push(text.map(str::to_owned));
        }
    }

    fn fits(&self, n_moves: u64) -> bool {
        let own = self.numbers.values().map(Vec::len);
        let lengths = [self.values.len(), self.depths.len(), self.cpu_us.len()];
        let mut lengths = lengths.into_iter().chain(own);
        lengths.all(|length| length as u64 == n_moves)
            && (self.texts.is_empty() || self.texts.len() as u64 == n_moves)
            && self.numbers.len() <= MOST_NAMES
    }

    /// The same with the agent's words as they are shown.
    fn shown(mut self) -> Self {
        let numbers = self.numbers.into_iter();
        self.numbers = numbers
            .filter_map(|(name, values)| Some((shown_words(&name)?, values)))
            .collect();
        for text in &mut self.texts {
            *text = text.as_deref().and_then(shown_words);
        }
        self
    }
}

/// The words of an agent on one line, if there is anything to see.
#[must_use]
pub fn shown_words(words: &str) -> Option<String> {
    let line = beginning_on_one_line(words, Notes::LONGEST_TEXT);
    let shown = line.trim();
    (!shown.is_empty()).then(|| shown.to_owned())
}

impl ThoughtFiles {
    #[must_use]
    pub fn of_run(run: &Path) -> Self {
        Self {
            folder: run_files::thoughts_folder(run),
        }
    }

    /// Writes the thoughts of a game.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep(&self, record: &GameRecord, thoughts: &GameThoughts) -> io::Result<()> {
        self.write(record, &text_of(thoughts)?)
    }

    fn write(&self, record: &GameRecord, text: &[u8]) -> io::Result<()> {
        InnerFolder::open_or_create(&self.folder)?.write(&file_name(record), text)
    }

    /// Copies the thoughts of a game from another run, if that has them.
    ///
    /// # Errors
    /// When they cannot be copied.
    pub fn copy_from(&self, other: &Self, record: &GameRecord) -> io::Result<()> {
        match other.text(record) {
            Ok(text) => self.write(record, &text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The thoughts of a game, if they were kept and fit its record.
    #[must_use]
    pub fn read(&self, record: &GameRecord) -> Option<GameThoughts> {
        let thoughts: GameThoughts = serde_json::from_slice(&self.text(record).ok()?).ok()?;
        thoughts.fits(record.n_moves).then(|| thoughts.shown())
    }

    fn text(&self, record: &GameRecord) -> io::Result<Vec<u8>> {
        InnerFolder::open(&self.folder)?.read_beginning(&file_name(record), MOST_BYTES)
    }

    /// The size of all files.
    fn n_bytes(&self) -> u64 {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let sizes = entries.filter_map(|entry| entry.metadata().ok());
        sizes.map(|metadata| metadata.len()).sum()
    }
}

impl ThoughtKeeper {
    /// Continues where an earlier host stopped.
    #[must_use]
    pub fn new(run: &Path, limit: u64) -> Self {
        let files = ThoughtFiles::of_run(run);
        Self {
            used: Mutex::new(Some(files.n_bytes())),
            files,
            limit,
        }
    }

    /// Writes the thoughts of a game if there is room. Returns a sentence when they are the
    /// first for which there is none, or cannot be written.
    pub fn keep(&self, record: &GameRecord, thoughts: &GameThoughts) -> Option<String> {
        let text = match text_of(thoughts) {
            Ok(text) => text,
            Err(error) => return Some(format!("cannot keep thoughts: {error}")),
        };
        {
            let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
            let before = (*used)?;
            let after = before + text.len() as u64;
            *used = Some(after).filter(|after| *after <= self.limit);
            if used.is_none() {
                return Some(format!(
                    "thoughts are kept no longer: those of {} on seed {} would exceed `thoughts`, \
                     which allows {} bytes",
                    record.agent, record.seed, self.limit
                ));
            }
        }
        let written = self.files.write(record, &text);
        let error = written.err()?;
        Some(format!(
            "cannot write the thoughts of {} on seed {}: {error}",
            record.agent, record.seed
        ))
    }
}

fn text_of(thoughts: &GameThoughts) -> io::Result<Vec<u8>> {
    Ok(serde_json::to_vec(thoughts)?)
}

/// Neither name nor fingerprint contains a slash: reading a record checks both.
fn file_name(record: &GameRecord) -> String {
    let GameRecord {
        agent,
        seed,
        fingerprint,
        ..
    } = record;
    format!("{agent}-seed-{seed}-{fingerprint}.json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::record;

    fn thoughts(n_moves: u64) -> GameThoughts {
        let mut thoughts = GameThoughts::default();
        for number in 0..n_moves {
            let value = if number == 0 { f64::NAN } else { 0.25 };
            let depth = u32::try_from(number).unwrap();
            thoughts.add(value, depth, Duration::from_micros(7), &Notes::default());
        }
        thoughts
    }

    #[test]
    fn notes_have_an_entry_per_move_and_limits() {
        let notes = |name: &str, text: &str| {
            let mut notes = Notes::default();
            notes.add_number(name, 1.5);
            notes.set_text(text);
            notes
        };
        let mut thoughts = thoughts(1);
        let mut add = |notes: &Notes| thoughts.add(0.0, 1, Duration::ZERO, notes);
        add(&notes("late", ""));
        add(&notes("evil\u{1b}[2J", "a\nb\u{202e}"));
        for number in 0..MOST_NAMES {
            add(&notes(&format!("name {number}"), ""));
        }
        let n_moves = 3 + MOST_NAMES;
        assert_eq!(thoughts.numbers.len(), MOST_NAMES);
        assert!(thoughts.numbers.values().all(|it| it.len() == n_moves));
        assert_eq!(thoughts.numbers["late"][..3], [None, Some(1.5), None]);
        assert_eq!(thoughts.texts.len(), n_moves);

        let folder = tempfile::tempdir().unwrap();
        let files = ThoughtFiles::of_run(folder.path());
        let mut record = record("a", 1, 100);
        record.n_moves = n_moves as u64;
        files.keep(&record, &thoughts).unwrap();
        let read = files.read(&record).unwrap();
        assert_eq!(read.texts[2].as_deref(), Some("a b"));
        assert!(read.numbers.contains_key("evil [2J"), "{:?}", read.numbers);

        for _ in 0..100_000 {
            thoughts.add(0.0, 1, Duration::ZERO, &notes("late", &"x".repeat(100)));
        }
        let n_bytes: usize = thoughts.texts.iter().flatten().map(String::len).sum();
        assert!(
            (MOST_TEXT - 100..=MOST_TEXT).contains(&n_bytes),
            "{n_bytes}"
        );
    }

    #[test]
    fn thoughts_are_read_again_if_they_fit_the_record() {
        let folder = tempfile::tempdir().unwrap();
        let files = ThoughtFiles::of_run(folder.path());
        let mut record = record("a", 1, 100);
        record.n_moves = 3;
        assert_eq!(files.read(&record), None);
        files.keep(&record, &thoughts(3)).unwrap();
        let read = files.read(&record).unwrap();
        assert_eq!(read.values, [None, Some(0.25), Some(0.25)]);
        assert_eq!(read.depths, [None, Some(1), Some(2)]);
        assert_eq!(read.cpu_us, [7, 7, 7]);
        record.n_moves = 4;
        assert_eq!(files.read(&record), None, "of another game");
    }

    #[test]
    fn a_full_folder_is_reported_once_and_grows_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let size = text_of(&thoughts(10)).unwrap().len() as u64;
        let keeper = ThoughtKeeper::new(folder.path(), 2 * size);
        let keep = |keeper: &ThoughtKeeper, seed| keeper.keep(&record("a", seed, 9), &thoughts(10));
        assert_eq!(keep(&keeper, 1), None);
        // Another host continues with what is there.
        let keeper = ThoughtKeeper::new(folder.path(), 2 * size);
        assert_eq!(keep(&keeper, 2), None);
        let sentence = keep(&keeper, 3).unwrap();
        assert!(sentence.contains("a on seed 3"), "{sentence}");
        assert_eq!(keep(&keeper, 4), None, "said once");
        assert_eq!(ThoughtFiles::of_run(folder.path()).n_bytes(), 2 * size);
    }
}
