//! The game log of a run that another process may still be writing. Complete lines are
//! read, each of them once.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    os::unix::fs::{FileExt, MetadataExt},
    path::Path,
};

use crate::{
    report::run_report::figures_of,
    run::{
        game_log::{LogLine, open_existing, parse_line},
        game_record::GameRecord,
    },
    statistics::agent_summary::Luck,
};

/// How many bytes before the end of what was read are compared to detect a rewritten log.
const LAST_BYTES: usize = 64;

/// The records of a log without their moves, and the position of each line.
#[derive(Debug, Default)]
pub(super) struct LogIndex {
    /// Device and inode. A log that was replaced is a different file.
    file: Option<(u64, u64)>,
    /// How many bytes have been read; always complete lines.
    length: u64,
    /// The last bytes that were read. They change when the log is rewritten in place.
    last_bytes: Vec<u8>,
    records: Vec<GameRecord>,
    /// Start and length of the line of each record.
    lines: Vec<(u64, u64)>,
}

impl LogIndex {
    /// The records in the order of the log.
    pub(super) fn records(&self) -> &[GameRecord] {
        &self.records
    }

    /// Reads what was added; returns whether anything changed. A missing log is empty.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub(super) fn refresh(&mut self, path: &Path, luck: Luck) -> io::Result<bool> {
        let Some(mut file) = open_existing(path)? else {
            let had_records = !self.records.is_empty();
            *self = Self::default();
            return Ok(had_records);
        };
        let metadata = file.metadata()?;
        let identity = Some((metadata.dev(), metadata.ino()));
        let is_different = identity != self.file || !self.is_continued_by(&file);
        if is_different {
            *self = Self {
                file: identity,
                ..Self::default()
            };
        }
        file.seek(SeekFrom::Start(self.length))?;
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut line = Vec::new();
        let mut is_changed = is_different;
        loop {
            line.clear();
            reader.read_until(b'\n', &mut line)?;
            if line.last() != Some(&b'\n') {
                return Ok(is_changed);
            }
            let start = self.length;
            self.length += line.len() as u64;
            self.last_bytes = line[line.len().saturating_sub(LAST_BYTES)..].to_vec();
            if let LogLine::Record(record) = parse_line(&line) {
                self.records.push(figures_of(*record, luck));
                self.lines.push((start, line.len() as u64));
                is_changed = true;
            }
        }
    }

    fn is_continued_by(&self, file: &File) -> bool {
        let mut bytes = vec![0; self.last_bytes.len()];
        let start = self.length - bytes.len() as u64;
        file.read_exact_at(&mut bytes, start).is_ok() && bytes == self.last_bytes
    }

    /// A record with its moves, by the number of the game in the plan.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub(super) fn whole_record(&self, path: &Path, game: u64) -> io::Result<Option<GameRecord>> {
        let Some(place) = self.records.iter().position(|record| record.game == game) else {
            return Ok(None);
        };
        let (start, length) = self.lines[place];
        let Some(mut file) = open_existing(path)? else {
            return Ok(None);
        };
        file.seek(SeekFrom::Start(start))?;
        let mut line = Vec::new();
        file.take(length).read_to_end(&mut line)?;
        Ok(match parse_line(&line) {
            LogLine::Record(record) if record.game == game => Some(*record),
            // The log was rewritten since it was indexed.
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{example::record, game_log::GameLog, record_line::line_of};
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
        // An incomplete line is not read yet.
        let text = line_of(&whole(1)).unwrap();
        let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(&text[..20]).unwrap();
        assert!(!index.refresh(&path, Luck::Random).unwrap());
        file.write_all(&text[20..]).unwrap();
        file.write_all(b"not a record\n").unwrap();
        assert!(index.refresh(&path, Luck::Random).unwrap());
        assert_eq!(index.records().len(), 2);
        assert_ne!(index.records()[1].moves, "ULDR", "moves stay in the file");
        let found = index.whole_record(&path, 1).unwrap().unwrap();
        assert_eq!((found.score, found.moves.as_str()), (101, "ULDR"));
        assert!(index.whole_record(&path, 2).unwrap().is_none());

        // Rewritten in place, and longer than before.
        let lines: Vec<Vec<u8>> = (3..9).map(|game| line_of(&whole(game)).unwrap()).collect();
        fs::write(&path, lines.concat()).unwrap();
        assert!(index.refresh(&path, Luck::Random).unwrap());
        assert_eq!(index.records().len(), 6);
        assert_eq!(index.records()[0].game, 3);

        crate::run::game_log::rewrite(&path, &[whole(7)]).unwrap();
        assert!(index.refresh(&path, Luck::Random).unwrap());
        assert_eq!(index.records().len(), 1);
        assert_eq!(index.records()[0].game, 7);
    }

    #[test]
    fn links_and_pipes_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let (secret, link) = (folder.path().join("secret"), folder.path().join("link"));
        fs::write(&secret, "{}\n").unwrap();
        std::os::unix::fs::symlink(&secret, &link).unwrap();
        let pipe = folder.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        for path in [link, pipe] {
            assert!(LogIndex::default().refresh(&path, Luck::Random).is_err());
        }
    }
}
