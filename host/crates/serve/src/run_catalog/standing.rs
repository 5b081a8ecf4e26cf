//! The result of a run in short, for its card.

use serde::Serialize;

use report::{Report, run_report::RunReport};
use run::run_plan::RunPlan;
use statistics::interval::Interval;
use text::number_text::{decimals, percent};

/// A card has no room for more.
const MOST_AGENTS: usize = 6;

/// Under the last budget, which is usually the largest.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Standing {
    finished: bool,
    n_agents: usize,
    n_seeds: u64,
    budget: Option<String>,
    /// The best agents.
    agents: Vec<Place>,
}

#[derive(Clone, Debug, Serialize)]
struct Place {
    name: String,
    rank: usize,
    /// The mean score, or the share of games that reached the goal.
    text: String,
    value: f64,
    interval: Option<Interval>,
}

impl Standing {
    pub(super) fn new(plan: &RunPlan, run: &RunReport) -> Self {
        let report: &Report = &run.report;
        let part = report.budgets.last();
        let agents = part.map_or(&[][..], |part| &part.agents).iter();
        let places = agents.filter_map(|agent| {
            let rank = agent.rank?;
            let goal = agent.summary.goal.filter(|_| report.goal.is_some());
            let (text, value, interval) = if let Some(rate) = goal {
                (percent(rate.rate), rate.rate, rate.interval)
            } else {
                let mean = agent.summary.mean?;
                (decimals(mean, 0), mean, agent.summary.mean_interval)
            };
            Some(Place {
                name: agent.name.clone(),
                rank,
                text,
                value,
                interval,
            })
        });
        Self {
            finished: report.games.missing == 0,
            n_agents: plan.agents.len(),
            n_seeds: plan.tournament.seeds.len(),
            budget: part.and_then(|part| part.label.clone()),
            agents: places.take(MOST_AGENTS).collect(),
        }
    }
}
