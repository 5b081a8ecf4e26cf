//! A record as reports need it: nothing is copied out of its line, and the parts that take most
//! memory are packed while they are read.
//!
//! A report of a large run reads hundreds of megabytes of records. It has the same fields as
//! [`GameRecord`], so it accepts the same lines.

use std::borrow::Cow;

use serde::Deserialize;

use super::packed_figures::{PackedHistogram, PackedTimes};
use crate::run::game_record::GameRecord;

/// A record that borrows its texts from its line.
pub type BriefRecord<'l> = GameRecord<LineText<'l>, EmptyCells, PackedHistogram, PackedTimes>;

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
            cpu_us_histogram: PackedHistogram::of(&record.cpu_us_histogram),
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Vec<Vec<u64>>")]
pub struct EmptyCells(pub(super) Option<u8>);

impl EmptyCells {
    fn on(board: &[Vec<u64>]) -> Self {
        let n_empty = board.iter().flatten().filter(|tile| **tile == 0).count();
        Self((!board.is_empty()).then_some(u8::try_from(n_empty).unwrap_or(u8::MAX)))
    }
}

impl From<Vec<Vec<u64>>> for EmptyCells {
    fn from(board: Vec<Vec<u64>>) -> Self {
        Self::on(&board)
    }
}
