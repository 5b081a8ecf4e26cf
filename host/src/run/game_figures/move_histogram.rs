//! A histogram of the times of moves in a few dozen bytes.
//!
//! The upper ends of the buckets rise, so the differences between them are small numbers.
//! Every number is written in groups of seven bits, the lowest first; the eighth bit says that
//! more follow. A map with the same content is five times as large.

use std::{collections::BTreeMap, iter::from_fn};

/// The number of moves in each bucket, by the upper end of the bucket in microseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveHistogram(Box<[u8]>);

impl MoveHistogram {
    #[must_use]
    pub fn of(buckets: &BTreeMap<u64, u64>) -> Self {
        let (mut bytes, mut last) = (Vec::new(), 0);
        for (&upper_end, &n_moves) in buckets {
            write(&mut bytes, upper_end - last);
            write(&mut bytes, n_moves);
            last = upper_end;
        }
        Self(bytes.into())
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
