//! The differences of all pairs of agents, arranged so that one sign per seed flips all of them.
//!
//! The sum of a pair's flipped differences is the difference of its agents' flipped scores, so a
//! tournament of 100 agents needs 100 sums per pattern of signs and not 4,950. Agents that did
//! not play the same seeds need a column of their own for each of their pairs.

use std::collections::{BTreeSet, HashMap};

use super::{
    game_outcome::{GameOutcome, Measure},
    length,
};

/// Two agents by position, and the number by which they are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparedPair {
    pub first: usize,
    pub second: usize,
    pub measure: Measure,
}

#[derive(Clone, Debug)]
pub struct JointSample {
    pub(super) n_seeds: usize,
    /// One number per seed in each.
    pub(super) columns: Vec<Vec<f64>>,
    pub(super) pairs: Vec<SampledPair>,
}

/// The differences of one pair: which columns they come from, and their moments.
#[derive(Clone, Copy, Debug)]
pub(super) struct SampledPair {
    first: usize,
    /// `None` where the first column has the differences themselves.
    second: Option<usize>,
    /// The column that is 1 on the seeds of this pair.
    present: usize,
    pub(super) n: f64,
    pub(super) sum: f64,
    pub(super) squares: f64,
}

impl SampledPair {
    pub(super) fn mean(&self) -> f64 {
        self.sum / self.n.max(1.0)
    }

    /// The sum of squared distances from the mean.
    pub(super) fn spread(&self) -> f64 {
        (self.squares - self.sum * self.mean()).max(0.0)
    }

    /// The sum of flipped differences, and the sum of the signs of its seeds.
    pub(super) fn flipped(&self, sums: &[f64]) -> (f64, f64) {
        let second = self.second.map_or(0.0, |column| sums[column]);
        (sums[self.first] - second, sums[self.present])
    }
}

impl JointSample {
    /// `agents` have their outcomes sorted by seed, with each seed once.
    #[must_use]
    pub fn new(agents: &[&[GameOutcome]], pairs: &[ComparedPair]) -> Self {
        let seeds: BTreeSet<u64> = agents
            .iter()
            .flat_map(|outcomes| outcomes.iter().map(|outcome| outcome.seed))
            .collect();
        let places: HashMap<u64, usize> = seeds.iter().copied().zip(0..).collect();
        let mut sample = Self {
            n_seeds: seeds.len(),
            columns: Vec::new(),
            pairs: Vec::with_capacity(pairs.len()),
        };
        // Agents with the same seeds have the number of the first of them.
        let same_seeds: Vec<usize> = agents
            .iter()
            .map(|outcomes| {
                let is_same = |other: &&[GameOutcome]| {
                    let seeds = |o: &[GameOutcome]| o.iter().map(|o| o.seed).collect::<Vec<_>>();
                    other.len() == outcomes.len() && seeds(other) == seeds(outcomes)
                };
                agents.iter().position(is_same).expect("itself at least")
            })
            .collect();
        let mut numbers: HashMap<(usize, Measure), usize> = HashMap::new();
        let mut present: HashMap<usize, usize> = HashMap::new();
        for &ComparedPair {
            first,
            second,
            measure,
        } in pairs
        {
            let differences = differences(agents[first], agents[second], measure);
            let n = length(differences.len());
            let sum = differences.iter().map(|(_, d)| d).sum();
            let squares = differences.iter().map(|(_, d)| d * d).sum();
            let (first, second, present) =
                if same_seeds[first] == same_seeds[second] && measure != Measure::Moves {
                    let mut column_of = |agent: usize| {
                        *numbers.entry((agent, measure)).or_insert_with(|| {
                            let outcomes = agents[agent].iter();
                            sample.add(outcomes.map(|o| (places[&o.seed], o.number(measure))))
                        })
                    };
                    let columns = (column_of(first), column_of(second));
                    let present = *present.entry(same_seeds[first]).or_insert_with(|| {
                        sample.add(agents[first].iter().map(|o| (places[&o.seed], 1.0)))
                    });
                    (columns.0, Some(columns.1), present)
                } else {
                    let own = differences.iter().map(|(seed, d)| (places[seed], *d));
                    let present = differences.iter().map(|(seed, _)| (places[seed], 1.0));
                    (sample.add(own), None, sample.add(present))
                };
            sample.pairs.push(SampledPair {
                first,
                second,
                present,
                n,
                sum,
                squares,
            });
        }
        sample
    }

    fn add(&mut self, numbers: impl Iterator<Item = (usize, f64)>) -> usize {
        let mut column = vec![0.0; self.n_seeds];
        for (place, number) in numbers {
            column[place] = number;
        }
        self.columns.push(column);
        self.columns.len() - 1
    }
}

/// The differences by seed. Moves are compared where both agents reached the goal.
fn differences(first: &[GameOutcome], second: &[GameOutcome], measure: Measure) -> Vec<(u64, f64)> {
    super::game_outcome::on_common_seeds(first, second)
        .into_iter()
        .filter(|(a, b)| measure != Measure::Moves || (a.reached() && b.reached()))
        .map(|(a, b)| (a.seed, a.number(measure) - b.number(measure)))
        .collect()
}
