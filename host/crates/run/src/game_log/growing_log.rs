//! A game log that another process may still be writing, read line by line. Complete lines
//! are read, each of them once.

use std::{io, path::Path};

use super::open_log::{LinePosition, LogIdentity, LogLimits, OpenLog, length_of};

/// How many bytes before the end of what was read are compared to detect a rewritten log.
const LAST_BYTES: usize = 64;

/// How much of a log has been read.
#[derive(Debug, Default)]
pub struct GrowingLog {
    /// A log that was replaced is a different file.
    identity: Option<LogIdentity>,
    /// The last line that was read; what was read ends with it.
    last: LinePosition,
    /// The last bytes that were read. They change when the log is rewritten in place.
    last_bytes: Vec<u8>,
}

/// What is read next from a log.
#[derive(Debug)]
pub enum NextLine<'l> {
    /// What was read before is no longer in the log.
    StartedAnew,
    Line(LinePosition, &'l [u8]),
}

impl GrowingLog {
    /// Reads what was added since the last call. A missing log is empty.
    ///
    /// # Errors
    /// When the log cannot be read, or goes beyond its limits.
    pub fn refresh(
        &mut self,
        path: &Path,
        limits: LogLimits,
        mut visit: impl FnMut(NextLine<'_>),
    ) -> io::Result<()> {
        let log = OpenLog::open(path)?.map(|log| log.within(limits));
        let Some(log) = log else {
            if self.identity.is_some() {
                *self = Self::default();
                visit(NextLine::StartedAnew);
            }
            return Ok(());
        };
        let identity = log.identity()?;
        if log.is_compressed() && self.identity == Some(identity) {
            return Ok(());
        }
        if self.identity != Some(identity) || !self.is_continued_by(&log) {
            *self = Self {
                identity: Some(identity),
                ..Self::default()
            };
            visit(NextLine::StartedAnew);
        }
        log.read_after(self.last, |position, bytes| {
            if bytes.last() == Some(&b'\n') {
                self.last = position;
                let last_bytes = &bytes[bytes.len().saturating_sub(LAST_BYTES)..];
                self.last_bytes.clear();
                self.last_bytes.extend_from_slice(last_bytes);
                visit(NextLine::Line(position, bytes));
            }
            Ok(())
        })
    }

    fn is_continued_by(&self, log: &OpenLog) -> bool {
        let length = length_of(&self.last_bytes);
        let position = LinePosition {
            offset: self.last.end() - u64::from(length),
            length,
            ..self.last
        };
        let mut bytes = Vec::new();
        log.line_at(position, &mut bytes).is_ok() && bytes == self.last_bytes
    }
}
