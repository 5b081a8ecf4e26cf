//! The numbers of a game that count when agents are compared.

use std::collections::HashSet;

use serde::Serialize;

use super::as_f64;
use crate::run::game_figures::GameFigures;

/// The number by which two agents are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    Score,
    /// Whether the goal was reached. Games end there, so their scores cannot be compared.
    Reach,
    /// The moves to the goal, used where both agents reached it equally often.
    Moves,
}

impl Measure {
    #[must_use]
    pub fn more_is_better(self) -> bool {
        self != Self::Moves
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameOutcome {
    pub seed: u64,
    pub score: u64,
    /// The moves to the goal; `None` where it was not reached or there is no goal.
    pub moves_to_goal: Option<u64>,
}

impl GameOutcome {
    #[must_use]
    pub fn of(record: &GameFigures, goal: Option<u64>) -> Self {
        let reached = goal.is_some_and(|goal| record.highest >= goal);
        Self {
            seed: record.seed,
            score: record.score,
            moves_to_goal: reached.then_some(record.n_moves),
        }
    }

    #[must_use]
    pub fn reached(self) -> bool {
        self.moves_to_goal.is_some()
    }

    /// The number that is averaged and subtracted. Moves have a meaning only where the goal was
    /// reached.
    #[must_use]
    pub fn number(self, measure: Measure) -> f64 {
        match measure {
            Measure::Score => as_f64(self.score),
            Measure::Reach => f64::from(u8::from(self.reached())),
            Measure::Moves => as_f64(self.moves_to_goal.unwrap_or_default()),
        }
    }

    /// Orders outcomes from worse to better: by score, by reaching the goal, or by
    /// reaching it and then by fewer moves.
    #[must_use]
    pub fn worth(self, measure: Measure) -> u64 {
        match (measure, self.moves_to_goal) {
            (Measure::Score, _) => self.score,
            (Measure::Reach, moves) => u64::from(moves.is_some()),
            (Measure::Moves, Some(moves)) => u64::MAX - moves,
            (Measure::Moves, None) => 0,
        }
    }
}

/// The outcomes of two agents on the seeds that both played. Both lists must be sorted by seed,
/// with each seed once.
#[must_use]
pub fn on_common_seeds(
    first: &[GameOutcome],
    second: &[GameOutcome],
) -> Vec<(GameOutcome, GameOutcome)> {
    let mut common = Vec::with_capacity(first.len().min(second.len()));
    let mut others = second;
    for outcome in first {
        while let [other, rest @ ..] = others
            && other.seed <= outcome.seed
        {
            if other.seed == outcome.seed {
                common.push((*outcome, *other));
            }
            others = rest;
        }
    }
    common
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::example::figures;

    fn outcomes(seeds: &[u64]) -> Vec<GameOutcome> {
        seeds
            .iter()
            .map(|&seed| GameOutcome::of(&figures("a", seed, seed * 10), None))
            .collect()
    }

    #[test]
    fn agents_meet_on_the_seeds_both_played() {
        let pairs = on_common_seeds(&outcomes(&[1, 2, 4, 7, 9]), &outcomes(&[2, 3, 7, 8, 9]));
        let seeds: Vec<_> = pairs.iter().map(|(a, b)| (a.seed, b.seed)).collect();
        assert_eq!(seeds, [(2, 2), (7, 7), (9, 9)]);
    }

    #[test]
    fn reaching_the_goal_counts_more_than_moves_and_score_nothing() {
        let outcome = |score, moves_to_goal| GameOutcome {
            seed: 1,
            score,
            moves_to_goal,
        };
        let worth = |outcome: GameOutcome| outcome.worth(Measure::Moves);
        assert!(worth(outcome(10, Some(900))) > worth(outcome(99, None)));
        assert!(worth(outcome(10, Some(900))) > worth(outcome(99, Some(901))));
        assert_eq!(worth(outcome(10, None)), worth(outcome(99, None)));
    }

    #[test]
    fn identical_games_count_once() {
        let (first, again, other) = (figures("a", 1, 8), figures("a", 2, 8), figures("a", 3, 12));
        let distinct = distinct_games(&[&first, &again, &other]);
        assert_eq!(distinct, [&first, &other]);
    }
}
