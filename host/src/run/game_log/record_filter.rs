//! Which records of a log count: every game of the plan once.
//!
//! Logs are joined and edited by hand. Everything that shows games leaves out the same records,
//! so that all of it shows the same ranking.

use crate::run::{
    game_plan::game_set::GameSet,
    game_record::GameRecord,
    run_plan::{Numbering, RunPlan},
};

/// Why a line of a log does not count.
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
                "numbers its game differently from the plan; `host run` corrects that"
            }
            Self::OtherSettings => "has a game that was not played with the settings of plan.json",
        }
    }
}

/// What is known of the records so far.
#[derive(Debug)]
pub struct RecordFilter {
    numbering: Numbering,
    /// The games whose records count.
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

    /// Looks at the next record of the log.
    ///
    /// # Errors
    /// When it does not count.
    pub fn admit<T: AsRef<str>, B, H, E>(
        &mut self,
        record: &GameRecord<T, B, H, E>,
    ) -> Result<(), Unfit> {
        if !self.numbering.has_agent(record.agent.as_ref()) {
            Err(Unfit::Foreign)
        } else if !self.numbering.is_planned(record) {
            Err(match self.numbering.number_of(record) {
                Some(number) if number != record.game => Unfit::OtherNumber,
                _ => Unfit::OtherSettings,
            })
        } else if self.games.insert(record.game) {
            Ok(())
        } else {
            Err(Unfit::Repeated)
        }
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
