//! The sums of the differences of every pair under every sign pattern.
//!
//! They are arranged by pair, not by pattern: the sums of one pair under all patterns are computed
//! at once, which vectorises, and nothing is kept per pair.

use std::collections::HashMap;

use super::patterns::Patterns;
use crate::joint_sample::{DifferenceSource, JointSample, SampledPair};

/// The most sums that are kept for pairs with columns of their own; those of further pairs are
/// computed whenever they are needed.
const MOST_KEPT_SUMS: usize = 4_000_000;

pub(super) struct FlippedSums<'s> {
    sample: &'s JointSample<'s>,
    patterns: Patterns,
    columns: Vec<Vec<f64>>,
    /// As many as there are patterns.
    zeros: Vec<f64>,
    /// Of pairs with columns of their own.
    kept: HashMap<usize, OwnSums>,
    /// By the column of signs that pairs share.
    unbalanced: HashMap<usize, Unbalanced>,
    /// Whether each seed is flipped under every pattern, as -1 or 0, where there are pairs with unlike
    /// seeds.
    rows: Vec<Vec<i32>>,
}

/// What follows from the signs of a pair's seeds, for every pattern.
#[derive(Default)]
pub(super) struct Unbalanced {
    /// `1 / (n - |sum of signs|)`; 0 for the patterns that flip all seeds or none.
    pub(super) weights: Vec<f64>,
    /// The patterns that flip all seeds or none.
    pub(super) one_sided: Vec<usize>,
}

impl Unbalanced {
    pub(super) fn of(signs: &[f64], n: f64) -> Self {
        let weight = |signs: &f64| match n - signs.abs() {
            left if left > 0.0 => 1.0 / left,
            _ => 0.0,
        };
        let weights: Vec<f64> = signs.iter().map(weight).collect();
        let one_sided = weights
            .iter()
            .enumerate()
            .filter(|(_, weight)| **weight <= 0.0);
        Self {
            one_sided: one_sided.map(|(pattern, _)| pattern).collect(),
            weights,
        }
    }
}

/// Where the sums of one pair are; see [`FlippedSums::columns_of`].
#[derive(Clone, Copy)]
pub(super) struct PairColumns<'b> {
    pub(super) first: &'b [f64],
    pub(super) second: &'b [f64],
    pub(super) signs: &'b [f64],
}

/// A buffer for the sums of one pair.
#[derive(Default)]
pub(super) struct SumsOfPair {
    differences: Vec<f64>,
    own: OwnSums,
}

/// A seed that one agent of a pair lacks.
struct Lacking {
    seed: usize,
    /// What the other agent adds to the difference of their sums.
    number: i32,
    is_of_first: bool,
}

#[derive(Default)]
struct OwnSums {
    differences: Vec<f64>,
    signs: Vec<f64>,
}

impl<'s> FlippedSums<'s> {
    pub(super) fn new(sample: &'s JointSample<'s>, patterns: Patterns) -> Self {
        let columns = patterns.sums_of(&sample.columns, sample.n_seeds());
        let mut sums = Self {
            sample,
            patterns,
            columns,
            zeros: vec![0.0; patterns.count],
            kept: HashMap::new(),
            unbalanced: HashMap::new(),
            rows: Vec::new(),
        };
        let is_unlike = |pair: &SampledPair| matches!(pair.source, DifferenceSource::Unlike { .. });
        if sample.pairs.iter().any(is_unlike) {
            sums.rows = patterns.rows(sample.n_seeds());
        }
        for pair in &sample.pairs {
            if let DifferenceSource::Columns { present, .. } = pair.source
                && !sums.unbalanced.contains_key(&present)
            {
                let unbalanced = Unbalanced::of(&sums.columns[present], pair.n);
                sums.unbalanced.insert(present, unbalanced);
            }
        }
        let most = MOST_KEPT_SUMS / patterns.count.max(1);
        let pairs = sample.pairs.iter().enumerate();
        let own = pairs.filter(|(_, pair)| pair.source == DifferenceSource::Own);
        for (index, _) in own.take(most) {
            sums.kept.insert(index, sums.of_own_columns(index));
        }
        sums
    }

    /// The same as in [`Self::of_pair`], where the sums of the differences are the first column less
    /// the second one, and nothing is written.
    pub(super) fn columns_of<'b>(
        &'b self,
        index: usize,
        room: &'b mut SumsOfPair,
    ) -> PairColumns<'b> {
        if let DifferenceSource::Columns {
            first,
            second,
            present,
        } = self.sample.pairs[index].source
        {
            let [first, second, signs] =
                [first, second, present].map(|column| self.columns[column].as_slice());
            return PairColumns {
                first,
                second,
                signs,
            };
        }
        let (first, signs) = self.of_pair(index, room);
        PairColumns {
            first,
            second: &self.zeros,
            signs,
        }
    }

    /// The sum of a pair's flipped differences and that of the signs of its seeds, under every
    /// pattern.
    pub(super) fn of_pair<'b>(
        &'b self,
        index: usize,
        room: &'b mut SumsOfPair,
    ) -> (&'b [f64], &'b [f64]) {
        if let DifferenceSource::Columns {
            first,
            second,
            present,
        } = self.sample.pairs[index].source
        {
            room.differences.clear();
            let numbers = self.columns[first].iter().zip(&self.columns[second]);
            room.differences.extend(numbers.map(|(a, b)| a - b));
            return (&room.differences, &self.columns[present]);
        }
        if let Some(kept) = self.kept.get(&index) {
            return (&kept.differences, &kept.signs);
        }
        if let DifferenceSource::Unlike { numbers, present } = self.sample.pairs[index].source {
            self.of_unlike_seeds(numbers, present, &mut room.own);
        } else {
            room.own = self.of_own_columns(index);
        }
        (&room.own.differences, &room.own.signs)
    }

    /// The sums of both agents on all of their seeds, without the seeds that one of them lacks.
    fn of_unlike_seeds(&self, numbers: [usize; 2], present: [usize; 2], sums: &mut OwnSums) {
        #[cfg(test)]
        super::tests::PAIRS_SUMMED.set(super::tests::PAIRS_SUMMED.get() + 1);
        let lacking = self.lacking(numbers, present);
        let of_first: Vec<(usize, i32)> = lacking
            .iter()
            .filter(|lacking| lacking.is_of_first)
            .map(|lacking| (lacking.seed, 1))
            .collect();
        let of_numbers: Vec<(usize, i32)> = lacking
            .iter()
            .map(|lacking| (lacking.seed, lacking.number))
            .collect();
        let [first, second] = numbers.map(|column| &self.columns[column]);
        let together = first
            .iter()
            .zip(second)
            .map(|(first, second)| first - second);
        self.take_away(&of_numbers, together, &mut sums.differences);
        let signs = self.columns[present[0]].iter().copied();
        self.take_away(&of_first, signs, &mut sums.signs);
    }

    /// The sums without these seeds, which have these numbers. Seeds are flipped four at once, because
    /// loading and storing the sums would take most of the time.
    fn take_away(
        &self,
        seeds: &[(usize, i32)],
        sums: impl Iterator<Item = f64>,
        left: &mut Vec<f64>,
    ) {
        let mut flipped = vec![0_i32; self.patterns.count];
        let n = flipped.len();
        let mut fours = seeds.chunks_exact(4);
        for four in &mut fours {
            let rows = [0, 1, 2, 3].map(|place| &self.rows[four[place].0][..n]);
            let numbers = [0, 1, 2, 3].map(|place| four[place].1);
            for place in 0..n {
                let of = |seed: usize| numbers[seed] & rows[seed][place];
                // Sums fit into 32 bits; checks would take most of the time.
                let two = of(0).wrapping_add(of(1));
                let four = two.wrapping_add(of(2)).wrapping_add(of(3));
                flipped[place] = flipped[place].wrapping_add(four);
            }
        }
        for (seed, number) in fours.remainder() {
            for (flipped, is_flipped) in flipped.iter_mut().zip(&self.rows[*seed]) {
                *flipped = flipped.wrapping_add(number & is_flipped);
            }
        }
        let all: f64 = seeds.iter().map(|(_, number)| f64::from(*number)).sum();
        left.clear();
        let flipped = flipped.iter().map(|flipped| f64::from(2 * flipped) - all);
        left.extend(sums.zip(flipped).map(|(sum, flipped)| sum + flipped));
    }

    /// The seeds that one of the agents lacks.
    fn lacking(&self, numbers: [usize; 2], present: [usize; 2]) -> Vec<Lacking> {
        let [first, second] = numbers.map(|column| &self.sample.columns[column]);
        let [has_first, has_second] = present.map(|column| &self.sample.columns[column]);
        let seeds = 0..self.sample.n_seeds();
        let unlike = seeds.filter(|seed| has_first[*seed].total_cmp(&has_second[*seed]).is_ne());
        #[expect(
            clippy::cast_possible_truncation,
            reason = "whole, and small enough for the sum of all; see `JointSample`"
        )]
        let lacking = unlike.map(|seed| Lacking {
            seed,
            number: (first[seed] - second[seed]) as i32,
            is_of_first: has_first[seed] > 0.0,
        });
        lacking.collect()
    }

    /// The sums of a pair with shared columns under some patterns; nothing for a pair with columns of
    /// its own.
    pub(super) fn at<'p>(
        &self,
        index: usize,
        patterns: impl Iterator<Item = &'p usize>,
        mut visit: impl FnMut(usize, (f64, f64)),
    ) {
        match self.sample.pairs[index].source {
            DifferenceSource::Columns {
                first,
                second,
                present,
            } => {
                for &pattern in patterns {
                    let [first, second, signs] =
                        [first, second, present].map(|column| self.columns[column][pattern]);
                    visit(pattern, (first - second, signs));
                }
            }
            DifferenceSource::Unlike { numbers, present } => {
                let lacking = self.lacking(numbers, present);
                for &pattern in patterns {
                    let [first, second] = numbers.map(|column| self.columns[column][pattern]);
                    let (mut difference, mut signs) =
                        (first - second, self.columns[present[0]][pattern]);
                    for lacking in &lacking {
                        let sign = f64::from(1 + 2 * self.rows[lacking.seed][pattern]);
                        difference -= sign * f64::from(lacking.number);
                        signs -= if lacking.is_of_first { sign } else { 0.0 };
                    }
                    visit(pattern, (difference, signs));
                }
            }
            DifferenceSource::Own => {}
        }
    }

    /// What the signs of a pair with shared columns say.
    pub(super) fn unbalanced(&self, index: usize) -> Option<&Unbalanced> {
        match self.sample.pairs[index].source {
            DifferenceSource::Columns { present, .. } => self.unbalanced.get(&present),
            DifferenceSource::Unlike { .. } | DifferenceSource::Own => None,
        }
    }

    pub(super) fn has_unlike_seeds(&self, index: usize) -> bool {
        let source = self.sample.pairs[index].source;
        matches!(source, DifferenceSource::Unlike { .. })
    }

    fn of_own_columns(&self, index: usize) -> OwnSums {
        let columns = self.sample.own_columns(index);
        let [differences, signs] = self
            .patterns
            .sums_of(&columns, self.sample.n_seeds())
            .try_into()
            .expect("two columns have two sums");
        OwnSums { differences, signs }
    }
}
