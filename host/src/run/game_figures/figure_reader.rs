//! Reads the figures of a run from the lines of its log: every game of the plan once.
//!
//! Logs are joined and edited by hand. `host report` and `host serve` leave out the same lines,
//! so that both show the same ranking.

use super::{BriefRecord, FigureMaker, GameFigures, LineText};
use crate::{
    run::{
        game_log::{LinePosition, brief_record_of},
        game_plan::game_set::GameSet,
        run_plan::{Numbering, RunPlan},
    },
    tournament::Budget,
};

/// Why a line of a log does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unfit {
    NoRecord,
    /// An earlier line has the same game.
    Repeated,
    /// The plan has no agent with this name.
    Foreign,
    /// The plan has other settings than those of the game.
    OtherSettings,
}

impl Unfit {
    pub const ALL: [Self; 4] = [
        Self::NoRecord,
        Self::Repeated,
        Self::Foreign,
        Self::OtherSettings,
    ];

    /// A sentence with the line as its subject.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::NoRecord => "is damaged or not a record",
            Self::Repeated => "duplicates an earlier game",
            Self::Foreign => "has a game of an agent that is not in the plan",
            Self::OtherSettings => "has a game that was not played with the settings of plan.json",
        }
    }
}

/// What is known of the lines that have been read.
#[derive(Debug)]
pub struct FigureReader {
    numbering: Numbering,
    /// The labels of the budgets.
    labels: Vec<String>,
    /// The games that have been read.
    games: GameSet,
    maker: FigureMaker,
}

impl FigureReader {
    #[must_use]
    pub fn of(plan: &RunPlan) -> Self {
        Self {
            numbering: Numbering::new(plan),
            labels: plan.tournament.budgets.iter().map(Budget::label).collect(),
            games: GameSet::default(),
            maker: FigureMaker::default(),
        }
    }

    /// The next record of the log.
    ///
    /// # Errors
    /// When the line does not count.
    pub fn record_of<'l>(&mut self, line: &'l [u8]) -> Result<BriefRecord<'l>, Unfit> {
        let record = brief_record_of(line).ok_or(Unfit::NoRecord)?;
        if !self.numbering.has_agent(record.agent.as_ref()) {
            Err(Unfit::Foreign)
        } else if !self.is_planned(&record) {
            Err(Unfit::OtherSettings)
        } else if self.games.insert(record.game) {
            Ok(record)
        } else {
            Err(Unfit::Repeated)
        }
    }

    /// Whether a record is that of its game in the plan.
    fn is_planned(&self, record: &BriefRecord) -> bool {
        let is_labelled = |label: &LineText| {
            let series = self.numbering.games.series_of(record.game);
            self.labels[series.budget] == label.as_ref()
        };
        self.numbering.number_of(record) == Some(record.game)
            && record.budget.as_ref().is_none_or(is_labelled)
    }

    /// The figures of a record that was read from this line.
    pub fn figures_of(
        &mut self,
        record: BriefRecord,
        line: &[u8],
        position: LinePosition,
    ) -> GameFigures {
        self.maker.figures_of_brief(record, line, position)
    }

    /// Forgets which games have been read.
    pub fn start_anew(&mut self) {
        self.games = GameSet::default();
    }
}
