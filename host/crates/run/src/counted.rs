//! Which games of a run count.
//!
//! A game counts unless its agent was disqualified before it, or a stop rule had settled the
//! agent's place. The runner, reports, merging, verification and the page ask [`Counted`], which
//! computes the answer from the plan and the records alone, series by series. Neither the number
//! of workers nor interruptions have an effect.

mod decision;
mod disqualification;

use std::collections::BTreeMap;

use serde::Serialize;

pub use decision::{BudgetRace, Decision, DecisionState, OpenPair};
pub use disqualification::{Disqualification, FaultStreak, used_up_limit};

use crate::{
    game_figures::{GameFigures, in_plan_order},
    game_plan::{GamePlan, Series},
    run_plan::RunPlan,
    shard::Shard,
};
use disqualification::SeriesRecords;

/// What the records of a run say about its games.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// The state of the stop rule, if there is one.
    pub decision: Option<Decision>,
    games: GamePlan,
    shard: Option<Shard>,
    disqualified: BTreeMap<Series, Disqualification>,
}

/// How many games of a run, or of the shard that it plays, are planned, played and missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GameCounts {
    /// With a stop rule, the most games there can be.
    pub planned: u64,
    /// Those with a record, except for games after a disqualification or, with a stop rule, after
    /// the next look.
    pub played: u64,
    /// Those that `host run` would play now: not those of disqualified agents, and with a
    /// stop rule those up to the next look.
    pub missing: u64,
}

/// The games of a series that count, in the order of the plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeriesGames<'g> {
    /// On private seeds; they are not ranked.
    pub private: Vec<&'g GameFigures>,
    /// On the seeds that all agents share.
    pub shared: Vec<&'g GameFigures>,
}

impl Counted {
    /// `records` has each game once, in any order.
    #[must_use]
    pub fn of<'g>(plan: &RunPlan, records: impl IntoIterator<Item = &'g GameFigures>) -> Self {
        let games = plan.games();
        let mut counted = Self {
            decision: None,
            games,
            shard: plan.shard,
            disqualified: BTreeMap::new(),
        };
        if plan.disqualify_after().is_some() || plan.stop().is_some() {
            let records = SeriesRecords::of(plan, &counted.games, records);
            counted.decision = Decision::of(plan, &counted.games, &records);
            counted.disqualified = records.disqualified;
        }
        counted
    }

    /// The disqualification of a series, unless its place was settled before.
    #[must_use]
    pub fn disqualification(&self, series: Series) -> Option<&Disqualification> {
        let out = self.disqualified.get(&series)?;
        (!self.is_settled_before(series, out.game)).then_some(out)
    }

    /// The records that count, in the order of the plan.
    #[must_use]
    pub fn games<'g>(
        &self,
        records: impl IntoIterator<Item = &'g GameFigures>,
    ) -> Vec<&'g GameFigures> {
        let mut games = in_plan_order(records);
        games.retain(|record| self.counts(record.series, record.game));
        games
    }

    /// The records that count, by series.
    #[must_use]
    pub fn by_series<'g>(
        &self,
        records: impl IntoIterator<Item = &'g GameFigures>,
    ) -> BTreeMap<Series, SeriesGames<'g>> {
        let mut by_series: BTreeMap<Series, SeriesGames> = BTreeMap::new();
        for record in self.games(records) {
            let games = by_series.entry(record.series).or_default();
            match self.games.shared_round(record.game) {
                Some(_) => games.shared.push(record),
                None => games.private.push(record),
            }
        }
        by_series
    }

    /// Whether a game counts, if it is played.
    fn counts(&self, series: Series, game: u64) -> bool {
        !self.is_out_before(series, game) && !self.is_settled_before(series, game)
    }

    /// Whether the agent was disqualified in an earlier game of the series.
    fn is_out_before(&self, series: Series, game: u64) -> bool {
        let out = self.disqualified.get(&series);
        out.is_some_and(|out| game > out.game)
    }

    /// Whether the stop rule had settled the agent's place before a game.
    fn is_settled_before(&self, series: Series, game: u64) -> bool {
        let decision = self.decision.as_ref();
        let last = decision.and_then(|decision| decision.last_seed(series));
        last.is_some_and(|n_seeds| game >= self.games.end_of_seeds(n_seeds))
    }

    /// Whether one machine would have recorded a game, as far as it is known. A shard plays on
    /// after a disqualification and, before the decision, after the look that settles a place.
    #[must_use]
    pub fn would_be_recorded(&self, game: u64) -> bool {
        let series = self.games.series_of(game);
        let is_over = self.decision.as_ref().is_some_and(Decision::is_over);
        let is_settled = is_over && self.is_settled_before(series, game);
        !(is_settled || self.is_out_before(series, game))
    }

    /// Whether a game of a series has to be played, as far as it is known: not after a
    /// disqualification, and with a stop rule up to the agent's last seed or the next look.
    #[must_use]
    pub fn needs(&self, series: Series, game: u64) -> bool {
        game < self.end_of_needed(series)
    }

    /// Whether all games of the plan have to be played, as far as it is known.
    #[must_use]
    pub fn needs_all(&self) -> bool {
        self.decision.is_none() && self.disqualified.is_empty()
    }

    /// The number after the last game that a series needs.
    fn end_of_needed(&self, series: Series) -> u64 {
        let out = self.disqualified.get(&series);
        let end = out.map_or(self.games.n_games(), |out| out.game + 1);
        let decision = self.decision.as_ref();
        let n_seeds = decision.and_then(|decision| decision.needed_seeds(series));
        n_seeds.map_or(end, |n_seeds| self.games.end_of_seeds(n_seeds).min(end))
    }

    /// How many games are planned, played and missing, given the same records.
    #[must_use]
    pub fn counts_of<'g>(&self, records: impl IntoIterator<Item = &'g GameFigures>) -> GameCounts {
        let (n_games, per_seed) = (self.games.n_games(), self.games.games_per_seed());
        let is_planned =
            |game: u64| game < n_games && self.shard.is_none_or(|shard| shard.has(game, per_seed));
        let ends: BTreeMap<Series, u64> = self
            .games
            .all_series()
            .map(|series| (series, self.end_of_needed(series)))
            .collect();
        let played = records
            .into_iter()
            .filter(|record| is_planned(record.game) && record.game < ends[&record.series]);
        let played = played.count() as u64;
        let needed = ends
            .iter()
            .map(|(series, end)| self.n_planned(*series, *end));
        GameCounts {
            planned: Shard::n_games_of_run(self.shard, &self.games),
            played,
            missing: needed.sum::<u64>().saturating_sub(played),
        }
    }

    /// How many games of a series, or those of the shard, have a number below `end`.
    fn n_planned(&self, series: Series, end: u64) -> u64 {
        // A round contains one game of each series.
        let n_rounds = end.div_ceil(self.games.games_per_seed());
        match self.shard.filter(|shard| !shard.is_whole()) {
            None => n_rounds,
            // The games of a series are spread over the shards without a simple rule.
            Some(shard) => {
                let numbers = (0..n_rounds).map(|round| self.games.number_in_round(round, series));
                let own = numbers.filter(|game| shard.has(*game, self.games.games_per_seed()));
                own.count() as u64
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::{
        example::{figures, plan},
        game_plan::PlannedGame,
        game_record::Ending,
    };
    use tournament::StopRule;

    fn records(plan: &RunPlan, is_played: impl Fn(u64, usize) -> bool) -> Vec<GameFigures> {
        let games = plan.games();
        let played = games
            .games()
            .filter(|game| is_played(game.seed, game.agent));
        let record = |game: PlannedGame| GameFigures {
            game: game.number,
            ..figures(game.agent, game.seed, 100 * game.agent as u64 + game.seed)
        };
        played.map(record).collect()
    }

    fn counts(plan: &RunPlan, records: &[GameFigures]) -> (u64, u64, u64) {
        let counts = Counted::of(plan, records).counts_of(records);
        (counts.planned, counts.played, counts.missing)
    }

    #[test]
    fn games_without_a_record_are_missing() {
        let plan = plan(4, &["a", "b"]);
        let mut records = records(&plan, |seed, agent| seed <= 30 || agent == 0);
        assert_eq!(counts(&plan, &records), (80, 70, 10));
        // A record that the plan does not know counts for nothing.
        records.push(figures(0, 80, 0));
        assert_eq!(counts(&plan, &records), (80, 70, 10));
    }

    #[test]
    fn a_disqualified_agent_misses_no_game() {
        let mut plan = plan(4, &["a", "b"]);
        plan.tournament.disqualify_after = NonZeroU32::new(2);
        let mut records = records(&plan, |seed, agent| seed <= 2 || agent == 0);
        for record in records.iter_mut().filter(|record| record.series.agent == 1) {
            record.ending = Ending::Panic;
        }
        assert_eq!(counts(&plan, &records), (80, 42, 0));
    }

    #[test]
    fn a_game_before_the_one_that_disqualifies_is_missing() {
        let plan = plan(4, &["a", "b"]);
        let mut records = records(&plan, |seed, agent| seed == 3 || agent == 0);
        for record in records.iter_mut().filter(|record| record.series.agent == 1) {
            (record.ending, record.timeout) = (Ending::Hang, true);
        }
        assert_eq!(counts(&plan, &records), (80, 41, 2));
    }

    #[test]
    fn a_shard_counts_its_own_games() {
        let shard: Shard = "2/3".parse().unwrap();
        let plan = plan(4, &["a", "b"]).for_shard(Some(shard));
        let mut own = records(&plan, |_, _| true);
        own.retain(|record| shard.has(record.game, 2));
        let n_own = own.len() as u64;
        own.truncate(own.len() - 4);
        assert_eq!(counts(&plan, &own), (n_own, n_own - 4, 4));
    }

    #[test]
    fn a_stop_rule_needs_the_games_up_to_the_next_look() {
        let mut plan = plan(4, &["a", "b"]);
        plan.tournament.stop = Some(StopRule {
            decided: 0.95,
            max_seeds: 200,
            equal_within: None,
        });
        let first_look = records(&plan, |seed, _| seed <= 39);
        assert_eq!(counts(&plan, &first_look), (400, 78, 2));
        // `b` is better on every seed: after the first look the ranking is settled.
        let settled = records(&plan, |seed, _| seed <= 40);
        assert_eq!(counts(&plan, &settled), (400, 80, 0));
    }

    /// The games of the second of two agents: `.` is a good game, `x` a fault, `t` a timeout,
    /// `-` missing. Expects the position of the one that disqualifies.
    #[track_caller]
    fn check_disqualification(games: &str, after: u32, expected: Option<u64>) {
        let mut plan = plan(4, &["a", "b"]);
        plan.tournament.disqualify_after = NonZeroU32::new(after);
        let letters = games.bytes().zip(0..).filter(|(letter, _)| *letter != b'-');
        let mut records: Vec<GameFigures> = letters
            .map(|(letter, round)| GameFigures {
                game: 2 * round + 1,
                ending: match letter {
                    b'x' => Ending::Panic,
                    b't' => Ending::Hang,
                    _ => Ending::NoMoveLeft,
                },
                timeout: letter == b't',
                ..figures(1, round + 1, 0)
            })
            .collect();
        // The order in which the games ended has no effect.
        records.reverse();
        let counted = Counted::of(&plan, &records);
        let [first, second] = [0, 1].map(|agent| Series { budget: 0, agent });
        assert_eq!(counted.disqualification(first), None);
        let out = counted.disqualification(second);
        assert_eq!(out.map(|out| out.game / 2), expected, "{games}");
        for round in 0..games.len() as u64 {
            let is_before = expected.is_none_or(|last| round <= last);
            assert_eq!(counted.needs(second, 2 * round + 1), is_before, "{games}");
            assert_eq!(
                counted.would_be_recorded(2 * round + 1),
                is_before,
                "{games}"
            );
            assert!(counted.needs(first, 2 * round), "{games}");
        }
        let n_counted = counted.games(&records).len();
        let n_records = records
            .iter()
            .filter(|record| counted.needs(second, record.game));
        assert_eq!(n_counted, n_records.count(), "{games}");
    }

    #[test]
    fn faults_are_consecutive_only_if_no_game_between_them_is_missing() {
        check_disqualification("..xxx..", 3, Some(4));
        check_disqualification("xx-xx.x", 3, None);
        check_disqualification("xx-xxxx", 3, Some(5));
        check_disqualification("x.x.x.x", 2, None);
        check_disqualification("..-x", 1, Some(3));
        check_disqualification(".-tx", 3, Some(2));
    }

    #[test]
    fn a_disqualification_says_what_happened() {
        let mut plan = plan(4, &["a"]);
        plan.tournament.disqualify_after = NonZeroU32::new(2);
        let endings = [
            Ending::NoMoveLeft,
            Ending::Panic,
            Ending::Crash,
            Ending::Panic,
        ];
        let records = (0..).zip(endings).map(|(game, ending)| GameFigures {
            game,
            ending,
            ..figures(0, 100 + game, 0)
        });
        let records: Vec<GameFigures> = records.collect();
        let series = Series {
            budget: 0,
            agent: 0,
        };
        let counted = Counted::of(&plan, &records);
        let found = counted.disqualification(series).expect("two faults");
        assert_eq!((found.game, found.seed, found.faults_in_a_row), (2, 102, 2));
        plan.tournament.disqualify_after = NonZeroU32::new(4);
        assert_eq!(Counted::of(&plan, &records).disqualification(series), None);
    }
}
