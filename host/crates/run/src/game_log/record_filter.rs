//! Which lines of a log are records of the plan: every game once. Which of these games count is
//! another question; [`crate::counted`] answers it.
//!
//! Logs are joined and edited by hand. Everything that shows games leaves out the same records
//! and therefore shows the same ranking.

use std::ops::RangeInclusive;

use crate::{
    game_plan::{GameSet, Series},
    game_record::GameRecord,
    record_line::record_of,
    run_plan::{Numbering, RunPlan},
};

/// Why a line of a log is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unfit {
    NoRecord,
    /// An earlier line has the same game.
    Repeated,
    /// The plan has no agent with this name.
    Foreign,
    /// The game has another number in the plan.
    OtherNumber,
    /// The plan has other settings than those of the game.
    OtherSettings,
}

impl Unfit {
    pub const ALL: [Self; 5] = [
        Self::NoRecord,
        Self::Repeated,
        Self::Foreign,
        Self::OtherNumber,
        Self::OtherSettings,
    ];

    /// A sentence with the line as its subject.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::NoRecord => "is damaged or not a record",
            Self::Repeated => "duplicates an earlier game",
            Self::Foreign => "has a game of an agent that is not in the plan",
            Self::OtherNumber => {
                "numbers its game differently from the plan; playing the run on corrects that"
            }
            Self::OtherSettings => "has a game that was not played with the settings of plan.json",
        }
    }
}

/// What is known of the records so far.
#[derive(Debug)]
pub struct RecordFilter {
    numbering: Numbering,
    /// The games that have a record.
    games: GameSet,
}

impl RecordFilter {
    #[must_use]
    pub fn of(plan: &RunPlan) -> Self {
        Self {
            numbering: Numbering::new(plan),
            games: GameSet::default(),
        }
    }

    /// The series of the next record of the log.
    ///
    /// # Errors
    /// When it is left out.
    pub fn admit(&mut self, record: &GameRecord) -> Result<Series, Unfit> {
        if !self.numbering.has_agent(&record.agent) {
            return Err(Unfit::Foreign);
        }
        let Some(series) = self.numbering.planned_series(record) else {
            return Err(match self.numbering.number_of(record) {
                Some(number) if number != record.game => Unfit::OtherNumber,
                _ => Unfit::OtherSettings,
            });
        };
        let is_new = self.games.insert(record.game);
        is_new.then_some(series).ok_or(Unfit::Repeated)
    }

    /// The record of the next line of the log, and its series.
    ///
    /// # Errors
    /// When it is left out.
    pub fn admit_line(&mut self, line: &[u8]) -> Result<(GameRecord, Series), Unfit> {
        let record = record_of(line).ok_or(Unfit::NoRecord)?;
        let series = self.admit(&record)?;
        Ok((record, series))
    }

    /// The label of the budget of a planned game, where the tournament has several.
    #[must_use]
    pub fn label_of(&self, game: u64) -> Option<&str> {
        self.numbering.label_of(game)
    }

    /// Forgets all records.
    pub fn start_anew(&mut self) {
        self.games = GameSet::default();
    }
}

/// Numbers of lines, ascending. Lines in a row take no memory each: a log may have millions that
/// are wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineNumbers(Vec<RangeInclusive<u64>>);

impl LineNumbers {
    /// Adds a line after all others.
    pub fn push(&mut self, line: u64) {
        match self.0.last_mut() {
            Some(last) if *last.end() + 1 == line => *last = *last.start()..=line,
            _ => self.0.push(line..=line),
        }
    }

    /// How many lines there are.
    #[must_use]
    pub fn n_lines(&self) -> u64 {
        self.0
            .iter()
            .map(|range| range.end() - range.start() + 1)
            .sum()
    }

    /// Whether a line is one of them.
    #[must_use]
    pub fn contains(&self, line: u64) -> bool {
        let next = self.0.partition_point(|range| *range.end() < line);
        self.0.get(next).is_some_and(|range| range.contains(&line))
    }

    /// The numbers, one by one.
    pub fn one_by_one(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().cloned().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_a_row_take_no_memory() {
        let mut lines = LineNumbers::default();
        for line in (2..1_000_000).chain([1_000_002, 1_000_005]) {
            lines.push(line);
        }
        assert_eq!((lines.0.len(), lines.n_lines()), (3, 1_000_000));
        let found: Vec<u64> = (1..4)
            .chain(999_999..1_000_007)
            .filter(|line| lines.contains(*line))
            .collect();
        assert_eq!(found, [2, 3, 999_999, 1_000_002, 1_000_005]);
        assert_eq!(lines.one_by_one().take(2).collect::<Vec<_>>(), [2, 3]);
    }
}
