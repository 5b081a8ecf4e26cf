//! Decides which game is played next and when a record may be written.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use run::{
    counted::FaultStreak,
    game_plan::{GamePlan, PlannedGame, Series},
    game_record::{Ending, FaultWeight, GameRecord},
    leftovers::Leftovers,
    run_plan::RunPlan,
};

/// The games that are missing, and what is known of each agent.
pub(super) struct Dispatcher<'p> {
    missing: Box<dyn Iterator<Item = PlannedGame> + Send + 'p>,
    /// Disqualification is a matter of one ranking.
    states: BTreeMap<Series, SeriesState>,
    schedule: Schedule<'p>,
}

/// What the slots of a run share. It stays whole even if a thread died while holding it.
pub(super) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Which games this run plays, and how many faults in a row disqualify.
#[derive(Clone, Copy)]
struct Schedule<'p> {
    games: &'p GamePlan,
    /// Whether a game is to be played and has no record from an earlier run.
    is_missing: &'p (dyn Fn(&PlannedGame) -> bool + Sync),
    /// The streak before the first game of a series, if faults disqualify.
    no_faults: Option<FaultStreak>,
}

/// How far the games of one agent under one budget have come.
struct SeriesState {
    series: Series,
    /// What each ended game counts, by number in the plan; only from `next_round` on.
    ended: BTreeMap<u64, FaultWeight>,
    running: BTreeSet<u64>,
    /// The faults in a row up to the game before `next_round`.
    streak: Option<FaultStreak>,
    /// The first round whose game is not in the streak.
    next_round: u64,
    /// The game that completed too many faults in a row, and what it counts.
    disqualified_by: Option<(u64, FaultWeight)>,
    /// The game that an earlier run played and that disqualifies the agent in any case: no later
    /// one is played.
    last_game: u64,
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
    /// The games after it and up to this one were to be played, and are not.
    pub(super) last_game: u64,
    /// How the game ended, if it used up a whole limit.
    pub(super) timeout: Option<Ending>,
}

impl Disqualifier {
    /// Whether a game was to be played, and is not because of this.
    pub(super) fn skips(&self, game: &PlannedGame) -> bool {
        game.series() == self.series && game.number > self.number && game.number <= self.last_game
    }
}

impl<'p> Dispatcher<'p> {
    pub(super) fn new(
        plan: &RunPlan,
        games: &'p GamePlan,
        leftovers: &Leftovers,
        is_missing: &'p (dyn Fn(&PlannedGame) -> bool + Sync),
    ) -> Self {
        let streak = |after| FaultStreak::new(after, games.games_per_seed());
        let mut dispatcher = Self {
            missing: Box::new(games.games().filter(move |game| is_missing(game))),
            states: BTreeMap::new(),
            schedule: Schedule {
                games,
                is_missing,
                no_faults: plan.disqualify_after().map(streak),
            },
        };
        let mut last_missing: BTreeMap<Series, u64> = BTreeMap::new();
        for game in games.games().filter(is_missing) {
            last_missing.insert(game.series(), game.number);
        }
        for (game, weight) in leftovers.played.iter() {
            let series = games.series_of(game);
            // What comes after all games of this run decides nothing in it.
            if last_missing.get(&series).is_some_and(|last| game < *last) {
                dispatcher.state_of(series).ended.insert(game, weight);
            }
        }
        for state in dispatcher.states.values_mut() {
            state.find_last_game();
            state.settle(&dispatcher.schedule);
        }
        dispatcher
    }

    fn state_of(&mut self, series: Series) -> &mut SeriesState {
        let new = || SeriesState::new(series, &self.schedule);
        self.states.entry(series).or_insert_with(new)
    }

    /// The next game, if there is one.
    pub(super) fn next_game(&mut self) -> Option<PlannedGame> {
        loop {
            let game = self.missing.next()?;
            let state = self.state_of(game.series());
            if state.plays(&game) {
                state.running.insert(game.number);
                return Some(game);
            }
        }
    }

    /// Whether a missing game is played, as far as it is known.
    pub(super) fn plays(&self, game: &PlannedGame) -> bool {
        let state = self.states.get(&game.series());
        state.is_none_or(|state| state.plays(game))
    }

    /// Takes the record of a game that has ended.
    pub(super) fn ended(&mut self, record: GameRecord, stderr_tail: String) -> Ended {
        let schedule = self.schedule;
        let series = schedule.games.series_of(record.game);
        let state = self.state_of(series);
        state.running.remove(&record.game);
        if state.disqualified_by.is_some() {
            return Ended {
                released: Vec::new(),
                disqualified_by: None,
            };
        }
        state.ended.insert(record.game, record.fault_weight());
        state.held_back.push_back((record, stderr_tail));
        let released = state.release(&schedule);
        let disqualified_by = state.disqualified_by.map(|(number, weight)| Disqualifier {
            series,
            number,
            last_game: state.last_game,
            timeout: match weight {
                FaultWeight::Enough(ending) => Some(ending),
                FaultWeight::Nothing | FaultWeight::One => None,
            },
        });
        Ended {
            released,
            disqualified_by,
        }
    }
}

impl SeriesState {
    /// Before the first game.
    fn new(series: Series, schedule: &Schedule<'_>) -> Self {
        Self {
            series,
            ended: BTreeMap::new(),
            running: BTreeSet::new(),
            streak: schedule.no_faults,
            next_round: 0,
            disqualified_by: None,
            last_game: u64::MAX,
            held_back: VecDeque::new(),
        }
    }

    fn plays(&self, game: &PlannedGame) -> bool {
        self.disqualified_by.is_none() && game.number <= self.last_game
    }

    /// Looks for a disqualification among the games of an earlier run.
    fn find_last_game(&mut self) {
        if let Some(mut streak) = self.streak {
            let mut ended = self.ended.iter();
            let last = ended.find(|(game, weight)| streak.add(**game, **weight));
            self.last_game = last.map_or(u64::MAX, |(game, _)| *game);
        }
    }

    /// Records that no running game can make void any more, in plan order.
    fn release(&mut self, schedule: &Schedule<'_>) -> Vec<(GameRecord, String)> {
        self.held_back
            .make_contiguous()
            .sort_unstable_by_key(|(record, _)| record.game);
        self.settle(schedule);
        let mut released = Vec::new();
        while let Some((record, _)) = self.held_back.front() {
            // One game that runs before it is enough: it might time out.
            let is_first = self.running.range(..record.game).next().is_none();
            if self.streak.is_some() && !is_first {
                break;
            }
            released.extend(self.held_back.pop_front());
        }
        if self.disqualified_by.is_some() {
            // Records after the disqualifying fault are discarded.
            self.held_back.clear();
        }
        released
    }

    /// Counts faults in a row, up to the first game that this run has yet to play to its end. It
    /// passes over games that this run does not play, such as those of seeds that the user did
    /// not ask for.
    fn settle(&mut self, schedule: &Schedule<'_>) {
        let Some(streak) = &mut self.streak else {
            self.ended.clear();
            return;
        };
        while !self.ended.is_empty() && self.disqualified_by.is_none() {
            let number = schedule.games.number_in_round(self.next_round, self.series);
            let weight = self.ended.remove(&number);
            match (weight, schedule.games.game(number)) {
                (None, None) => break,
                (None, Some(game)) if (schedule.is_missing)(&game) => break,
                (None, Some(_)) => (),
                (Some(weight), _) => {
                    if streak.add(number, weight) {
                        self.disqualified_by = Some((number, weight));
                        self.held_back.retain(|(record, _)| record.game <= number);
                    }
                }
            }
            self.next_round += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use run::example::plan;

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
        let games = plan(4, &["a"]).games();
        let schedule = Schedule {
            games: &games,
            is_missing: &|_| true,
            no_faults: Some(FaultStreak::new(2, 1)),
        };
        let mut state = SeriesState::new(games.series_of(0), &schedule);
        state.running = (0..faults.len() as u64).collect();
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
            state.ended.insert(game, record.fault_weight());
            state.held_back.push_back((record, stderr_tail));
            let released = state.release(&schedule);
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

    /// The games that are handed out after an earlier run left faults in the third and the
    /// fourth game, which are enough, if all of them end well.
    fn handed_out(is_wanted: fn(u64) -> bool) -> Vec<u64> {
        let mut plan = plan(4, &["a"]);
        plan.tournament.disqualify_after = NonZeroU32::new(2);
        let games = plan.games();
        let mut leftovers = Leftovers::default();
        for number in [2, 3] {
            leftovers.played.insert(number, FaultWeight::One);
        }
        let is_missing =
            |game: &PlannedGame| ![2, 3].contains(&game.number) && is_wanted(game.number);
        let mut dispatcher = Dispatcher::new(&plan, &games, &leftovers, &is_missing);
        let mut numbers = Vec::new();
        while let Some(game) = dispatcher.next_game() {
            numbers.push(game.number);
            let (record, stderr_tail) = record(game.number, false);
            dispatcher.ended(record, stderr_tail);
        }
        numbers
    }

    #[test]
    fn games_before_the_faults_of_an_earlier_run_are_played_first() {
        assert_eq!(handed_out(|_| true), [0, 1]);
    }

    #[test]
    fn games_that_are_not_asked_for_are_not_waited_for() {
        assert!(handed_out(|number| number > 4).is_empty());
        assert_eq!(handed_out(|number| number == 1 || number > 4), [1]);
    }
}
