//! Disqualification after several faults in a row, or after one that cost the run a whole
//! timeout.
//!
//! Faults are counted in the order of the plan, not in the order in which games ended, so that
//! the number of workers has no effect.

use serde::Serialize;

use crate::run::game_figures::{GameFigures, in_plan_order};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Disqualification {
    /// The game of the last of these faults; later games of the agent do not count.
    pub game: u64,
    pub seed: u64,
    pub faults_in_a_row: u64,
    /// The fault of that game.
    pub fault: String,
}

/// `records` are the games of one agent under one budget, in any order.
#[must_use]
pub fn disqualification<'r>(
    records: impl IntoIterator<Item = &'r GameFigures>,
    after: u64,
) -> Option<Disqualification> {
    let mut faults_in_a_row = 0;
    let last = in_plan_order(records).into_iter().find(|record| {
        faults_in_a_row = if record.ending.is_fault() {
            faults_in_a_row + 1
        } else {
            0
        };
        record.timeout || faults_in_a_row >= after.max(1)
    })?;
    Some(Disqualification {
        game: last.game,
        seed: last.seed,
        faults_in_a_row,
        fault: last
            .fault()
            .and_then(|fault| fault.sentence.clone())
            .unwrap_or_else(|| last.ending.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{example::figures, game_record::Ending};

    /// One letter a game in plan order: `.` is a good one, `x` a fault, `t` a timeout.
    #[track_caller]
    fn check(games: &str, after: u64, expected: Option<u64>) {
        let mut records: Vec<_> = games
            .bytes()
            .zip(0..)
            .map(|(letter, game)| {
                let ending = match letter {
                    b'x' => Ending::Panic,
                    b't' => Ending::Hang,
                    _ => Ending::NoMoveLeft,
                };
                GameFigures {
                    game,
                    ending,
                    timeout: letter == b't',
                    ..figures("a", 100 + game, 0)
                }
            })
            .collect();
        records.reverse();
        let found = disqualification(&records, after);
        assert_eq!(found.map(|found| found.game), expected);
    }

    #[test]
    fn only_faults_in_a_row_count() {
        check("x.x.x.x.", 2, None);
        check("x.xx.x..", 2, Some(3));
        check("..xxxxxx", 3, Some(4));
        check("", 3, None);
    }

    #[test]
    fn a_timeout_is_enough() {
        check("..x.t...", 3, Some(4));
    }
}
