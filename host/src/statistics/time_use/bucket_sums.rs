//! Histograms of many games, added up.
//!
//! Hosts write the same few hundred buckets for every game, so each of these has its place in a
//! list. A log can contain anything: other buckets are kept in a map.

use std::collections::BTreeMap;

/// Numbers of moves by the upper end of their bucket in microseconds.
#[derive(Clone, Debug, Default)]
pub(super) struct BucketSums {
    /// Those of the buckets that hosts write, by [`place_of`].
    usual: Vec<u64>,
    others: BTreeMap<u64, u64>,
}

impl BucketSums {
    pub(super) fn add(&mut self, upper_end: u64, n_moves: u64) {
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
    pub(super) fn in_order(self) -> BTreeMap<u64, u64> {
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
    use std::time::Duration;

    use super::*;
    use crate::run::move_times::TimeCollection;

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
