//! The statistics of all pairs under every pattern: p-values, and the largest of each pattern.

use std::collections::HashMap;

use super::{
    flipped_sums::{FlippedSums, PairColumns, SumsOfPair, Unbalanced},
    patterns::{Patterns, ROUNDING},
};
use crate::joint_sample::SampledPair;

pub(super) struct PatternStatistics {
    /// Corrected for all pairs.
    pub(super) p_values: Vec<f64>,
    /// Of each pair alone.
    pub(super) own_p_values: Vec<f64>,
    /// Around their means: the largest statistic among all pairs, by pattern.
    pub(super) largest: Vec<f64>,
    /// The second largest statistic.
    pub(super) second: Vec<f64>,
    /// The pair with the largest statistic.
    pub(super) largest_pair: Vec<usize>,
    /// For every pair, the largest sum of its own differences around their mean, each divided by
    /// the number of seeds less the sum of the signs; infinite where it is not known. Patterns
    /// accept no value that is further from the mean.
    pub(super) reach: Vec<f64>,
}

/// The reciprocal of a root; 0 where all differences are 0, which makes the statistic 0 as well.
fn reciprocal(root: f64) -> f64 {
    if root > 0.0 { 1.0 / root } else { 0.0 }
}

impl PatternStatistics {
    pub(super) fn of(pairs: &[SampledPair], sums: &FlippedSums, patterns: Patterns) -> Self {
        let observed: Vec<f64> = pairs
            .iter()
            .map(|pair| {
                let (sum, squares) = pair.beyond_null();
                sum.abs() * reciprocal(squares.sqrt()) * (1.0 - ROUNDING)
            })
            .collect();
        // From the least to the most evidence.
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by(|&a, &b| observed[a].total_cmp(&observed[b]));
        let mut statistics = Self {
            p_values: vec![1.0; pairs.len()],
            own_p_values: vec![1.0; pairs.len()],
            largest: vec![0.0; patterns.count],
            second: vec![0.0; patterns.count],
            largest_pair: vec![usize::MAX; patterns.count],
            reach: vec![f64::INFINITY; pairs.len()],
        };
        let mut running = vec![0.0; patterns.count];
        let mut room = SumsOfPair::default();
        for &index in &order {
            let columns = sums.columns_of(index, &mut room);
            let (n_extreme, n_alone) =
                statistics.enter(index, &pairs[index], columns, observed[index], &mut running);
            statistics.p_values[index] = patterns.p_value(n_extreme);
            statistics.own_p_values[index] = patterns.p_value(n_alone);
            if let Some(unbalanced) = sums.unbalanced(index) {
                let reach = reach_of(&pairs[index], columns, &unbalanced.weights);
                statistics.reach[index] = reach;
            } else if sums.has_unlike_seeds(index) {
                let unbalanced = Unbalanced::of(columns.signs, pairs[index].n);
                // One-sided patterns accept everything.
                if unbalanced.one_sided.is_empty() {
                    let reach = reach_of(&pairs[index], columns, &unbalanced.weights);
                    statistics.reach[index] = reach;
                }
            }
        }
        // A pair with more evidence has no larger p-value than one with less.
        let mut highest = 0.0_f64;
        for &index in order.iter().rev() {
            highest = highest.max(statistics.p_values[index]);
            statistics.p_values[index] = highest;
        }
        statistics
    }

    /// Takes the statistics of a pair into account. Returns the number of patterns in which the
    /// largest statistic so far, and that of this pair alone, is at least the observed one.
    fn enter(
        &mut self,
        index: usize,
        pair: &SampledPair,
        columns: PairColumns,
        observed: f64,
        running: &mut [f64],
    ) -> (u64, u64) {
        let (null, around_null) = (pair.null(), reciprocal(pair.beyond_null().1.sqrt()));
        let (mean, around_mean) = (pair.mean(), reciprocal(pair.spread().sqrt()));
        let n = self.largest.len();
        let PairColumns {
            first,
            second: subtracted,
            signs,
        } = columns;
        let (first, subtracted, signs) = (&first[..n], &subtracted[..n], &signs[..n]);
        let (largest, second) = (&mut self.largest[..n], &mut self.second[..n]);
        let running = &mut running[..n];
        let (mut n_extreme, mut n_alone, mut is_largest) = (0, 0, false);
        // A single loop, because the columns of many agents do not fit into a cache.
        for place in 0..n {
            let difference = first[place] - subtracted[place];
            let alone = (difference - signs[place] * null).abs() * around_null;
            let before = running[place];
            let highest = if alone > before { alone } else { before };
            running[place] = highest;
            n_alone += u64::from(alone >= observed);
            n_extreme += u64::from(highest >= observed);
            let centred = (difference - signs[place] * mean).abs() * around_mean;
            let before = largest[place];
            is_largest |= centred > before;
            let lower = if centred < before { centred } else { before };
            largest[place] = if centred > before { centred } else { before };
            second[place] = if lower > second[place] {
                lower
            } else {
                second[place]
            };
        }
        if is_largest {
            for place in 0..n {
                let difference = first[place] - subtracted[place];
                let centred = (difference - signs[place] * mean).abs() * around_mean;
                if centred > 0.0 && centred.total_cmp(&largest[place]).is_eq() {
                    self.largest_pair[place] = index;
                }
            }
        }
        (n_extreme, n_alone)
    }

    /// The number of patterns in which each pair has the largest statistic, where there are any.
    pub(super) fn times_largest(&self) -> HashMap<usize, usize> {
        let mut times = HashMap::new();
        for pair in &self.largest_pair {
            *times.entry(*pair).or_default() += 1;
        }
        times
    }
}

fn reach_of(pair: &SampledPair, columns: PairColumns, weights: &[f64]) -> f64 {
    let (mean, n) = (pair.mean(), weights.len());
    let (first, second) = (&columns.first[..n], &columns.second[..n]);
    let signs = &columns.signs[..n];
    let mut reach = [0.0; 4];
    for place in 0..n {
        let difference = first[place] - second[place];
        let centred = (difference - signs[place] * mean).abs() * weights[place];
        let highest = &mut reach[place % 4];
        *highest = if centred > *highest {
            centred
        } else {
            *highest
        };
    }
    reach.into_iter().fold(0.0, f64::max)
}
