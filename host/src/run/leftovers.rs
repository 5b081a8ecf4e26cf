//! What earlier executions left in a run folder, and what of it fits the plan.
//!
//! Nothing is lost: records that no longer fit are set aside and used again when they do,
//! and lines that are not records are kept too.

use std::collections::HashMap;

use super::{
    game_log::{self, GameLog, LogLine},
    game_plan::{GamePlan, Series},
    game_record::GameRecord,
    record_line::line_of,
    run_files,
    run_folder::{FolderError, RunFolder},
    run_plan::RunPlan,
};

/// What earlier executions left in the folder of a run.
#[derive(Debug, Default)]
pub struct Leftovers {
    /// Records that match the plan, by their number in the plan.
    pub records: HashMap<u64, GameRecord>,
    /// How many records no longer match the plan. They were moved to another file.
    pub n_superseded: u64,
    /// How many records had been set aside and match the plan again.
    pub n_restored: u64,
    /// The numbers of lines that are not records. They were moved to another file.
    pub damaged_lines: Vec<u64>,
    /// Whether the last line was cut off while it was written.
    pub had_cut_off_line: bool,
}

/// What is in the folder, compared with a plan; nothing has been changed yet.
#[derive(Debug, Default)]
struct Survey {
    leftovers: Leftovers,
    superseded: Vec<String>,
    damaged: Vec<String>,
    /// The lines that stay set aside, if some of them match again.
    still_set_aside: Option<Vec<String>>,
    is_clean: bool,
}

impl RunFolder {
    /// Keeps the records that match a plan, removes everything else from the log, writes
    /// the plan, and opens the log for the missing games.
    ///
    /// # Errors
    /// When the folder cannot be read or written.
    pub fn take_over(&self, plan: &RunPlan) -> Result<(Leftovers, GameLog), FolderError> {
        self.take_over_if(plan, |_| true)
    }

    /// The same, unless records would be set aside and `may_supersede`, which is told how
    /// many, says no. Then nothing is changed.
    ///
    /// # Errors
    /// When the folder cannot be read or written, or records would be set aside.
    pub fn take_over_if(
        &self,
        plan: &RunPlan,
        may_supersede: impl FnOnce(u64) -> bool,
    ) -> Result<(Leftovers, GameLog), FolderError> {
        let survey = self.survey(plan)?;
        let n_superseded = survey.leftovers.n_superseded;
        if n_superseded > 0 && !may_supersede(n_superseded) {
            return Err(FolderError::Superseding {
                folder: self.path().display().to_string(),
                n_superseded,
                n_records: n_superseded + survey.leftovers.records.len() as u64,
            });
        }
        self.settle(&survey)?;
        plan.write(self.path())
            .map_err(|source| self.unusable(source))?;
        Ok((survey.leftovers, GameLog::open(&self.log_path())?))
    }

    fn survey(&self, plan: &RunPlan) -> Result<Survey, FolderError> {
        let numbering = Numbering::new(plan);
        let mut survey = Survey {
            is_clean: true,
            ..Survey::default()
        };
        game_log::read(&self.log_path(), |number, line| {
            survey.add(&numbering, number, line);
        })
        .map_err(|source| self.unusable(source))?;
        let set_aside = run_files::superseded_records(self.path());
        let (mut rest, mut n_changed) = (Vec::new(), 0_u64);
        game_log::read(&set_aside, |_, line| {
            match survey.restore(&numbering, line) {
                Some(text) => rest.push(text),
                None => n_changed += 1,
            }
        })
        .map_err(|source| self.unusable(source))?;
        survey.still_set_aside = (n_changed > 0).then_some(rest);
        Ok(survey)
    }

    /// Changes the files: first what is set aside, then the log, so that every record is in
    /// one of them at any time.
    fn settle(&self, survey: &Survey) -> Result<(), FolderError> {
        let unusable = |source| self.unusable(source);
        let set_aside = run_files::superseded_records(self.path());
        for (file, lines) in [
            (set_aside.clone(), &survey.superseded),
            (run_files::damaged_lines(self.path()), &survey.damaged),
        ] {
            game_log::set_aside(&file, lines.iter().map(String::as_str)).map_err(unusable)?;
        }
        if !survey.is_clean {
            let mut records: Vec<&GameRecord> = survey.leftovers.records.values().collect();
            records.sort_by_key(|record| record.game);
            game_log::rewrite(&self.log_path(), records).map_err(unusable)?;
        }
        if let Some(lines) = &survey.still_set_aside {
            let lines = lines.iter().chain(&survey.superseded);
            let text: Vec<String> = lines.map(|line| format!("{line}\n")).collect();
            super::atomic_file::replace(&set_aside, text.concat()).map_err(unusable)?;
        }
        Ok(())
    }
}

impl Survey {
    fn add(&mut self, numbering: &Numbering, line_number: u64, line: LogLine) {
        match line {
            LogLine::Record(record) => match numbering.number_of(&record) {
                Some(number) if !self.leftovers.records.contains_key(&number) => {
                    self.is_clean &= record.game == number;
                    self.keep(number, *record);
                }
                _ => {
                    self.is_clean = false;
                    self.leftovers.n_superseded += 1;
                    self.superseded.push(text_of(&record));
                }
            },
            LogLine::Malformed { text, .. } => {
                self.is_clean = false;
                self.leftovers.damaged_lines.push(line_number);
                self.damaged.push(text);
            }
            LogLine::CutOff { .. } => {
                self.is_clean = false;
                self.leftovers.had_cut_off_line = true;
            }
        }
    }

    /// Takes a record that was set aside if it matches again; otherwise returns its line.
    fn restore(&mut self, numbering: &Numbering, line: LogLine) -> Option<String> {
        match line {
            LogLine::Record(record) => match numbering.number_of(&record) {
                Some(number) if !self.leftovers.records.contains_key(&number) => {
                    self.is_clean = false;
                    self.leftovers.n_restored += 1;
                    self.keep(number, *record);
                    None
                }
                // The host was stopped after it had written the log.
                Some(number) if self.leftovers.records[&number] == *record => None,
                _ => Some(text_of(&record)),
            },
            LogLine::Malformed { text, .. } | LogLine::CutOff { text } => Some(text),
        }
    }

    fn keep(&mut self, number: u64, record: GameRecord) {
        let record = GameRecord {
            game: number,
            ..record
        };
        self.leftovers.records.insert(number, record);
    }
}

fn text_of(record: &GameRecord) -> String {
    let line = line_of(record).unwrap_or_default();
    String::from_utf8_lossy(&line).trim_end().to_owned()
}

/// Finds the planned game of a record. The fingerprint stands for plugin file, parameters,
/// rules, budget and salt, so agent and fingerprint together determine the series.
pub(crate) struct Numbering {
    games: GamePlan,
    /// The series by the name of its agent and the fingerprint.
    series: HashMap<(String, String), Series>,
}

impl Numbering {
    pub(crate) fn new(plan: &RunPlan) -> Self {
        let tournament = &plan.tournament;
        let series = tournament
            .budgets
            .iter()
            .enumerate()
            .flat_map(|(budget_index, budget)| {
                let agents = plan.agents.iter().enumerate();
                agents.map(move |(agent_index, agent)| {
                    let fingerprint = agent.fingerprint(tournament, budget, &plan.salt);
                    let series = Series {
                        budget: budget_index,
                        agent: agent_index,
                    };
                    ((agent.name.clone(), fingerprint), series)
                })
            })
            .collect();
        Self {
            games: plan.games(),
            series,
        }
    }

    pub(crate) fn number_of(&self, record: &GameRecord) -> Option<u64> {
        let key = (record.agent.clone(), record.fingerprint.clone());
        let series = self.series.get(&key)?;
        self.games
            .number_of(record.seed, series.budget, series.agent)
    }
}
