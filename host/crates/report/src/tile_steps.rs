//! The chance to get from each tile to the next one.
//!
//! The share of games that reached a tile mixes all the steps before it. The chance from one
//! tile to the next shows on which step an agent fails.

use super::budget_report::{AgentReport, BudgetReport, all_informative_tiles};
use statistics::rate::Rate;

/// From a tile to its double.
#[derive(Clone, Debug, PartialEq)]
pub struct TileStep {
    pub from: u64,
    /// By agent, in the order of the report; `None` where the agent never reached the tile.
    pub chances: Vec<Option<Rate>>,
}

/// The steps on which at least one game ended.
#[must_use]
pub fn tile_steps(part: &BudgetReport) -> Vec<TileStep> {
    let confidence = part.confidence.level;
    let hits = |agent: &AgentReport, tile: u64| {
        let rate = agent.summary.reach.get(&tile)?;
        (rate.hits > 0).then_some(rate.hits)
    };
    let chance = |agent: &AgentReport, tile: u64| {
        // Every game reached the tiles that the report does not list.
        let before = if agent.summary.reach.contains_key(&(tile / 2)) {
            hits(agent, tile / 2)?
        } else {
            let games = u64::try_from(agent.summary.games).ok();
            games.filter(|games| *games > 0)?
        };
        let after = hits(agent, tile).unwrap_or(0);
        Some(Rate::of(after, before, confidence))
    };
    let tiles = all_informative_tiles(&part.agents).into_iter();
    tiles
        .map(|tile| TileStep {
            from: tile / 2,
            chances: part
                .agents
                .iter()
                .map(|agent| chance(agent, tile))
                .collect(),
        })
        .collect()
}
