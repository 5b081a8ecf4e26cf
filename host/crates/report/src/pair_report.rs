//! The comparison of every pair of agents: claims and intervals that agree.
//!
//! The claim decides on which side of 0 an interval is. Where a difference is significant only
//! because clearer pairs need no more of the error rate, its interval, which must hold together
//! with those of all pairs, would include 0; it then ends just above 0. So an interval excludes 0
//! exactly where the difference is significant.

use std::{cmp::Ordering, collections::HashMap};

use plugin_api::Tiles;

use run::{counted::BudgetRace, run_plan::RunPlan};
use statistics::{
    as_f64,
    detectable_difference::{MULTIPLES, detectable_difference},
    effort::Effort,
    game_outcome::{GameOutcome, Measure, on_common_seeds},
    interval::Confidence,
    interval::Interval,
    joint_flips::{IntervalErrors, Patterns, smallest_p_value, test_jointly},
    joint_sample::{ComparedPair, JointSample},
    paired_comparison::PairedComparison,
    race::DecisionKind,
    rate::paired_rate_interval,
};

#[derive(Clone, Debug, PartialEq)]
pub struct PairReport {
    pub a: String,
    pub b: String,
    /// Positions of the two in the list that was compared.
    pub(super) positions: (usize, usize),
    pub comparison: PairedComparison,
    /// Holds together with the intervals of all other pairs; excludes 0 exactly where the verdict
    /// names the better agent. `None` where seeds are too few.
    pub interval: Option<Interval>,
    /// Of this pair alone, like its p-value; `None` with a stop rule.
    pub own_interval: Option<Interval>,
    /// Corrected for all pairs, and with a stop rule for all looks; `None` where nothing was
    /// tested.
    pub p_adjusted: Option<f64>,
    pub verdict: PairVerdict,
    /// Whether the two are next to each other in the ranking.
    pub neighbours: bool,
    /// The seeds after which a stop rule decided the pair.
    pub decided_after: Option<usize>,
    /// The differences that so many seeds would show in about 4 of 5 runs, infinite where they are too
    /// few; for pairs that are open.
    pub detectable: Vec<(usize, f64)>,
}

/// Which agent of a pair is better, if that is certain enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairVerdict {
    FirstIsBetter,
    SecondIsBetter,
    /// The difference is certainly smaller than the tournament file's `equal_within`.
    Equal,
    Open,
}

impl PairVerdict {
    /// The same verdict with the agents exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::FirstIsBetter => Self::SecondIsBetter,
            Self::SecondIsBetter => Self::FirstIsBetter,
            Self::Equal | Self::Open => self,
        }
    }

    fn of(favours: Ordering) -> Self {
        match favours {
            Ordering::Greater => Self::FirstIsBetter,
            Ordering::Less => Self::SecondIsBetter,
            Ordering::Equal => Self::Open,
        }
    }
}

impl PairReport {
    /// The positions of the better and the worse agent, unless the pair is open.
    pub(super) fn win(&self) -> Option<(usize, usize)> {
        let (a, b) = self.positions;
        match self.verdict {
            PairVerdict::FirstIsBetter => Some((a, b)),
            PairVerdict::SecondIsBetter => Some((b, a)),
            PairVerdict::Equal | PairVerdict::Open => None,
        }
    }

    /// Moves the interval to the side of 0 that the verdict names.
    fn agree(&self, interval: Interval) -> Option<Interval> {
        self.on_the_side_of(self.verdict, interval)
    }

    /// The interval of this pair alone excludes 0 exactly where its p-value is that small.
    fn agree_alone(&self, interval: Interval, significance: f64) -> Option<Interval> {
        let p_value = self.comparison.p_value.unwrap_or(1.0);
        let verdict = if p_value <= significance {
            PairVerdict::of(self.comparison.favours())
        } else {
            PairVerdict::Open
        };
        self.on_the_side_of(verdict, interval)
    }

    fn on_the_side_of(&self, verdict: PairVerdict, interval: Interval) -> Option<Interval> {
        let is_positive = match verdict {
            PairVerdict::Equal => return interval.informative(),
            PairVerdict::Open => return interval.with_zero().informative(),
            PairVerdict::FirstIsBetter => self.comparison.measure.more_is_better(),
            PairVerdict::SecondIsBetter => !self.comparison.measure.more_is_better(),
        };
        if is_positive {
            interval.above_zero().informative()
        } else {
            let negated = interval.negated().above_zero().informative();
            negated.map(Interval::negated)
        }
    }
}

/// An agent that is compared with others.
#[derive(Clone, Copy)]
pub(super) struct Compared<'o> {
    /// Index into the agents of the plan.
    pub(super) agent: usize,
    pub(super) name: &'o str,
    /// By seed.
    pub(super) outcomes: &'o [GameOutcome],
}

/// All pairs, and the sign patterns that were tried for them.
pub(super) type ComparedPairs = (Vec<PairReport>, Option<Patterns>);

/// Compares each agent with each one after it in the list.
pub(super) fn compare_all(
    agents: &[Compared],
    plan: &RunPlan,
    race: Option<&BudgetRace>,
    effort: Effort,
) -> ComparedPairs {
    let tiles = plan.tournament.tiles;
    let mut pairs: Vec<PairReport> = agents
        .iter()
        .enumerate()
        .flat_map(|(i, a)| {
            let others = agents.iter().enumerate().skip(i + 1);
            others.map(move |(j, b)| (i, a, j, b))
        })
        .map(|(i, a, j, b)| {
            let comparison = compare(a.outcomes, b.outcomes, plan, effort);
            PairReport {
                a: a.name.to_owned(),
                b: b.name.to_owned(),
                positions: (i, j),
                verdict: verdict_without_luck(&comparison, tiles),
                comparison,
                interval: None,
                own_interval: None,
                p_adjusted: None,
                neighbours: false,
                decided_after: None,
                detectable: Vec::new(),
            }
        })
        .collect();
    if tiles == Tiles::Deterministic || pairs.is_empty() {
        return (pairs, None);
    }
    if let Some(race) = race {
        let significance = plan.confidence().significance();
        for pair in &mut pairs {
            let (a, b) = pair.positions;
            let entries = (agents[a].agent, agents[b].agent);
            settle_by_race(pair, race, entries, significance);
        }
        return (pairs, None);
    }
    let patterns = settle_by_flips(&mut pairs, agents, plan.confidence(), effort);
    (pairs, Some(patterns))
}

fn compare(
    a: &[GameOutcome],
    b: &[GameOutcome],
    plan: &RunPlan,
    effort: Effort,
) -> PairedComparison {
    let confidence = plan.confidence().level;
    let pairs = || on_common_seeds(a, b);
    match (plan.tournament.tiles, plan.tournament.ranking_goal()) {
        (Tiles::Deterministic, goal) => PairedComparison::without_luck(a, b, goal.is_some()),
        (Tiles::Random, None) => PairedComparison::by_score(&pairs(), confidence, effort),
        (Tiles::Random, Some(_)) => PairedComparison::by_goal(&pairs(), confidence, effort),
    }
}

fn verdict_without_luck(comparison: &PairedComparison, tiles: Tiles) -> PairVerdict {
    match tiles {
        Tiles::Deterministic if comparison.wins == comparison.games => PairVerdict::FirstIsBetter,
        Tiles::Deterministic if comparison.losses == comparison.games => {
            PairVerdict::SecondIsBetter
        }
        _ => PairVerdict::Open,
    }
}

/// Tests all pairs with joint sign flips.
fn settle_by_flips(
    pairs: &mut [PairReport],
    agents: &[Compared],
    confidence: Confidence,
    effort: Effort,
) -> Patterns {
    let significance = confidence.significance();
    let compared: Vec<ComparedPair> = pairs
        .iter()
        .map(|pair| ComparedPair {
            first: pair.positions.0,
            second: pair.positions.1,
            measure: pair.comparison.measure,
            allowance: pair.comparison.allowance,
        })
        .collect();
    let outcomes: Vec<&[GameOutcome]> = agents.iter().map(|agent| agent.outcomes).collect();
    let sample = JointSample::new(&outcomes, &compared);
    let errors = IntervalErrors::for_sample(&sample, significance);
    let test = test_jointly(&sample, errors, effort);
    let n_pairs = pairs.len();
    for (pair, result) in pairs.iter_mut().zip(&test.results) {
        if pair.comparison.games == 0 {
            continue;
        }
        // Where that of the pair alone is exact, random patterns may come out just below it.
        let own = *pair.comparison.p_value.get_or_insert(result.own_p_value);
        let p_adjusted = result.p_value.max(own);
        pair.p_adjusted = Some(p_adjusted);
        if p_adjusted <= significance {
            pair.verdict = PairVerdict::of(pair.comparison.favours());
        }
        let rates = |errors: f64| {
            let PairedComparison { wins, losses, .. } = pair.comparison;
            paired_rate_interval(wins, losses, pair.comparison.games, 1.0 - errors)
        };
        let (simultaneous, own) = if pair.comparison.measure == Measure::Reach {
            // Flips of 0 and 1 would give agents that always reach the goal no width.
            (
                rates(errors.simultaneous / as_f64(n_pairs)),
                rates(errors.own),
            )
        } else {
            (Some(result.simultaneous), Some(result.own))
        };
        pair.interval = simultaneous.and_then(|interval| pair.agree(interval));
        pair.own_interval = own.and_then(|interval| pair.agree_alone(interval, significance));
    }
    let n_open = pairs
        .iter()
        .filter(|pair| pair.verdict == PairVerdict::Open);
    let of_one = significance / as_f64(n_open.count().max(1));
    // In standard deviations; most pairs have the same number of seeds.
    let mut detectable: HashMap<usize, Option<f64>> = HashMap::new();
    for pair in pairs.iter_mut().filter(|p| p.verdict == PairVerdict::Open) {
        let PairedComparison {
            games,
            standard_deviation,
            allowance,
            ..
        } = pair.comparison;
        let shown_by = |times: usize| {
            let (n, deviation) = (times * games, standard_deviation?);
            let of_deviation = detectable
                .entry(n)
                .or_insert_with(|| detectable_difference(1.0, n, of_one));
            // The formula promises too much where a single pattern is all that is significant.
            let is_possible = smallest_p_value(n) <= significance / 2.0;
            let shown = (*of_deviation)? * deviation + allowance / as_f64(times);
            Some((n, if is_possible { shown } else { f64::INFINITY }))
        };
        pair.detectable = MULTIPLES.into_iter().filter_map(shown_by).collect();
    }
    test.patterns
}

/// Takes over what a stop rule decided of two agents with these indices.
fn settle_by_race(
    pair: &mut PairReport,
    race: &BudgetRace,
    (a, b): (usize, usize),
    significance: f64,
) {
    let is_mirrored = a > b;
    let Some(raced) = race.race.pair(a.min(b), a.max(b)) else {
        return;
    };
    // It holds for a number of seeds that was fixed in advance.
    pair.comparison.p_value = None;
    pair.p_adjusted = Some(raced.p_value.min(1.0));
    pair.decided_after = raced.decision.map(|decision| decision.seeds);
    let kind = raced.decision.map(|decision| decision.kind);
    let verdict = match kind {
        Some(DecisionKind::FirstIsBetter) => PairVerdict::FirstIsBetter,
        Some(DecisionKind::SecondIsBetter) => PairVerdict::SecondIsBetter,
        Some(DecisionKind::Equal { .. }) => PairVerdict::Equal,
        None => PairVerdict::Open,
    };
    pair.verdict = if is_mirrored {
        verdict.mirrored()
    } else {
        verdict
    };
    let measure = pair.comparison.measure;
    let everything = Interval::around(0.0, f64::INFINITY);
    let interval = race
        .race
        .interval(raced, &race.racers, measure, significance);
    let interval = interval.unwrap_or(everything);
    let interval = if is_mirrored {
        interval.negated()
    } else {
        interval
    };
    pair.interval = pair.agree(match kind {
        Some(DecisionKind::Equal { margin }) => interval.within(Interval::around(0.0, margin)),
        _ => interval,
    });
}
