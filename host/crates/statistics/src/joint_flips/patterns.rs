//! The sign patterns of the joint test, and the sums of columns of numbers under each of them.

use std::ops::Range;

use rand::{Rng, SeedableRng, rngs::Xoshiro256PlusPlus};

use crate::{as_f64, effort::Effort, joint_sample::JointSample};

/// Fixed, so that the same games have the same p-values in every report.
const SEED: u64 = 4096;

/// Sums are compared with this tolerance, because square roots are rounded.
pub(super) const ROUNDING: f64 = 1e-12;

/// The number of signs that one row of a table of sums covers.
const GROUP: usize = 8;

/// The patterns whose signs are drawn together.
const BLOCK: usize = 4_096;

/// The additions that all patterns of one ranking may take together.
const MOST_ADDITIONS: usize = 30_000_000;

/// With fewer random patterns, p-values near 5% would be too coarse.
const FEWEST_PATTERNS: usize = 999;

/// Beyond this number of seeds there are too many patterns to count.
const MOST_SEEDS_TO_ENUMERATE: usize = 20;

/// The sign patterns that were tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patterns {
    pub count: usize,
    /// Whether these are all patterns.
    pub all: bool,
}

impl Patterns {
    pub(super) fn for_sample(sample: &JointSample, effort: Effort) -> Self {
        let groups = sample.n_seeds().div_ceil(GROUP);
        let additions = sample.n_columns() * groups + GROUP * sample.pairs.len();
        let affordable = MOST_ADDITIONS / additions.max(1);
        let n_random = effort.flips.min(affordable).max(FEWEST_PATTERNS);
        // The opposite of a pattern is as extreme, so the last sign need not be flipped.
        let n_free = sample.n_seeds().saturating_sub(1);
        // All patterns are better than random ones, and cheaper if they are fewer.
        if sample.n_seeds() <= MOST_SEEDS_TO_ENUMERATE
            && 1 << n_free <= n_random.max(affordable.min(GROUP * effort.flips))
        {
            return Self {
                count: 1 << n_free,
                all: true,
            };
        }
        Self {
            count: n_random,
            all: false,
        }
    }

    /// The share of extreme patterns. Among random ones, the observed one counts as well: this is
    /// the estimate (b + 1) / (m + 1) of Davison and Hinkley, "Bootstrap Methods and their
    /// Application" (1997), section 4.2, which never claims too much.
    pub(super) fn p_value(self, n_extreme: u64) -> f64 {
        let n_extreme = crate::as_f64(n_extreme);
        if self.all {
            n_extreme / as_f64(self.count)
        } else {
            (n_extreme + 1.0) / as_f64(self.count + 1)
        }
    }

    /// The most extreme patterns that a p-value of at most `significance` may have; `None` where
    /// no p-value is that small.
    pub(super) fn n_rejected(self, significance: f64) -> Option<usize> {
        let n = |count: usize| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "between 0 and the number of patterns"
            )]
            let whole = (significance * as_f64(count) * (1.0 + ROUNDING)).floor() as usize;
            whole
        };
        if self.all {
            Some(n(self.count))
        } else {
            n(self.count + 1).checked_sub(1)
        }
    }

    /// Whether every seed is flipped under each pattern, as -1 or 0.
    pub(super) fn rows(self, n_seeds: usize) -> Vec<Vec<i32>> {
        let mut rows = vec![vec![0; self.count]; n_seeds];
        self.for_each_group(n_seeds, |group, patterns, signs| {
            let seeds = rows.iter_mut().skip(group * GROUP).take(GROUP);
            for (place, row) in seeds.enumerate() {
                for (is_flipped, byte) in row[patterns.clone()].iter_mut().zip(signs) {
                    *is_flipped = -i32::from(byte >> place & 1);
                }
            }
        });
        rows
    }

    /// For each column, which has one number per seed, its sum under every pattern.
    ///
    /// Eight signs are handled at once: a table has the sums of eight numbers for each pattern of
    /// their signs.
    pub(super) fn sums_of(self, columns: &[Vec<f64>], n_seeds: usize) -> Vec<Vec<f64>> {
        let mut sums = vec![vec![0.0; self.count]; columns.len()];
        self.for_each_group(n_seeds, |group, patterns, signs| {
            for (column, sums) in columns.iter().zip(&mut sums) {
                let table = sums_of_group(column, group);
                for (sum, byte) in sums[patterns.clone()].iter_mut().zip(signs) {
                    *sum += table[usize::from(*byte)];
                }
            }
        });
        sums
    }

    /// Calls `visit` with every group of eight seeds, some patterns, and the flips of these seeds under
    /// each of them.
    fn for_each_group(self, n_seeds: usize, mut visit: impl FnMut(usize, Range<usize>, &[u8])) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
        let mut signs = [0_u8; BLOCK];
        for start in (0..self.count).step_by(BLOCK) {
            let end = self.count.min(start + BLOCK);
            for group in 0..n_seeds.div_ceil(GROUP) {
                if self.all {
                    for (pattern, byte) in (start..end).zip(&mut signs) {
                        *byte = (pattern >> (group * GROUP)).to_le_bytes()[0];
                    }
                } else {
                    // The last block draws as many, so no pattern depends on their number.
                    let length = BLOCK.min(self.count).next_multiple_of(8);
                    for eight in signs[..length].chunks_exact_mut(8) {
                        eight.copy_from_slice(&random.next_u64().to_le_bytes());
                    }
                }
                visit(group, start..end, &signs);
            }
        }
    }
}

/// The sums of a group of numbers for every pattern of its signs, each from the pattern with one
/// flip less.
fn sums_of_group(column: &[f64], group: usize) -> [f64; 1 << GROUP] {
    let mut numbers = [0.0; GROUP];
    for (number, known) in numbers.iter_mut().zip(column.iter().skip(group * GROUP)) {
        *number = *known;
    }
    let mut table = [numbers.iter().sum(); 1 << GROUP];
    for pattern in 1..table.len() {
        let flipped = pattern & (pattern - 1);
        let place = pattern.trailing_zeros() as usize;
        table[pattern] = table[flipped] - 2.0 * numbers[place];
    }
    table
}
