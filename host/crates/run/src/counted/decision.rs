//! Whether a tournament with a stop rule has enough games, and which agents play on.
//!
//! Under every budget the agents race: see `statistics::race`. The decision is a pure function of
//! the records. Games that an agent played after its place was settled do not count, so neither
//! the number of workers nor interruptions have an effect.

use std::fmt;

use super::disqualification::{Disqualification, SeriesRecords};
use crate::{
    game_plan::{GamePlan, Series},
    run_plan::RunPlan,
};
use statistics::{
    game_outcome::GameOutcome,
    race::{Race, RaceRule, Racer},
};
use text::number_text::counted;

/// The state of a tournament with a stop rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    pub state: DecisionState,
    /// One per budget.
    pub races: Vec<BudgetRace>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecisionState {
    /// Games of the look after so many seeds are missing.
    Unfinished { seeds: u64 },
    /// After so many seeds every pair was decided.
    Settled { seeds: u64 },
    /// The maximum of seeds was played, and these pairs are not decided.
    Open { seeds: u64, pairs: Vec<OpenPair> },
}

/// The race under one budget. Agents have their positions in the tournament file.
#[derive(Clone, Debug, PartialEq)]
pub struct BudgetRace {
    pub race: Race,
    pub racers: Vec<Racer>,
}

/// Two agents that cannot be distinguished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenPair {
    /// The budget's label, where the tournament has several.
    pub budget: Option<String>,
    pub a: String,
    pub b: String,
}

impl fmt::Display for OpenPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} and {}", self.a, self.b)?;
        match &self.budget {
            Some(budget) => write!(f, " (budget {budget})"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for DecisionState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfinished { seeds } => write!(
                f,
                "not finished: the next look needs {}, so these figures are preliminary",
                counted(*seeds, "complete seed")
            ),
            Self::Settled { seeds } => write!(
                f,
                "settled after {}: every pair is decided",
                counted(*seeds, "seed")
            ),
            Self::Open { seeds, pairs } => {
                let pairs: Vec<String> = pairs.iter().map(ToString::to_string).collect();
                write!(
                    f,
                    "stopped after {}, the maximum; not decided: {}",
                    counted(*seeds, "seed"),
                    pairs.join("; ")
                )
            }
        }
    }
}

impl Decision {
    /// Applies the stop rule; `None` without one.
    pub(super) fn of(plan: &RunPlan, games: &GamePlan, records: &SeriesRecords) -> Option<Self> {
        let rule = plan.race_rule()?;
        let race = |budget| BudgetRace::new(plan, games, budget, records, &rule);
        let races: Vec<BudgetRace> = (0..plan.tournament.budgets.len()).map(race).collect();
        Some(Self {
            state: state_of(plan, &races, &rule),
            races,
        })
    }

    /// The seeds that the agent with the most of them played, or those of the next look.
    #[must_use]
    pub fn seeds(&self) -> u64 {
        match &self.state {
            DecisionState::Unfinished { seeds }
            | DecisionState::Settled { seeds }
            | DecisionState::Open { seeds, .. } => *seeds,
        }
    }

    /// How many shared seeds a series plays before the next decision; `None` for all.
    #[must_use]
    pub fn needed_seeds(&self, series: Series) -> Option<u64> {
        let next_look = self.races[series.budget].race.next_look;
        self.last_seed(series).or(next_look)
    }

    /// How many shared seeds of a series count, once its place is settled.
    #[must_use]
    pub fn last_seed(&self, series: Series) -> Option<u64> {
        self.races[series.budget].race.stops[series.agent].map(|stop| stop as u64)
    }

    #[must_use]
    pub fn is_over(&self) -> bool {
        !matches!(self.state, DecisionState::Unfinished { .. })
    }
}

impl BudgetRace {
    fn new(
        plan: &RunPlan,
        games: &GamePlan,
        budget: usize,
        records: &SeriesRecords,
        rule: &RaceRule,
    ) -> Self {
        let goal = plan.tournament.ranking_goal();
        let control = plan.control();
        let racer = |agent| Racer {
            follows: control
                .filter(|[_, second]| *second == agent)
                .map(|[first, _]| first),
            ..racer(goal, games, Series { budget, agent }, records)
        };
        let racers: Vec<Racer> = (0..plan.agents.len()).map(racer).collect();
        Self {
            race: Race::run(&racers, rule),
            racers,
        }
    }
}

fn racer(goal: Option<u64>, games: &GamePlan, series: Series, records: &SeriesRecords) -> Racer {
    let in_sequence = records
        .of_series(series)
        .iter()
        .filter_map(|record| Some((games.shared_round(record.game)?, record)))
        .zip(0..)
        .take_while(|((round, _), n_before)| round == n_before);
    let mut outcomes: Vec<GameOutcome> = in_sequence
        .map(|((_, record), _)| record.outcome(goal))
        .collect();
    // An agent whose earlier games are missing is not out before these are played.
    let out_after = records
        .disqualified
        .get(&series)
        .map(|out| n_seeds_until(out, games))
        .filter(|n_seeds| *n_seeds <= outcomes.len());
    // What it played after that does not count.
    outcomes.truncate(out_after.unwrap_or(usize::MAX));
    Racer {
        outcomes,
        out_after,
        follows: None,
    }
}

/// The shared seeds up to that of a disqualification; none if it was on a private seed.
fn n_seeds_until(out: &Disqualification, games: &GamePlan) -> usize {
    let n_seeds = games.shared_round(out.game).map_or(0, |round| round + 1);
    usize::try_from(n_seeds).unwrap_or(usize::MAX)
}

fn state_of(plan: &RunPlan, races: &[BudgetRace], rule: &RaceRule) -> DecisionState {
    let next = races.iter().filter_map(|part| part.race.next_look).min();
    if let Some(seeds) = next {
        return DecisionState::Unfinished { seeds };
    }
    let name = |agent: usize| plan.agents[agent].name.clone();
    let pairs: Vec<OpenPair> = races
        .iter()
        .zip(0..)
        .flat_map(|(part, budget)| part.race.open().map(move |pair| (pair, budget)))
        .map(|(pair, budget)| OpenPair {
            budget: plan.budget_label(budget),
            a: name(pair.first),
            b: name(pair.second),
        })
        .collect();
    if pairs.is_empty() {
        let stops = races
            .iter()
            .flat_map(|part| part.race.stops.iter().flatten());
        let seeds = stops.max().map_or(0, |seeds| *seeds as u64);
        return DecisionState::Settled { seeds };
    }
    let seeds = rule.looks.last().copied().unwrap_or(0);
    DecisionState::Open { seeds, pairs }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        counted::Counted,
        example::{figures, plan},
        game_figures::GameFigures,
        game_record::Ending,
    };
    use std::num::NonZeroU32;

    use rand::Rng;
    use statistics::simulated_scores::generator;
    use tournament::StopRule;

    fn rule(max_seeds: u64) -> RunPlan {
        let mut plan = plan(4, &["a", "b"]);
        plan.tournament.seeds = "1..5".parse().expect("five seeds");
        plan.tournament.stop = Some(StopRule {
            decided: 0.95,
            max_seeds,
            equal_within: None,
        });
        plan
    }

    /// Games of two agents; the first is better by `advantage` on average.
    fn games(n_seeds: u64, advantage: u64) -> Vec<GameFigures> {
        let mut random = generator(7);
        (0..n_seeds)
            .flat_map(|seed| {
                let mut score = |bonus| 1_000 + bonus + random.next_u64() % 1_000;
                let scores = [score(advantage), score(0)];
                scores
                    .into_iter()
                    .zip([0, 1])
                    .map(move |(score, agent)| GameFigures {
                        game: 2 * seed + agent as u64,
                        ..figures(agent, seed + 1, score)
                    })
            })
            .collect()
    }

    fn state(plan: &RunPlan, records: &[GameFigures]) -> DecisionState {
        let decision = Counted::of(plan, records).decision;
        decision.expect("there is a rule").state
    }

    #[test]
    fn without_a_rule_there_is_nothing_to_decide() {
        assert_eq!(Counted::of(&plan(4, &["a"]), &[]).decision, None);
    }

    #[test]
    fn a_clear_difference_is_settled_early_and_later_games_do_not_count() {
        let plan = rule(80);
        let more = games(60, 900);
        let DecisionState::Settled { seeds } = state(&plan, &more) else {
            panic!("{:?}", state(&plan, &more));
        };
        assert!((10..30).contains(&seeds), "{seeds}");
        let counted = Counted::of(&plan, &more).games(&more);
        let few = games(seeds, 900);
        assert_eq!(counted, few.iter().collect::<Vec<_>>());
        let race = |records: &[GameFigures]| {
            let decision = Counted::of(&plan, records).decision.unwrap();
            decision.races[0].race.clone()
        };
        assert_eq!(race(&few), race(&more));
    }

    #[test]
    fn a_look_waits_for_every_game_of_its_seeds() {
        let mut records = games(50, 0);
        let unfinished = |seeds| DecisionState::Unfinished { seeds };
        assert_eq!(state(&rule(80), &records), unfinished(55));
        records.remove(3);
        assert_eq!(state(&rule(80), &records), unfinished(10));
        assert_eq!(state(&rule(80), &[]), unfinished(10));
    }

    #[test]
    fn pairs_that_are_not_decided_at_the_end_are_named() {
        let DecisionState::Open { seeds, pairs } = state(&rule(50), &games(50, 0)) else {
            panic!("the agents are equal");
        };
        let names: Vec<String> = pairs.iter().map(ToString::to_string).collect();
        assert_eq!((seeds, names), (50, vec!["a and b".to_owned()]));
    }

    #[test]
    fn a_look_does_not_wait_for_a_disqualified_agent() {
        let mut plan = rule(80);
        plan.tournament.disqualify_after = NonZeroU32::new(3);
        let mut records = games(20, 0);
        records.retain(|record| record.series.agent == 0 || record.seed <= 3);
        for record in &mut records {
            if record.series.agent == 1 {
                record.ending = Ending::Panic;
            }
        }
        let settled = DecisionState::Settled { seeds: 10 };
        assert_eq!(state(&plan, &records), settled);
    }

    #[test]
    fn only_games_of_open_agents_are_played_on() {
        let counted = Counted::of(&rule(80), &games(30, 900));
        assert!(counted.decision.as_ref().is_some_and(Decision::is_over));
        let [a, b] = [0, 1].map(|agent| Series { budget: 0, agent });
        assert!(!counted.needs(a, 2 * 79) && counted.needs(b, 3));
    }
}
