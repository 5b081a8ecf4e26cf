//! The seeds of a tournament: numbers and ranges, in the order in which they were
//! written.
//!
//! Stored as ranges, so that `1..1000000000` takes as little memory as `1..20`. Seeds
//! are below 2^53, so that a web page reads every seed exactly.

use std::{fmt, str::FromStr};

use plugin_api::MAX_SEED;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{diagnostic::Diagnostic, keys::ValueType, node::LocatedValue};

/// Distinct seeds, at least one. Printed and parsed as `1..20, 25`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SeedSet {
    ranges: Vec<SeedRange>,
}

/// Consecutive seeds, both ends included. Printed and parsed as `1..20` or `7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeedRange {
    first: u64,
    last: u64,
}

/// Why something is not a set of seeds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeedError {
    #[error("`{text}` is not a seed; write a number such as `7` or a range such as `1..20`")]
    NotASeed { text: String },
    #[error("seed {text} is too large; seeds are below 2^53 = {limit}", limit = MAX_SEED + 1)]
    TooLarge { text: String },
    #[error("the range {first}..{last} runs backwards; write {last}..{first}")]
    Backwards { first: u64, last: u64 },
    #[error("no seeds; write for example `1..20`")]
    Empty,
    #[error("duplicate seed {seed}: in {one} and in {other}")]
    Twice {
        seed: u64,
        one: SeedRange,
        other: SeedRange,
        /// The position of `other` among the ranges.
        other_index: usize,
    },
}

impl SeedRange {
    /// The seeds from `first` to `last`.
    ///
    /// # Errors
    /// If the range runs backwards or contains a number above the largest seed.
    pub fn new(first: u64, last: u64) -> Result<Self, SeedError> {
        if let Some(seed) = [first, last].into_iter().find(|seed| *seed > MAX_SEED) {
            return Err(SeedError::TooLarge {
                text: seed.to_string(),
            });
        }
        if first > last {
            return Err(SeedError::Backwards { first, last });
        }
        Ok(Self { first, last })
    }

    fn len(self) -> u64 {
        self.last - self.first + 1
    }
}

impl SeedSet {
    /// The seeds of these ranges.
    ///
    /// # Errors
    /// If there are none, or two ranges share a seed.
    pub fn new(ranges: Vec<SeedRange>) -> Result<Self, SeedError> {
        if ranges.is_empty() {
            return Err(SeedError::Empty);
        }
        let mut by_first: Vec<usize> = (0..ranges.len()).collect();
        by_first.sort_unstable_by_key(|&index| (ranges[index].first, index));
        for neighbours in by_first.windows(2) {
            let [lower, upper] = [ranges[neighbours[0]], ranges[neighbours[1]]];
            if upper.first <= lower.last {
                let other_index = neighbours[0].max(neighbours[1]);
                return Err(SeedError::Twice {
                    seed: upper.first,
                    one: ranges[neighbours[0].min(neighbours[1])],
                    other: ranges[other_index],
                    other_index,
                });
            }
        }
        Ok(Self { ranges })
    }

    /// The number of seeds.
    #[expect(clippy::len_without_is_empty, reason = "a set of seeds is never empty")]
    #[must_use]
    pub fn len(&self) -> u64 {
        self.ranges.iter().map(|range| range.len()).sum()
    }

    /// The seeds in the order in which they were written.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.ranges
            .iter()
            .flat_map(|range| range.first..=range.last)
    }

    /// The largest seed.
    #[must_use]
    pub fn largest(&self) -> u64 {
        self.ranges.iter().map(|range| range.last).fold(0, u64::max)
    }

    #[must_use]
    pub fn contains(&self, seed: u64) -> bool {
        self.ranges
            .iter()
            .any(|range| (range.first..=range.last).contains(&seed))
    }

    /// The seed at this position, from 0; `None` beyond the last.
    #[must_use]
    pub fn nth(&self, position: u64) -> Option<u64> {
        let mut left = position;
        for range in &self.ranges {
            if left < range.len() {
                return Some(range.first + left);
            }
            left -= range.len();
        }
        None
    }

    /// How many seeds come before this one; `None` if it is not in the set.
    #[must_use]
    pub fn position(&self, seed: u64) -> Option<u64> {
        let mut n_before = 0;
        for range in &self.ranges {
            if (range.first..=range.last).contains(&seed) {
                return Some(n_before + (seed - range.first));
            }
            n_before += range.len();
        }
        None
    }

    /// These seeds, followed by those after the largest until there are `n_seeds`, for
    /// a tournament with a stop rule.
    ///
    /// # Errors
    /// If there are not enough seeds left.
    pub fn extended_to(&self, n_seeds: u64) -> Result<Self, SeedError> {
        let n_more = n_seeds.saturating_sub(self.len());
        let largest = self.largest();
        let mut ranges = self.ranges.clone();
        if n_more > 0 {
            ranges.push(SeedRange::new(largest + 1, largest.saturating_add(n_more))?);
        }
        Ok(Self { ranges })
    }
}

impl FromStr for SeedRange {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        let parse = |part: &str| {
            let part = part.trim();
            if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(SeedError::NotASeed { text: text.into() });
            }
            // Only digits, so a number that does not parse is too large.
            part.parse::<u64>()
                .map_err(|_| SeedError::TooLarge { text: part.into() })
        };
        match text.split_once("..") {
            Some((first, last)) => Self::new(parse(first)?, parse(last)?),
            None => parse(text).and_then(|seed| Self::new(seed, seed)),
        }
    }
}

impl fmt::Display for SeedRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last {
            write!(f, "{}", self.first)
        } else {
            write!(f, "{}..{}", self.first, self.last)
        }
    }
}

impl FromStr for SeedSet {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        Self::new(text.split(',').map(str::parse).collect::<Result<_, _>>()?)
    }
}

impl fmt::Display for SeedSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, range) in self.ranges.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{range}")?;
        }
        Ok(())
    }
}

impl TryFrom<String> for SeedSet {
    type Error = SeedError;

    fn try_from(text: String) -> Result<Self, SeedError> {
        text.parse()
    }
}

impl From<SeedSet> for String {
    fn from(seeds: SeedSet) -> String {
        seeds.to_string()
    }
}

/// A number, a range, or a list of both.
pub(crate) fn seeds() -> ValueType<SeedSet> {
    let seed = json!({"anyOf": [
        {"type": "integer", "minimum": 0, "maximum": MAX_SEED},
        {"type": "string", "pattern": "^[0-9]+([.][.][0-9]+)?(, *[0-9]+([.][.][0-9]+)?)*$"},
    ]});
    let schema = json!({"anyOf": [seed, {"type": "array", "minItems": 1, "items": seed}]});
    ValueType::nested("a number, a range, or a list of both", schema, read_seeds)
}

/// An error in a list item is shown at that item.
fn read_seeds(value: &LocatedValue, diagnostics: &mut Vec<Diagnostic>) -> Option<SeedSet> {
    let Some(items) = value.items() else {
        return parsed(value, diagnostics);
    };
    let ranges: Vec<Option<SeedRange>> = items.map(|item| parsed(&item, diagnostics)).collect();
    let ranges = ranges.into_iter().collect::<Option<Vec<_>>>()?;
    SeedSet::new(ranges)
        .map_err(|error| {
            let subject = match error {
                SeedError::Twice { other_index, .. } => value.path.index(other_index),
                _ => value.path.clone(),
            };
            diagnostics.push(Diagnostic::at_value(&subject, error.to_string()));
        })
        .ok()
}

fn parsed<T: FromStr<Err = SeedError>>(
    value: &LocatedValue,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<T> {
    let text = value.text();
    text.and_then(|text| text.parse().map_err(|error: SeedError| error.to_string()))
        .map_err(|message| diagnostics.push(value.error(message)))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_includes_both_ends() {
        let seeds: SeedSet = "1..3, 20, 7".parse().unwrap();
        assert_eq!(seeds.iter().collect::<Vec<_>>(), [1, 2, 3, 20, 7]);
        assert_eq!(seeds.len(), 5);
        assert!(seeds.contains(3) && seeds.contains(20) && !seeds.contains(4));
        assert_eq!(seeds.to_string(), "1..3, 20, 7");
    }

    #[test]
    fn every_seed_has_a_position() {
        let seeds: SeedSet = "5..7, 20, 1..3".parse().unwrap();
        for (position, seed) in (0..).zip(seeds.iter()) {
            assert_eq!(seeds.position(seed), Some(position));
        }
        assert_eq!(seeds.position(4), None);
    }

    #[test]
    fn seeds_are_extended_after_the_largest() {
        let seeds: SeedSet = "5..7, 20, 1..3".parse().unwrap();
        let extended = seeds.extended_to(10).unwrap();
        assert_eq!(extended.to_string(), "5..7, 20, 1..3, 21..23");
        assert_eq!(seeds.extended_to(7).unwrap(), seeds);
        let last: SeedSet = "9007199254740991".parse().unwrap();
        assert!(last.extended_to(2).is_err());
    }

    #[test]
    fn a_billion_seeds_take_no_memory() {
        let seeds: SeedSet = "1..1000000000".parse().unwrap();
        assert_eq!(seeds.len(), 1_000_000_000);
        assert!(seeds.contains(999_999_999));
        assert_eq!(seeds.iter().nth(9), Some(10));
        let all: SeedSet = "0..9007199254740991".parse().unwrap();
        assert_eq!(all.len(), 9_007_199_254_740_992);
    }

    #[test]
    fn an_invalid_set_of_seeds_is_rejected_with_the_reason() {
        for (text, start) in [
            ("", "`` is not a seed"),
            ("x", "`x` is not a seed"),
            ("-1", "`-1` is not a seed"),
            ("1..", "`1..` is not a seed"),
            ("1...3", "`1...3` is not a seed"),
            ("1..=3", "`1..=3` is not a seed"),
            ("20..1", "the range 20..1 runs backwards; write 1..20"),
            ("1..9007199254740993", "seed 9007199254740993 is too large"),
            (
                "99999999999999999999999",
                "seed 99999999999999999999999 is too large",
            ),
            ("1..20, 5", "duplicate seed 5: in 1..20 and in 5"),
            ("5, 1..20", "duplicate seed 5: in 5 and in 1..20"),
            ("7, 7", "duplicate seed 7: in 7 and in 7"),
        ] {
            let message = text.parse::<SeedSet>().unwrap_err().to_string();
            assert!(message.starts_with(start), "{message}");
        }
    }
}
