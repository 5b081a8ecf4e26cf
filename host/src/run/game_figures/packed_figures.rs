//! What is only added up over games, in a few dozen bytes and one piece of memory per game.
//!
//! Every number is written in groups of seven bits, the lowest first; the eighth bit says that
//! more follow. The upper ends of the buckets of a histogram rise, so the differences between
//! them are written. A map with the same content is five times as large.

use std::{collections::BTreeMap, iter::from_fn};

use serde::Deserialize;

use crate::run::game_record::GameRecord;

/// Most histograms and times have no more bytes.
const USUAL_LENGTH: usize = 64;

/// `highest_at`, `crowded_moves`, `threads`, `overruns`, `overdrawn_us`, `nodes`, the histogram
/// after its length in bytes, and `cpu_us_by_empty` of a record. Each of the first two is written
/// plus one, and 0 if the record does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackedFigures(Box<[u8]>);

/// The histogram of a record: the number of moves in each bucket, by the upper end of the bucket
/// in microseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "BTreeMap<u64, u64>")]
pub struct PackedHistogram {
    bytes: Vec<u8>,
    /// The upper end of the last bucket.
    last: Option<u64>,
}

/// `cpu_us_by_empty` of a record: turns and CPU time by turns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Vec<(u64, u64)>")]
pub struct PackedTimes(Vec<u8>);

/// The times of a game, to be added up.
#[derive(Clone, Copy, Debug)]
pub struct GameTimes<'f> {
    pub threads: u64,
    pub overruns: u64,
    pub overdrawn_us: u64,
    pub nodes: u64,
    histogram: &'f [u8],
    by_empty: &'f [u8],
}

impl PackedFigures {
    /// Packs figures of a record. They are written to `room` first, whatever it holds, because
    /// memory that was too long at first leaves gaps.
    #[must_use]
    pub fn of<T, B>(
        record: &GameRecord<T, B, PackedHistogram, PackedTimes>,
        room: &mut Vec<u8>,
    ) -> Self {
        let (histogram, times) = (&record.cpu_us_histogram.bytes, &record.cpu_us_by_empty.0);
        room.clear();
        for number in [
            plus_one(record.highest_at),
            plus_one(record.crowded_moves),
            record.threads,
            record.overruns,
            record.overdrawn_us,
            record.nodes,
            histogram.len() as u64,
        ] {
            write(room, number);
        }
        room.extend_from_slice(histogram);
        room.extend_from_slice(times);
        Self(room.as_slice().into())
    }

    /// The number of moves after which the highest tile was on the board.
    #[must_use]
    pub fn highest_at(&self) -> Option<u64> {
        read(&mut &*self.0)?.checked_sub(1)
    }

    /// The moves since the board last had at least a quarter of its cells empty.
    #[must_use]
    pub fn crowded_moves(&self) -> Option<u64> {
        let mut bytes = &*self.0;
        read(&mut bytes)?;
        read(&mut bytes)?.checked_sub(1)
    }

    #[must_use]
    pub fn times(&self) -> GameTimes<'_> {
        let mut bytes = &*self.0;
        let mut next = || read(&mut bytes).unwrap_or(0);
        let [_, _, threads, overruns, overdrawn_us, nodes, length] = [(); 7].map(|()| next());
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let (histogram, by_empty) = bytes.split_at(length.min(bytes.len()));
        GameTimes {
            threads,
            overruns,
            overdrawn_us,
            nodes,
            histogram,
            by_empty,
        }
    }
}

impl<'f> GameTimes<'f> {
    /// The buckets of the histogram in ascending order: the upper end in microseconds and the
    /// number of moves.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, u64)> + use<'f> {
        let (mut bytes, mut last) = (self.histogram, 0);
        from_fn(move || {
            last += read(&mut bytes)?;
            Some((last, read(&mut bytes)?))
        })
    }

    /// By the number of empty cells, from 0: the number of turns and their CPU time in
    /// microseconds.
    pub fn by_empty(&self) -> impl Iterator<Item = (u64, u64)> + use<'f> {
        let mut bytes = self.by_empty;
        from_fn(move || Some((read(&mut bytes)?, read(&mut bytes)?)))
    }
}

impl PackedHistogram {
    #[must_use]
    pub fn of(buckets: &BTreeMap<u64, u64>) -> Self {
        let mut packed = Self::default();
        for (&upper_end, &n_moves) in buckets {
            packed
                .add(upper_end, n_moves)
                .expect("the keys of a map ascend");
        }
        packed
    }

    /// Adds a bucket; `None` if it does not follow the last one.
    pub(super) fn add(&mut self, upper_end: u64, n_moves: u64) -> Option<()> {
        if self.last.is_some_and(|last| upper_end <= last) {
            return None;
        }
        make_room(&mut self.bytes);
        write(&mut self.bytes, upper_end - self.last.unwrap_or(0));
        write(&mut self.bytes, n_moves);
        self.last = Some(upper_end);
        Some(())
    }
}

impl From<BTreeMap<u64, u64>> for PackedHistogram {
    fn from(buckets: BTreeMap<u64, u64>) -> Self {
        Self::of(&buckets)
    }
}

impl PackedTimes {
    #[must_use]
    pub fn of(times: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let mut packed = Self::default();
        for (n_turns, cpu_us) in times {
            packed.add(n_turns, cpu_us);
        }
        packed
    }

    pub(super) fn add(&mut self, n_turns: u64, cpu_us: u64) {
        make_room(&mut self.0);
        write(&mut self.0, n_turns);
        write(&mut self.0, cpu_us);
    }
}

impl From<Vec<(u64, u64)>> for PackedTimes {
    fn from(times: Vec<(u64, u64)>) -> Self {
        Self::of(times)
    }
}

fn make_room(bytes: &mut Vec<u8>) {
    if bytes.is_empty() {
        bytes.reserve(USUAL_LENGTH);
    }
}

fn plus_one(number: Option<u64>) -> u64 {
    number.map_or(0, |number| number.saturating_add(1))
}

fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(low_bits(number) | 0x80);
        number >>= 7;
    }
    bytes.push(low_bits(number));
}

fn low_bits(number: u64) -> u8 {
    u8::try_from(number & 0x7f).expect("seven bits")
}

fn read(bytes: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{example::record, game_figures::BriefRecord};

    fn packed(record: &GameRecord) -> PackedFigures {
        PackedFigures::of(&BriefRecord::of(record), &mut Vec::new())
    }

    proptest::proptest! {
        #[test]
        fn every_number_is_read_again(
            buckets: BTreeMap<u64, u64>,
            by_empty: Vec<(u64, u64)>,
            threads: u64,
            overruns: u64,
            overdrawn_us: u64,
            nodes: u64,
        ) {
            let packed = packed(&GameRecord {
                threads,
                overruns,
                overdrawn_us,
                nodes,
                cpu_us_histogram: buckets.clone(),
                cpu_us_by_empty: by_empty.clone(),
                ..record("a", 1, 0)
            });
            let times = packed.times();
            assert_eq!(times.buckets().collect::<BTreeMap<_, _>>(), buckets);
            assert_eq!(times.by_empty().collect::<Vec<_>>(), by_empty);
            assert_eq!(
                [times.threads, times.overruns, times.overdrawn_us, times.nodes],
                [threads, overruns, overdrawn_us, nodes]
            );
        }
    }

    #[test]
    fn a_course_is_read_again() {
        let course = |highest_at, crowded_moves| {
            let packed = packed(&GameRecord {
                highest_at,
                crowded_moves,
                ..record("a", 1, 0)
            });
            (packed.highest_at(), packed.crowded_moves())
        };
        assert_eq!(course(Some(0), Some(500)), (Some(0), Some(500)));
        assert_eq!(course(None, None), (None, None));
    }

    #[test]
    fn the_times_of_a_usual_game_are_small() {
        let packed = packed(&GameRecord {
            cpu_us_histogram: (4..14).map(|exponent| (1 << exponent, 60)).collect(),
            cpu_us_by_empty: (0..15).map(|empty| (60, empty * 1_000)).collect(),
            ..record("a", 1, 0)
        });
        assert!(packed.0.len() <= 88, "{}", packed.0.len());
    }
}
