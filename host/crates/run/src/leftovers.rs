//! What earlier executions left in a run folder, and what of it fits the plan.
//!
//! Nothing is lost: records that no longer fit are set aside and used again when they do,
//! and lines that are not records are kept too. The records themselves stay on disk; of a
//! line that moves from one file to another only the position is in memory.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, io,
};

use super::{
    atomic_file::replace_with,
    game_figures::GameFigures,
    game_log::{self, GameLog, LinePosition, OpenLog},
    game_plan::{GameSet, Series},
    game_record::{FaultWeight, GameRecord},
    record_line::{line_of, record_of},
    run_files,
    run_folder::{FolderError, RunFolder},
    run_plan::{Numbering, RunPlan},
    shard::Shard,
};
use text::listing::first_listed;

/// What earlier executions left in the folder of a run.
#[derive(Debug, Default)]
pub struct Leftovers {
    /// The games whose records match the plan.
    pub played: PlayedGames,
    /// The results of these games.
    pub tallies: BTreeMap<Series, Tally>,
    /// The figures of these games, where a stop rule needs them; in any order.
    pub figures: Vec<GameFigures>,
    /// The records that no longer match the plan. They were moved to another file.
    pub superseded: SupersededRecords,
    /// How many records had been set aside and match the plan again.
    pub n_restored: u64,
    /// The numbers of lines that are not records. They were moved to another file.
    pub damaged_lines: Vec<u64>,
    /// The numbers of lines with games of earlier lines. They were moved to the same file.
    pub repeated_lines: Vec<u64>,
    /// Whether the last line was cut off while it was written.
    pub had_cut_off_line: bool,
}

/// The games of an agent under a budget, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub n_games: u64,
    pub sum_of_scores: u64,
    /// How many games reached the goal, if there is one.
    pub n_goals: u64,
}

/// What is in the folder, compared with a plan; nothing has been changed yet.
struct Survey<'p> {
    plan: &'p RunPlan,
    numbering: Numbering,
    leftovers: Leftovers,
    log: Option<OpenLog>,
    set_aside: Option<OpenLog>,
    kept: Vec<KeptLine>,
    superseded: Vec<LinePosition>,
    damaged: Vec<LinePosition>,
    /// The lines that stay set aside, if some of them match again.
    still_set_aside: Option<Vec<LinePosition>>,
    is_clean: bool,
}

/// A line whose record matches the plan.
#[derive(Clone, Copy, Debug)]
struct KeptLine {
    number: u64,
    position: LinePosition,
    /// Whether it is in the file of lines that were set aside.
    is_set_aside: bool,
}

impl RunFolder {
    /// Keeps the records that match a plan, removes everything else from the log, writes
    /// the plan, and opens the log for the missing games. It asks `may_supersede` before it sets
    /// records aside. If the answer is no, nothing changes.
    ///
    /// # Errors
    /// When the folder cannot be read or written, or records would be set aside.
    pub fn take_over(
        &self,
        plan: &RunPlan,
        may_supersede: impl FnOnce(&SupersededRecords) -> bool,
    ) -> Result<(Leftovers, GameLog), FolderError> {
        game_log::unpack(&self.log_path()).map_err(|source| self.unusable(source))?;
        let mut survey = Survey::of(self, plan).map_err(|source| self.unusable(source))?;
        let superseded = &survey.leftovers.superseded;
        let n_superseded = superseded.total();
        if n_superseded > 0 && !may_supersede(superseded) {
            return Err(FolderError::Superseding {
                folder: self.path().display().to_string(),
                n_superseded,
                whose: superseded.to_string(),
                n_records: n_superseded + survey.leftovers.played.len(),
            });
        }
        if let Some(shard) = plan.shard
            && survey.has_game_of_other_than(shard)
        {
            let folder = self.path().display().to_string();
            return Err(FolderError::OtherShard { folder, shard });
        }
        survey
            .settle(self)
            .and_then(|()| plan.write(self.path()))
            .map_err(|source| self.unusable(source))?;
        Ok((survey.leftovers, self.open_log()?))
    }
}

impl<'p> Survey<'p> {
    fn of(folder: &RunFolder, plan: &'p RunPlan) -> io::Result<Self> {
        let mut survey = Self {
            plan,
            numbering: Numbering::new(plan),
            leftovers: Leftovers {
                superseded: SupersededRecords::under(plan),
                ..Leftovers::default()
            },
            log: None,
            set_aside: None,
            kept: Vec::new(),
            superseded: Vec::new(),
            damaged: Vec::new(),
            still_set_aside: None,
            is_clean: true,
        };
        if let Some(log) = OpenLog::open(&folder.log_path())? {
            log.read_bytes(|position, line| {
                survey.add(position, line);
                Ok(())
            })?;
            survey.log = Some(log);
        }
        survey.kept.sort_unstable_by_key(|line| line.number);
        if let Some(set_aside) = OpenLog::open_plain(&run_files::superseded_records(folder.path()))?
        {
            survey.look_through(set_aside)?;
        }
        Ok(survey)
    }

    fn has_game_of_other_than(&self, shard: Shard) -> bool {
        let per_seed = self.numbering.games.games_per_seed();
        let mut played = self.leftovers.played.iter();
        played.any(|(game, _)| !shard.has(game, per_seed))
    }

    fn add(&mut self, position: LinePosition, line: &[u8]) {
        let Some(record) = record_of(line) else {
            self.is_clean = false;
            if line.last() == Some(&b'\n') {
                let number = u64::from(position.number);
                self.leftovers.damaged_lines.push(number);
                self.damaged.push(position);
            } else {
                self.leftovers.had_cut_off_line = true;
            }
            return;
        };
        match self.numbering.number_of(&record) {
            Some(number) if self.leftovers.played.contains(number) => {
                self.is_clean = false;
                self.leftovers
                    .repeated_lines
                    .push(u64::from(position.number));
                self.damaged.push(position);
            }
            Some(number) => {
                let label = record.budget.as_deref();
                self.is_clean &= record.game == number && label == self.numbering.label_of(number);
                self.keep(number, &record, position, false);
            }
            None => {
                self.is_clean = false;
                self.leftovers.superseded.add(&record.agent);
                self.superseded.push(position);
            }
        }
    }

    /// Looks for records that were set aside and match again.
    fn look_through(&mut self, set_aside: OpenLog) -> io::Result<()> {
        let (mut rest, mut is_changed) = (Vec::new(), false);
        let n_kept = self.kept.len();
        set_aside.read_bytes(|position, bytes| {
            let is_needed = match record_of(bytes) {
                Some(record) => self.restore(record, position, n_kept)?,
                None => true,
            };
            is_changed |= !is_needed;
            if is_needed {
                rest.push(position);
            }
            Ok(())
        })?;
        self.still_set_aside = is_changed.then_some(rest);
        self.set_aside = Some(set_aside);
        Ok(())
    }

    /// Takes a record that was set aside if it matches again; says whether it stays set
    /// aside. The first `n_kept` lines are those of the log, sorted.
    fn restore(
        &mut self,
        record: GameRecord,
        position: LinePosition,
        n_kept: usize,
    ) -> io::Result<bool> {
        let Some(number) = self.numbering.number_of(&record) else {
            return Ok(true);
        };
        if !self.leftovers.played.contains(number) {
            self.is_clean = false;
            self.leftovers.n_restored += 1;
            self.keep(number, &record, position, true);
            return Ok(false);
        }
        let found = self.kept[..n_kept].binary_search_by_key(&number, |line| line.number);
        let (Ok(place), Some(log)) = (found, &self.log) else {
            return Ok(true);
        };
        // The host may have been stopped after it had written the log.
        let in_log = log.records_at([self.kept[place].position])?;
        let numbered = |record: GameRecord| GameRecord {
            game: number,
            ..record
        };
        let record = numbered(record);
        Ok(!in_log.into_iter().any(|other| numbered(other) == record))
    }

    fn keep(
        &mut self,
        number: u64,
        record: &GameRecord,
        position: LinePosition,
        is_set_aside: bool,
    ) {
        self.leftovers.played.insert(number, record.fault_weight());
        self.kept.push(KeptLine {
            number,
            position,
            is_set_aside,
        });
        let series = self.numbering.games.series_of(number);
        let goal = self.plan.tournament.ranking_goal();
        let tally = self.leftovers.tallies.entry(series).or_default();
        tally.add(Tally::of(record, goal));
        if self.plan.stop().is_some() {
            self.leftovers.figures.push(GameFigures {
                game: number,
                ..GameFigures::new(record, series, position)
            });
        }
    }

    /// Changes the files: first what is set aside, then the log, so that every record is in
    /// one of them at any time.
    fn settle(&mut self, folder: &RunFolder) -> io::Result<()> {
        let set_aside = run_files::superseded_records(folder.path());
        for (file, positions) in [
            (&set_aside, &self.superseded),
            (&run_files::damaged_lines(folder.path()), &self.damaged),
        ] {
            if let (Some(log), false) = (&self.log, positions.is_empty()) {
                game_log::set_aside(file, |write| copy(log, positions, write))?;
            }
        }
        if !self.is_clean {
            self.kept.sort_unstable_by_key(|line| line.number);
            replace_with(&folder.log_path(), |writer| {
                self.kept
                    .iter()
                    .try_for_each(|line| io::Write::write_all(writer, &self.numbered_line(line)?))
            })?;
        }
        if let (Some(positions), Some(from)) = (&self.still_set_aside, &self.set_aside) {
            replace_with(&set_aside, |writer| {
                let write = &mut |line: &[u8]| io::Write::write_all(writer, line);
                copy(from, positions, write)?;
                match &self.log {
                    Some(log) => copy(log, &self.superseded, write),
                    None => Ok(()),
                }
            })?;
        }
        Ok(())
    }

    /// The line of a record, with its number in the plan and the label of its budget.
    fn numbered_line(&self, line: &KeptLine) -> io::Result<Vec<u8>> {
        let source = if line.is_set_aside {
            &self.set_aside
        } else {
            &self.log
        };
        let source = source.as_ref().expect("the line was read from this file");
        let mut bytes = Vec::new();
        source.line_at(line.position, &mut bytes)?;
        let record = record_of(&bytes)
            .ok_or_else(|| io::Error::other("the game log changed while it was read"))?;
        let label = self.numbering.label_of(line.number);
        if record.game == line.number && record.budget.as_deref() == label {
            return Ok(bytes);
        }
        Ok(line_of(&GameRecord {
            game: line.number,
            budget: label.map(str::to_owned),
            ..record
        })?)
    }
}

/// Calls `write` with these lines of a log.
fn copy(
    log: &OpenLog,
    positions: &[LinePosition],
    write: &mut dyn FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut bytes = Vec::new();
    positions.iter().try_for_each(|position| {
        log.line_at(*position, &mut bytes)?;
        write(&bytes)
    })
}

impl Tally {
    /// One game.
    #[must_use]
    pub fn of(record: &GameRecord, goal: Option<u64>) -> Self {
        Self {
            n_games: 1,
            sum_of_scores: record.score,
            n_goals: u64::from(goal.is_some_and(|goal| record.highest >= goal)),
        }
    }

    /// Adds games. A log can contain anything: sums saturate.
    pub fn add(&mut self, more: Self) {
        self.n_games += more.n_games;
        self.sum_of_scores = self.sum_of_scores.saturating_add(more.sum_of_scores);
        self.n_goals += more.n_goals;
    }
}

/// A set of games by their number in the plan, and what each counts towards disqualification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayedGames {
    games: GameSet,
    /// Those that count.
    faults: BTreeMap<u64, FaultWeight>,
}

impl PlayedGames {
    /// Adds a game; says whether it is new.
    pub fn insert(&mut self, number: u64, weight: FaultWeight) -> bool {
        let is_new = self.games.insert(number);
        if is_new && weight != FaultWeight::Nothing {
            self.faults.insert(number, weight);
        }
        is_new
    }

    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        self.games.contains(number)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// How many games there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.games.len()
    }

    /// The games in ascending order, each with what it counts.
    pub fn iter(&self) -> impl Iterator<Item = (u64, FaultWeight)> + '_ {
        self.games.iter().map(|number| {
            let weight = self.faults.get(&number).copied();
            (number, weight.unwrap_or(FaultWeight::Nothing))
        })
    }
}

/// The numbers of records that do not match a plan. Displayed as a part of a sentence:
/// `bert 20, carl 20 (no longer an agent)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SupersededRecords {
    of_agent: BTreeMap<String, u64>,
    /// The agents of the plan.
    playing: BTreeSet<String>,
}

/// How many agents are named.
const MOST_NAMED: usize = 8;

impl SupersededRecords {
    fn under(plan: &RunPlan) -> Self {
        Self {
            of_agent: BTreeMap::new(),
            playing: plan.agents.iter().map(|agent| agent.name.clone()).collect(),
        }
    }

    fn add(&mut self, agent: &str) {
        *self.of_agent.entry(agent.to_owned()).or_default() += 1;
    }

    /// How many there are.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.of_agent.values().sum()
    }
}

impl fmt::Display for SupersededRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let agents = self.of_agent.iter().map(|(agent, n_records)| {
            let gone = if self.playing.contains(agent) {
                ""
            } else {
                " (no longer an agent)"
            };
            format!("{agent} {n_records}{gone}")
        });
        f.write_str(&first_listed(agents, MOST_NAMED))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{example::plan, game_record::Ending};

    #[test]
    fn games_are_found_again_in_ascending_order() {
        let mut games = PlayedGames::default();
        let (no, one) = (FaultWeight::Nothing, FaultWeight::One);
        let enough = FaultWeight::Enough(Ending::Hang);
        for (number, weight) in [(200, no), (3, one), (64, no), (63, enough)] {
            assert!(games.insert(number, weight));
        }
        assert!(!games.insert(64, one), "the first record counts");
        assert_eq!(
            games.iter().collect::<Vec<_>>(),
            [(3, one), (63, enough), (64, no), (200, no)]
        );
        assert_eq!((games.len(), games.contains(200)), (4, true));
        assert!(!games.contains(201) && !games.contains(u64::MAX));
    }

    #[test]
    fn agents_that_are_gone_are_told_from_those_that_changed() {
        let mut records = SupersededRecords::under(&plan(4, &["anna", "bert"]));
        for agent in ["bert", "carl", "bert"] {
            records.add(agent);
        }
        assert_eq!(
            records.to_string(),
            "bert 2 and carl 1 (no longer an agent)"
        );
        for number in 0..7 {
            records.add(&format!("a{number}"));
        }
        assert!(records.to_string().ends_with("bert 2 and 1 more"));
    }
}
