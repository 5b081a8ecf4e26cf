//! The time an agent used: the figures that show whether budgets were equal.

use std::{collections::BTreeMap, time::Duration};

use plugin_api::Clock;
use serde::Serialize;

use run::{game_figures::GameFigures, move_times::bucket_width};
use statistics::as_f64;

/// The times of all moves of an agent under one budget.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TimeUse {
    pub n_moves: u64,
    /// CPU time, interpolated within the bucket of the histogram.
    pub median_us: Option<f64>,
    pub p99_us: Option<f64>,
    /// The slowest move, on the budget's clock.
    pub max_us: f64,
    pub cpu_ms: f64,
    pub wall_ms: f64,
    pub cpu_ms_per_move: Option<f64>,
    pub wall_ms_per_move: Option<f64>,
    pub cpu_ms_per_game: Option<f64>,
    pub moves_per_cpu_second: Option<f64>,
    /// The share of moves × `per_move` that was used; the bank allows slightly more than 1.
    pub budget_share: Option<f64>,
    pub overruns: u64,
    pub overdrawn_us: u64,
    pub threads: u64,
    pub nodes: u64,
    /// `None` where the agent does not count nodes.
    pub nodes_per_cpu_ms: Option<f64>,
    /// By the number of empty cells, ascending; numbers that never occurred are left out.
    pub by_empty: Vec<EmptyCellsTime>,
}

/// The turns on boards with the same number of empty cells.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EmptyCellsTime {
    pub empty: u64,
    pub turns: u64,
    pub cpu_us_per_turn: f64,
}

/// The times of games, added up. A log can contain anything: sums saturate.
#[derive(Default)]
struct TimeSums {
    n_moves: u64,
    nodes: u64,
    overruns: u64,
    overdrawn_us: u64,
    /// The most of any game.
    threads: u64,
    cpu_ms: f64,
    wall_ms: f64,
    max_us: f64,
    histogram: BucketSums,
    /// By the number of empty cells: turns, and their CPU time.
    by_empty: Vec<(u64, u64)>,
}

impl TimeUse {
    #[must_use]
    pub fn of(records: &[&GameFigures], per_move: Option<(Duration, Clock)>) -> Self {
        let mut sums = TimeSums::default();
        for record in records {
            sums.add(record);
        }
        let TimeSums {
            n_moves,
            nodes,
            cpu_ms,
            wall_ms,
            max_us,
            ..
        } = sums;
        let per = |amount: f64, of: f64| (of > 0.0).then_some(amount / of);
        let histogram = sums.histogram.in_order();
        let quantile = |share| {
            // A bucket may end beyond the slowest move.
            let time = histogram_quantile(&histogram, share)?;
            Some(if max_us > 0.0 { time.min(max_us) } else { time })
        };
        Self {
            n_moves,
            median_us: quantile(0.5),
            p99_us: quantile(0.99),
            max_us,
            cpu_ms,
            wall_ms,
            cpu_ms_per_move: per(cpu_ms, as_f64(n_moves)),
            wall_ms_per_move: per(wall_ms, as_f64(n_moves)),
            cpu_ms_per_game: per(cpu_ms, as_f64(records.len())),
            moves_per_cpu_second: per(as_f64(n_moves), cpu_ms / 1e3),
            budget_share: per_move.and_then(|(per_move, clock)| {
                let used_ms = match clock {
                    Clock::Cpu => cpu_ms,
                    Clock::Wall => wall_ms,
                };
                per(used_ms, as_f64(n_moves) * per_move.as_secs_f64() * 1e3)
            }),
            overruns: sums.overruns,
            overdrawn_us: sums.overdrawn_us,
            threads: sums.threads,
            nodes,
            nodes_per_cpu_ms: per(as_f64(nodes), cpu_ms).filter(|_| nodes > 0),
            by_empty: times_by_empty(&sums.by_empty),
        }
    }
}

impl TimeSums {
    fn add(&mut self, record: &GameFigures) {
        for (sum, number) in [
            (&mut self.n_moves, record.n_moves),
            (&mut self.nodes, record.nodes),
            (&mut self.overruns, record.overruns()),
            (&mut self.overdrawn_us, record.overdrawn_us()),
        ] {
            *sum = sum.saturating_add(number);
        }
        self.threads = self.threads.max(record.threads);
        self.cpu_ms += record.cpu_ms;
        self.wall_ms += record.wall_ms;
        self.max_us = self.max_us.max(record.slowest_move_us);
        for (upper_end, n_moves) in record.cpu_us_histogram.iter() {
            self.histogram.add(upper_end, n_moves);
        }
        // A board has at most 64 cells, whatever a log contains.
        for (empty, (turns, cpu_us)) in record.cpu_us_by_empty.iter().take(65).enumerate() {
            if self.by_empty.len() <= empty {
                self.by_empty.push((0, 0));
            }
            let sum = &mut self.by_empty[empty];
            *sum = (sum.0.saturating_add(turns), sum.1.saturating_add(cpu_us));
        }
    }
}

fn times_by_empty(sums: &[(u64, u64)]) -> Vec<EmptyCellsTime> {
    (0..)
        .zip(sums)
        .filter(|(_, (turns, _))| *turns > 0)
        .map(|(empty, (turns, cpu_us))| EmptyCellsTime {
            empty,
            turns: *turns,
            cpu_us_per_turn: as_f64(*cpu_us) / as_f64(*turns),
        })
        .collect()
}

/// The time of this quantile, if the times of a bucket are spread evenly over it. At the upper
/// end of its bucket, a median just within the budget would seem to exceed it.
fn histogram_quantile(histogram: &BTreeMap<u64, u64>, share: f64) -> Option<f64> {
    let total = histogram.values().copied().fold(0, u64::saturating_add);
    let wanted = share * as_f64(total);
    let mut before: u64 = 0;
    for (&upper_end, &n_moves) in histogram {
        let so_far = before.saturating_add(n_moves);
        if n_moves > 0 && as_f64(so_far) >= wanted {
            let width = as_f64(bucket_width(upper_end));
            let part = ((wanted - as_f64(before)) / as_f64(n_moves)).clamp(0.0, 1.0);
            return Some(as_f64(upper_end) - (1.0 - part) * width);
        }
        before = so_far;
    }
    None
}

/// Histograms of many games, added up: numbers of moves by the upper end of their bucket in
/// microseconds.
///
/// Hosts write the same few hundred buckets for every game, so each of these has its place in a
/// list. A log can contain anything: other buckets are kept in a map.
#[derive(Clone, Debug, Default)]
struct BucketSums {
    /// Those of the buckets that hosts write, by [`place_of`].
    usual: Vec<u64>,
    others: BTreeMap<u64, u64>,
}

impl BucketSums {
    fn add(&mut self, upper_end: u64, n_moves: u64) {
        let (place, usual_end) = place_of(upper_end);
        let sum = if usual_end == upper_end {
            if self.usual.len() <= place {
                self.usual.resize(place + 1, 0);
            }
            &mut self.usual[place]
        } else {
            self.others.entry(upper_end).or_default()
        };
        *sum = sum.saturating_add(n_moves);
    }

    /// The buckets in ascending order; those without moves are left out.
    fn in_order(self) -> BTreeMap<u64, u64> {
        let mut buckets = self.others;
        for (place, n_moves) in self.usual.into_iter().enumerate() {
            if n_moves > 0 {
                buckets.insert(end_at(place), n_moves);
            }
        }
        buckets
    }
}

/// The place of the last usual bucket that ends at or before this time, and its end. Usual
/// buckets end at a number of at most four bits times a power of 2; see `TimeCollection`.
fn place_of(upper_end: u64) -> (usize, u64) {
    let exponent = upper_end.max(1).ilog2().saturating_sub(3);
    let leading = upper_end >> exponent;
    let place = u64::from(exponent) * 8 + leading;
    (
        usize::try_from(place).expect("below 512"),
        leading << exponent,
    )
}

/// The end of the usual bucket at this place.
fn end_at(place: usize) -> u64 {
    let exponent = (place / 8).saturating_sub(1);
    ((place - 8 * exponent) as u64) << exponent
}

#[cfg(test)]
mod tests {
    use super::*;
    use run::{
        example::{figures_of, record},
        game_record::GameRecord,
        move_times::TimeCollection,
    };

    fn timed(n_moves: u64, cpu_ms: f64, histogram: &[(u64, u64)]) -> GameFigures {
        figures_of(&GameRecord {
            n_moves,
            cpu_ms,
            wall_ms: cpu_ms * 2.0,
            nodes: 1_000,
            cpu_us_histogram: histogram.iter().copied().collect(),
            ..record("a", 1, 0)
        })
    }

    #[test]
    fn histograms_of_games_add_up() {
        let games = [
            timed(100, 40.0, &[(256, 60), (512, 40)]),
            timed(100, 60.0, &[(512, 99), (1024, 1)]),
        ];
        let time = TimeUse::of(&[&games[0], &games[1]], None);
        // 60 moves up to 256 µs, 139 in the bucket from 480 to 512, one up to 1024. Of the
        // 139, 40 are up to the median and 138 up to the 99th percentile.
        let close = |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 1e-9;
        assert!(
            close(time.median_us, 480.0 + 32.0 * 40.0 / 139.0),
            "{time:?}"
        );
        assert!(close(time.p99_us, 480.0 + 32.0 * 138.0 / 139.0), "{time:?}");
        assert_eq!(time.cpu_ms_per_move, Some(0.5));
        assert_eq!(time.nodes_per_cpu_ms, Some(20.0));
    }

    #[test]
    fn times_by_empty_cells_add_up() {
        let of = |by_empty: &[(u64, u64)]| {
            figures_of(&GameRecord {
                cpu_us_by_empty: by_empty.to_vec(),
                ..record("a", 1, 0)
            })
        };
        let games = [of(&[(2, 300), (0, 0), (4, 100)]), of(&[(1, 60)]), of(&[])];
        let time = TimeUse::of(&games.iter().collect::<Vec<_>>(), None);
        let found: Vec<(u64, u64, f64)> = time
            .by_empty
            .iter()
            .map(|time| (time.empty, time.turns, time.cpu_us_per_turn))
            .collect();
        assert_eq!(found, [(0, 3, 120.0), (2, 4, 25.0)]);
    }

    #[test]
    fn the_share_of_the_budget_is_on_its_own_clock() {
        let game = timed(100, 40.0, &[]);
        let share = |clock| {
            let per_move = Some((Duration::from_millis(1), clock));
            TimeUse::of(&[&game], per_move).budget_share
        };
        assert_eq!(share(Clock::Cpu), Some(0.4));
        assert_eq!(share(Clock::Wall), Some(0.8));
    }

    #[test]
    fn without_moves_there_is_no_time_per_move() {
        let time = TimeUse::of(&[], Some((Duration::from_millis(1), Clock::Cpu)));
        assert_eq!(time, TimeUse::default());
    }

    /// The end of the bucket of a time, as it is in records.
    fn end_of(microseconds: u64) -> u64 {
        let mut times = TimeCollection::default();
        times.push(Duration::from_micros(microseconds), 0);
        *times.histogram().keys().next().expect("one bucket")
    }

    #[test]
    fn every_bucket_of_a_record_has_a_place_of_its_own() {
        let ends = (0..4_000).chain((12..44).map(|exponent| (1 << exponent) + 1));
        for end in ends.map(end_of) {
            let (place, usual_end) = place_of(end);
            assert_eq!((usual_end, end_at(place)), (end, end));
        }
        assert!(place_of(u64::MAX).0 < 512);
    }

    proptest::proptest! {
        #[test]
        fn sums_are_those_of_a_map(buckets: Vec<(u64, u32)>, small: Vec<(u8, u32)>) {
            let small = small.into_iter().map(|(end, n)| (u64::from(end), n));
            let (mut sums, mut expected) = (BucketSums::default(), BTreeMap::new());
            for (end, n_moves) in buckets.into_iter().chain(small) {
                sums.add(end, u64::from(n_moves));
                *expected.entry(end).or_insert(0) += u64::from(n_moves);
            }
            let mut found = sums.in_order();
            found.retain(|_, n_moves| *n_moves > 0);
            expected.retain(|_, n_moves| *n_moves > 0);
            assert_eq!(found, expected);
        }
    }
}
