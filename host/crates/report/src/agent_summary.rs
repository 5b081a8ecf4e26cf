//! The results of one agent under one budget.

use std::collections::{BTreeMap, HashSet};

use plugin_api::Tiles;
use serde::Serialize;

use run::{game_figures::GameFigures, game_record::Ending};
use statistics::{
    FEW_GAMES, as_f64,
    descriptive::{mean, quantile},
    early_ends::CutScores,
    effort::Effort,
    interval::{Confidence, Interval},
    mean_interval::mean_interval,
    rate::Rate,
};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgentSummary {
    pub games: usize,
    /// Fewer than 30 games: the coverage of the intervals is not assured.
    pub few: bool,
    pub mean: Option<f64>,
    pub mean_interval: Option<Interval>,
    pub lower_quartile: Option<f64>,
    pub median: Option<f64>,
    pub upper_quartile: Option<f64>,
    pub best: Option<u64>,
    pub highest: Option<u64>,
    /// The rate of games that reached each tile or a higher one.
    pub reach: BTreeMap<u64, Rate>,
    /// The rate of reaching the goal, where the tournament has one.
    pub goal: Option<Rate>,
    pub moves_to_goal: Option<f64>,
    pub moves_to_goal_interval: Option<Interval>,
    pub mean_moves: Option<f64>,
    /// Games that ended with a fault. They count with the score at that point.
    pub faults: BTreeMap<Ending, u64>,
}

impl AgentSummary {
    /// `faces` are the tiles to give rates for; `confidence` is that of the intervals. Where `tiles`
    /// are not random the same game repeats, so figures have no error.
    #[must_use]
    pub fn of(
        records: &[&GameFigures],
        faces: &[u64],
        goal: Option<u64>,
        tiles: Tiles,
        confidence: Confidence,
        effort: Effort,
    ) -> Self {
        let interval_of = |values: &[f64], allowance: f64| match tiles {
            Tiles::Random => mean_interval(values, confidence, effort).map(|interval| {
                let Interval { low, high } = interval.widened(allowance);
                // Neither scores nor moves can be negative.
                Interval {
                    low: low.max(0.0),
                    high,
                }
            }),
            Tiles::Deterministic => None,
        };
        let mut cut = CutScores::default();
        for record in records {
            cut.push(record.score, record.ending == Ending::MoveLimit);
        }
        let rate_of = |tile: u64| {
            let hits = records.iter().filter(|r| r.highest >= tile).count() as u64;
            match tiles {
                Tiles::Random => Rate::of(hits, records.len() as u64, confidence.level),
                Tiles::Deterministic => Rate::without_interval(hits, records.len() as u64),
            }
        };
        let scores: Vec<f64> = records.iter().map(|r| as_f64(r.score)).collect();
        let mut sorted = scores.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let n_moves: Vec<f64> = records.iter().map(|r| as_f64(r.n_moves)).collect();
        let to_goal: Vec<f64> = records
            .iter()
            .filter(|record| goal.is_some_and(|goal| record.highest >= goal))
            .map(|record| as_f64(record.n_moves))
            .collect();
        Self {
            games: records.len(),
            // A confidence sequence holds at any number of games.
            few: tiles == Tiles::Random && !confidence.at_any_time && records.len() < FEW_GAMES,
            mean: mean(&scores),
            mean_interval: interval_of(&scores, cut.allowance()),
            lower_quartile: quantile(&sorted, 0.25),
            median: quantile(&sorted, 0.5),
            upper_quartile: quantile(&sorted, 0.75),
            best: records.iter().map(|record| record.score).max(),
            highest: records.iter().map(|record| record.highest).max(),
            reach: faces.iter().map(|&tile| (tile, rate_of(tile))).collect(),
            goal: goal.map(rate_of),
            moves_to_goal: mean(&to_goal),
            moves_to_goal_interval: interval_of(&to_goal, 0.0),
            mean_moves: mean(&n_moves),
            faults: count_faults(records),
        }
    }

    #[must_use]
    pub fn n_faults(&self) -> u64 {
        self.faults.values().sum()
    }
}

/// With deterministic tiles, identical games count once: the first of each kind.
#[must_use]
pub fn distinct_games<'r>(records: &[&'r GameFigures]) -> Vec<&'r GameFigures> {
    let mut seen = HashSet::new();
    records
        .iter()
        .copied()
        .filter(|record| seen.insert((record.moves_digest, record.score, record.ending)))
        .collect()
}

/// The number of faults by ending.
#[must_use]
pub fn count_faults(records: &[&GameFigures]) -> BTreeMap<Ending, u64> {
    let mut faults = BTreeMap::new();
    for record in records.iter().filter(|record| record.ending.is_fault()) {
        *faults.entry(record.ending).or_default() += 1;
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use run::example::figures;

    fn games() -> Vec<GameFigures> {
        let game = |seed, score, highest, ending| GameFigures {
            highest,
            n_moves: score / 20,
            ending,
            ..figures(0, seed, score)
        };
        vec![
            game(1, 16_000, 1024, Ending::NoMoveLeft),
            game(2, 36_000, 2048, Ending::NoMoveLeft),
            game(3, 400, 32, Ending::Panic),
            game(4, 30_000, 2048, Ending::NoMoveLeft),
        ]
    }

    fn summary(tiles: Tiles, goal: Option<u64>) -> AgentSummary {
        let games = games();
        let records: Vec<&GameFigures> = games.iter().collect();
        AgentSummary::of(
            &records,
            &[1024, 2048],
            goal,
            tiles,
            Confidence::USUAL,
            Effort::FULL,
        )
    }

    #[test]
    fn a_faulty_game_counts_with_its_score_and_is_named() {
        let summary = summary(Tiles::Random, None);
        assert_eq!(summary.mean, Some(20_600.0));
        assert_eq!(summary.median, Some(23_000.0));
        assert_eq!(summary.best, Some(36_000));
        assert_eq!(summary.faults, BTreeMap::from([(Ending::Panic, 1)]));
        assert!(summary.few && summary.mean_interval.is_some());
    }

    #[test]
    fn a_higher_tile_counts_for_the_lower_ones() {
        let summary = summary(Tiles::Random, None);
        assert_eq!(summary.reach[&1024], Rate::of(3, 4, 0.95));
        assert_eq!(summary.reach[&2048], Rate::of(2, 4, 0.95));
    }

    #[test]
    fn moves_to_the_goal_are_those_of_the_games_that_reached_it() {
        let summary = summary(Tiles::Random, Some(2048));
        assert_eq!(summary.goal, Some(Rate::of(2, 4, 0.95)));
        assert_eq!(summary.moves_to_goal, Some(1_650.0));
    }

    #[test]
    fn without_luck_there_are_no_intervals() {
        let summary = summary(Tiles::Deterministic, Some(2048));
        assert_eq!(summary.mean_interval, None);
        assert_eq!(summary.moves_to_goal_interval, None);
        assert_eq!(summary.reach[&2048].interval, None);
        assert!(!summary.few);
    }

    #[test]
    fn identical_games_count_once() {
        let (first, again, other) = (figures(0, 1, 8), figures(0, 2, 8), figures(0, 3, 12));
        let distinct = distinct_games(&[&first, &again, &other]);
        assert_eq!(distinct, [&first, &other]);
    }
}
