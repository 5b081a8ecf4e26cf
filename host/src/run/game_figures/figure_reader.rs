//! Reads the figures of a run from the lines of its log: every game of the plan once.
//!
//! Logs are joined and edited by hand. `host report` and `host serve` leave out the same lines,
//! so that both show the same ranking.

use std::collections::HashMap;

use super::{BriefRecord, FigureMaker, GameFigures};
use crate::{
    agents::agent::Agent,
    run::{
        game_log::{LinePosition, brief_record_of},
        game_plan::{GamePlan, game_set::GameSet},
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
#[derive(Debug)]
pub struct FigureReader {
    plan: GamePlan,
    /// The agents by name, and the fingerprints and labels of each one's games, by budget.
    agents: HashMap<String, (usize, Vec<(String, String)>)>,
    /// The games that have been read.
    games: GameSet,
    maker: FigureMaker,
}

impl FigureReader {
    #[must_use]
    pub fn of(plan: &RunPlan) -> Self {
        let of_agent = |(index, agent): (usize, &Agent)| {
            let of_budget = |budget: &Budget| {
                let fingerprint = agent.fingerprint(&plan.tournament, budget, &plan.salt);
                (fingerprint, budget.label())
            };
            let of_budgets = plan.tournament.budgets.iter().map(of_budget);
            (agent.name.clone(), (index, of_budgets.collect()))
        };
        Self {
            plan: plan.games(),
            agents: plan.agents.iter().enumerate().map(of_agent).collect(),
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
        if !self.agents.contains_key(record.agent.as_ref()) {
            Err(Unfit::Foreign)
        } else if !self.is_planned(&record) {
            Err(Unfit::OtherSettings)
        } else if self.games.insert(record.game) {
            Ok(record)
        } else {
            Err(Unfit::Repeated)
        }
    }

    /// Whether the plan has the game of a record, with its agent, seed and settings.
    fn is_planned(&self, record: &BriefRecord) -> bool {
        let known = self.agents.get(record.agent.as_ref());
        let planned = self.plan.game(record.game);
        let (Some((agent, settings)), Some(planned)) = (known, planned) else {
            return false;
        };
        let (fingerprint, label) = &settings[planned.budget];
        planned.agent == *agent
            && planned.seed == record.seed
            && fingerprint == record.fingerprint.as_ref()
            && (record.budget.as_ref()).is_none_or(|budget| label == budget.as_ref())
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
