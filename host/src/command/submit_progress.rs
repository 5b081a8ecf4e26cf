//! How far the shards of a tournament are, by their own game logs.

use std::{
    fs::File,
    io::{self, IsTerminal, Read, Seek, SeekFrom, Write},
    path::PathBuf,
    time::{Duration, Instant},
};

use arena2048::{game_plan::GamePlan, shard::Shard, slurm::TasksInQueue};
use indicatif::{ProgressBar, ProgressStyle};

/// How often a line is printed where there is no terminal: in the first minute, later.
const LINE_EVERY: [Duration; 2] = [Duration::from_secs(10), Duration::from_mins(1)];

pub(super) struct SubmitProgress {
    shards: Vec<ShardLog>,
    n_games: u64,
    bar: Option<ProgressBar>,
    started: Instant,
    last_line: Option<Instant>,
    last_text: String,
    lines_mislead: bool,
}

/// Counts the lines of a log that grows.
struct ShardLog {
    log: PathBuf,
    n_games: u64,
    n_ended: u64,
    n_bytes: u64,
}

impl SubmitProgress {
    pub(super) fn new(games: &GamePlan, shards: impl Iterator<Item = (Shard, PathBuf)>) -> Self {
        let shards = shards.map(|(shard, folder)| ShardLog {
            log: folder.join("games.jsonl"),
            n_games: shard.n_games(games),
            n_ended: 0,
            n_bytes: 0,
        });
        let bar = io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:20} {pos}/{len} games, {msg}")
                .expect("the template is well-formed");
            ProgressBar::new(games.n_games()).with_style(style)
        });
        Self {
            shards: shards.collect(),
            n_games: games.n_games(),
            bar,
            started: Instant::now(),
            last_line: None,
            last_text: String::new(),
            lines_mislead: false,
        }
    }

    /// Reads what was written since the last time.
    pub(super) fn update(&mut self) {
        for shard in &mut self.shards {
            // A log that cannot be read now can perhaps be read the next time.
            let _ = shard.update();
        }
    }

    pub(super) fn n_ended(&self) -> u64 {
        self.shards.iter().map(|shard| shard.n_ended).sum()
    }

    /// Whether the logs have as many lines as there are games.
    pub(super) fn is_complete(&self) -> bool {
        !self.lines_mislead && self.shards.iter().all(ShardLog::is_complete)
    }

    /// Takes note that games are missing. Where the lines are enough all the same, some
    /// are no records, and only the queue says when the tasks have ended.
    pub(super) fn note_missing_games(&mut self) {
        self.lines_mislead |= self.is_complete();
    }

    /// Prints a line without disturbing the bar.
    pub(super) fn say(&self, line: &str) {
        let print = || {
            // Without a standard error output there is nobody to tell.
            let _ = writeln!(io::stderr(), "{line}");
        };
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    pub(super) fn show(&mut self, tasks: TasksInQueue) {
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
            self.say(&text);
            self.last_text = text;
            self.last_line = Some(Instant::now());
        }
    }

    /// Takes the bar away.
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
        let mut file = File::open(&self.log)?;
        let length = file.metadata()?.len();
        if length < self.n_bytes {
            // The shard cleaned its log of something that did not hold.
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
    fn a_log_that_grows_or_is_cleaned_is_counted_right() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("games.jsonl");
        let mut shard = ShardLog {
            log: log.clone(),
            n_games: 3,
            n_ended: 0,
            n_bytes: 0,
        };
        assert!(shard.update().is_err(), "it has not begun");
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
