//! The tiles whose rates tell agents apart.

use super::budget_report::AgentReport;
use crate::statistics::rate::Rate;

/// So many tiles have a column in the ranking.
const MOST_TILES: usize = 3;

/// A tile that hardly any agent reaches tells little.
const WORTH_A_COLUMN: f64 = 0.05;

/// The highest tiles that are reached by some and missed by some, from low to
/// high. The number says how much a tile tells: the distance from the worst
/// agent to the best, in percent.
pub(super) fn highest_telling_tiles(agents: &[AgentReport], goal: Option<u64>) -> Vec<(u64, f64)> {
    let mut telling: Vec<(u64, f64)> = tiles(agents)
        .filter(|tile| Some(*tile) != goal)
        .filter_map(|tile| {
            let best = rates(agents, tile)
                .map(|rate| rate.rate)
                .fold(0.0, f64::max);
            let worst = rates(agents, tile)
                .map(|rate| rate.rate)
                .fold(1.0, f64::min);
            let tells = best >= WORTH_A_COLUMN && worst < 1.0;
            tells.then_some((tile, 100.0 * (best - worst)))
        })
        .collect();
    telling.drain(..telling.len().saturating_sub(MOST_TILES));
    telling
}

/// From the first tile that was missed once to the highest that was reached once;
/// where no tile was missed, the highest.
pub(super) fn all_telling_tiles(agents: &[AgentReport]) -> Vec<u64> {
    let reached: Vec<u64> = tiles(agents)
        .filter(|&tile| rates(agents, tile).any(|rate| rate.hits > 0))
        .collect();
    let missed = |tile: &u64| rates(agents, *tile).any(|rate| rate.hits < rate.games);
    let first = reached.iter().position(missed);
    let first = first.unwrap_or(reached.len().saturating_sub(1));
    reached[first..].to_vec()
}

/// Every agent has rates of the same tiles.
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
