//! A race: agents play on until their place is settled.
//!
//! After every look each pair that is still open is tested with its confidence sequence. A pair
//! is decided when one agent is better, or when both are practically equal. An agent that has
//! been decided against all others plays no more games. As the evidence of a confidence sequence
//! holds after every seed, looks cost nothing; and as the pairs that are decided need no more of
//! the error rate, the open ones share it (Holm's procedure in sequence: Bartroff and Song,
//! "Sequential Tests of Multiple Hypotheses Controlling Type I and II Familywise Error Rates",
//! Journal of Statistical Planning and Inference 153, 2014). The idea of the race is that of Maron
//! and Moore, "Hoeffding Races" (Advances in Neural Information Processing Systems 6, 1994).
//!
//! While both agents of a decided pair play on against others, their further games may contradict
//! the decision. The pair is then open again, so that no report calls an agent with a lower mean
//! better. Withdrawing a decision cannot make a wrong one more likely.
//!
//! Everything is computed from the first seeds of the plan, so neither the number of workers nor an
//! interruption has an effect.

#[cfg(test)]
mod tests;

use super::{
    as_f64,
    confidence_sequence::{ConfidenceSequence, FIRST_DIFFERENCES},
    early_ends::CutPair,
    game_outcome::{GameOutcome, Measure},
    interval::Interval,
};

/// The numbers of seeds at which a race evaluates its games: `n_seeds`, then after every further
/// tenth part, up to the maximum.
#[must_use]
pub fn looks(n_seeds: u64, max_seeds: u64) -> Vec<u64> {
    let first = n_seeds.max(FIRST_DIFFERENCES as u64).min(max_seeds);
    let next = |seeds: &u64| Some(seeds.saturating_add((seeds / 10).max(1)));
    let mut looks: Vec<u64> = std::iter::successors(Some(first), next)
        .take_while(|&seeds| seeds < max_seeds)
        .collect();
    looks.push(max_seeds);
    looks
}

#[derive(Clone, Debug, PartialEq)]
pub struct RaceRule {
    pub looks: Vec<u64>,
    /// The accepted share of tournaments with a wrong decision.
    pub significance: f64,
    /// The share of the better agent's mean within which two agents are practically equal; with a
    /// goal, the difference of rates.
    pub equal_within: Option<f64>,
    pub has_goal: bool,
}

/// An agent's games on the first seeds of the plan, without a gap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Racer {
    pub outcomes: Vec<GameOutcome>,
    /// The number of seeds after which it was disqualified.
    pub out_after: Option<usize>,
    /// The agent whose second entry it is. It is not compared, and plays as long as that agent.
    pub follows: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Race {
    /// The number of seeds after which each agent had played enough.
    pub stops: Vec<Option<usize>>,
    /// Every pair of agents that were not disqualified.
    pub pairs: Vec<RacedPair>,
    /// The look that lacks games; `None` when the race is over.
    pub next_look: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RacedPair {
    pub first: usize,
    pub second: usize,
    pub decision: Option<PairDecision>,
    /// Corrected for the pairs that were open at the time and for all looks.
    pub p_value: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairDecision {
    pub seeds: usize,
    pub kind: DecisionKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DecisionKind {
    FirstIsBetter,
    SecondIsBetter,
    /// Their difference is at most this, in the unit of what is compared.
    Equal {
        margin: f64,
    },
}

/// The state of a pair while it is raced.
#[derive(Clone, Copy, Default)]
struct Evidence {
    n: usize,
    main: ConfidenceSequence,
    /// Moves to the goal, where both agents reached it.
    moves: ConfidenceSequence,
    cut: CutPair,
}

impl Race {
    #[must_use]
    pub fn run(racers: &[Racer], rule: &RaceRule) -> Self {
        let mut stops = vec![None; racers.len()];
        let mut next_look = None;
        let is_compared = |agent: usize| racers[agent].follows.is_none();
        let mut pairs: Vec<(RacedPair, Evidence)> = all_pairs(racers.len())
            .filter(|(first, second)| is_compared(*first) && is_compared(*second))
            .map(|(first, second)| {
                let pair = RacedPair {
                    first,
                    second,
                    decision: None,
                    p_value: 1.0,
                };
                (pair, Evidence::default())
            })
            .collect();
        for &look in &rule.looks {
            let seeds = usize::try_from(look).unwrap_or(usize::MAX);
            // Games after the last seed of an agent cannot disqualify it.
            let is_out: Vec<bool> = racers
                .iter()
                .zip(&stops)
                .map(|(racer, stop)| stop.is_none() && racer.out_after.is_some_and(|n| n <= seeds))
                .collect();
            pairs.retain(|(pair, _)| !is_out[pair.first] && !is_out[pair.second]);
            let lacks_games = |agent: usize| {
                stops[agent].is_none() && !is_out[agent] && racers[agent].outcomes.len() < seeds
            };
            if (0..racers.len()).any(lacks_games) {
                next_look = Some(look);
                break;
            }
            let plays_on = |agent: usize| stops[agent].is_none();
            for (pair, evidence) in pairs
                .iter_mut()
                .filter(|(pair, _)| plays_on(pair.first) && plays_on(pair.second))
            {
                evidence.extend(&racers[pair.first], &racers[pair.second], seeds, rule);
                pair.decision = pair.decision.filter(|d| evidence.supports(d.kind, rule));
            }
            decide_pairs(&mut pairs, racers, seeds, rule);
            let mut is_settled = vec![true; racers.len()];
            for (pair, _) in pairs.iter().filter(|(pair, _)| pair.decision.is_none()) {
                is_settled[pair.first] = false;
                is_settled[pair.second] = false;
            }
            for (agent, stop) in stops.iter_mut().enumerate() {
                if is_settled[agent] && is_compared(agent) {
                    stop.get_or_insert(seeds);
                }
            }
            for (agent, racer) in racers.iter().enumerate() {
                if let Some(original) = racer.follows {
                    stops[agent] = stops[original];
                }
            }
            if stops.iter().all(Option::is_some) {
                break;
            }
        }
        Self {
            stops,
            pairs: pairs.into_iter().map(|(pair, _)| pair).collect(),
            next_look,
        }
    }

    /// The pairs that are not decided.
    pub fn open(&self) -> impl Iterator<Item = &RacedPair> {
        self.pairs.iter().filter(|pair| pair.decision.is_none())
    }

    #[must_use]
    pub fn pair(&self, first: usize, second: usize) -> Option<&RacedPair> {
        // They are in this order from the beginning.
        let order = |pair: &RacedPair| (pair.first, pair.second).cmp(&(first, second));
        let place = self.pairs.binary_search_by(order).ok()?;
        self.pairs.get(place)
    }

    /// The interval of a pair's difference on the seeds that both played and that count. It holds
    /// together with those of all other pairs, whenever the race is stopped.
    #[must_use]
    pub fn interval(
        &self,
        pair: &RacedPair,
        racers: &[Racer],
        measure: Measure,
        significance: f64,
    ) -> Option<Interval> {
        let (sequence, allowance) = self.sequence((pair.first, pair.second), racers, measure);
        let interval = sequence.interval(significance / as_f64(self.pairs.len().max(1)))?;
        Some(interval.widened(allowance))
    }

    /// The p-value of two agents that play the same number of seeds for reasons of their own, such
    /// as the two entries of a control. It holds whenever the race is stopped.
    #[must_use]
    pub fn own_p_value(&self, agents: (usize, usize), racers: &[Racer], measure: Measure) -> f64 {
        let (sequence, allowance) = self.sequence(agents, racers, measure);
        (-evidence_of_a_difference(&sequence, allowance))
            .exp()
            .min(1.0)
    }

    /// The differences on the seeds that both agents played and that count, and the allowance for
    /// them.
    fn sequence(
        &self,
        (first, second): (usize, usize),
        racers: &[Racer],
        measure: Measure,
    ) -> (ConfidenceSequence, f64) {
        let counted = |agent: usize| {
            let n = racers[agent].outcomes.len();
            self.stops[agent].map_or(n, |stop| stop.min(n))
        };
        let n = counted(first).min(counted(second));
        let outcomes = |agent: usize| racers[agent].outcomes[..n].iter();
        let mut cut = CutPair::default();
        let sequence =
            ConfidenceSequence::of(outcomes(first).zip(outcomes(second)).filter_map(|(a, b)| {
                cut.push(*a, *b);
                difference(*a, *b, measure)
            }));
        (sequence, cut.allowance_at_any_time(measure))
    }
}

fn all_pairs(n_agents: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n_agents).flat_map(move |first| (first + 1..n_agents).map(move |second| (first, second)))
}

fn difference(first: GameOutcome, second: GameOutcome, measure: Measure) -> Option<f64> {
    let counts = measure != Measure::Moves || (first.reached() && second.reached());
    counts.then(|| first.number(measure) - second.number(measure))
}

/// The logarithm of the evidence against every difference up to the allowance.
fn evidence_of_a_difference(sequence: &ConfidenceSequence, allowance: f64) -> f64 {
    let mean = sequence.mean().unwrap_or(0.0);
    sequence.log_evidence(mean.clamp(-allowance, allowance))
}

impl Evidence {
    /// Adds the games on the first `seeds` seeds, and the evidence after each of them.
    fn extend(&mut self, first: &Racer, second: &Racer, seeds: usize, rule: &RaceRule) {
        let measure = main_measure(rule);
        for seed in self.n..seeds {
            let (a, b) = (first.outcomes[seed], second.outcomes[seed]);
            self.main.push(difference(a, b, measure).unwrap_or(0.0));
            self.cut.push(a, b);
            if rule.has_goal
                && let Some(moves) = difference(a, b, Measure::Moves)
            {
                self.moves.push(moves);
            }
        }
        self.n = seeds;
    }

    /// The decisive evidence: that of moves if both agents reached the goal equally often.
    fn decisive(&self, rule: &RaceRule) -> (&ConfidenceSequence, Measure) {
        if rule.has_goal && self.main.mean() == Some(0.0) {
            (&self.moves, Measure::Moves)
        } else {
            (&self.main, main_measure(rule))
        }
    }

    /// The agent that the mean favours; `None` where it favours neither.
    fn better(&self, rule: &RaceRule) -> Option<DecisionKind> {
        let (sequence, measure) = self.decisive(rule);
        let mean = sequence.mean().filter(|mean| *mean != 0.0)?;
        Some(if (mean > 0.0) == measure.more_is_better() {
            DecisionKind::FirstIsBetter
        } else {
            DecisionKind::SecondIsBetter
        })
    }

    /// Whether the mean is still where a decision says that it is.
    fn supports(&self, kind: DecisionKind, rule: &RaceRule) -> bool {
        match kind {
            DecisionKind::Equal { margin } => {
                self.main.mean().is_some_and(|mean| mean.abs() < margin)
            }
            _ => self.better(rule) == Some(kind),
        }
    }
}

fn main_measure(rule: &RaceRule) -> Measure {
    if rule.has_goal {
        Measure::Reach
    } else {
        Measure::Score
    }
}

/// Decides pairs until none of the open ones has enough evidence for their number.
fn decide_pairs(
    pairs: &mut [(RacedPair, Evidence)],
    racers: &[Racer],
    seeds: usize,
    rule: &RaceRule,
) {
    // With a goal, rates and moves are both tested.
    let n_tests = if rule.has_goal { 2.0 } else { 1.0 };
    loop {
        let n_open = pairs.iter().filter(|(pair, _)| pair.decision.is_none());
        let factor = n_tests * as_f64(n_open.count());
        let mut any = false;
        for (pair, evidence) in pairs.iter_mut().filter(|(pair, _)| pair.decision.is_none()) {
            let (sequence, measure) = evidence.decisive(rule);
            let allowance = evidence.cut.allowance_at_any_time(measure);
            let against_equality = evidence_of_a_difference(sequence, allowance);
            pair.p_value = (factor * (-against_equality).exp()).min(1.0);
            let kind = if pair.p_value <= rule.significance {
                evidence.better(rule)
            } else {
                margin(pair, racers, seeds, rule)
                    .filter(|end| {
                        let end = *end - allowance;
                        is_equal(&evidence.main, end, rule.significance / factor)
                    })
                    .map(|margin| DecisionKind::Equal { margin })
            };
            pair.decision = kind.map(|kind| PairDecision { seeds, kind });
            any |= kind.is_some();
        }
        if !any {
            return;
        }
    }
}

/// The difference up to which a pair is practically equal: of rates, where there is a goal.
fn margin(pair: &RacedPair, racers: &[Racer], seeds: usize, rule: &RaceRule) -> Option<f64> {
    let share = rule.equal_within?;
    if rule.has_goal {
        return Some(share);
    }
    let mean = |agent: usize| {
        let outcomes = racers[agent].outcomes[..seeds].iter();
        outcomes.map(|o| o.number(Measure::Score)).sum::<f64>() / as_f64(seeds)
    };
    Some(share * mean(pair.first).max(mean(pair.second)))
}

/// Whether there is enough evidence against both ends of the margin.
fn is_equal(sequence: &ConfidenceSequence, margin: f64, significance: f64) -> bool {
    let mean = sequence.mean().unwrap_or(f64::INFINITY);
    mean.abs() < margin
        && [-margin, margin]
            .into_iter()
            .all(|end| sequence.log_evidence(end) >= -significance.ln())
}
