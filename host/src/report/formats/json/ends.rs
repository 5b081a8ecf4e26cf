//! How the games of an agent end, in the JSON report.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{JsonRate, json_rate};
use crate::{
    report::tile_steps::TileStep,
    run::game_record::Ending,
    statistics::agent_summary::game_ends::{GameEnds, Quartiles},
};

#[derive(Serialize)]
pub(super) struct JsonEnds<'r> {
    /// The number of games by ending, and by their highest tile.
    endings: &'r BTreeMap<Ending, u64>,
    highest: &'r BTreeMap<u64, u64>,
    moves: Option<Quartiles>,
    /// On average.
    empty_cells: Option<f64>,
    /// Of lost games: the moves since the board last had a quarter of its cells empty.
    crowded_moves: Option<Quartiles>,
    /// Of lost games: the moves since the highest tile was made.
    since_highest: Option<Quartiles>,
    /// The share of lost games that ended within so many moves of a new highest tile.
    lost_within: BTreeMap<u64, JsonRate>,
    /// By tile: of the games that made the tile before, the share that made it.
    next_tile: BTreeMap<u64, JsonRate>,
}

/// `place` is that of the agent in its ranking.
pub(super) fn json_ends<'r>(ends: &'r GameEnds, steps: &[TileStep], place: usize) -> JsonEnds<'r> {
    let next_tile = steps.iter().filter_map(|step| {
        let chance = step.chances[place]?;
        Some((2 * step.from, json_rate(chance)))
    });
    let lost_within = ends.lost_within.iter();
    JsonEnds {
        endings: &ends.endings,
        highest: &ends.highest,
        moves: ends.moves,
        empty_cells: ends.empty_cells,
        crowded_moves: ends.crowded_moves,
        since_highest: ends.since_highest,
        lost_within: lost_within
            .map(|(moves, rate)| (*moves, json_rate(*rate)))
            .collect(),
        next_tile: next_tile.collect(),
    }
}
