//! The game that disqualifies an agent, and why.

use crate::run::{
    game_figures::{GameFigures, in_plan_order},
    game_record::{FaultStreak, used_up_limit},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disqualification {
    /// The game of the last of these faults; later games of the agent do not count.
    pub game: u64,
    pub seed: u64,
    pub faults_in_a_row: u64,
    /// The limit of the run that the last fault used up, which is enough alone.
    pub used_up: Option<&'static str>,
    /// The fault of that game.
    pub fault: String,
}

/// `records` are the games of one agent under one budget, in any order; `streak` is that before
/// the first of them.
#[must_use]
pub fn disqualification<'r>(
    records: impl IntoIterator<Item = &'r GameFigures>,
    mut streak: FaultStreak,
) -> Option<Disqualification> {
    let mut records = in_plan_order(records).into_iter();
    let last = records.find(|record| streak.add(record.game, record.fault_weight()))?;
    Some(Disqualification {
        game: last.game,
        seed: last.seed,
        faults_in_a_row: streak.n_faults,
        used_up: last.timeout.then(|| used_up_limit(last.ending)),
        fault: last.fault().cloned().unwrap_or_default().sentence,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{example::figures, game_record::Ending};

    #[test]
    fn the_game_is_found_in_the_order_of_the_plan() {
        let endings = [
            Ending::NoMoveLeft,
            Ending::Panic,
            Ending::Crash,
            Ending::Panic,
        ];
        let mut records: Vec<_> = (0..)
            .zip(endings)
            .map(|(game, ending)| GameFigures {
                game,
                ending,
                ..figures("a", 100 + game, 0)
            })
            .collect();
        records.reverse();
        let found = disqualification(&records, FaultStreak::new(2, 1)).expect("two faults");
        assert_eq!((found.game, found.seed, found.faults_in_a_row), (2, 102, 2));
        assert_eq!(disqualification(&records, FaultStreak::new(4, 1)), None);
    }
}
