//! The most that the log of a plan can hold.
//!
//! A log may come from a stranger, and a compressed one of a few kilobytes may unpack to
//! terabytes. So whoever reads it stops where no log of its plan goes on.

use std::io;

use super::log_content;
use crate::run::run_plan::RunPlan;

/// A log has one line per game. Lines that were written twice or damaged are read too, so that
/// each of them can be named, but not without end.
const LINES_PER_GAME: u64 = 10;
const FURTHER_LINES: u64 = 1000;

/// Lines are counted in 32 bits; four billion games are more than anybody plays.
const MOST_LINES: u64 = u32::MAX as u64;

/// What a record holds besides its moves is shorter.
const LONGEST_REST: u64 = 1 << 16;

const LONGEST_LINE: u64 = log_content::LONGEST_LINE as u64;

/// The most lines and bytes of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogLimits {
    pub(super) n_lines: u64,
    pub(super) n_bytes: u64,
}

impl LogLimits {
    /// For a log that this host has written.
    pub const NONE: Self = Self {
        n_lines: MOST_LINES,
        n_bytes: u64::MAX,
    };

    /// The limits of the log of a plan.
    #[must_use]
    pub fn of(plan: &RunPlan) -> Self {
        let n_games = plan.games().n_games();
        // The largest tile is at most 2^(cells + 1), the sum of all less than twice that, and
        // every move adds at least 2 to the sum.
        let n_cells = u32::try_from(plan.tournament.side.n_cells()).unwrap_or(u32::MAX);
        let most_moves = 1_u64.checked_shl(n_cells + 1).unwrap_or(u64::MAX);
        let most_moves = plan
            .tournament
            .max_moves
            .map_or(most_moves, |most| most.get().min(most_moves));
        let longest_record = most_moves.saturating_add(LONGEST_REST).min(LONGEST_LINE);
        Self {
            n_lines: n_games
                .saturating_mul(LINES_PER_GAME)
                .saturating_add(FURTHER_LINES)
                .min(MOST_LINES),
            n_bytes: n_games
                .saturating_mul(longest_record)
                .saturating_add(LONGEST_LINE),
        }
    }

    /// Whether the line with this number, which ends after so many bytes, is within the limits.
    pub(super) fn check(self, number: u64, n_bytes: u64) -> io::Result<()> {
        if number > self.n_lines {
            return Err(beyond(&format!("{} lines", self.n_lines)));
        }
        self.check_bytes(n_bytes)
    }

    pub(super) fn check_bytes(self, n_bytes: u64) -> io::Result<()> {
        if n_bytes > self.n_bytes {
            return Err(beyond(&format!("{} MiB", self.n_bytes >> 20)));
        }
        Ok(())
    }
}

fn beyond(what: &str) -> io::Error {
    let sentence = format!(
        "the game log has more than {what}, more than a log of its plan can have: it is damaged, \
         and the rest was not read"
    );
    io::Error::new(io::ErrorKind::InvalidData, sentence)
}
