//! The game log of a run that somebody else may be writing: read as far as it is
//! complete, and only once.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    os::unix::fs::MetadataExt,
    path::Path,
};

use crate::{
    game_log::{LogLine, parse_line},
    game_record::GameRecord,
    run_report::figures_of,
    statistics::agent_summary::Luck,
};

/// The records of a log without their moves, and where those are.
#[derive(Debug, Default)]
pub(super) struct LogIndex {
    /// Device and inode: a log that was rewritten is another file.
    file: Option<(u64, u64)>,
    /// How much of it was read: whole lines.
    length: u64,
    records: Vec<GameRecord>,
    /// Where the line of each record begins, and how long it is.
    lines: Vec<(u64, u64)>,
}

impl LogIndex {
    /// The records in the order of the log.
    pub(super) fn records(&self) -> &[GameRecord] {
        &self.records
    }

    /// Reads what was added; says whether anything changed.
    ///
    /// # Errors
    /// When the log cannot be read; a log that is not there is empty.
    pub(super) fn refresh(&mut self, path: &Path, luck: Luck) -> io::Result<bool> {
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let had_records = !self.records.is_empty();
                *self = Self::default();
                return Ok(had_records);
            }
            Err(error) => return Err(error),
        };
        let metadata = file.metadata()?;
        let identity = Some((metadata.dev(), metadata.ino()));
        let is_another = identity != self.file || metadata.len() < self.length;
        if is_another {
            *self = Self {
                file: identity,
                ..Self::default()
            };
        }
        file.seek(SeekFrom::Start(self.length))?;
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut line = Vec::new();
        let mut is_changed = is_another;
        loop {
            line.clear();
            reader.read_until(b'\n', &mut line)?;
            if line.last() != Some(&b'\n') {
                return Ok(is_changed);
            }
            let start = self.length;
            self.length += line.len() as u64;
            if let LogLine::Record(record) = parse_line(&line) {
                self.records.push(figures_of(*record, luck));
                self.lines.push((start, line.len() as u64));
                is_changed = true;
            }
        }
    }

    /// A record with its moves, by its number in the plan.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub(super) fn whole_record(&self, path: &Path, game: u64) -> io::Result<Option<GameRecord>> {
        let Some(place) = self.records.iter().position(|record| record.game == game) else {
            return Ok(None);
        };
        let (start, length) = self.lines[place];
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(start))?;
        let mut line = Vec::new();
        file.take(length).read_to_end(&mut line)?;
        Ok(match parse_line(&line) {
            LogLine::Record(record) if record.game == game => Some(*record),
            // The log was rewritten in between.
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game_log::GameLog, report::example::record};
    use std::{fs, io::Write};

    #[test]
    fn a_log_is_read_while_it_grows_and_when_it_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let mut index = LogIndex::default();
        assert!(!index.refresh(&path, Luck::Random).unwrap());
        let whole = |game: u64| GameRecord {
            game,
            moves: "ULDR".to_owned(),
            ..record("a", game, 100 + game)
        };
        let mut log = GameLog::open(&path).unwrap();
        log.append(&whole(0)).unwrap();
        assert!(index.refresh(&path, Luck::Random).unwrap());
        assert!(!index.refresh(&path, Luck::Random).unwrap());
        // A line that is being written is not there yet.
        let text = serde_json::to_string(&whole(1)).unwrap();
        let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(&text.as_bytes()[..20]).unwrap();
        assert!(!index.refresh(&path, Luck::Random).unwrap());
        file.write_all(&text.as_bytes()[20..]).unwrap();
        file.write_all(b"\nno record\n").unwrap();
        assert!(index.refresh(&path, Luck::Random).unwrap());
        assert_eq!(index.records().len(), 2);
        assert_eq!(index.records()[1].moves, "", "moves stay in the file");
        let found = index.whole_record(&path, 1).unwrap().unwrap();
        assert_eq!((found.score, found.moves.as_str()), (101, "ULDR"));
        assert!(index.whole_record(&path, 2).unwrap().is_none());

        crate::game_log::rewrite(&path, &[whole(7)]).unwrap();
        assert!(index.refresh(&path, Luck::Random).unwrap());
        assert_eq!(index.records().len(), 1);
        assert_eq!(index.records()[0].game, 7);
    }
}
