//! The progress of the shards of a tournament, read from their game logs.

use std::{
    io::{self, IsTerminal, Read, Seek, SeekFrom, Write},
    path::PathBuf,
    time::{Duration, Instant},
};

use run::{run_files, shard::Shard, unlinked};

use super::scheduler::TaskStates;
use indicatif::{ProgressBar, ProgressStyle};

/// How often a line is printed if there is no terminal: in the first minute, and later.
const LINE_EVERY: [Duration; 2] = [Duration::from_secs(10), Duration::from_mins(1)];

pub(super) struct SubmitProgress {
    shards: Vec<ShardLog>,
    n_games: u64,
    bar: Option<ProgressBar>,
    started: Instant,
    last_line: Option<Instant>,
    last_text: String,
    /// Whether the number of lines is no proof of completeness: some are not records.
    has_bad_lines: bool,
}

/// Counts the lines of a growing log.
struct ShardLog {
    log: PathBuf,
    n_games: u64,
    n_ended: u64,
    n_bytes: u64,
}

impl SubmitProgress {
    pub(super) fn new(shards: impl Iterator<Item = (Shard, PathBuf)>) -> Self {
        let shards = shards.map(|(_, folder)| ShardLog {
            log: run_files::game_log(&folder),
            n_games: 0,
            n_ended: 0,
            n_bytes: 0,
        });
        let bar = io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:20} {pos}/{len} games, {msg}")
                .expect("the template is well-formed");
            ProgressBar::new(0).with_style(style)
        });
        Self {
            shards: shards.collect(),
            n_games: 0,
            bar,
            started: Instant::now(),
            last_line: None,
            last_text: String::new(),
            has_bad_lines: false,
        }
    }

    /// Sets how many games every shard is to have.
    pub(super) fn expect(&mut self, games_of_shards: &[u64]) {
        for (shard, n_games) in self.shards.iter_mut().zip(games_of_shards) {
            shard.n_games = *n_games;
        }
        self.n_games = games_of_shards.iter().sum();
        if let Some(bar) = &self.bar {
            bar.set_length(self.n_games);
        }
    }

    /// Reads what was written since the last call.
    pub(super) fn update(&mut self) {
        for shard in &mut self.shards {
            // A log that cannot be read now may be readable the next time.
            let _ = shard.update();
        }
    }

    pub(super) fn n_ended(&self) -> u64 {
        self.shards.iter().map(|shard| shard.n_ended).sum()
    }

    /// Whether the logs have as many lines as there are games.
    pub(super) fn is_complete(&self) -> bool {
        !self.has_bad_lines && self.shards.iter().all(ShardLog::is_complete)
    }

    /// The shards that lack games, each with how many it has.
    pub(super) fn incomplete(&self) -> impl Iterator<Item = (u32, u64)> {
        let shards = (1..).zip(&self.shards);
        let incomplete = shards.filter(|(_, shard)| !shard.is_complete());
        incomplete.map(|(number, shard)| (number, shard.n_ended))
    }

    /// Notes that games are missing. If the logs have enough lines nevertheless, some lines
    /// are not records, and only the batch system knows when the tasks have ended.
    pub(super) fn note_missing_games(&mut self) {
        self.has_bad_lines |= self.is_complete();
    }

    /// Prints a line without disturbing the bar.
    pub(super) fn print_line(&self, line: &str) {
        let print = || {
            // A closed stderr is no error: the line has no reader.
            let _ = writeln!(io::stderr(), "{line}");
        };
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    pub(super) fn show(&mut self, tasks: &TaskStates) {
        let n_complete = self
            .shards
            .iter()
            .filter(|shard| shard.is_complete())
            .count();
        let text = format!(
            "{n_complete} of {} shards complete; {} tasks running, {} waiting",
            self.shards.len(),
            tasks.n_running,
            tasks.n_waiting
        );
        if let Some(bar) = &self.bar {
            bar.set_position(self.n_ended());
            bar.set_message(text);
            return;
        }
        let is_late = self.started.elapsed() >= LINE_EVERY[1];
        let every = LINE_EVERY[usize::from(is_late)];
        let text = format!("{} of {} games, {text}", self.n_ended(), self.n_games);
        if text != self.last_text && self.last_line.is_none_or(|last| last.elapsed() >= every) {
            self.print_line(&text);
            self.last_text = text;
            self.last_line = Some(Instant::now());
        }
    }

    /// Removes the bar.
    pub(super) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl ShardLog {
    fn is_complete(&self) -> bool {
        self.n_ended >= self.n_games
    }

    fn update(&mut self) -> io::Result<()> {
        let mut file = unlinked::open(&self.log)?;
        let length = file.metadata()?.len();
        if length < self.n_bytes {
            // The shard removed lines that were not records.
            (self.n_bytes, self.n_ended) = (0, 0);
        }
        file.seek(SeekFrom::Start(self.n_bytes))?;
        let mut buffer = vec![0; 1 << 16];
        loop {
            let n_read = file.read(&mut buffer)?;
            if n_read == 0 {
                return Ok(());
            }
            let is_line_feed = |byte: &u8| u64::from(*byte == b'\n');
            self.n_ended += buffer[..n_read].iter().map(is_line_feed).sum::<u64>();
            self.n_bytes += n_read as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn lines_are_counted_in_a_log_that_grows_or_shrinks() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("games.jsonl");
        let mut shard = ShardLog {
            log: log.clone(),
            n_games: 3,
            n_ended: 0,
            n_bytes: 0,
        };
        assert!(shard.update().is_err(), "there is no log yet");
        for (text, n_ended) in [("a\nb", 1), ("a\nb\n", 2), ("a\nb\nc\n", 3), ("a\n", 1)] {
            fs::write(&log, text).unwrap();
            shard.update().unwrap();
            assert_eq!(
                (shard.n_ended, shard.is_complete()),
                (n_ended, n_ended == 3)
            );
        }
    }
}
