//! The report of a run folder.

use std::{
    collections::{HashMap, HashSet},
    io,
    path::Path,
    sync::Arc,
};

use super::{
    Report,
    agent_games::{AgentGames, agent_games},
    formats::csv::curves_csv,
    html::{FigureFile, FigureWidth, ReportPage},
};
use run::{
    game_figures::GameFigures,
    game_log::{LineNumbers, LinePosition, OpenLog, RecordFilter, Unfit},
    pseudonyms::Pseudonyms,
    run_plan::RunPlan,
};

/// A report and the records that it is based on.
#[derive(Clone, Debug)]
pub struct RunReport {
    pub report: Report,
    /// The numbers of the lines of the game log that do not count, by reason.
    pub left_out: HashMap<Unfit, LineNumbers>,
    records: Arc<Vec<GameFigures>>,
    /// The records have them already; lines of the log that the page reads again do not.
    pseudonyms: Pseudonyms,
}

impl RunReport {
    /// Reads the game log of a run folder. `plan` has the names that agents have in the log.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn read(folder: &Path, plan: &RunPlan, pseudonyms: &Pseudonyms) -> io::Result<Self> {
        let (mut records, mut filter) = (Vec::new(), RecordFilter::of(plan));
        let mut left_out: HashMap<Unfit, LineNumbers> = HashMap::new();
        let visit = |position: LinePosition, line: &[u8]| {
            match filter.admit_line(line) {
                Ok((mut record, series)) => {
                    pseudonyms.rename(&mut record);
                    records.push(GameFigures::new(&record, series, position));
                }
                Err(unfit) => left_out
                    .entry(unfit)
                    .or_default()
                    .push(u64::from(position.number)),
            }
            Ok(())
        };
        if let Some(log) = OpenLog::of_run(folder, plan)? {
            log.read_bytes(visit)?;
        }
        // Frees memory that the report needs.
        drop(filter);
        Ok(Self {
            left_out,
            pseudonyms: pseudonyms.clone(),
            ..Self::of_records(folder, &pseudonyms.plan(plan), Arc::new(records))
        })
    }

    /// The report of records that have been read already, each game once.
    #[must_use]
    pub fn of_records(folder: &Path, plan: &RunPlan, records: Arc<Vec<GameFigures>>) -> Self {
        let report = Report::new(plan, &records).with_methods_of(plan, &records);
        // A command that plays a game again would name the agent.
        let report = if plan.has_pseudonyms() {
            report
        } else {
            report.with_evidence_of(folder, plan)
        };
        Self {
            report,
            left_out: HashMap::new(),
            records,
            pseudonyms: Pseudonyms::default(),
        }
    }

    /// The charts of the report, each as a file.
    #[must_use]
    pub fn figures(&self, plan: &RunPlan, width: FigureWidth) -> Vec<FigureFile> {
        ReportPage::new(&self.report, plan, &self.records).figures(width)
    }

    /// The numbers of all games that count, also of those on private seeds.
    #[must_use]
    pub fn counted_games(&self) -> HashSet<u64> {
        let games = self.report.counted.games(&*self.records);
        games.into_iter().map(|game| game.game).collect()
    }

    /// The games behind the figures of each agent, part by part.
    #[must_use]
    pub fn games_of_agents(&self, plan: &RunPlan) -> Vec<Vec<AgentGames<'_>>> {
        agent_games(&self.report, plan, &self.records)
    }

    /// The report as a part of the page of `host serve`, which knows the run as `id`.
    #[must_use]
    pub fn followed(&self, plan: &RunPlan, id: &str) -> String {
        ReportPage::new(&self.report, plan, &self.records).followed(id)
    }

    /// The points of all curves as CSV.
    #[must_use]
    pub fn curves_csv(&self, plan: &RunPlan) -> String {
        curves_csv(&self.report, &self.games_of_agents(plan))
    }

    /// The report as one page. The records are kept without their moves, so the lines of
    /// the few games that the page replays are read from the log.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn page(&self, folder: &Path, plan: &RunPlan) -> io::Result<String> {
        let page = ReportPage::new(&self.report, plan, &self.records);
        let wanted = page.games_to_replay();
        let wanted: HashSet<u64> = wanted.into_iter().collect();
        let replayed = self.records.iter();
        let replayed = replayed.filter(|record| wanted.contains(&record.game));
        let positions = replayed.map(|record| record.position);
        let mut replayed = match OpenLog::of_run(folder, plan)? {
            Some(log) => log.records_at(positions)?,
            None => Vec::new(),
        };
        for record in &mut replayed {
            self.pseudonyms.rename(record);
        }
        Ok(page.html(&replayed))
    }
}
