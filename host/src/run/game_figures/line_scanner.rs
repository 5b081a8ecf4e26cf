//! Reads a record from a line exactly as hosts write it: keys in their order, no spaces, no
//! escapes.
//!
//! A general reader of JSON takes most of the time of a report of a large run. Whatever differs
//! from what a host writes for a regular game, valid or not, is left to that reader.

use memchr::memchr;
use serde::{
    Deserialize,
    de::{IntoDeserializer, value::Error},
};

use super::{
    brief_record::{BriefRecord, EmptyCells, LineText},
    packed_figures::{PackedHistogram, PackedTimes},
};
use crate::run::game_record::{Ending, GameRecord, MoveTimes};

/// The record in a line; `None` if the line is not as hosts write it.
pub(in crate::run) fn scanned(line: &[u8]) -> Option<BriefRecord<'_>> {
    let mut line = LineScanner { rest: line };
    line.skip(b"{\"v\":1")?;
    let record = GameRecord {
        v: GameRecord::VERSION,
        game: line.number(b",\"game\":")?,
        agent: line.text(b",\"agent\":")?,
        budget: line.optional(b",\"budget\":", LineScanner::text)?,
        seed: line.number(b",\"seed\":")?,
        score: line.number(b",\"score\":")?,
        highest: line.number(b",\"highest\":")?,
        n_moves: line.number(b",\"n_moves\":")?,
        highest_at: line.optional(b",\"highest_at\":", LineScanner::number)?,
        crowded_moves: line.optional(b",\"crowded_moves\":", LineScanner::number)?,
        moves: line.text(b",\"moves\":")?,
        board: line.board(b",\"board\":")?,
        ending: line.ending(b",\"ending\":")?,
        fault: line.skip(b",\"fault\":null").map(|()| None)?,
        timeout: false,
        setup_ms: line.decimal(b",\"setup_ms\":")?,
        cpu_ms: line.decimal(b",\"cpu_ms\":")?,
        wall_ms: line.decimal(b",\"wall_ms\":")?,
        cpu_us_histogram: line.histogram(b",\"cpu_us_histogram\":")?,
        cpu_us_by_empty: line
            .optional(b",\"cpu_us_by_empty\":", LineScanner::times)?
            .unwrap_or_default(),
        move_us: MoveTimes {
            p50: line.decimal(b",\"move_us\":{\"p50\":")?,
            p99: line.decimal(b",\"p99\":")?,
            max: line.decimal(b",\"max\":")?,
        },
        stolen_us: line.number(b"},\"stolen_us\":")?,
        overdrawn_us: line.number(b",\"overdrawn_us\":")?,
        overruns: line.number(b",\"overruns\":")?,
        threads: line.number(b",\"threads\":")?,
        nodes: line.number(b",\"nodes\":")?,
        retries: Vec::new(),
        fingerprint: line.text(b",\"fingerprint\":")?,
        host: line.optional(b",\"host\":", LineScanner::text)?,
    };
    line.optional(b",\"check\":", LineScanner::text)?;
    (line.rest == b"}\n").then_some(record)
}

/// Numbers of so many digits are exact in 53 bits.
const EXACT_DIGITS: usize = 15;

const POWERS_OF_TEN: [f64; EXACT_DIGITS + 1] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
];

#[expect(clippy::cast_precision_loss, reason = "at most 15 digits")]
fn exact(number: u64) -> f64 {
    number as f64
}

struct LineScanner<'l> {
    rest: &'l [u8],
}

impl<'l> LineScanner<'l> {
    /// Texts have a length that is known, so that they are compared in a few instructions.
    #[inline]
    fn skip<const N: usize>(&mut self, text: &[u8; N]) -> Option<()> {
        let (start, rest) = self.rest.split_first_chunk()?;
        (start == text).then(|| self.rest = rest)
    }

    /// A field that may be missing; `None` if it is there and not as hosts write it.
    #[expect(
        clippy::option_option,
        reason = "a line that is not read is no line without the field"
    )]
    fn optional<const N: usize, T>(
        &mut self,
        key: &[u8; N],
        read: impl FnOnce(&mut Self, &[u8; N]) -> Option<T>,
    ) -> Option<Option<T>> {
        if self.rest.first_chunk() == Some(key) {
            read(self, key).map(Some)
        } else {
            Some(None)
        }
    }

    #[inline]
    fn number<const N: usize>(&mut self, key: &[u8; N]) -> Option<u64> {
        self.skip(key)?;
        self.digits()
    }

    /// A whole number. More than 19 digits, which may not fit, and leading zeros are not read.
    fn digits(&mut self) -> Option<u64> {
        let mut number: u64 = 0;
        let mut length = 0;
        while let Some(digit @ b'0'..=b'9') = self.rest.get(length) {
            number = number
                .wrapping_mul(10)
                .wrapping_add(u64::from(digit - b'0'));
            length += 1;
        }
        let is_plain = (1..=19).contains(&length) && (self.rest[0] != b'0' || length == 1);
        self.rest = &self.rest[length..];
        is_plain.then_some(number)
    }

    /// A number with or without decimals, but without sign and exponent.
    #[inline]
    fn decimal<const N: usize>(&mut self, key: &[u8; N]) -> Option<f64> {
        self.skip(key)?;
        self.decimal_digits()
    }

    fn decimal_digits(&mut self) -> Option<f64> {
        let start = self.rest;
        let mut number = self.digits()?;
        let n_whole = start.len() - self.rest.len();
        let mut n_decimals = 0;
        if let Some(decimals) = self.rest.strip_prefix(b".") {
            while let Some(digit @ b'0'..=b'9') = decimals.get(n_decimals) {
                number = number
                    .wrapping_mul(10)
                    .wrapping_add(u64::from(digit - b'0'));
                n_decimals += 1;
            }
            if n_decimals == 0 {
                return None;
            }
            self.rest = &decimals[n_decimals..];
        }
        // Both are exact, so that the quotient is rounded once, as a parser rounds.
        if n_whole + n_decimals <= EXACT_DIGITS {
            return Some(exact(number) / POWERS_OF_TEN[n_decimals]);
        }
        let text = &start[..start.len() - self.rest.len()];
        str::from_utf8(text).ok()?.parse().ok()
    }

    #[inline]
    fn text<const N: usize>(&mut self, key: &[u8; N]) -> Option<LineText<'l>> {
        self.skip(key)?;
        self.quoted()
    }

    fn quoted(&mut self) -> Option<LineText<'l>> {
        self.skip(b"\"")?;
        let (text, rest) = self.rest.split_at(memchr(b'"', self.rest)?);
        self.rest = &rest[1..];
        // Without a branch, so that many bytes are looked at together.
        let others =
            |found: u8, byte: &u8| found | u8::from(*byte < b' ') | u8::from(*byte == b'\\');
        let is_plain = text.iter().fold(0, others) == 0;
        is_plain.then_some(LineText::borrowed(str::from_utf8(text).ok()?))
    }

    #[inline]
    fn ending<const N: usize>(&mut self, key: &[u8; N]) -> Option<Ending> {
        let text = self.text(key)?;
        let name: serde::de::value::StrDeserializer<Error> = text.as_ref().into_deserializer();
        Ending::deserialize(name).ok()
    }

    #[inline]
    fn board<const N: usize>(&mut self, key: &[u8; N]) -> Option<EmptyCells> {
        self.skip(key)?;
        let mut n_empty: u8 = 0;
        self.skip(b"[")?;
        loop {
            self.skip(b"[")?;
            loop {
                n_empty = n_empty.saturating_add(u8::from(self.digits()? == 0));
                if self.skip(b",").is_none() {
                    break;
                }
            }
            self.skip(b"]")?;
            if self.skip(b",").is_none() {
                break;
            }
        }
        self.skip(b"]")?;
        Some(EmptyCells(Some(n_empty)))
    }

    #[inline]
    fn histogram<const N: usize>(&mut self, key: &[u8; N]) -> Option<PackedHistogram> {
        self.skip(key)?;
        self.skip(b"{")?;
        let mut packed = PackedHistogram::default();
        while self.skip(b"\"").is_some() {
            let upper_end = self.digits()?;
            self.skip(b"\":")?;
            packed.add(upper_end, self.digits()?)?;
            if self.skip(b",").is_none() {
                break;
            }
        }
        self.skip(b"}")?;
        Some(packed)
    }

    #[inline]
    fn times<const N: usize>(&mut self, key: &[u8; N]) -> Option<PackedTimes> {
        self.skip(key)?;
        self.skip(b"[")?;
        let mut times = PackedTimes::default();
        loop {
            self.skip(b"[")?;
            let n_turns = self.digits()?;
            self.skip(b",")?;
            times.add(n_turns, self.digits()?);
            self.skip(b"]")?;
            if self.skip(b",").is_none() {
                break;
            }
        }
        self.skip(b"]")?;
        Some(times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn decimals_are_those_of_a_parser(number: u64, n_decimals in 0_usize..19, cut in 0_u32..20) {
            let digits = format!("{:020}", number / 10_u64.saturating_pow(cut));
            let (whole, decimals) = digits.split_at(20 - n_decimals);
            let whole: u64 = whole.parse().unwrap();
            let text = match decimals {
                "" => whole.to_string(),
                decimals => format!("{whole}.{decimals}"),
            };
            let mut scanner = LineScanner { rest: text.as_bytes() };
            if let Some(read) = scanner.decimal(b"") {
                assert_eq!(read.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
                assert!(scanner.rest.is_empty());
            } else {
                assert!(whole >= 10_u64.pow(19), "{text}");
            }
        }
    }
}
