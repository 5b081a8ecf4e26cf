//! The ends of intervals: quantiles, over all patterns, of the values that a pattern accepts.
//!
//! Few patterns matter for the simultaneous interval of a pair: those with the largest statistics
//! of other pairs, and those in which the pair itself is more extreme than these. The first are
//! the same for nearly all pairs. Hardly any pair has patterns of the second kind, and one number
//! tells whether it has. Accepted values are computed for these patterns only, so the 319,600 pairs
//! of 800 agents take no longer than a ranking may.

use std::collections::HashMap;

use super::{
    flipped_sums::{FlippedSums, SumsOfPair},
    pattern_statistics::PatternStatistics,
    patterns::ROUNDING,
};
use crate::{interval::Interval, joint_sample::SampledPair};

/// Patterns that are compared at once.
const CHUNK: usize = 64;

const EVERYTHING: Interval = Interval {
    low: f64::NEG_INFINITY,
    high: f64::INFINITY,
};

/// What the simultaneous intervals of all pairs share.
pub(super) struct SimultaneousEnds<'t> {
    sums: &'t FlippedSums<'t>,
    statistics: &'t PatternStatistics,
    /// The place of the ends among the accepted values; `None` with too few patterns.
    keep: Option<usize>,
    /// The patterns, those with the largest statistics first.
    order: Vec<usize>,
    times_largest: HashMap<usize, usize>,
}

impl<'t> SimultaneousEnds<'t> {
    pub(super) fn new(
        sums: &'t FlippedSums<'t>,
        statistics: &'t PatternStatistics,
        keep: Option<usize>,
    ) -> Self {
        let largest = &statistics.largest;
        let mut order: Vec<usize> = (0..largest.len()).collect();
        order.sort_by(|&a, &b| largest[b].total_cmp(&largest[a]));
        Self {
            sums,
            statistics,
            keep: keep.filter(|keep| *keep <= largest.len()),
            order,
            times_largest: statistics.times_largest(),
        }
    }

    pub(super) fn of(&self, index: usize, pair: &SampledPair, room: &mut SumsOfPair) -> Interval {
        let Some(keep) = self.keep else {
            return EVERYTHING;
        };
        let largest = &self.statistics.largest;
        // Where this pair is the largest, the next one counts, which may be anywhere.
        let own_times = self.times_largest.get(&index).copied().unwrap_or(0);
        let last = self.order.get(keep + own_times - 1);
        let limit = last.map_or(0.0, |pattern| largest[*pattern]);
        let half = half_width(limit, pair.n, pair.spread());
        if half.is_infinite() {
            return EVERYTHING;
        }
        if pair.spread() <= 0.0 {
            let (_, signs) = self.sums.of_pair(index, room);
            return without_spread(pair, signs, largest, keep);
        }
        let mut accepted = AcceptedValues::default();
        let mut enter = |pattern: usize, (difference, signs): (f64, f64)| {
            let others = if self.statistics.largest_pair[pattern] == index {
                self.statistics.second[pattern]
            } else {
                largest[pattern]
            };
            let half = half_width(others, pair.n, pair.spread());
            let (low, high) = pair.accepted_by(difference, signs);
            accepted.enter(low.min(pair.mean() - half), high.max(pair.mean() + half));
        };
        let first = &self.order[..self.order.partition_point(|p| largest[*p] >= limit)];
        let is_beyond_reach = self.statistics.reach[index] < half * (1.0 - ROUNDING);
        let one_sided = match self.sums.unbalanced(index) {
            Some(unbalanced) => Some(unbalanced.one_sided.as_slice()),
            // Where there are any, the reach is not known.
            None => self.sums.has_unlike_seeds(index).then_some([].as_slice()),
        };
        if is_beyond_reach && let Some(one_sided) = one_sided {
            let others = one_sided.iter();
            let others = others.filter(|pattern| largest[**pattern] < limit);
            self.sums.at(index, first.iter().chain(others), enter);
        } else {
            let (differences, signs) = self.sums.of_pair(index, room);
            let at = |pattern: usize| (differences[pattern], signs[pattern]);
            for &pattern in first {
                enter(pattern, at(pattern));
            }
            let ends = Interval::around(pair.mean(), half);
            let distance = pair.n * half * (1.0 - ROUNDING);
            for_each_beyond(differences, signs, ends, distance, |pattern| {
                if largest[pattern] < limit {
                    enter(pattern, at(pattern));
                }
            });
        }
        accepted.ends(keep)
    }
}

/// Where all differences are equal, a pattern accepts their mean or every value.
fn without_spread(pair: &SampledPair, signs: &[f64], largest: &[f64], keep: usize) -> Interval {
    let patterns = signs.iter().zip(largest);
    let n_everything = patterns
        .filter(|(signs, largest)| signs.abs() >= pair.n || **largest * **largest >= pair.n)
        .count();
    if n_everything < keep {
        Interval::around(pair.mean(), 0.0)
    } else {
        EVERYTHING
    }
}

/// The interval of one pair alone.
pub(super) fn own_ends(
    pair: &SampledPair,
    differences: &[f64],
    signs: &[f64],
    keep: Option<usize>,
) -> Interval {
    let Some(keep) = keep.filter(|keep| *keep <= differences.len()) else {
        return EVERYTHING;
    };
    let mut accepted = AcceptedValues::default();
    for (difference, signs) in differences.iter().zip(signs) {
        let (low, high) = pair.accepted_by(*difference, *signs);
        accepted.enter(low, high);
    }
    accepted.ends(keep)
}

/// The ends of the intervals that single patterns accept.
#[derive(Default)]
struct AcceptedValues {
    lows: Vec<f64>,
    /// Negated.
    highs: Vec<f64>,
}

impl AcceptedValues {
    fn enter(&mut self, low: f64, high: f64) {
        self.lows.push(low);
        self.highs.push(-high);
    }

    /// The ends with this place from outside.
    fn ends(mut self, keep: usize) -> Interval {
        let place =
            |numbers: &mut Vec<f64>| *numbers.select_nth_unstable_by(keep - 1, f64::total_cmp).1;
        Interval {
            low: place(&mut self.lows),
            high: -place(&mut self.highs),
        }
    }
}

/// Calls `visit` with the patterns that accept a value beyond one of the ends, which have this
/// distance from the sum when multiplied by the number of seeds.
fn for_each_beyond(
    differences: &[f64],
    signs: &[f64],
    ends: Interval,
    distance: f64,
    mut visit: impl FnMut(usize),
) {
    let is_beyond = |difference: f64, signs: f64| {
        (difference - ends.low * signs).abs() >= distance
            || (difference - ends.high * signs).abs() >= distance
    };
    let chunks = differences.chunks(CHUNK).zip(signs.chunks(CHUNK));
    for (number, (differences, signs)) in chunks.enumerate() {
        let mut any = false;
        for (difference, signs) in differences.iter().zip(signs) {
            any |= ((difference - ends.low * signs).abs() >= distance)
                | ((difference - ends.high * signs).abs() >= distance);
        }
        if any {
            for (place, (difference, signs)) in differences.iter().zip(signs).enumerate() {
                if is_beyond(*difference, *signs) {
                    visit(number * CHUNK + place);
                }
            }
        }
    }
}

/// The largest distance from the mean of a value whose statistic is at most `statistic`.
fn half_width(statistic: f64, n: f64, spread: f64) -> f64 {
    let left = n - statistic * statistic;
    if left <= 0.0 {
        f64::INFINITY
    } else {
        statistic * (spread / (n * left)).sqrt()
    }
}
