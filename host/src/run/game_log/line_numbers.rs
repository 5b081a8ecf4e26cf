//! Numbers of lines of a log.

use std::ops::RangeInclusive;

/// Numbers of lines, ascending. Lines in a row take no memory each: a log may have millions that
/// are wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineNumbers(Vec<RangeInclusive<u64>>);

impl LineNumbers {
    /// Adds a line after all others.
    pub fn push(&mut self, line: u64) {
        match self.0.last_mut() {
            Some(last) if *last.end() + 1 == line => *last = *last.start()..=line,
            _ => self.0.push(line..=line),
        }
    }

    /// How many lines there are.
    #[must_use]
    pub fn n_lines(&self) -> u64 {
        self.0
            .iter()
            .map(|range| range.end() - range.start() + 1)
            .sum()
    }

    /// Whether a line is one of them.
    #[must_use]
    pub fn contains(&self, line: u64) -> bool {
        let next = self.0.partition_point(|range| *range.end() < line);
        self.0.get(next).is_some_and(|range| range.contains(&line))
    }

    /// The numbers, one by one.
    pub fn one_by_one(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().cloned().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_a_row_take_no_memory() {
        let mut lines = LineNumbers::default();
        for line in (2..1_000_000).chain([1_000_002, 1_000_005]) {
            lines.push(line);
        }
        assert_eq!((lines.0.len(), lines.n_lines()), (3, 1_000_000));
        let found: Vec<u64> = (1..4)
            .chain(999_999..1_000_007)
            .filter(|line| lines.contains(*line))
            .collect();
        assert_eq!(found, [2, 3, 999_999, 1_000_002, 1_000_005]);
        assert_eq!(lines.one_by_one().take(2).collect::<Vec<_>>(), [2, 3]);
    }
}
