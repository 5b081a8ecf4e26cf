//! The note on games that were played again, because something outside ended them.

use super::Note;
use crate::run::game_record::GameRecord;

/// How many games are named.
const N_EXAMPLES: usize = 5;

pub(super) fn played_again(records: &[&GameRecord]) -> Option<Note> {
    let repeated = records.iter().filter(|record| !record.retries.is_empty());
    let examples = repeated
        .clone()
        .take(N_EXAMPLES)
        .map(|record| {
            let details: Vec<&str> = record
                .retries
                .iter()
                .map(|retry| retry.detail.as_str())
                .collect();
            (record.agent.clone(), record.seed, details.join(", then "))
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
        example::record,
        game_record::{Retry, RetryReason},
    };

    #[test]
    fn the_games_are_named_with_what_ended_them() {
        let mut records = [record("a", 7, 100), record("b", 7, 100)];
        let of = |records: &[GameRecord]| {
            let records: Vec<&GameRecord> = records.iter().collect();
            played_again(&records).map(|note| note.to_string())
        };
        assert_eq!(of(&records), None);
        records[1].retries.push(Retry {
            reason: RetryReason::Killed,
            n_moves: 3,
            detail: "SIGKILL".to_owned(),
        });
        assert_eq!(
            of(&records).unwrap(),
            "1 game was played again: b on seed 7 (SIGKILL); `retries` in the records lists all attempts"
        );
    }
}
