//! The tiles whose rates differ between agents.

use statistics::rate::Rate;

use crate::budget_report::AgentReport;

/// The most tiles with a column in the ranking.
const MOST_TILES: usize = 3;

/// The lowest rate of the best agent at which a tile gets a column.
const WORTH_A_COLUMN: f64 = 0.05;

/// The highest tiles that some games reached and some missed, in ascending order, each with the
/// distance between the worst and the best agent in percent.
pub(crate) fn highest_informative_tiles(
    agents: &[AgentReport],
    goal: Option<u64>,
) -> Vec<(u64, f64)> {
    let mut informative: Vec<(u64, f64)> = tiles(agents)
        .filter(|tile| Some(*tile) != goal)
        .filter_map(|tile| {
            let best = rates(agents, tile)
                .map(|rate| rate.rate)
                .fold(0.0, f64::max);
            let worst = rates(agents, tile)
                .map(|rate| rate.rate)
                .fold(1.0, f64::min);
            let is_informative = best >= WORTH_A_COLUMN && worst < 1.0;
            is_informative.then_some((tile, 100.0 * (best - worst)))
        })
        .collect();
    informative.drain(..informative.len().saturating_sub(MOST_TILES));
    informative
}

/// From the lowest tile that some game missed to the highest that some game reached; where no
/// tile was missed, only the highest.
pub(crate) fn all_informative_tiles(agents: &[AgentReport]) -> Vec<u64> {
    let reached: Vec<u64> = tiles(agents)
        .filter(|&tile| rates(agents, tile).any(|rate| rate.hits > 0))
        .collect();
    let missed = |tile: &u64| rates(agents, *tile).any(|rate| rate.hits < rate.games);
    let first = reached.iter().position(missed);
    let first = first.unwrap_or(reached.len().saturating_sub(1));
    reached[first..].to_vec()
}

/// Every agent has rates for the same tiles.
fn tiles(agents: &[AgentReport]) -> impl Iterator<Item = u64> {
    let first = agents.first().into_iter();
    first.flat_map(|agent| agent.summary.reach.keys().copied())
}

fn rates(agents: &[AgentReport], tile: u64) -> impl Iterator<Item = &Rate> {
    agents
        .iter()
        .filter_map(move |agent| agent.summary.reach.get(&tile))
        .filter(|rate| rate.games > 0)
}
