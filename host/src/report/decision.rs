//! Whether a tournament that extends itself has enough games.
//!
//! It looks at 20, 40, 80, … complete seeds, always the first ones of the plan, and
//! stops when all neighbours in the ranking are separated. The decision is a pure
//! function of the records: games that were played beyond a look do not count for
//! it, so that neither the number of workers nor an interruption decides anything.

use std::fmt;

use super::{
    budget_report::BudgetReport,
    input::{ReportBudget, ReportInput},
    number_text::counted,
    pair_report::Claim,
};
use crate::{
    game_record::GameRecord,
    statistics::{disqualification::disqualification, effort::Effort},
};

/// Where a tournament with a stop rule stands. `seeds` are those of a look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Games of this look are missing.
    Unfinished { seeds: u64 },
    /// At this look all neighbours were separated.
    Settled { seeds: u64 },
    /// The most seeds were played, and these neighbours are not separated.
    Open { seeds: u64, pairs: Vec<OpenPair> },
}

/// Two neighbours in the ranking that could not be told apart.
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

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfinished { seeds } => write!(
                f,
                "not finished: neighbours are judged when {} are complete, so these figures decide \
                 nothing yet",
                counted(*seeds, "seed")
            ),
            Self::Settled { seeds } => write!(
                f,
                "settled after {}: all neighbours are separated",
                counted(*seeds, "seed")
            ),
            Self::Open { seeds, pairs } => {
                let pairs: Vec<String> = pairs.iter().map(ToString::to_string).collect();
                write!(
                    f,
                    "stopped after {}, the most that were allowed; still open: {}",
                    counted(*seeds, "seed"),
                    pairs.join("; ")
                )
            }
        }
    }
}

/// `records` are in the order of the plan. `None` without a stop rule. `looked` hears
/// of every look that left neighbours open.
#[must_use]
pub fn decide(
    input: &ReportInput,
    records: &[&GameRecord],
    mut looked: impl FnMut(u64, &[OpenPair]),
) -> Option<Decision> {
    let looks = input.looks();
    let last = *looks.last()?;
    for seeds in looks {
        let of_look = games_of_look(input, records, seeds);
        if !is_complete(input, of_look, seeds) {
            return Some(Decision::Unfinished { seeds });
        }
        let pairs = open_pairs(input, of_look);
        if pairs.is_empty() {
            return Some(Decision::Settled { seeds });
        }
        if seeds == last {
            return Some(Decision::Open { seeds, pairs });
        }
        looked(seeds, &pairs);
    }
    None
}

impl Decision {
    /// The seeds of the look that decided, or of the one that is not complete.
    #[must_use]
    pub fn seeds(&self) -> u64 {
        match self {
            Self::Unfinished { seeds } | Self::Settled { seeds } | Self::Open { seeds, .. } => {
                *seeds
            }
        }
    }

    /// The records that figures are computed from: after a decision those it was
    /// made on.
    #[must_use]
    pub fn records<'a, 'r>(
        &self,
        input: &ReportInput,
        records: &'a [&'r GameRecord],
    ) -> &'a [&'r GameRecord] {
        match self {
            Self::Unfinished { .. } => records,
            Self::Settled { seeds } | Self::Open { seeds, .. } => {
                games_of_look(input, records, *seeds)
            }
        }
    }
}

fn games_of_look<'a, 'r>(
    input: &ReportInput,
    records: &'a [&'r GameRecord],
    seeds: u64,
) -> &'a [&'r GameRecord] {
    let n_games = seeds.saturating_mul(input.games_per_seed());
    &records[..records.partition_point(|record| record.game < n_games)]
}

/// Whether every agent that is still in the race has played all seeds.
fn is_complete(input: &ReportInput, records: &[&GameRecord], seeds: u64) -> bool {
    input.budgets.iter().all(|budget| {
        input.agents.iter().all(|agent| {
            let games = || {
                let of_agent = |record: &&&GameRecord| {
                    record.agent == *agent && is_under(record, budget, input)
                };
                records.iter().filter(of_agent).copied()
            };
            let is_out = || {
                input
                    .disqualify_after
                    .is_some_and(|after| disqualification(games(), after).is_some())
            };
            games().count() as u64 >= seeds || is_out()
        })
    })
}

pub(super) fn is_under(record: &GameRecord, budget: &ReportBudget, input: &ReportInput) -> bool {
    input.budgets.len() == 1 || record.budget == budget.label
}

fn open_pairs(input: &ReportInput, records: &[&GameRecord]) -> Vec<OpenPair> {
    let of_budget = |budget: &ReportBudget| {
        let records: Vec<&GameRecord> = records
            .iter()
            .filter(|record| is_under(record, budget, input))
            .copied()
            .collect();
        let part = BudgetReport::new(input, budget, &records, &[], Effort::CLAIMS_ONLY);
        let open: Vec<OpenPair> = part
            .neighbours()
            .filter(|pair| pair.claim == Claim::Open)
            .map(|pair| OpenPair {
                budget: budget.label.clone(),
                a: pair.a.clone(),
                b: pair.b.clone(),
            })
            .collect();
        open
    };
    input.budgets.iter().flat_map(of_budget).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game_record::Ending,
        report::{
            Report,
            example::{input, record},
        },
        statistics::simulated_scores::generator,
        tournament::StopRule,
    };
    use rand::Rng;

    fn rule(max_seeds: u64) -> ReportInput {
        ReportInput {
            n_seeds: 5,
            stop: Some(StopRule {
                decided: 0.95,
                max_seeds,
            }),
            ..input(&["a", "b"])
        }
    }

    /// Games of two agents, the first better by so much on average.
    fn games(n_seeds: u64, advantage: u64) -> Vec<GameRecord> {
        let mut random = generator(7);
        (0..n_seeds)
            .flat_map(|seed| {
                let mut score = |bonus| 1_000 + bonus + random.next_u64() % 1_000;
                let scores = [score(advantage), score(0)];
                ["a", "b"].into_iter().zip(scores).zip(0..).map(
                    move |((agent, score), position)| GameRecord {
                        game: 2 * seed + position,
                        ..record(agent, seed + 1, score)
                    },
                )
            })
            .collect()
    }

    fn decision(input: &ReportInput, records: &[GameRecord]) -> (Decision, Vec<u64>) {
        let records: Vec<&GameRecord> = records.iter().collect();
        let mut looks = Vec::new();
        let decision = decide(input, &records, |seeds, _| looks.push(seeds));
        (decision.expect("there is a rule"), looks)
    }

    #[test]
    fn without_a_rule_there_is_nothing_to_decide() {
        assert_eq!(decide(&input(&["a"]), &[], |_, _| {}), None);
    }

    #[test]
    fn a_clear_difference_is_settled_at_the_first_look() {
        let settled = Decision::Settled { seeds: 20 };
        assert_eq!(decision(&rule(80), &games(20, 900)).0, settled);
        let mut more = games(60, 900);
        assert_eq!(decision(&rule(80), &more).0, settled);
        // What was played beyond the look does not count.
        for record in &mut more[40..] {
            record.score = 0;
        }
        assert_eq!(decision(&rule(80), &more).0, settled);
    }

    #[test]
    fn looks_widen_intervals_and_raise_p_values() {
        let records = games(20, 200);
        let pair = |input: &ReportInput| {
            let report = Report::new(input, &records);
            let pair = &report.budgets[0].pairs[0];
            let interval = pair.comparison.interval.unwrap();
            (interval.high - interval.low, pair.p_adjusted.unwrap())
        };
        let (width, p_value) = pair(&input(&["a", "b"]));
        // Looks at 20, 40 and 80 seeds: intervals of 98.3 % instead of 95 %.
        let (adjusted_width, adjusted_p_value) = pair(&rule(80));
        assert!(
            (1.1..1.5).contains(&(adjusted_width / width)),
            "{width} {adjusted_width}"
        );
        assert!((adjusted_p_value - 3.0 * p_value).abs() < 1e-12);
        assert!(p_value < 0.05, "{p_value}");
    }

    #[test]
    fn a_look_waits_for_every_game_of_its_seeds() {
        let mut records = games(50, 0);
        let unfinished = |seeds| Decision::Unfinished { seeds };
        assert_eq!(
            decision(&rule(80), &records),
            (unfinished(80), vec![20, 40])
        );
        records.remove(3);
        assert_eq!(decision(&rule(80), &records), (unfinished(20), Vec::new()));
    }

    #[test]
    fn what_stays_open_at_the_end_is_named() {
        let (decision, looks) = decision(&rule(50), &games(50, 0));
        let Decision::Open { seeds: 50, pairs } = decision else {
            panic!("{decision:?}");
        };
        let mut names = [pairs[0].a.as_str(), pairs[0].b.as_str()];
        names.sort_unstable();
        assert_eq!((pairs.len(), names), (1, ["a", "b"]));
        assert_eq!(looks, [20, 40]);
    }

    #[test]
    fn nobody_waits_for_a_disqualified_agent() {
        let mut records = games(20, 0);
        records.retain(|record| record.agent == "a" || record.seed <= 3);
        for record in &mut records {
            if record.agent == "b" {
                record.ending = Ending::Panic;
            }
        }
        let settled = Decision::Settled { seeds: 20 };
        assert_eq!(decision(&rule(80), &records).0, settled);
    }
}
