//! What a report needs to know about the tournament besides the records.

use std::time::Duration;

use plugin_api::{Clock, Tiles};

use super::{agent_summary::Luck, time_use::BudgetClock};
use run::{
    disqualification::FaultStreak,
    machine::PlayedOn,
    run_plan::{LeftOut, RunPlan},
    shard::Shard,
};
use statistics::{
    interval::Confidence,
    race::{RaceRule, looks},
};
use tournament::{BudgetLimit, StopRule, games_per_seed};

#[derive(Clone, Debug, PartialEq)]
pub struct ReportInput {
    /// The tournament's name.
    pub name: String,
    /// The agents' names in the order of the tournament file.
    pub agents: Vec<String>,
    /// The cells of the board.
    pub n_cells: usize,
    /// At least one. With several, a record names its budget by label.
    pub budgets: Vec<ReportBudget>,
    /// With a goal, the rate of reaching it is compared, then the moves. Games end at the goal, so
    /// their scores cannot be compared.
    pub goal: Option<u64>,
    pub luck: Luck,
    /// No salt was used, so agents could compute the tiles in advance.
    pub predictable_tiles: bool,
    /// Games with a lower number were played on private seeds.
    pub first_shared_game: u64,
    pub disqualify_after: Option<u64>,
    /// The agent that plays twice; see `control_pair`.
    pub control: Option<String>,
    /// How many seeds the tournament file names.
    pub n_seeds: usize,
    /// For a tournament that may play more seeds.
    pub stop: Option<StopRule>,
    /// Set where the records are those of one shard.
    pub shard: Option<Shard>,
    /// Set where several machines played.
    pub machines: Vec<PlayedOn>,
    /// Submissions that do not play.
    pub left_out: Vec<LeftOut>,
}

impl ReportInput {
    /// The input that a plan describes.
    #[must_use]
    pub fn of(plan: &RunPlan) -> Self {
        let tournament = &plan.tournament;
        let budgets = tournament.budgets.iter().map(|budget| ReportBudget {
            name: budget.label(),
            label: Some(budget.label()).filter(|_| tournament.budgets.len() > 1),
            per_move: match budget.limit {
                BudgetLimit::Time { per_move } => Some(per_move),
                BudgetLimit::Nodes(_) | BudgetLimit::None => None,
            },
            nodes: match budget.limit {
                BudgetLimit::Nodes(nodes) => Some(nodes.get()),
                BudgetLimit::Time { .. } | BudgetLimit::None => None,
            },
            clock: match budget.clock {
                Clock::Cpu => BudgetClock::Cpu,
                Clock::Wall => BudgetClock::Wall,
            },
        });
        Self {
            name: tournament.name.clone(),
            agents: plan.agents.iter().map(|agent| agent.name.clone()).collect(),
            n_cells: tournament.side.n_cells(),
            budgets: budgets.collect(),
            goal: tournament.ranking_goal(),
            luck: match tournament.tiles {
                Tiles::Random => Luck::Random,
                Tiles::Deterministic => Luck::None,
            },
            predictable_tiles: plan.salt.is_none(),
            first_shared_game: plan.games().first_shared_game(),
            disqualify_after: plan.disqualify_after(),
            control: tournament.control.clone(),
            n_seeds: usize::try_from(tournament.seeds.len()).unwrap_or(usize::MAX),
            stop: plan.stop(),
            shard: plan.shard,
            machines: plan.machines.clone(),
            left_out: plan.left_out.clone(),
        }
    }

    /// How agents race; `None` without a stop rule.
    #[must_use]
    pub fn race_rule(&self) -> Option<RaceRule> {
        self.stop.map(|stop| RaceRule {
            looks: looks(self.n_seeds as u64, stop.max_seeds),
            significance: 1.0 - stop.decided,
            equal_within: stop.equal_within,
            has_goal: self.goal.is_some(),
        })
    }

    /// The confidence of its intervals and claims.
    #[must_use]
    pub fn confidence(&self) -> Confidence {
        self.stop.map_or(Confidence::USUAL, |stop| Confidence {
            level: stop.decided,
            at_any_time: true,
        })
    }

    /// The number of shared seeds before that of a game, in the order of the plan; `None` for a
    /// private seed.
    #[must_use]
    pub fn round_of(&self, game: u64) -> Option<u64> {
        let shared = game.checked_sub(self.first_shared_game)?;
        shared.checked_div(self.games_per_seed())
    }

    /// The faults in a row before an agent's first game, if faults disqualify.
    #[must_use]
    pub fn fault_streak(&self) -> Option<FaultStreak> {
        let after = self.disqualify_after?;
        Some(FaultStreak::new(after, self.games_per_seed()))
    }

    /// Games per seed: one per agent and budget.
    #[must_use]
    pub fn games_per_seed(&self) -> u64 {
        games_per_seed(self.agents.len(), self.budgets.len())
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportBudget {
    /// Its label, however many budgets there are.
    pub name: String,
    /// As in the records; `None` in a tournament with one budget.
    pub label: Option<String>,
    pub per_move: Option<Duration>,
    /// For a budget in search nodes.
    pub nodes: Option<u64>,
    pub clock: BudgetClock,
}
