//! A record as reports need it: nothing is copied out of its line, and the parts that take most
//! memory are packed while they are read.
//!
//! A report of a large run reads hundreds of megabytes of records. It has the same fields as
//! [`GameRecord`], so it accepts the same lines.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{SeqAccess, Visitor},
};

use super::{course_figures::PackedTimes, move_histogram::MoveHistogram};
use crate::run::game_record::GameRecord;

/// A record that borrows its texts from its line.
pub type BriefRecord<'l> = GameRecord<LineText<'l>, EmptyCells, MoveHistogram, PackedTimes>;

/// A text of a line; copied only where it has escapes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct LineText<'l>(#[serde(borrow)] Cow<'l, str>);

impl<'l> LineText<'l> {
    pub(super) fn borrowed(text: &'l str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl AsRef<str> for LineText<'_> {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl<'r> BriefRecord<'r> {
    /// The same record without what is not needed.
    pub(super) fn of(record: &'r GameRecord) -> Self {
        let text = |text: &'r String| LineText::borrowed(text);
        Self {
            v: record.v,
            game: record.game,
            agent: text(&record.agent),
            budget: record.budget.as_ref().map(text),
            seed: record.seed,
            score: record.score,
            highest: record.highest,
            n_moves: record.n_moves,
            highest_at: record.highest_at,
            crowded_moves: record.crowded_moves,
            moves: text(&record.moves),
            board: EmptyCells::on(&record.board),
            ending: record.ending,
            fault: record.fault.clone(),
            timeout: record.timeout,
            setup_ms: record.setup_ms,
            cpu_ms: record.cpu_ms,
            wall_ms: record.wall_ms,
            cpu_us_histogram: MoveHistogram::of(&record.cpu_us_histogram),
            cpu_us_by_empty: PackedTimes::of(record.cpu_us_by_empty.iter().copied()),
            move_us: record.move_us,
            stolen_us: record.stolen_us,
            overdrawn_us: record.overdrawn_us,
            overruns: record.overruns,
            threads: record.threads,
            nodes: record.nodes,
            retries: record.retries.clone(),
            fingerprint: text(&record.fingerprint),
            host: record.host.as_ref().map(text),
        }
    }
}

/// The number of empty cells of a board; `None` if the record has no board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmptyCells(pub(super) Option<u8>);

impl EmptyCells {
    fn on(board: &[Vec<u64>]) -> Self {
        let n_empty = board.iter().flatten().filter(|tile| **tile == 0).count();
        Self((!board.is_empty()).then_some(u8::try_from(n_empty).unwrap_or(u8::MAX)))
    }
}

impl<'de> Deserialize<'de> for EmptyCells {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(BoardVisitor)
    }
}

struct BoardVisitor;

impl<'de> Visitor<'de> for BoardVisitor {
    type Value = EmptyCells;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<EmptyCells, A::Error> {
        let mut n_empty: Option<u8> = None;
        while let Some(EmptyInRow(n_in_row)) = rows.next_element()? {
            n_empty = Some(n_empty.unwrap_or(0).saturating_add(n_in_row));
        }
        Ok(EmptyCells(n_empty))
    }
}

/// The number of empty cells in a row.
struct EmptyInRow(u8);

impl<'de> Deserialize<'de> for EmptyInRow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(RowVisitor)
    }
}

struct RowVisitor;

impl<'de> Visitor<'de> for RowVisitor {
    type Value = EmptyInRow;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut tiles: A) -> Result<EmptyInRow, A::Error> {
        let mut n_empty: u8 = 0;
        while let Some(tile) = tiles.next_element::<u64>()? {
            n_empty = n_empty.saturating_add(u8::from(tile == 0));
        }
        Ok(EmptyInRow(n_empty))
    }
}
