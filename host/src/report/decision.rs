//! Whether a tournament with a stop rule has enough games.
//!
//! Interim analyses take place after 20, 40, 80, … complete seeds, always the first ones of the
//! plan. The tournament stops when all neighbours in the ranking are separated. The decision is a
//! pure function of the records. Games beyond the seeds of an analysis do not count for it, so
//! the number of workers and interruptions have no effect.

use std::fmt;

use super::{
    budget_report::BudgetReport,
    input::{ReportBudget, ReportInput},
    pair_report::PairVerdict,
};
use crate::{
    run::game_record::GameRecord,
    statistics::{disqualification::disqualification, effort::Effort},
    text::number_text::counted,
};

/// The state of a tournament with a stop rule. `seeds` are those of an interim analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Games of this analysis are missing.
    Unfinished { seeds: u64 },
    /// At this analysis all neighbours were separated.
    Settled { seeds: u64 },
    /// The maximum of seeds was played, and these neighbours are not separated.
    Open { seeds: u64, pairs: Vec<OpenPair> },
}

/// Two neighbours in the ranking that cannot be distinguished.
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
                "not finished: the next interim analysis needs {}, so these figures are \
                 preliminary",
                counted(*seeds, "complete seed")
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
                    "stopped after {}, the maximum; not separated: {}",
                    counted(*seeds, "seed"),
                    pairs.join("; ")
                )
            }
        }
    }
}

/// Applies the stop rule; `None` without one. `records` are in the order of the plan. `report` is
/// called for every analysis after which the tournament goes on.
#[must_use]
pub fn decide(
    input: &ReportInput,
    records: &[&GameRecord],
    mut report: impl FnMut(u64, &[OpenPair]),
) -> Option<Decision> {
    let analyses = input.interim_analyses();
    let last = *analyses.last()?;
    for seeds in analyses {
        let of_analysis = games_of_analysis(input, records, seeds);
        if !is_complete(input, of_analysis, seeds) {
            return Some(Decision::Unfinished { seeds });
        }
        let pairs = open_pairs(input, of_analysis);
        if pairs.is_empty() {
            return Some(Decision::Settled { seeds });
        }
        if seeds == last {
            return Some(Decision::Open { seeds, pairs });
        }
        report(seeds, &pairs);
    }
    None
}

impl Decision {
    /// The seeds of the analysis that decided, or of the one that is not complete.
    #[must_use]
    pub fn seeds(&self) -> u64 {
        match self {
            Self::Unfinished { seeds } | Self::Settled { seeds } | Self::Open { seeds, .. } => {
                *seeds
            }
        }
    }

    /// The records for the figures: after a decision, those it was based on.
    #[must_use]
    pub fn records<'a, 'r>(
        &self,
        input: &ReportInput,
        records: &'a [&'r GameRecord],
    ) -> &'a [&'r GameRecord] {
        match self {
            Self::Unfinished { .. } => records,
            Self::Settled { seeds } | Self::Open { seeds, .. } => {
                games_of_analysis(input, records, *seeds)
            }
        }
    }
}

fn games_of_analysis<'a, 'r>(
    input: &ReportInput,
    records: &'a [&'r GameRecord],
    seeds: u64,
) -> &'a [&'r GameRecord] {
    let n_games = seeds.saturating_mul(input.games_per_seed());
    let end = input.first_shared_game.saturating_add(n_games);
    &records[..records.partition_point(|record| record.game < end)]
}

/// Whether every agent that is not disqualified has played all seeds.
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
            let shared = games().filter(|record| record.game >= input.first_shared_game);
            shared.count() as u64 >= seeds || is_out()
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
            .filter(|pair| pair.verdict == PairVerdict::Open)
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
        report::{Report, example::input},
        run::{example::record, game_record::Ending},
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

    /// Games of two agents; the first is better by `advantage` on average.
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
        let mut analyses = Vec::new();
        let decision = decide(input, &records, |seeds, _| analyses.push(seeds));
        (decision.expect("there is a rule"), analyses)
    }

    #[test]
    fn without_a_rule_there_is_nothing_to_decide() {
        assert_eq!(decide(&input(&["a"]), &[], |_, _| {}), None);
    }

    #[test]
    fn a_clear_difference_is_settled_at_the_first_analysis() {
        let settled = Decision::Settled { seeds: 20 };
        assert_eq!(decision(&rule(80), &games(20, 900)).0, settled);
        let mut more = games(60, 900);
        assert_eq!(decision(&rule(80), &more).0, settled);
        // Games beyond the analysis do not count.
        for record in &mut more[40..] {
            record.score = 0;
        }
        assert_eq!(decision(&rule(80), &more).0, settled);
    }

    #[test]
    fn interim_analyses_widen_intervals_and_raise_p_values() {
        let records = games(20, 200);
        let pair = |input: &ReportInput| {
            let report = Report::new(input, &records);
            let pair = &report.budgets[0].pairs[0];
            let interval = pair.comparison.interval.unwrap();
            (interval.high - interval.low, pair.p_adjusted.unwrap())
        };
        let (width, p_value) = pair(&input(&["a", "b"]));
        // Analyses after 20, 40 and 80 seeds: intervals of 98.3% instead of 95%.
        let (adjusted_width, adjusted_p_value) = pair(&rule(80));
        assert!(
            (1.1..1.5).contains(&(adjusted_width / width)),
            "{width} {adjusted_width}"
        );
        assert!((adjusted_p_value - 3.0 * p_value).abs() < 1e-12);
        assert!(p_value < 0.05, "{p_value}");
    }

    #[test]
    fn an_analysis_waits_for_every_game_of_its_seeds() {
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
    fn pairs_that_are_not_separated_at_the_end_are_named() {
        let (decision, analyses) = decision(&rule(50), &games(50, 0));
        let Decision::Open { seeds: 50, pairs } = decision else {
            panic!("{decision:?}");
        };
        let mut names = [pairs[0].a.as_str(), pairs[0].b.as_str()];
        names.sort_unstable();
        assert_eq!((pairs.len(), names), (1, ["a", "b"]));
        assert_eq!(analyses, [20, 40]);
    }

    #[test]
    fn an_analysis_does_not_wait_for_a_disqualified_agent() {
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
