//! How an agent's games end: why, with which tile, after how many moves, and how suddenly.

use std::collections::BTreeMap;

use serde::Serialize;

use run::{game_figures::GameFigures, game_record::Ending};
use statistics::{
    as_f64,
    descriptive::{mean, quantile},
    rate::Rate,
};

/// Numbers of moves after a new highest tile for which reports name the share of games that
/// were lost by then.
pub const MOVES_AFTER: [u64; 4] = [50, 100, 200, 500];

/// The ends of the games of one agent under one budget.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GameEnds {
    #[serde(skip)]
    pub games: usize,
    /// The number of games by ending.
    pub endings: BTreeMap<Ending, u64>,
    /// The number of games by their highest tile.
    pub highest: BTreeMap<u64, u64>,
    /// The number of moves of a game.
    pub moves: Option<Quartiles>,
    /// Empty cells on the last board, on average. A game without a move left has none, so this
    /// is about games that ended otherwise.
    pub empty_cells: Option<f64>,
    /// Of the games that were lost: the moves since the board last had a quarter of its cells
    /// empty. Few moves are a sudden end, many a slow one.
    pub crowded_moves: Option<Quartiles>,
    /// Of the games that were lost: the moves since the highest tile was made.
    pub since_highest: Option<Quartiles>,
    /// The share of lost games that were lost within so many moves of a new highest tile.
    pub lost_within: BTreeMap<u64, Rate>,
}

/// The quarters of a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quartiles {
    pub lower: f64,
    pub median: f64,
    pub upper: f64,
}

impl Quartiles {
    /// `None` without numbers.
    #[must_use]
    pub fn of(numbers: impl IntoIterator<Item = u64>) -> Option<Self> {
        let mut sorted: Vec<f64> = numbers.into_iter().map(as_f64).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        Some(Self {
            lower: quantile(&sorted, 0.25)?,
            median: quantile(&sorted, 0.5)?,
            upper: quantile(&sorted, 0.75)?,
        })
    }
}

impl GameEnds {
    #[must_use]
    pub fn of(records: &[&GameFigures], confidence: f64) -> Self {
        let (mut endings, mut highest) = (BTreeMap::new(), BTreeMap::new());
        for record in records {
            *endings.entry(record.ending).or_default() += 1;
            *highest.entry(record.highest).or_default() += 1;
        }
        let since = moves_since_highest(records);
        let n_lost = since.len() as u64;
        let lost_within = MOVES_AFTER.map(|moves| {
            let n_soon = since.iter().filter(|since| **since <= moves).count() as u64;
            (moves, Rate::of(n_soon, n_lost, confidence))
        });
        let empty: Vec<f64> = records.iter().filter_map(|r| empty_cells(r)).collect();
        Self {
            games: records.len(),
            endings,
            highest,
            moves: Quartiles::of(records.iter().map(|record| record.n_moves)),
            empty_cells: mean(&empty),
            crowded_moves: Quartiles::of(lost(records).filter_map(|record| record.crowded_moves)),
            since_highest: Quartiles::of(since),
            lost_within: if n_lost > 0 {
                lost_within.into()
            } else {
                BTreeMap::new()
            },
        }
    }

    /// The most frequent highest tile and its share of the games; the higher of two.
    #[must_use]
    pub fn usual_highest(&self) -> Option<(u64, f64)> {
        let most = self.highest.iter().max_by_key(|(tile, n)| (**n, **tile));
        most.map(|(tile, n_games)| (*tile, as_f64(*n_games) / as_f64(self.games)))
    }
}

/// The moves of each lost game after its highest tile was made. Records of hosts up to 1.0.0 do
/// not say.
#[must_use]
pub fn moves_since_highest(records: &[&GameFigures]) -> Vec<u64> {
    let since = |record: &GameFigures| Some(record.n_moves.saturating_sub(record.highest_at?));
    lost(records).filter_map(since).collect()
}

fn lost<'r>(records: &[&'r GameFigures]) -> impl Iterator<Item = &'r GameFigures> {
    let records = records.iter().copied();
    records.filter(|record| record.ending.is_loss())
}

/// The empty cells of the last board; `None` where the board is not known.
fn empty_cells(record: &GameFigures) -> Option<f64> {
    let known = record.empty_cells;
    let full = (record.ending == Ending::NoMoveLeft).then_some(0);
    known.or(full).map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use run::{
        example::{figures_of, record},
        game_record::GameRecord,
    };

    #[test]
    fn the_ends_of_four_games_are_as_counted_by_hand() {
        let game = |highest, n_moves, highest_at, ending| GameRecord {
            highest,
            n_moves,
            highest_at: Some(highest_at),
            crowded_moves: Some(n_moves / 10),
            board: match ending {
                Ending::NoMoveLeft => vec![vec![2, 4], vec![8, 16]],
                _ => vec![vec![2, 0], vec![0, 4]],
            },
            ending,
            ..record("a", 1, 0)
        };
        let games = [
            game(512, 400, 380, Ending::NoMoveLeft),
            game(1024, 700, 620, Ending::NoMoveLeft),
            game(1024, 900, 600, Ending::Panic),
            game(2048, 1000, 1000, Ending::GoalReached),
        ];
        let games = games.each_ref().map(figures_of);
        let games: Vec<&GameFigures> = games.iter().collect();
        let ends = GameEnds::of(&games, 0.95);
        assert_eq!(ends.endings[&Ending::NoMoveLeft], 2);
        assert_eq!(ends.usual_highest(), Some((1024, 0.5)));
        assert_eq!(ends.moves.map(|all| all.median), Some(800.0));
        // Two boards with two empty cells, two full ones.
        assert_eq!(ends.empty_cells, Some(1.0));
        // 20, 80 and 300 moves after the highest tile; the game that reached the goal is not lost.
        assert_eq!(ends.since_highest.map(|all| all.median), Some(80.0));
        assert_eq!(ends.lost_within[&50], Rate::of(1, 3, 0.95));
        assert_eq!(ends.lost_within[&100], Rate::of(2, 3, 0.95));
        assert_eq!(ends.lost_within[&500], Rate::of(3, 3, 0.95));
        assert_eq!(ends.crowded_moves.map(|all| all.median), Some(70.0));
    }

    #[test]
    fn old_records_have_no_course() {
        let old = figures_of(&record("a", 1, 0));
        let ends = GameEnds::of(&[&old], 0.95);
        assert_eq!((ends.since_highest, ends.crowded_moves), (None, None));
        assert!(ends.lost_within.is_empty());
    }
}
