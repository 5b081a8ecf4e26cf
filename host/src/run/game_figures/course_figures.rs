//! The course of a game in a few dozen bytes, written as a [`MoveHistogram`] is.
//!
//! [`MoveHistogram`]: super::MoveHistogram

use std::iter::from_fn;

use serde::Deserialize;

use super::move_histogram::{USUAL_LENGTH, read, write};
use crate::run::game_record::GameRecord;

/// `highest_at`, `crowded_moves` and `cpu_us_by_empty` of a record. Each of the first two is
/// written plus one, and 0 if the record does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CourseFigures(Box<[u8]>);

/// `cpu_us_by_empty` of a record: turns and CPU time by turns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Vec<(u64, u64)>")]
pub struct PackedTimes(Vec<u8>);

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
        if self.0.is_empty() {
            self.0.reserve(USUAL_LENGTH);
        }
        write(&mut self.0, n_turns);
        write(&mut self.0, cpu_us);
    }
}

impl From<Vec<(u64, u64)>> for PackedTimes {
    fn from(times: Vec<(u64, u64)>) -> Self {
        Self::of(times)
    }
}

impl CourseFigures {
    #[must_use]
    pub fn of<T, B, H>(record: &GameRecord<T, B, H, PackedTimes>) -> Self {
        let times = &record.cpu_us_by_empty.0;
        let mut bytes = Vec::with_capacity(USUAL_LENGTH + times.len());
        for number in [record.highest_at, record.crowded_moves] {
            write(
                &mut bytes,
                number.map_or(0, |number| number.saturating_add(1)),
            );
        }
        bytes.extend_from_slice(times);
        Self(bytes.into())
    }

    /// The number of moves after which the highest tile was on the board.
    #[must_use]
    pub fn highest_at(&self) -> Option<u64> {
        read(&mut self.0.iter())?.checked_sub(1)
    }

    /// The moves since the board last had at least a quarter of its cells empty.
    #[must_use]
    pub fn crowded_moves(&self) -> Option<u64> {
        let mut bytes = self.0.iter();
        read(&mut bytes)?;
        read(&mut bytes)?.checked_sub(1)
    }

    /// By the number of empty cells, from 0: the number of turns and their CPU time in
    /// microseconds.
    pub fn by_empty(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let mut bytes = self.0.iter();
        let has_start = read(&mut bytes).and_then(|_| read(&mut bytes)).is_some();
        from_fn(move || has_start.then_some((read(&mut bytes)?, read(&mut bytes)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{example::record, game_figures::BriefRecord};

    #[test]
    fn a_course_is_read_again() {
        let course = |highest_at, crowded_moves, by_empty: &[(u64, u64)]| {
            CourseFigures::of(&BriefRecord::of(&GameRecord {
                highest_at,
                crowded_moves,
                cpu_us_by_empty: by_empty.to_vec(),
                ..record("a", 1, 0)
            }))
        };
        let by_empty = [(0, 0), (300, 1_000_000), (7, u64::MAX)];
        let known = course(Some(0), Some(500), &by_empty);
        assert_eq!(
            (known.highest_at(), known.crowded_moves()),
            (Some(0), Some(500))
        );
        assert_eq!(known.by_empty().collect::<Vec<_>>(), by_empty);
        let old = course(None, None, &[]);
        assert_eq!((old.highest_at(), old.crowded_moves()), (None, None));
        assert_eq!(old.by_empty().count(), 0);
    }
}
