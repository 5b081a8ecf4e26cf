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
    course_figures::PackedTimes,
    move_histogram::MoveHistogram,
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

struct LineScanner<'l> {
    rest: &'l [u8],
}

impl<'l> LineScanner<'l> {
    fn skip(&mut self, text: &[u8]) -> Option<()> {
        self.rest = self.rest.strip_prefix(text)?;
        Some(())
    }

    /// A field that may be missing; `None` if it is there and not as hosts write it.
    #[expect(
        clippy::option_option,
        reason = "a line that is not read is no line without the field"
    )]
    fn optional<T>(
        &mut self,
        key: &[u8],
        read: impl FnOnce(&mut Self, &[u8]) -> Option<T>,
    ) -> Option<Option<T>> {
        if self.rest.starts_with(key) {
            read(self, key).map(Some)
        } else {
            Some(None)
        }
    }

    fn number(&mut self, key: &[u8]) -> Option<u64> {
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
    fn decimal(&mut self, key: &[u8]) -> Option<f64> {
        self.skip(key)?;
        let start = self.rest;
        self.digits()?;
        if let Some(decimals) = self.rest.strip_prefix(b".") {
            let n_decimals = decimals
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count();
            if n_decimals == 0 {
                return None;
            }
            self.rest = &decimals[n_decimals..];
        }
        let text = &start[..start.len() - self.rest.len()];
        str::from_utf8(text).ok()?.parse().ok()
    }

    fn text(&mut self, key: &[u8]) -> Option<LineText<'l>> {
        self.skip(key)?;
        self.skip(b"\"")?;
        let (text, rest) = self.rest.split_at(memchr(b'"', self.rest)?);
        self.rest = &rest[1..];
        // Without a branch, so that many bytes are looked at together.
        let others =
            |found: u8, byte: &u8| found | u8::from(*byte < b' ') | u8::from(*byte == b'\\');
        let is_plain = text.iter().fold(0, others) == 0;
        is_plain.then_some(LineText::borrowed(str::from_utf8(text).ok()?))
    }

    fn ending(&mut self, key: &[u8]) -> Option<Ending> {
        let text = self.text(key)?;
        let name: serde::de::value::StrDeserializer<Error> = text.as_ref().into_deserializer();
        Ending::deserialize(name).ok()
    }

    fn board(&mut self, key: &[u8]) -> Option<EmptyCells> {
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

    fn histogram(&mut self, key: &[u8]) -> Option<MoveHistogram> {
        self.skip(key)?;
        self.skip(b"{")?;
        let mut packed = MoveHistogram::packer();
        while self.skip(b"\"").is_some() {
            let upper_end = self.digits()?;
            self.skip(b"\":")?;
            packed.add(upper_end, self.digits()?)?;
            if self.skip(b",").is_none() {
                break;
            }
        }
        self.skip(b"}")?;
        Some(packed.finish())
    }

    fn times(&mut self, key: &[u8]) -> Option<PackedTimes> {
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
