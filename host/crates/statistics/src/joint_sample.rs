//! The differences of all pairs of agents, arranged so that one sign per seed flips all of them.
//!
//! The sum of a pair's flipped differences is the difference of its agents' flipped scores, so a
//! tournament of 100 agents needs 100 sums per pattern of signs and not 4,950. Where agents did
//! not play the same seeds, as in a run that is not finished, a column has the scores of an agent
//! on the seeds of another one; agents that played the same seeds share it. If there are many
//! different sets of seeds, the columns have all seeds of an agent, and the few that the other one
//! lacks are taken away from the sums. Pairs that are
//! compared by moves on the games in which both reached the goal have columns of their own, made on
//! demand.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{
    as_f64,
    game_outcome::{GameOutcome, Measure, on_common_seeds},
};

/// With more different sets of seeds, pairs of agents with unlike seeds share no columns for both.
const MOST_SETS_OF_SEEDS: usize = 8;

/// With more seeds, the signs of each would take more memory than the report of the games.
const MOST_SEEDS_WITH_ROWS: usize = 4_000;

/// The largest sum of an agent's scores that such pairs may have: twice the scores of two agents must
/// fit into 32 bits with a sign.
const LARGEST_SUM: u64 = 1 << 29;

/// Two agents by position, and the number by which they are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparedPair {
    pub first: usize,
    pub second: usize,
    pub measure: Measure,
    /// The true difference may be this much further from that of the games; see `early_ends`.
    pub allowance: f64,
}

#[derive(Clone, Debug)]
pub struct JointSample<'s> {
    agents: &'s [&'s [GameOutcome]],
    compared: &'s [ComparedPair],
    /// The seeds with their places.
    places: HashMap<u64, usize>,
    /// One number per seed in each.
    pub(super) columns: Vec<Vec<f64>>,
    pub(super) pairs: Vec<SampledPair>,
}

/// The differences of one pair: where they come from, and their moments.
#[derive(Clone, Copy, Debug)]
pub(super) struct SampledPair {
    pub(super) source: DifferenceSource,
    pub(super) n: f64,
    pub(super) sum: f64,
    pub(super) squares: f64,
    pub(super) allowance: f64,
}

/// Where the differences of a pair are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DifferenceSource {
    /// In two columns, of which the second is subtracted; the third is 1 on the seeds of the pair.
    Columns {
        first: usize,
        second: usize,
        present: usize,
    },
    /// In the columns of all seeds of the two agents, and those of which seeds these are. Seeds that
    /// one of them lacks have to be taken away.
    Unlike {
        numbers: [usize; 2],
        present: [usize; 2],
    },
    /// In columns of its own.
    Own,
}

impl SampledPair {
    pub(super) fn mean(&self) -> f64 {
        self.sum / self.n.max(1.0)
    }

    /// The difference that a claim must rule out: the one nearest to the mean that the allowance
    /// cannot tell from 0.
    pub(super) fn null(&self) -> f64 {
        self.mean().clamp(-self.allowance, self.allowance)
    }

    /// Sum and sum of squares after that difference has been subtracted.
    pub(super) fn beyond_null(&self) -> (f64, f64) {
        let null = self.null();
        let sum = self.sum - self.n * null;
        (sum, (self.squares - null * (self.sum + sum)).max(0.0))
    }

    /// The sum of squared distances from the mean.
    pub(super) fn spread(&self) -> f64 {
        (self.squares - self.sum * self.mean()).max(0.0)
    }

    /// The values `v` for which a pattern is at least as extreme as the data after `v` has been
    /// subtracted: `|flipped - v signs| >= |sum - v n|`. The mean is always among them.
    pub(super) fn accepted_by(&self, flipped: f64, signs: f64) -> (f64, f64) {
        if signs.abs() >= self.n {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        let one = (self.sum - flipped) / (self.n - signs);
        let other = (self.sum + flipped) / (self.n + signs);
        (one.min(other), one.max(other))
    }
}

impl<'s> JointSample<'s> {
    /// `agents` have their outcomes sorted by seed, with each seed once.
    #[must_use]
    pub fn new(agents: &'s [&'s [GameOutcome]], compared: &'s [ComparedPair]) -> Self {
        let seeds: BTreeSet<u64> = agents
            .iter()
            .flat_map(|outcomes| outcomes.iter().map(|outcome| outcome.seed))
            .collect();
        let mut sample = Self {
            agents,
            compared,
            places: seeds.into_iter().zip(0..).collect(),
            columns: Vec::new(),
            pairs: Vec::with_capacity(compared.len()),
        };
        let mut shared = SharedColumns::new(agents, sample.n_seeds());
        for pair in compared {
            let source = shared.source(*pair, &mut sample);
            let (mut n, mut sum, mut squares) = (0.0, 0.0, 0.0);
            let mut add = |difference: f64| {
                sum += difference;
                squares += difference * difference;
            };
            match source {
                DifferenceSource::Columns {
                    first,
                    second,
                    present,
                } => {
                    // Both are 0 on the seeds that the pair does not have.
                    let numbers = sample.columns[first].iter().zip(&sample.columns[second]);
                    numbers.for_each(|(first, second)| add(first - second));
                    n = shared.n_present[&present];
                }
                DifferenceSource::Unlike { numbers, present } => {
                    let [a, b] = numbers.map(|column| &sample.columns[column]);
                    let [has_a, has_b] = present.map(|column| &sample.columns[column]);
                    for seed in 0..sample.places.len() {
                        let both = has_a[seed] * has_b[seed];
                        n += both;
                        add((a[seed] - b[seed]) * both);
                    }
                }
                DifferenceSource::Own => for_each_difference(agents, *pair, |_, difference| {
                    n += 1.0;
                    add(difference);
                }),
            }
            sample.pairs.push(SampledPair {
                source,
                n,
                sum,
                squares,
                allowance: pair.allowance,
            });
        }
        sample
    }

    pub(super) fn n_seeds(&self) -> usize {
        self.places.len()
    }

    /// All columns, including those of single pairs; two for each pair whose sums take as long.
    pub(super) fn n_columns(&self) -> usize {
        let (mut shared, mut n_own) = (HashSet::new(), 0);
        for pair in &self.pairs {
            match pair.source {
                DifferenceSource::Columns {
                    first,
                    second,
                    present,
                } => shared.extend([first, second, present]),
                DifferenceSource::Unlike { .. } | DifferenceSource::Own => n_own += 1,
            }
        }
        shared.len() + 2 * n_own
    }

    /// The differences of a pair and the seeds that it has.
    pub(super) fn own_columns(&self, pair: usize) -> [Vec<f64>; 2] {
        let mut columns = [vec![0.0; self.n_seeds()], vec![0.0; self.n_seeds()]];
        for_each_difference(self.agents, self.compared[pair], |seed, difference| {
            let place = self.places[&seed];
            columns[0][place] = difference;
            columns[1][place] = 1.0;
        });
        columns
    }

    fn add(&mut self, numbers: impl Iterator<Item = (u64, f64)>) -> usize {
        let mut column = vec![0.0; self.n_seeds()];
        for (seed, number) in numbers {
            column[self.places[&seed]] = number;
        }
        self.columns.push(column);
        self.columns.len() - 1
    }
}

/// The columns that several pairs use.
struct SharedColumns {
    /// The number of each agent's set of seeds: the first agent with the same one.
    sets: Vec<usize>,
    n_sets: usize,
    /// Whether the seeds that an agent lacks can be taken away with whole numbers of 32 bits.
    has_small_sums: bool,
    /// By agent, measure, and the set of seeds that the other agent of the pair played.
    numbers: HashMap<(usize, Measure, usize), usize>,
    /// By the two sets of seeds.
    present: HashMap<(usize, usize), usize>,
    /// The number of seeds of each of these.
    n_present: HashMap<usize, f64>,
}

impl SharedColumns {
    fn new(agents: &[&[GameOutcome]], n_seeds: usize) -> Self {
        let is_small = |outcomes: &&[GameOutcome]| {
            let scores = outcomes.iter().map(|outcome| outcome.score);
            scores.fold(0, u64::saturating_add) <= LARGEST_SUM
        };
        let mut first_with: HashMap<Vec<u64>, usize> = HashMap::new();
        let sets = agents.iter().enumerate().map(|(agent, outcomes)| {
            let seeds: Vec<u64> = outcomes.iter().map(|outcome| outcome.seed).collect();
            *first_with.entry(seeds).or_insert(agent)
        });
        Self {
            sets: sets.collect(),
            n_sets: first_with.len(),
            has_small_sums: n_seeds <= MOST_SEEDS_WITH_ROWS && agents.iter().all(is_small),
            numbers: HashMap::new(),
            present: HashMap::new(),
            n_present: HashMap::new(),
        }
    }

    fn source(&mut self, pair: ComparedPair, sample: &mut JointSample) -> DifferenceSource {
        let ComparedPair {
            first,
            second,
            measure,
            ..
        } = pair;
        let sets = (self.sets[first], self.sets[second]);
        let has_many_sets = sets.0 != sets.1 && self.n_sets > MOST_SETS_OF_SEEDS;
        if measure == Measure::Moves || has_many_sets && !self.has_small_sums {
            return DifferenceSource::Own;
        }
        let agents = sample.agents;
        let mut column_of = |agent: usize, other: usize| {
            *self
                .numbers
                .entry((agent, measure, other))
                .or_insert_with(|| {
                    let common = on_common_seeds(agents[agent], agents[other]);
                    sample.add(
                        common
                            .iter()
                            .map(|(own, _)| (own.seed, own.number(measure))),
                    )
                })
        };
        let numbers = if has_many_sets {
            [column_of(first, sets.0), column_of(second, sets.1)]
        } else {
            [column_of(first, sets.1), column_of(second, sets.0)]
        };
        let mut present_of = |one: usize, other: usize| {
            let sets = (one.min(other), one.max(other));
            *self.present.entry(sets).or_insert_with(|| {
                let common = on_common_seeds(agents[sets.0], agents[sets.1]);
                let column = sample.add(common.iter().map(|(own, _)| (own.seed, 1.0)));
                self.n_present.insert(column, as_f64(common.len()));
                column
            })
        };
        if has_many_sets {
            let present = [present_of(sets.0, sets.0), present_of(sets.1, sets.1)];
            return DifferenceSource::Unlike { numbers, present };
        }
        let [first, second] = numbers;
        DifferenceSource::Columns {
            first,
            second,
            present: present_of(sets.0, sets.1),
        }
    }
}

/// Calls `visit` with every seed that counts and the difference on it. Moves are compared where
/// both agents reached the goal.
fn for_each_difference(
    agents: &[&[GameOutcome]],
    pair: ComparedPair,
    mut visit: impl FnMut(u64, f64),
) {
    let measure = pair.measure;
    for (a, b) in on_common_seeds(agents[pair.first], agents[pair.second]) {
        if measure != Measure::Moves || (a.reached() && b.reached()) {
            visit(a.seed, a.number(measure) - b.number(measure));
        }
    }
}
