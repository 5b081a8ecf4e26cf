//! Agents that made the same moves on all seeds: the same program, or one that its parameters
//! do not change.

use std::hash::{DefaultHasher, Hash, Hasher};

use run::game_figures::GameFigures;

/// A digest of the moves of all games of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GamesDigest {
    n_games: usize,
    digest: u64,
}

impl GamesDigest {
    /// `None` without moves. The records are in the order of the plan.
    pub(super) fn of(records: &[&GameFigures]) -> Option<Self> {
        let is_known = |record: &&GameFigures| record.moves_digest.is_some() || record.n_moves == 0;
        let any_move = records.iter().any(|record| record.n_moves > 0);
        if !any_move || !records.iter().all(is_known) {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        for record in records {
            (record.seed, record.moves_digest).hash(&mut hasher);
        }
        Some(Self {
            n_games: records.len(),
            digest: hasher.finish(),
        })
    }
}

/// The names of the other agents with the same games as this one.
pub(super) fn same_games_as(
    name: &str,
    digest: Option<GamesDigest>,
    agents: &[(String, Option<GamesDigest>)],
) -> Vec<String> {
    agents
        .iter()
        .filter(|(other, other_digest)| {
            other != name && digest.is_some() && *other_digest == digest
        })
        .map(|(other, _)| other.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::example::{plan, report_of};
    use run::{
        example::record, game_figures::GameFigures, game_log::LinePosition, game_plan::Series,
        game_record::GameRecord,
    };

    fn game(agent: usize, seed: u64, moves: &str) -> GameFigures {
        let record = GameRecord {
            moves: moves.into(),
            n_moves: moves.len() as u64,
            ..record("", seed, 100 * seed)
        };
        let series = Series { budget: 0, agent };
        GameFigures::new(&record, series, LinePosition::default())
    }

    #[test]
    fn agents_with_the_same_moves_are_named() {
        let mut records: Vec<_> = (1..=8)
            .flat_map(|seed| {
                let moves = ["ULDR", "LLLL"][usize::from(seed % 2 == 0)];
                [0, 1, 2].map(|agent| game(agent, seed, moves))
            })
            .collect();
        *records.last_mut().unwrap() = game(2, 8, "LLLLx");
        let report = report_of(&plan(&["a", "b", "c"]), records);
        let note = report.notes.iter().map(ToString::to_string);
        let note = note
            .filter(|note| note.contains("same moves"))
            .collect::<Vec<_>>();
        assert_eq!(
            note,
            ["a and b made the same moves on all seeds: as players they are the same program"]
        );
    }

    #[test]
    fn unknown_moves_are_not_the_same() {
        let records = [0, 1].map(|agent| GameFigures {
            n_moves: 7,
            ..game(agent, 1, "")
        });
        let report = report_of(&plan(&["a", "b"]), records);
        assert!(report.budgets[0].agents[0].same_games_as.is_empty());
    }
}
