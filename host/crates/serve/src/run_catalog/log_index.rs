//! The records of a run that another process may still be writing.

use std::{io, path::Path, sync::Arc};

use super::latest_faults::LatestFaults;
use run::{
    game_figures::GameFigures,
    game_log::{GrowingLog, LogLimits, NextLine, OpenLog, RecordFilter},
    game_record::GameRecord,
    record_line::looks_like_record,
    run_plan::RunPlan,
};

/// The figures of every game of a log, for the viewers of a run.
#[derive(Debug)]
pub(super) struct LogIndex {
    log: GrowingLog,
    /// Shared with the report that is made of them.
    records: Arc<Vec<GameFigures>>,
    filter: RecordFilter,
    faults: LatestFaults,
}

/// The number of records of a log, for the list of runs. It needs no memory for each game and
/// reads no record: only the page of a run says how many of them count.
#[derive(Debug, Default)]
pub(super) struct RecordCount {
    log: GrowingLog,
    n_records: u64,
}

impl RecordCount {
    /// Reads what was added, and returns the number of records.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub(super) fn refresh(&mut self, path: &Path, limits: LogLimits) -> io::Result<u64> {
        self.log.refresh(path, limits, |next| match next {
            NextLine::StartedAnew => self.n_records = 0,
            NextLine::Line(_, bytes) => self.n_records += u64::from(looks_like_record(bytes)),
        })?;
        Ok(self.n_records)
    }
}

impl LogIndex {
    pub(super) fn of(plan: &RunPlan) -> Self {
        Self {
            log: GrowingLog::default(),
            records: Arc::default(),
            filter: RecordFilter::of(plan),
            faults: LatestFaults::default(),
        }
    }

    /// The records that count, in the order of the log.
    pub(super) fn records(&self) -> &Arc<Vec<GameFigures>> {
        &self.records
    }

    pub(super) fn faults(&self) -> &LatestFaults {
        &self.faults
    }

    /// Reads what was added; returns whether anything changed. A missing log is empty.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub(super) fn refresh(&mut self, path: &Path, limits: LogLimits) -> io::Result<bool> {
        let mut is_changed = false;
        self.log.refresh(path, limits, |next| match next {
            NextLine::StartedAnew => {
                self.records = Arc::default();
                self.filter.start_anew();
                self.faults = LatestFaults::default();
                is_changed = true;
            }
            NextLine::Line(position, bytes) => {
                if let Ok((record, series)) = self.filter.admit_line(bytes) {
                    self.faults.note(&record);
                    let figures = GameFigures::new(&record, series, position);
                    Arc::make_mut(&mut self.records).push(figures);
                    is_changed = true;
                }
            }
        })?;
        Ok(is_changed)
    }

    /// A record with its moves, by the number of the game in the plan.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub(super) fn whole_record(&self, path: &Path, game: u64) -> io::Result<Option<GameRecord>> {
        let found = self.records.iter().find(|record| record.game == game);
        let (Some(found), Some(log)) = (found, OpenLog::open(path)?) else {
            return Ok(None);
        };
        // The log may have been rewritten since it was indexed.
        let mut records = log.records_at([found.position])?;
        Ok(records.pop().filter(|record| record.game == game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use run::{
        atomic_file::replace,
        example::{plan, record},
        game_log::GameLog,
        record_line::line_of,
    };
    use std::{fs, io::Write};

    #[test]
    fn a_log_is_read_while_it_grows_and_when_it_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let mut plan = plan(4, &["a"]);
        plan.tournament.seeds = "0..20".parse().unwrap();
        let mut index = LogIndex::of(&plan);
        assert!(!index.refresh(&path, LogLimits::NONE).unwrap());
        let tournament = &plan.tournament;
        let fingerprint =
            plan.agents[0].fingerprint(tournament, &tournament.budgets[0], &plan.salt);
        let whole = |game: u64| GameRecord {
            game,
            moves: "ULDR".to_owned(),
            fingerprint: fingerprint.clone(),
            ..record("a", game, 100 + game)
        };
        let mut log = GameLog::open(&path).unwrap();
        log.append(&whole(0)).unwrap();
        assert!(index.refresh(&path, LogLimits::NONE).unwrap());
        assert!(!index.refresh(&path, LogLimits::NONE).unwrap());
        // An incomplete line is not read yet.
        let text = line_of(&whole(1)).unwrap();
        let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(&text[..20]).unwrap();
        assert!(!index.refresh(&path, LogLimits::NONE).unwrap());
        file.write_all(&text[20..]).unwrap();
        file.write_all(b"not a record\n").unwrap();
        // A game counts once, and only if the plan has its agent and its settings.
        file.write_all(&text).unwrap();
        let foreign = GameRecord {
            agent: "b".to_owned(),
            ..whole(2)
        };
        let of_other_settings = GameRecord {
            fingerprint: "0".repeat(GameRecord::FINGERPRINT_DIGITS),
            ..whole(2)
        };
        let on_another_seed = GameRecord {
            seed: 3,
            ..whole(2)
        };
        for record in [foreign, of_other_settings, on_another_seed] {
            file.write_all(&line_of(&record).unwrap()).unwrap();
        }
        assert!(index.refresh(&path, LogLimits::NONE).unwrap());
        assert_eq!(index.records().len(), 2);
        let found = index.whole_record(&path, 1).unwrap().unwrap();
        assert_eq!((found.score, found.moves.as_str()), (101, "ULDR"));
        assert!(index.whole_record(&path, 2).unwrap().is_none());

        // Rewritten in place, and longer than before.
        let lines: Vec<Vec<u8>> = (3..9).map(|game| line_of(&whole(game)).unwrap()).collect();
        fs::write(&path, lines.concat()).unwrap();
        assert!(index.refresh(&path, LogLimits::NONE).unwrap());
        assert_eq!(index.records().len(), 6);
        assert_eq!(index.records()[0].game, 3);

        replace(&path, line_of(&whole(7)).unwrap()).unwrap();
        assert!(index.refresh(&path, LogLimits::NONE).unwrap());
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
            let mut index = LogIndex::of(&plan(4, &["a"]));
            assert!(index.refresh(&path, LogLimits::NONE).is_err());
        }
    }
}
