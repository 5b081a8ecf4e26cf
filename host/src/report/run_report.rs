//! The report of a run folder.

use std::{
    collections::{HashMap, HashSet},
    io,
    path::Path,
};

use super::{
    Report, ReportInput,
    html::{FigureFile, ReportPage},
    same_games::moves_to_keep,
};
use crate::{
    run::{
        game_log::{self, LinePosition, LogLine},
        game_record::GameRecord,
        run_files,
        run_plan::RunPlan,
    },
    statistics::agent_summary::Luck,
};

/// A report and the records that it is based on.
#[derive(Clone, Debug)]
pub struct RunReport {
    pub report: Report,
    /// The numbers of the lines of the game log that do not count, by reason.
    pub left_out: HashMap<Unfit, Vec<u64>>,
    records: Vec<GameRecord>,
    /// Where the records are in the game log, by the number of the game.
    positions: HashMap<u64, LinePosition>,
}

/// Why a line of a log does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unfit {
    NoRecord,
    /// An earlier line has the same game.
    Repeated,
    /// The plan has no agent with this name.
    Foreign,
}

impl Unfit {
    /// A sentence with the line as its subject.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::NoRecord => "is not a record",
            Self::Repeated => "duplicates an earlier game",
            Self::Foreign => "has a game of an agent that is not in the plan",
        }
    }
}

impl RunReport {
    /// Reads the game log of a run folder.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(folder: &Path, plan: &RunPlan) -> io::Result<Self> {
        let input = ReportInput::of(plan);
        let mut records: Vec<(GameRecord, LinePosition)> = Vec::new();
        let mut left_out: HashMap<Unfit, Vec<u64>> = HashMap::new();
        let mut games = HashSet::new();
        let log = game_log::open_existing(&run_files::game_log(folder))?;
        let visit = |position: LinePosition, line| {
            let unfit = match line {
                LogLine::Malformed { .. } | LogLine::CutOff { .. } => Unfit::NoRecord,
                LogLine::Record(record) if !input.agents.contains(&record.agent) => Unfit::Foreign,
                LogLine::Record(record) if !games.insert(record.game) => Unfit::Repeated,
                LogLine::Record(record) => {
                    records.push((figures_of(*record, input.luck), position));
                    return;
                }
            };
            left_out.entry(unfit).or_default().push(position.number);
        };
        if let Some(log) = log {
            game_log::read_from(&log, visit)?;
        }
        Ok(Self {
            left_out,
            ..Self::of_records(folder, plan, records)
        })
    }

    /// The report of records that have been read already, each game once; see [`figures_of`].
    #[must_use]
    pub fn of_records(
        folder: &Path,
        plan: &RunPlan,
        records: Vec<(GameRecord, LinePosition)>,
    ) -> Self {
        let positions = records
            .iter()
            .map(|(record, position)| (record.game, *position))
            .collect();
        let records: Vec<GameRecord> = records.into_iter().map(|(record, _)| record).collect();
        let report = Report::new(&ReportInput::of(plan), &records);
        // Whoever has a pseudonym cannot be played again.
        let report = if plan.is_disguised() {
            report
        } else {
            report.with_evidence_of(folder)
        };
        Self {
            report,
            left_out: HashMap::new(),
            records,
            positions,
        }
    }

    /// The charts of the report, each as a file.
    #[must_use]
    pub fn figures(&self, plan: &RunPlan) -> Vec<FigureFile> {
        ReportPage::new(&self.report, plan, &self.records).figures()
    }

    /// The report as one page. The records are kept without their moves, so the lines of
    /// the few games that the page replays are read from the log.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn page(&self, folder: &Path, plan: &RunPlan) -> io::Result<String> {
        let page = ReportPage::new(&self.report, plan, &self.records);
        let wanted = page.games_to_replay();
        let positions = wanted.iter().filter_map(|game| self.positions.get(game));
        let replayed = game_log::read_at(&run_files::game_log(folder), positions.copied())?;
        Ok(page.html(&replayed))
    }
}

/// A record without the fields that no table shows, so that a hundred thousand fit into memory.
/// Of moves a digest stays, because it shows which games are identical; where tiles are
/// deterministic, all of them stay. Boards stay for faults, which are shown with them.
#[must_use]
pub fn figures_of(mut record: GameRecord, luck: Luck) -> GameRecord {
    record.moves = moves_to_keep(record.moves, luck);
    if !record.ending.is_fault() {
        record.board = Vec::new();
        record.fingerprint = String::new();
    }
    record
}
