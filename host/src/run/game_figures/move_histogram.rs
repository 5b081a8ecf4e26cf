//! A histogram of the times of moves in a few dozen bytes.
//!
//! The upper ends of the buckets rise, so the differences between them are small numbers.
//! Every number is written in groups of seven bits, the lowest first; the eighth bit says that
//! more follow. A map with the same content is five times as large.

use std::{collections::BTreeMap, iter::from_fn};

use serde::Deserialize;

/// Most histograms and times have no more bytes.
pub(super) const USUAL_LENGTH: usize = 64;

/// The number of moves in each bucket, by the upper end of the bucket in microseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "BTreeMap<u64, u64>")]
pub struct MoveHistogram(Box<[u8]>);

impl MoveHistogram {
    #[must_use]
    pub fn of(buckets: &BTreeMap<u64, u64>) -> Self {
        let mut packer = Self::packer();
        for (&upper_end, &n_moves) in buckets {
            packer
                .add(upper_end, n_moves)
                .expect("the keys of a map ascend");
        }
        packer.finish()
    }

    pub(super) fn packer() -> BucketPacker {
        BucketPacker {
            bytes: Vec::with_capacity(USUAL_LENGTH),
            last: None,
        }
    }

    /// The buckets in ascending order.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let (mut bytes, mut last) = (self.0.iter(), 0);
        from_fn(move || {
            last += read(&mut bytes)?;
            Some((last, read(&mut bytes)?))
        })
    }
}

impl From<BTreeMap<u64, u64>> for MoveHistogram {
    fn from(buckets: BTreeMap<u64, u64>) -> Self {
        Self::of(&buckets)
    }
}

/// A histogram that is being read.
pub(super) struct BucketPacker {
    bytes: Vec<u8>,
    last: Option<u64>,
}

impl BucketPacker {
    /// Adds a bucket; `None` if it does not follow the last one.
    pub(super) fn add(&mut self, upper_end: u64, n_moves: u64) -> Option<()> {
        if self.last.is_some_and(|last| upper_end <= last) {
            return None;
        }
        write(&mut self.bytes, upper_end - self.last.unwrap_or(0));
        write(&mut self.bytes, n_moves);
        self.last = Some(upper_end);
        Some(())
    }

    pub(super) fn finish(self) -> MoveHistogram {
        MoveHistogram(self.bytes.into())
    }
}

pub(super) fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(low_bits(number) | 0x80);
        number >>= 7;
    }
    bytes.push(low_bits(number));
}

fn low_bits(number: u64) -> u8 {
    u8::try_from(number & 0x7f).expect("seven bits")
}

pub(super) fn read<'b>(bytes: &mut impl Iterator<Item = &'b u8>) -> Option<u64> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = *bytes.next()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn every_histogram_is_read_again(buckets: BTreeMap<u64, u64>) {
            let histogram = MoveHistogram::of(&buckets);
            assert_eq!(histogram.buckets().collect::<BTreeMap<_, _>>(), buckets);
        }
    }

    #[test]
    fn a_usual_histogram_is_small() {
        let buckets = (4..14).map(|exponent| (1 << exponent, 60)).collect();
        assert!(MoveHistogram::of(&buckets).0.len() <= 30);
    }
}
