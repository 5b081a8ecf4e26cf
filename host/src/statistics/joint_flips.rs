//! The sign-flip test of all pairs of a tournament at once: p-values and intervals.
//!
//! If no agent were better, the differences of a seed could as well have the opposite signs.
//! Flipping all differences of a seed together keeps the dependence between pairs (Romano and
//! Wolf, "Exact and Approximate Stepdown Methods for Multiple Hypothesis Testing", JASA 100,
//! 2005). The statistic of a pair is `|sum| / sqrt(sum of squares)`; it orders sign patterns like
//! Student's t, and it is bounded, so that a pair with few seeds does not drown the others.
//!
//! P-values are stepped down: each pair is compared with the largest statistic among itself and
//! the pairs with less evidence (Westfall and Young, "Resampling-Based Multiple Testing", 1993).
//! The chance of any false claim is then at most the level.
//!
//! Intervals invert the test. A value stays in the interval of a pair if, with this value
//! subtracted from its differences and the mean from those of all others, the largest statistic
//! is often enough at least as large as the observed one. For one pattern these values form an
//! interval around the mean whose ends have a closed form, so the ends for all patterns are
//! quantiles of these, without a search.

#[cfg(test)]
mod tests;

use rand::{Rng, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{effort::Effort, interval::Interval, joint_sample::JointSample, length};

/// Fixed, so that the same games have the same p-values in every report.
const SEED: u64 = 4096;

/// The number of signs that one row of a table of sums covers.
const GROUP: usize = 8;

/// The additions that all patterns of one ranking may take together.
const MOST_ADDITIONS: usize = 30_000_000;

/// With fewer random patterns, p-values near 5% would be too coarse.
const FEWEST_PATTERNS: usize = 999;

/// Beyond this number of seeds there are too many patterns to count.
const MOST_SEEDS_TO_ENUMERATE: usize = 20;

/// Sums are compared with this tolerance, because square roots are rounded.
const ROUNDING: f64 = 1e-12;

#[derive(Clone, Debug, PartialEq)]
pub struct JointTest {
    /// In the order of the pairs of the sample.
    pub results: Vec<JointResult>,
    pub patterns: Patterns,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointResult {
    /// Corrected for all pairs.
    pub p_value: f64,
    /// Of this pair alone.
    pub own_p_value: f64,
    /// Holds together with those of all other pairs; infinite where seeds are too few.
    pub simultaneous: Interval,
    /// Of this pair alone.
    pub own: Interval,
}

/// The sign patterns that were tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patterns {
    pub count: usize,
    /// Whether they are all there are.
    pub all: bool,
}

/// The error rates of the two kinds of interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalErrors {
    pub simultaneous: f64,
    pub own: f64,
}

/// The share of the error rate that the interval of the only pair gets. Skewed differences need
/// the rest. Chosen by simulation; see `docs/statistics.md`.
const SHARE_OF_ONE_INTERVAL: f64 = 0.6;

/// The share that simultaneous intervals get. Claims about pairs that are truly equal need a part
/// of the rest as well, because a stepped-down test finds them without regard to the intervals.
const SHARE_OF_INTERVALS: f64 = 0.3;

impl IntervalErrors {
    #[must_use]
    pub fn for_sample(sample: &JointSample, significance: f64) -> Self {
        let share = match sample.pairs.len() {
            0 | 1 => SHARE_OF_ONE_INTERVAL,
            _ => SHARE_OF_INTERVALS,
        };
        // A rate that no p-value reaches would leave intervals without ends.
        let least = smallest_p_value(sample.n_seeds);
        Self {
            simultaneous: (share * significance).max(least).min(significance),
            own: significance,
        }
    }
}

/// The smallest p-value that so many seeds can give: that of one pattern and its opposite.
#[must_use]
pub fn smallest_p_value(n_seeds: usize) -> f64 {
    0.5_f64.powi(i32::try_from(n_seeds.saturating_sub(1)).unwrap_or(i32::MAX))
}

impl Patterns {
    fn for_sample(sample: &JointSample, effort: Effort) -> Self {
        let groups = sample.n_seeds.div_ceil(GROUP);
        let additions = sample.columns.len() * groups + GROUP * sample.pairs.len();
        let affordable = MOST_ADDITIONS / additions.max(1);
        // The opposite of a pattern is as extreme, so the last sign need not be flipped.
        let n_free = sample.n_seeds.saturating_sub(1);
        if sample.n_seeds <= MOST_SEEDS_TO_ENUMERATE
            && 1 << n_free <= affordable.min(GROUP * effort.flips)
        {
            return Self {
                count: 1 << n_free,
                all: true,
            };
        }
        Self {
            count: effort.flips.min(affordable).max(FEWEST_PATTERNS),
            all: false,
        }
    }

    /// The share of patterns; of random ones, the observed one counts as well. This is the
    /// estimate (b + 1) / (m + 1) of Davison and Hinkley, "Bootstrap Methods and their
    /// Application" (1997), section 4.2, which never claims too much.
    fn p_value(self, n_extreme: usize) -> f64 {
        if self.all {
            length(n_extreme) / length(self.count)
        } else {
            length(n_extreme + 1) / length(self.count + 1)
        }
    }

    /// The most extreme patterns that a p-value of at most `significance` may have; `None` where
    /// no p-value is that small.
    fn n_rejected(self, significance: f64) -> Option<usize> {
        let n = |count: usize| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "between 0 and the number of patterns"
            )]
            let whole = (significance * length(count) * (1.0 + ROUNDING)).floor() as usize;
            whole
        };
        if self.all {
            Some(n(self.count))
        } else {
            n(self.count + 1).checked_sub(1)
        }
    }
}

/// Tests all pairs of a sample together.
#[must_use]
pub fn test_jointly(sample: &JointSample, errors: IntervalErrors, effort: Effort) -> JointTest {
    let patterns = Patterns::for_sample(sample, effort);
    let pairs = &sample.pairs;
    let roots: Vec<f64> = pairs.iter().map(|pair| pair.squares.sqrt()).collect();
    let spreads: Vec<f64> = pairs.iter().map(|pair| pair.spread().sqrt()).collect();
    let observed: Vec<f64> = pairs
        .iter()
        .zip(&roots)
        .map(|(pair, root)| ratio(pair.sum, *root) * (1.0 - ROUNDING))
        .collect();
    // From the least to the most evidence.
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_by(|&a, &b| observed[a].total_cmp(&observed[b]));
    let mut n_extreme = vec![0; pairs.len()];
    let mut n_extreme_alone = vec![0; pairs.len()];
    let tails = |significance| {
        let keep = patterns.n_rejected(significance).map(|n| n + 1);
        vec![(Smallest::new(keep), Smallest::new(keep)); pairs.len()]
    };
    let mut simultaneous = tails(errors.simultaneous);
    let mut own = tails(errors.own);
    for_each_pattern(sample, patterns, |sums| {
        let (mut largest, mut second, mut largest_pair) = (0.0_f64, 0.0_f64, usize::MAX);
        let mut running = 0.0_f64;
        for &index in &order {
            let (sum, signs) = pairs[index].flipped(sums);
            let alone = ratio(sum, roots[index]);
            n_extreme_alone[index] += usize::from(alone >= observed[index]);
            running = running.max(alone);
            n_extreme[index] += usize::from(running >= observed[index]);
            let centred = ratio(sum - signs * pairs[index].mean(), spreads[index]);
            if centred > largest {
                (second, largest, largest_pair) = (largest, centred, index);
            } else {
                second = second.max(centred);
            }
        }
        for (index, pair) in pairs.iter().enumerate() {
            let others = if index == largest_pair {
                second
            } else {
                largest
            };
            let (sum, signs) = pair.flipped(sums);
            let (low, high) = accepted_by_pattern(pair.sum, sum, pair.n, signs);
            own[index].0.push(low);
            own[index].1.push(-high);
            let half = half_width(others, pair.n, pair.spread());
            simultaneous[index].0.push(low.min(pair.mean() - half));
            simultaneous[index].1.push(-high.max(pair.mean() + half));
        }
    });
    let mut p_values = vec![1.0; pairs.len()];
    let mut highest = 0.0_f64;
    for &index in order.iter().rev() {
        highest = highest.max(patterns.p_value(n_extreme[index]));
        p_values[index] = highest;
    }
    let results = p_values
        .into_iter()
        .zip(n_extreme_alone)
        .zip(simultaneous.into_iter().zip(own))
        .map(|((p_value, alone), (simultaneous, own))| JointResult {
            p_value,
            own_p_value: patterns.p_value(alone),
            simultaneous: ends(simultaneous),
            own: ends(own),
        })
        .collect();
    JointTest { results, patterns }
}

fn ends((mut low, mut high): (Smallest, Smallest)) -> Interval {
    Interval {
        low: low.last().unwrap_or(f64::NEG_INFINITY),
        high: high.last().map_or(f64::INFINITY, |high| -high),
    }
}

/// `|sum| / root`; 0 where all differences are 0.
fn ratio(sum: f64, root: f64) -> f64 {
    if root > 0.0 { sum.abs() / root } else { 0.0 }
}

/// The values `v` for which a pattern is at least as extreme as the data after `v` has been
/// subtracted: `|flipped - v signs| >= |sum - v n|`. The mean is always among them.
fn accepted_by_pattern(sum: f64, flipped: f64, n: f64, signs: f64) -> (f64, f64) {
    if signs.abs() >= n {
        return (f64::NEG_INFINITY, f64::INFINITY);
    }
    let (one, other) = ((sum - flipped) / (n - signs), (sum + flipped) / (n + signs));
    (one.min(other), one.max(other))
}

/// How far from the mean a value may be whose statistic is at most `statistic`.
fn half_width(statistic: f64, n: f64, spread: f64) -> f64 {
    let left = n - statistic * statistic;
    if left <= 0.0 {
        f64::INFINITY
    } else {
        statistic * (spread / (n * left)).sqrt()
    }
}

/// Calls `visit` with the sums of all columns under every pattern.
fn for_each_pattern(sample: &JointSample, patterns: Patterns, mut visit: impl FnMut(&[f64])) {
    let width = sample.columns.len();
    if width == 0 {
        return;
    }
    let n_groups = sample.n_seeds.div_ceil(GROUP);
    let block = (1 << 19) / width;
    let block = block.clamp(64, 4_096).min(patterns.count);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut sums = vec![0.0; block * width];
    let mut signs = vec![0_u8; block.next_multiple_of(8)];
    let mut table = vec![0.0; width << GROUP];
    for start in (0..patterns.count).step_by(block) {
        let n_patterns = block.min(patterns.count - start);
        sums.fill(0.0);
        for group in 0..n_groups {
            if patterns.all {
                for (pattern, byte) in (start..).zip(&mut signs) {
                    *byte = (pattern >> (group * GROUP)).to_le_bytes()[0];
                }
            } else {
                for eight in signs.chunks_exact_mut(8) {
                    eight.copy_from_slice(&random.next_u64().to_le_bytes());
                }
            }
            fill_table(&mut table, sample, group);
            for (sums, byte) in sums.chunks_exact_mut(width).zip(&signs) {
                let row = &table[usize::from(*byte) * width..][..width];
                for (sum, addend) in sums.iter_mut().zip(row) {
                    *sum += addend;
                }
            }
        }
        for sums in sums.chunks_exact(width).take(n_patterns) {
            visit(sums);
        }
    }
}

/// The sums of a group of seeds for every pattern of its signs, each from the pattern with one
/// flip less.
fn fill_table(table: &mut [f64], sample: &JointSample, group: usize) {
    let width = sample.columns.len();
    let number = |place: usize, column: usize| {
        let column = &sample.columns[column];
        column.get(group * GROUP + place).copied().unwrap_or(0.0)
    };
    for (column, sum) in table.iter_mut().enumerate().take(width) {
        *sum = (0..GROUP).map(|place| number(place, column)).sum();
    }
    for pattern in 1..1 << GROUP {
        let flipped = pattern as usize & (pattern as usize - 1);
        let place = u32::trailing_zeros(pattern) as usize;
        for column in 0..width {
            table[pattern as usize * width + column] =
                table[flipped * width + column] - 2.0 * number(place, column);
        }
    }
}

/// The smallest of many numbers.
#[derive(Clone, Debug)]
struct Smallest {
    /// `None` keeps nothing.
    keep: Option<usize>,
    numbers: Vec<f64>,
    /// Larger numbers need not be kept.
    limit: f64,
}

impl Smallest {
    fn new(keep: Option<usize>) -> Self {
        Self {
            keep,
            numbers: Vec::new(),
            limit: f64::INFINITY,
        }
    }

    fn push(&mut self, number: f64) {
        let Some(keep) = self.keep.filter(|_| number < self.limit) else {
            return;
        };
        self.numbers.push(number);
        if self.numbers.len() >= 2 * keep + GROUP {
            self.shrink(keep);
        }
    }

    fn shrink(&mut self, keep: usize) {
        let (_, &mut limit, _) = self
            .numbers
            .select_nth_unstable_by(keep - 1, f64::total_cmp);
        self.limit = limit;
        self.numbers.truncate(keep);
    }

    /// The largest of the numbers to keep; `None` where there are too few.
    fn last(&mut self) -> Option<f64> {
        let keep = self.keep.filter(|keep| self.numbers.len() >= *keep)?;
        self.shrink(keep);
        self.numbers.iter().copied().max_by(f64::total_cmp)
    }
}
