//! Wall times that tell nothing about a single game.
//!
//! A machine that is busy for a second delays the games that are played in that second, and so
//! tells which ones were. A series keeps its wall time per move, the only figure of a report
//! that needs wall times, and every game of the series gets its share.

use std::collections::BTreeMap;

use crate::run::game_record::GameRecord;

/// The sums of every series, by the name of its agent and its budget.
#[derive(Debug, Default)]
pub(super) struct LevelWallTimes(BTreeMap<(String, Option<String>), SeriesSum>);

/// In whole microseconds: a sum of fractions would depend on the order of the games.
#[derive(Debug, Default)]
struct SeriesSum {
    wall_us: u64,
    n_moves: u64,
}

impl LevelWallTimes {
    /// Counts a game.
    pub(super) fn add(&mut self, record: &GameRecord) {
        let sum = self.0.entry(series_of(record)).or_default();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a cast saturates, whatever a log contains"
        )]
        let wall_us = (record.wall_ms * 1e3).round() as u64;
        sum.wall_us = sum.wall_us.saturating_add(wall_us);
        sum.n_moves = sum.n_moves.saturating_add(record.n_moves);
    }

    /// The record of a game that was counted, with its share of the wall time.
    pub(super) fn level(&self, record: GameRecord) -> GameRecord {
        let sum = self.0.get(&series_of(&record));
        let share = sum.map_or(0, |sum| {
            let product = u128::from(sum.wall_us) * u128::from(record.n_moves);
            product / u128::from(sum.n_moves.max(1))
        });
        #[expect(clippy::cast_precision_loss, reason = "a time needs no more digits")]
        let wall_ms = share as f64 / 1e3;
        GameRecord { wall_ms, ..record }
    }
}

fn series_of(record: &GameRecord) -> (String, Option<String>) {
    (record.agent.clone(), record.budget.clone())
}
