//! Whether a tournament with a stop rule has enough games, and which agents play on.
//!
//! Under every budget the agents race: see `statistics::race`. The decision is a pure function of
//! the records. Games that an agent played after its place was settled do not count, so neither
//! the number of workers nor interruptions have an effect.

use std::{collections::BTreeMap, fmt};

use super::{
    agent_summary::outcome_of,
    input::{ReportBudget, ReportInput},
};
use run::{
    disqualification::{Disqualification, disqualification},
    game_figures::GameFigures,
};
use statistics::{
    game_outcome::GameOutcome,
    race::{Race, RaceRule, Racer},
};
use text::number_text::counted;
use tournament::twin_name;

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

/// Applies the stop rule; `None` without one. `records` are in the order of the plan.
#[must_use]
pub fn decide(input: &ReportInput, records: &[&GameFigures]) -> Option<Decision> {
    let rule = input.race_rule()?;
    let races: Vec<BudgetRace> = input
        .budgets
        .iter()
        .map(|budget| BudgetRace::new(input, budget, records, &rule))
        .collect();
    Some(Decision {
        state: state_of(input, &races, &rule),
        races,
    })
}

impl BudgetRace {
    fn new(
        input: &ReportInput,
        budget: &ReportBudget,
        records: &[&GameFigures],
        rule: &RaceRule,
    ) -> Self {
        let mut games: BTreeMap<&str, Vec<&GameFigures>> = BTreeMap::new();
        for record in records.iter().filter(|r| is_under(r, budget, input)) {
            games.entry(&record.agent).or_default().push(record);
        }
        let of_agent = |name: &String| {
            let games = games
                .get(name.as_str())
                .map_or([].as_slice(), Vec::as_slice);
            racer(name, games, input)
        };
        let racers: Vec<Racer> = input.agents.iter().map(of_agent).collect();
        Self {
            race: Race::run(&racers, rule),
            racers,
        }
    }

    /// Whether the race, as far as it is known, includes an agent's game on the seed with this
    /// position.
    fn includes(&self, agent: usize, round: u64) -> bool {
        self.end(agent).is_none_or(|end| round < end)
    }

    /// The number of seeds after which an agent stops, as far as it is known.
    fn end(&self, agent: usize) -> Option<u64> {
        let stop = self.race.stops[agent].map(|stop| stop as u64);
        stop.or(self.race.next_look)
    }
}

fn racer(name: &str, games: &[&GameFigures], input: &ReportInput) -> Racer {
    let control = input.control.as_deref();
    let original = control.filter(|control| twin_name(control) == name);
    let out = input
        .fault_streak()
        .and_then(|streak| disqualification(games.iter().copied(), streak));
    let mut outcomes: Vec<GameOutcome> = Vec::new();
    for record in games {
        let Some(round) = input.round_of(record.game) else {
            continue;
        };
        if round != outcomes.len() as u64 {
            break;
        }
        outcomes.push(outcome_of(record, input.goal));
    }
    // An agent whose earlier games are missing is not out before these are played.
    let seeds_until = |out: Disqualification| match input.round_of(out.game) {
        Some(round) => usize::try_from(round).ok().map(|round| round + 1),
        None => Some(0),
    };
    let out_after = out.and_then(seeds_until);
    let out_after = out_after.filter(|after| *after <= outcomes.len());
    // What it played after that does not count.
    outcomes.truncate(out_after.unwrap_or(usize::MAX));
    Racer {
        out_after,
        outcomes,
        follows: original.and_then(|original| input.agents.iter().position(|a| a == original)),
    }
}

fn state_of(input: &ReportInput, races: &[BudgetRace], rule: &RaceRule) -> DecisionState {
    let next = races.iter().filter_map(|part| part.race.next_look).min();
    if let Some(seeds) = next {
        return DecisionState::Unfinished { seeds };
    }
    let pairs: Vec<OpenPair> = races
        .iter()
        .zip(&input.budgets)
        .flat_map(|(part, budget)| part.race.open().map(move |pair| (pair, budget)))
        .map(|(pair, budget)| OpenPair {
            budget: budget.label.clone(),
            a: input.agents[pair.first].clone(),
            b: input.agents[pair.second].clone(),
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

impl Decision {
    /// The seeds that the agent with the most of them played, or those of the next look.
    #[must_use]
    pub fn seeds(&self) -> u64 {
        match &self.state {
            DecisionState::Unfinished { seeds }
            | DecisionState::Settled { seeds }
            | DecisionState::Open { seeds, .. } => *seeds,
        }
    }

    /// The records that count: those up to the seed at which the agent's place was settled.
    #[must_use]
    pub fn counted<'r>(
        &self,
        input: &ReportInput,
        records: &[&'r GameFigures],
    ) -> Vec<&'r GameFigures> {
        let positions: BTreeMap<&str, usize> =
            input.agents.iter().map(String::as_str).zip(0..).collect();
        let counts = |record: &&&GameFigures| {
            let budget = input
                .budgets
                .iter()
                .position(|b| is_under(record, b, input));
            let agent = positions.get(&*record.agent);
            let stop = budget
                .zip(agent)
                .and_then(|(budget, agent)| self.races[budget].race.stops[*agent]);
            let round = input.round_of(record.game);
            stop.zip(round)
                .is_none_or(|(stop, round)| round < stop as u64)
        };
        records.iter().filter(counts).copied().collect()
    }

    /// How many shared seeds an agent plays before the next decision; `None` for all.
    #[must_use]
    pub fn needed_seeds(&self, budget: usize, agent: usize) -> Option<u64> {
        self.races[budget].end(agent)
    }

    /// Whether a game is to be played: all on private seeds, and those up to the agent's last seed
    /// or the next look. `budget` and `agent` are positions in the tournament file.
    #[must_use]
    pub fn needs(&self, input: &ReportInput, budget: usize, agent: usize, game: u64) -> bool {
        let round = input.round_of(game);
        round.is_none_or(|round| self.races[budget].includes(agent, round))
    }

    /// Whether an agent was disqualified before this game on a shared seed.
    #[must_use]
    pub fn is_out(&self, input: &ReportInput, budget: usize, agent: usize, game: u64) -> bool {
        let out_after = self.races[budget].racers[agent].out_after;
        let round = input.round_of(game);
        out_after
            .zip(round)
            .is_some_and(|(after, round)| round >= after as u64)
    }

    #[must_use]
    pub fn is_over(&self) -> bool {
        !matches!(self.state, DecisionState::Unfinished { .. })
    }
}

pub(super) fn is_under(record: &GameFigures, budget: &ReportBudget, input: &ReportInput) -> bool {
    input.budgets.len() == 1 || record.budget.as_deref() == budget.label.as_deref()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PairVerdict, Report, example::input};
    use rand::Rng;
    use run::{example::figures, game_record::Ending};
    use statistics::simulated_scores::generator;
    use tournament::StopRule;

    fn rule(max_seeds: u64) -> ReportInput {
        ReportInput {
            n_seeds: 5,
            stop: Some(StopRule {
                decided: 0.95,
                max_seeds,
                equal_within: None,
            }),
            ..input(&["a", "b"])
        }
    }

    /// Games of two agents; the first is better by `advantage` on average.
    fn games(n_seeds: u64, advantage: u64) -> Vec<GameFigures> {
        let mut random = generator(7);
        (0..n_seeds)
            .flat_map(|seed| {
                let mut score = |bonus| 1_000 + bonus + random.next_u64() % 1_000;
                let scores = [score(advantage), score(0)];
                ["a", "b"].into_iter().zip(scores).zip(0..).map(
                    move |((agent, score), position)| GameFigures {
                        game: 2 * seed + position,
                        ..figures(agent, seed + 1, score)
                    },
                )
            })
            .collect()
    }

    fn state(input: &ReportInput, records: &[GameFigures]) -> DecisionState {
        let records: Vec<&GameFigures> = records.iter().collect();
        decide(input, &records).expect("there is a rule").state
    }

    #[test]
    fn without_a_rule_there_is_nothing_to_decide() {
        assert_eq!(decide(&input(&["a"]), &[]), None);
    }

    #[test]
    fn a_clear_difference_is_settled_early_and_later_games_do_not_count() {
        let mut more = games(60, 900);
        let DecisionState::Settled { seeds } = state(&rule(80), &more) else {
            panic!("{:?}", state(&rule(80), &more));
        };
        assert!((10..30).contains(&seeds), "{seeds}");
        let few = games(seeds, 900);
        let report = Report::new(&rule(80), &few);
        for record in more.iter_mut().filter(|record| record.seed > seeds) {
            record.score = 0;
        }
        let with_more = Report::new(&rule(80), &more);
        assert_eq!(with_more.budgets, report.budgets);
        assert_eq!(with_more.notes, report.notes);
        let pair = &report.budgets[0].pairs[0];
        assert_eq!(pair.verdict, PairVerdict::FirstIsBetter);
        assert!(!pair.interval.unwrap().contains(0.0));
        assert_eq!(pair.decided_after.map(|n| n as u64), Some(seeds));
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
        let report = Report::new(&rule(50), &games(50, 0));
        let pair = &report.budgets[0].pairs[0];
        assert!(pair.interval.unwrap().contains(0.0));
        assert!(pair.p_adjusted.unwrap() > 0.05);
    }

    #[test]
    fn a_look_does_not_wait_for_a_disqualified_agent() {
        let mut records = games(20, 0);
        records.retain(|record| &*record.agent == "a" || record.seed <= 3);
        for record in &mut records {
            if &*record.agent == "b" {
                record.ending = Ending::Panic;
            }
        }
        let settled = DecisionState::Settled { seeds: 10 };
        assert_eq!(state(&rule(80), &records), settled);
    }

    #[test]
    fn only_games_of_open_agents_are_played_on() {
        let records = games(30, 900);
        let records: Vec<&GameFigures> = records.iter().collect();
        let decision = decide(&rule(80), &records).unwrap();
        assert!(decision.is_over() && !decision.needs(&rule(80), 0, 0, 2 * 79));
        assert!(decision.needs(&rule(80), 0, 1, 3));
    }
}
