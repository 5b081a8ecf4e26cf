//! The numbers of a game that count when agents are compared.

use serde::Serialize;

use super::as_f64;

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
    /// Whether `max_moves` ended it.
    pub is_cut: bool,
}

impl GameOutcome {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(seeds: &[u64]) -> Vec<GameOutcome> {
        seeds
            .iter()
            .map(|&seed| GameOutcome {
                seed,
                score: seed * 10,
                moves_to_goal: None,
                is_cut: false,
            })
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
            is_cut: false,
        };
        let worth = |outcome: GameOutcome| outcome.worth(Measure::Moves);
        assert!(worth(outcome(10, Some(900))) > worth(outcome(99, None)));
        assert!(worth(outcome(10, Some(900))) > worth(outcome(99, Some(901))));
        assert_eq!(worth(outcome(10, None)), worth(outcome(99, None)));
    }
}
