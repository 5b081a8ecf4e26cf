//! Reads the figures of a run from the lines of its log: every game of the plan once.
//!
//! Logs are joined and edited by hand. `host report` and `host serve` leave out the same lines,
//! so that both show the same ranking.

use std::collections::{HashMap, HashSet};

use super::{BriefRecord, FigureMaker, GameFigures};
use crate::{
    agents::agent::Agent,
    run::{
        game_log::{LinePosition, brief_record_of},
        game_plan::game_set::GameSet,
        run_plan::RunPlan,
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
#[derive(Debug, Default)]
pub struct FigureReader {
    /// The fingerprints of each agent's games and the label of their budget.
    fingerprints: HashMap<String, Vec<(String, String)>>,
    /// The games of the plan that have been read.
    games: GameSet,
    /// Others: a log can contain anything.
    further_games: HashSet<u64>,
    n_games: u64,
    maker: FigureMaker,
}

impl FigureReader {
    #[must_use]
    pub fn of(plan: &RunPlan) -> Self {
        let fingerprints = |agent: &Agent| {
            let of_budget = |budget: &Budget| {
                let fingerprint = agent.fingerprint(&plan.tournament, budget, &plan.salt);
                (fingerprint, budget.label())
            };
            let of_budgets = plan.tournament.budgets.iter().map(of_budget);
            (agent.name.clone(), of_budgets.collect())
        };
        Self {
            fingerprints: plan.agents.iter().map(fingerprints).collect(),
            n_games: plan.games().n_games(),
            ..Self::default()
        }
    }

    /// The next record of the log.
    ///
    /// # Errors
    /// When the line does not count.
    pub fn record_of<'l>(&mut self, line: &'l [u8]) -> Result<BriefRecord<'l>, Unfit> {
        let record = brief_record_of(line).ok_or(Unfit::NoRecord)?;
        let fingerprints = self.fingerprints.get(record.agent.as_ref());
        let fingerprints = fingerprints.ok_or(Unfit::Foreign)?;
        let is_of = |(fingerprint, label): &(String, String)| {
            let budget = record.budget.as_ref();
            fingerprint == record.fingerprint.as_ref()
                && budget.is_none_or(|budget| label == budget.as_ref())
        };
        if !fingerprints.iter().any(is_of) {
            Err(Unfit::OtherSettings)
        } else if self.is_new(record.game) {
            Ok(record)
        } else {
            Err(Unfit::Repeated)
        }
    }

    fn is_new(&mut self, game: u64) -> bool {
        if game < self.n_games {
            self.games.insert(game)
        } else {
            self.further_games.insert(game)
        }
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
        self.further_games.clear();
    }
}
