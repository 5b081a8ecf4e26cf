//! The note on games that were played again, because something outside ended them.

use super::Note;
use crate::run::game_figures::GameFigures;

/// How many games are named.
const N_EXAMPLES: usize = 5;
/// How many attempts of a game are described.
const N_ATTEMPTS: usize = 10;

pub(super) fn played_again(records: &[&GameFigures]) -> Option<Note> {
    let repeated = records.iter().filter(|record| !record.retries().is_empty());
    let examples = repeated
        .clone()
        .take(N_EXAMPLES)
        .map(|record| {
            // The record of a stranger may have any number.
            let retries = record.retries().iter().take(N_ATTEMPTS);
            let details: Vec<&str> = retries.map(|retry| retry.detail.as_str()).collect();
            (
                record.agent.to_string(),
                record.seed,
                details.join(", then "),
            )
        })
        .collect();
    match repeated.count() as u64 {
        0 => None,
        games => Some(Note::PlayedAgain { games, examples }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{
        example::figures,
        game_figures::GameDetails,
        game_record::{Retry, RetryReason},
    };

    #[test]
    fn the_games_are_named_with_what_ended_them() {
        let mut records = [figures("a", 7, 100), figures("b", 7, 100)];
        let of = |records: &[GameFigures]| {
            let records: Vec<&GameFigures> = records.iter().collect();
            played_again(&records).map(|note| note.to_string())
        };
        assert_eq!(of(&records), None);
        let retry = Retry {
            reason: RetryReason::Killed,
            n_moves: 3,
            detail: "SIGKILL".to_owned(),
        };
        records[1].details = Some(Box::new(GameDetails {
            retries: vec![retry],
            ..GameDetails::default()
        }));
        assert_eq!(
            of(&records).unwrap(),
            "1 game was played again: b on seed 7 (SIGKILL); `retries` in the records lists all attempts"
        );
    }
}
