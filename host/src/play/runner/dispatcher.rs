//! Decides which game is played next and when a record may be written.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::run::{
    game_plan::{GamePlan, PlannedGame, Series},
    game_record::{Ending, GameRecord},
    leftovers::{FaultWeight, Leftovers},
    run_plan::RunPlan,
};

/// The games that are missing, and what is known of each agent.
pub(super) struct Dispatcher<'p> {
    missing: Box<dyn Iterator<Item = PlannedGame> + Send + 'p>,
    /// Disqualification is a matter of one ranking.
    states: BTreeMap<Series, SeriesState>,
    games: &'p GamePlan,
    disqualify_after: Option<u64>,
}

/// How far the games of one agent under one budget have come.
#[derive(Default)]
struct SeriesState {
    /// What each ended game counts, by number in the plan; only from `settled` on.
    ended: BTreeMap<u64, FaultWeight>,
    running: BTreeSet<u64>,
    faults_in_a_row: u64,
    /// The game that completed too many faults in a row.
    disqualified_by: Option<u64>,
    /// Records that wait for a game before them.
    held_back: VecDeque<(GameRecord, String)>,
}

/// What follows from a game that has ended.
pub(super) struct Ended {
    /// Records that may be written now.
    pub(super) released: Vec<(GameRecord, String)>,
    /// The game that disqualified its agent, if this was the moment.
    pub(super) disqualified_by: Option<Disqualifier>,
}

/// The last of too many faults in a row, or one that is enough.
#[derive(Clone, Copy)]
pub(super) struct Disqualifier {
    pub(super) series: Series,
    pub(super) number: u64,
    /// How the game ended, if it used up a whole limit.
    pub(super) timeout: Option<Ending>,
}

impl<'p> Dispatcher<'p> {
    pub(super) fn new(
        plan: &RunPlan,
        games: &'p GamePlan,
        leftovers: &Leftovers,
        is_missing: &'p (dyn Fn(&PlannedGame) -> bool + Sync),
    ) -> Self {
        let mut dispatcher = Self {
            missing: Box::new(games.games().filter(move |game| is_missing(game))),
            states: BTreeMap::new(),
            games,
            disqualify_after: plan.disqualify_after(),
        };
        for (game, weight) in leftovers.played.iter() {
            let state = dispatcher.states.entry(games.series_of(game)).or_default();
            state.ended.insert(game, weight);
        }
        for state in dispatcher.states.values_mut() {
            state.settle(dispatcher.disqualify_after);
        }
        dispatcher
    }

    /// The next game, if there is one.
    pub(super) fn next_game(&mut self) -> Option<PlannedGame> {
        loop {
            let game = self.missing.next()?;
            let state = self.states.entry(game.series()).or_default();
            if state.disqualified_by.is_none() {
                state.running.insert(game.number);
                return Some(game);
            }
        }
    }

    /// Whether a game's agent is out.
    pub(super) fn is_disqualified(&self, game: &PlannedGame) -> bool {
        let state = self.states.get(&game.series());
        state.is_some_and(|state| state.disqualified_by.is_some())
    }

    /// Takes the record of a game that has ended.
    pub(super) fn ended(&mut self, record: GameRecord, stderr_tail: String) -> Ended {
        let series = self.games.series_of(record.game);
        let state = self.states.entry(series).or_default();
        state.running.remove(&record.game);
        if state.disqualified_by.is_some() {
            return Ended {
                released: Vec::new(),
                disqualified_by: None,
            };
        }
        let weight = FaultWeight::new(record.ending, record.timeout);
        state.ended.insert(record.game, weight);
        state.held_back.push_back((record, stderr_tail));
        let released = state.release(self.disqualify_after);
        let disqualified_by = state.disqualified_by.map(|number| Disqualifier {
            series,
            number,
            timeout: (released.iter())
                .find(|(record, _)| record.game == number && record.timeout)
                .map(|(record, _)| record.ending),
        });
        Ended {
            released,
            disqualified_by,
        }
    }
}

impl SeriesState {
    /// Records that no running game can make void any more, in plan order.
    fn release(&mut self, disqualify_after: Option<u64>) -> Vec<(GameRecord, String)> {
        self.held_back
            .make_contiguous()
            .sort_unstable_by_key(|(record, _)| record.game);
        self.settle(disqualify_after);
        let mut released = Vec::new();
        while let Some((record, _)) = self.held_back.front() {
            // One game that runs before it is enough: it might time out.
            let is_first = self.running.range(..record.game).next().is_none();
            if disqualify_after.is_some() && !is_first {
                break;
            }
            released.extend(self.held_back.pop_front());
        }
        if self.disqualified_by.is_some() {
            // What stands behind the last fault that counts was played in vain.
            self.held_back.clear();
        }
        released
    }

    /// Counts faults in a row over the games that no running game stands before.
    fn settle(&mut self, disqualify_after: Option<u64>) {
        let Some(after) = disqualify_after else {
            self.ended.clear();
            return;
        };
        let first_running = self.running.first().copied().unwrap_or(u64::MAX);
        while let Some(entry) = self.ended.first_entry() {
            if *entry.key() > first_running || self.disqualified_by.is_some() {
                break;
            }
            let (number, weight) = entry.remove_entry();
            self.faults_in_a_row = match weight {
                FaultWeight::Nothing => 0,
                FaultWeight::One | FaultWeight::Enough => self.faults_in_a_row + 1,
            };
            if weight == FaultWeight::Enough || self.faults_in_a_row >= after {
                self.disqualified_by = Some(number);
                self.held_back.retain(|(record, _)| record.game <= number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(game: u64, is_fault: bool) -> (GameRecord, String) {
        let ending = if is_fault {
            Ending::Panic
        } else {
            Ending::NoMoveLeft
        };
        let json = format!(
            r#"{{"v":1,"game":{game},"agent":"a","seed":{game},"score":0,"highest":2,"n_moves":0,"moves":"",
            "board":[],"ending":"{ending}","fault":null,"setup_ms":0,"cpu_ms":0,"wall_ms":0,"cpu_us_histogram":{{}},
            "move_us":{{"p50":0,"p99":0,"max":0}},"overdrawn_us":0,"overruns":0,"threads":1,"nodes":0,"fingerprint":""}}"#
        );
        (serde_json::from_str(&json).unwrap(), String::new())
    }

    /// Lets games `0..n` run at once and end in an order; `x` marks faults, `t` timeouts. Returns
    /// the numbers written after each.
    #[track_caller]
    fn check(faults: &str, order: &[u64], written: &[&[u64]]) {
        let mut state = SeriesState {
            running: (0..faults.len() as u64).collect(),
            ..SeriesState::default()
        };
        let mut all = Vec::new();
        for &game in order {
            state.running.remove(&game);
            if state.disqualified_by.is_some() {
                all.push(Vec::new());
                continue;
            }
            let letter = faults.as_bytes()[usize::try_from(game).unwrap()];
            let (mut record, stderr_tail) = record(game, letter != b'.');
            record.timeout = letter == b't';
            let weight = FaultWeight::new(record.ending, record.timeout);
            state.ended.insert(game, weight);
            state.held_back.push_back((record, stderr_tail));
            let released = state.release(Some(2));
            all.push(released.iter().map(|(record, _)| record.game).collect());
        }
        assert_eq!(all, written);
    }

    #[test]
    fn good_games_are_written_at_once_when_nothing_before_them_can_void_them() {
        check("...", &[0, 1, 2], &[&[0], &[1], &[2]]);
        check("...", &[1, 0, 2], &[&[], &[0, 1], &[2]]);
    }

    #[test]
    fn a_record_waits_for_games_that_could_disqualify_its_agent() {
        check("....", &[3, 2, 1, 0], &[&[], &[], &[], &[0, 1, 2, 3]]);
    }

    #[test]
    fn what_stands_behind_the_last_fault_is_dropped_in_every_order() {
        check("xx.", &[0, 1, 2], &[&[0], &[1], &[]]);
        check("xx.", &[2, 1, 0], &[&[], &[], &[0, 1]]);
        check("xx.", &[1, 2, 0], &[&[], &[], &[0, 1]]);
    }

    #[test]
    fn a_timeout_disqualifies_alone() {
        check("t..", &[0, 1, 2], &[&[0], &[], &[]]);
        check(".t.", &[2, 1, 0], &[&[], &[], &[0, 1]]);
    }
}
