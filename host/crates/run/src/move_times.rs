//! The times of the moves of one game, and their summary in the record.

use std::{collections::BTreeMap, time::Duration};

use crate::game_record::MoveTimes;

/// The times of the moves so far, in nanoseconds: adding one is part of every turn.
#[derive(Clone, Debug, Default)]
pub struct TimeCollection {
    times: Vec<u64>,
    /// By the number of empty cells: the number of turns, and their time together.
    by_empty: Vec<(u64, u64)>,
}

impl TimeCollection {
    /// For a game of about so many moves, which then need no more memory.
    #[must_use]
    pub fn with_capacity(n_moves: usize) -> Self {
        Self {
            times: Vec::with_capacity(n_moves),
            by_empty: Vec::new(),
        }
    }

    /// Adds the time of a turn on a board with so many empty cells.
    pub fn push(&mut self, time: Duration, n_empty: usize) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        if self.by_empty.len() <= n_empty {
            self.by_empty.resize(n_empty + 1, (0, 0));
        }
        let (n_turns, sum) = &mut self.by_empty[n_empty];
        *n_turns += 1;
        *sum = sum.saturating_add(nanoseconds);
        self.times.push(nanoseconds);
    }

    #[must_use]
    pub fn total(&self) -> Duration {
        let sums = self.by_empty.iter().map(|(_, sum)| *sum);
        Duration::from_nanos(sums.fold(0, u64::saturating_add))
    }

    /// By the number of empty cells, from 0: the number of turns and their time in
    /// microseconds.
    #[must_use]
    pub fn by_empty_cells(&self) -> Vec<(u64, u64)> {
        let by_empty = self.by_empty.iter();
        by_empty
            .map(|(n_turns, nanoseconds)| (*n_turns, nanoseconds / 1000))
            .collect()
    }

    /// Median, 99th percentile (nearest rank) and maximum in microseconds; zeros if there
    /// are no moves.
    #[must_use]
    pub fn quantiles(&self) -> MoveTimes {
        let mut times = self.times.clone();
        times.sort_unstable();
        let at_rank = |percent: usize| {
            let rank = (times.len() * percent).div_ceil(100);
            let time = times.get(rank.saturating_sub(1)).copied();
            Duration::from_nanos(time.unwrap_or(0)).as_secs_f64() * 1e6
        };
        MoveTimes {
            p50: at_rank(50),
            p99: at_rank(99),
            max: at_rank(100),
        }
    }

    /// The number of moves in each bucket, by the upper end of the bucket in microseconds.
    /// Buckets are logarithmic, eight per doubling, and the same for every game, so that
    /// histograms can be added up.
    #[must_use]
    pub fn histogram(&self) -> BTreeMap<u64, u64> {
        let mut buckets = BTreeMap::new();
        for &time in &self.times {
            let microseconds = time.div_ceil(1000);
            *buckets.entry(bucket_end(microseconds)).or_default() += 1;
        }
        buckets
    }
}

/// The width of the bucket with this upper end.
#[must_use]
pub fn bucket_width(upper_end: u64) -> u64 {
    let largest_below = upper_end.saturating_sub(1).max(1);
    1 << largest_below.ilog2().saturating_sub(3)
}

/// The smallest of 1, 2, …, 15, 16, 18, 20, …, 30, 32, 36, … that is at least this time.
fn bucket_end(microseconds: u64) -> u64 {
    let value = microseconds.max(1);
    let step = 1 << value.ilog2().saturating_sub(3);
    value.div_ceil(step) * step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_logarithmic() {
        let ends: Vec<u64> = [0, 1, 2, 15, 16, 17, 18, 19, 32, 33, 1000, 1025]
            .map(bucket_end)
            .to_vec();
        assert_eq!(ends, [1, 1, 2, 15, 16, 18, 18, 20, 32, 36, 1024, 1152]);
        let widths = [1, 16, 18, 32, 36, 1024, 1152].map(bucket_width);
        assert_eq!(widths, [1, 1, 2, 2, 4, 64, 128]);
    }

    #[test]
    fn quantiles_are_nearest_ranks() {
        let mut times = TimeCollection::default();
        for microseconds in (1..=200).rev() {
            times.push(Duration::from_micros(microseconds), 3);
        }
        let quantiles = times.quantiles();
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(close(quantiles.p50, 100.0));
        assert!(close(quantiles.p99, 198.0));
        assert!(close(quantiles.max, 200.0));
        assert_eq!(times.total(), Duration::from_micros(20_100));
        assert_eq!(times.histogram().values().sum::<u64>(), 200);
        times.push(Duration::from_micros(7), 1);
        let by_empty = [(0, 0), (1, 7), (0, 0), (200, 20_100)];
        assert_eq!(times.by_empty_cells(), by_empty);
    }

    #[test]
    fn the_quantiles_of_a_game_without_moves_are_zero() {
        assert_eq!(TimeCollection::default().quantiles(), MoveTimes::default());
    }
}
