//! Which faults disqualify: several in a row, or one that cost the run a whole timeout.

use std::collections::BTreeMap;

use crate::{
    game_figures::{GameFigures, in_plan_order},
    game_plan::{GamePlan, Series},
    game_record::{Ending, FaultWeight},
    run_plan::RunPlan,
};

/// The limit of the run that a fault used up, given the ending of its game.
#[must_use]
pub fn used_up_limit(ending: Ending) -> &'static str {
    match ending {
        Ending::Overrun => "`setup`, the CPU time before its first move",
        _ => "`hang`, the CPU time of one move",
    }
}

/// The faults in a row of one agent under one budget.
///
/// They are counted in the order of the plan, not in the order in which games ended, so that
/// the number of workers has no effect. A missing game interrupts the row: it may end without a
/// fault.
#[derive(Clone, Copy, Debug)]
pub struct FaultStreak {
    disqualify_after: u64,
    games_per_seed: u64,
    /// The round of the last game.
    last_round: Option<u64>,
    pub n_faults: u64,
}

impl FaultStreak {
    /// Before the first game. So many faults in a row disqualify; an agent has one game among
    /// so many of the plan.
    #[must_use]
    pub fn new(disqualify_after: u64, games_per_seed: u64) -> Self {
        Self {
            disqualify_after: disqualify_after.max(1),
            games_per_seed: games_per_seed.max(1),
            last_round: None,
            n_faults: 0,
        }
    }

    /// Adds a game that comes after all others in the plan; says whether it disqualifies the
    /// agent.
    pub fn add(&mut self, game: u64, weight: FaultWeight) -> bool {
        let round = game / self.games_per_seed;
        let is_next = self.last_round.is_some_and(|last| last + 1 == round);
        self.last_round = Some(round);
        self.n_faults = match weight {
            FaultWeight::Nothing => 0,
            FaultWeight::One | FaultWeight::Enough(_) if is_next => self.n_faults + 1,
            FaultWeight::One | FaultWeight::Enough(_) => 1,
        };
        matches!(weight, FaultWeight::Enough(_)) || self.n_faults >= self.disqualify_after
    }
}

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

/// All records of a run by series, in the order of the plan, and what they disqualify.
pub(super) struct SeriesRecords<'g> {
    records: BTreeMap<Series, Vec<&'g GameFigures>>,
    pub(super) disqualified: BTreeMap<Series, Disqualification>,
}

impl<'g> SeriesRecords<'g> {
    pub(super) fn of(
        plan: &RunPlan,
        games: &GamePlan,
        records: impl IntoIterator<Item = &'g GameFigures>,
    ) -> Self {
        let mut by_series: BTreeMap<Series, Vec<&GameFigures>> = BTreeMap::new();
        for record in in_plan_order(records) {
            by_series.entry(record.series).or_default().push(record);
        }
        let streak = plan
            .disqualify_after()
            .map(|after| FaultStreak::new(after, games.games_per_seed()));
        let disqualified = by_series
            .iter()
            .filter_map(|(series, records)| Some((*series, disqualification(records, streak?)?)))
            .collect();
        Self {
            records: by_series,
            disqualified,
        }
    }

    pub(super) fn of_series(&self, series: Series) -> &[&'g GameFigures] {
        self.records.get(&series).map_or(&[], Vec::as_slice)
    }
}

/// `games` are those of one series in the order of the plan; `streak` is that before the first of
/// them.
fn disqualification(games: &[&GameFigures], mut streak: FaultStreak) -> Option<Disqualification> {
    let mut games = games.iter();
    let last = games.find(|game| streak.add(game.game, game.fault_weight()))?;
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

    /// The games of the second of two agents in plan order: `.` is a good one, `x` a fault,
    /// `t` a timeout, `-` a missing one. Expects the position of the one that disqualifies.
    #[track_caller]
    fn check(games: &str, after: u64, expected: Option<u64>) {
        let mut streak = FaultStreak::new(after, 2);
        let found = (0_u64..).zip(games.bytes()).find(|(round, letter)| {
            let weight = match letter {
                b'x' => FaultWeight::One,
                b't' => FaultWeight::Enough(Ending::Hang),
                _ => FaultWeight::Nothing,
            };
            *letter != b'-' && streak.add(2 * round + 1, weight)
        });
        assert_eq!(found.map(|(round, _)| round), expected, "{games}");
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

    #[test]
    fn a_missing_game_interrupts_the_row() {
        check("xx-xx.x", 3, None);
        check("xx-xxxx", 3, Some(5));
        check("x-t", 3, Some(2));
        check("-x", 1, Some(1));
    }
}
