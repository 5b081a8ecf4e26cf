//! The sums of the differences of every pair under every sign pattern.
//!
//! They are arranged by pair, not by pattern: the sums of one pair under all patterns are computed
//! at once, which vectorises, and nothing is kept per pair.

use std::collections::HashMap;

use super::patterns::Patterns;
use crate::joint_sample::{DifferenceSource, JointSample};

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
    fn of(signs: &[f64], n: f64) -> Self {
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
        };
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
        room.own = self.of_own_columns(index);
        (&room.own.differences, &room.own.signs)
    }

    /// The same under one pattern, for a pair with shared columns.
    pub(super) fn at(&self, index: usize, pattern: usize) -> Option<(f64, f64)> {
        match self.sample.pairs[index].source {
            DifferenceSource::Columns {
                first,
                second,
                present,
            } => {
                let [first, second, signs] =
                    [first, second, present].map(|column| self.columns[column][pattern]);
                Some((first - second, signs))
            }
            DifferenceSource::Own => None,
        }
    }

    /// What the signs of a pair with shared columns say.
    pub(super) fn unbalanced(&self, index: usize) -> Option<&Unbalanced> {
        match self.sample.pairs[index].source {
            DifferenceSource::Columns { present, .. } => self.unbalanced.get(&present),
            DifferenceSource::Own => None,
        }
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
