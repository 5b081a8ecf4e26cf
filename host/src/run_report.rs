//! The report of a run, read from its folder.

use std::{
    collections::{HashMap, HashSet},
    io,
    path::Path,
};

use crate::{
    game_log::{self, LogLine},
    game_record::GameRecord,
    report::{Report, html::Page},
    run_plan::RunPlan,
    statistics::agent_summary::Luck,
};

/// A report and the records it was made from.
#[derive(Clone, Debug)]
pub struct RunReport {
    pub report: Report,
    /// Lines of the game log that do not count, by what they hold.
    pub left_out: HashMap<Unfit, Vec<u64>>,
    records: Vec<GameRecord>,
}

/// Why a line of a log does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unfit {
    NoRecord,
    /// The game stands above it already.
    Repeated,
    /// The plan has no agent of this name.
    Foreign,
}

impl Unfit {
    /// With the lines as its subject.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::NoRecord => "holds no record",
            Self::Repeated => "holds a game that stands above it already",
            Self::Foreign => "holds a game of an agent that the plan does not know",
        }
    }
}

impl RunReport {
    /// Reads the game log of a run's folder.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(folder: &Path, plan: &RunPlan) -> io::Result<Self> {
        let input = plan.report_input();
        let mut records: Vec<GameRecord> = Vec::new();
        let mut left_out: HashMap<Unfit, Vec<u64>> = HashMap::new();
        let mut games = HashSet::new();
        game_log::read(&folder.join("games.jsonl"), |number, line| {
            let unfit = match line {
                LogLine::Malformed { .. } | LogLine::CutOff { .. } => Unfit::NoRecord,
                LogLine::Record(record) if !input.agents.contains(&record.agent) => Unfit::Foreign,
                LogLine::Record(record) if !games.insert(record.game) => Unfit::Repeated,
                LogLine::Record(record) => {
                    records.push(figures_of(*record, input.luck));
                    return;
                }
            };
            left_out.entry(unfit).or_default().push(number);
        })?;
        Ok(Self {
            left_out,
            ..Self::of_records(folder, plan, records)
        })
    }

    /// The report of records that were read already, each game once; see [`figures_of`].
    #[must_use]
    pub fn of_records(folder: &Path, plan: &RunPlan, records: Vec<GameRecord>) -> Self {
        let report = Report::new(&plan.report_input(), &records).with_evidence_of(folder);
        Self {
            report,
            left_out: HashMap::new(),
            records,
        }
    }

    /// The report as one page. The records are kept without their moves, so those of
    /// the few games that the page replays are read once more.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn page(&self, folder: &Path, plan: &RunPlan) -> io::Result<String> {
        let page = Page::new(&self.report, plan, &self.records);
        let wanted = page.games_to_replay();
        let log = folder.join("games.jsonl");
        let replayed = game_log::read_games(&log, |game| wanted.contains(&game))?;
        Ok(page.html(&replayed))
    }
}

/// A record without what no table shows, so that a hundred thousand fit into memory.
/// Without luck the moves tell which games are the same; a fault is shown with its board.
#[must_use]
pub fn figures_of(mut record: GameRecord, luck: Luck) -> GameRecord {
    if luck == Luck::Random {
        record.moves = String::new();
    }
    if !record.ending.is_fault() {
        record.board = Vec::new();
        record.fingerprint = String::new();
    }
    record
}
