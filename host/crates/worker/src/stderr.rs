//! What a worker writes to its standard error output: its last lines, and all of them where
//! people watch.
//!
//! Only the end is kept: an agent that writes a megabyte per move costs no memory, and the end
//! is where the reason for a crash stands. Where people see all of it, every row begins with the
//! name of the agent and its seed, so no agent can print what looks like a message of the host.
//! A long line is cut into rows before the terminal would do so: what it wraps would begin a row
//! of its own.

use std::{
    collections::VecDeque,
    io::{self, IsTerminal, Write},
};

use text::printable::printable;

/// The most bytes kept.
const LONGEST_TAIL: usize = 4096;
/// The length of a row where nothing limits it.
const LONGEST_ROW: usize = 4096;
/// The shortest row, however narrow the terminal is.
const SHORTEST_ROW: usize = 20;

/// What a worker has printed, as far as it is kept.
#[derive(Debug, Default)]
pub(super) struct StderrTail {
    last_bytes: VecDeque<u8>,
    /// Where people see all of it.
    echo: Option<StderrEcho>,
}

impl StderrTail {
    /// Of an agent whose lines people see under this label, if there is one.
    pub(super) fn shown_as(label: Option<&str>) -> Self {
        Self {
            last_bytes: VecDeque::new(),
            echo: label.map(StderrEcho::new),
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.last_bytes.extend(bytes);
        let excess = self.last_bytes.len().saturating_sub(LONGEST_TAIL);
        self.last_bytes.drain(..excess);
        if let Some(echo) = &mut self.echo {
            echo.push(bytes);
        }
    }

    /// The text, beginning with a whole line where there is one.
    pub(super) fn text(&self) -> String {
        let bytes: Vec<u8> = self.last_bytes.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let is_cut = bytes.len() == LONGEST_TAIL;
        match text.split_once('\n') {
            Some((_, rest)) if is_cut && !rest.is_empty() => rest.to_owned(),
            _ => text.into_owned(),
        }
    }
}

/// Shows what one agent prints in one game.
#[derive(Debug)]
struct StderrEcho {
    prefix: String,
    /// How many columns a row has after the prefix.
    n_columns: usize,
    /// The last line, as far as it has come.
    line: Vec<u8>,
}

impl StderrEcho {
    /// For an agent with this label.
    fn new(label: &str) -> Self {
        let prefix = format!("{} | ", printable(label, LONGEST_ROW));
        let n_columns = if io::stderr().is_terminal() {
            let columns = usize::from(console::Term::stderr().size().1);
            columns.saturating_sub(prefix.len() + 1)
        } else {
            LONGEST_ROW
        };
        Self {
            prefix,
            n_columns: n_columns.max(SHORTEST_ROW),
            line: Vec::new(),
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        let rows = self.rows(bytes);
        show(&rows);
    }

    /// The rows that these bytes complete.
    fn rows(&mut self, bytes: &[u8]) -> String {
        let mut rows = String::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            // A line without end would fill the memory.
            if piece.ends_with(b"\n") || self.line.len() >= LONGEST_ROW {
                rows += &self.take_rows();
            }
        }
        rows
    }

    /// The rows of the line that has come.
    fn take_rows(&mut self) -> String {
        let line = std::mem::take(&mut self.line);
        let line = line.strip_suffix(b"\n").unwrap_or(&line);
        let text = printable(&String::from_utf8_lossy(line), usize::MAX);
        let mut rows = self.prefix.clone();
        let mut n_used = 0;
        for letter in text.chars() {
            // Some letters are two columns wide.
            let width = if letter.is_ascii() { 1 } else { 2 };
            if n_used + width > self.n_columns {
                rows.push('\n');
                rows += &self.prefix;
                n_used = 0;
            }
            rows.push(letter);
            n_used += width;
        }
        rows.push('\n');
        rows
    }
}

impl Drop for StderrEcho {
    fn drop(&mut self) {
        if !self.line.is_empty() {
            show(&self.take_rows());
        }
    }
}

/// Writes all rows at once, so that agents that play at the same time do not mix theirs.
fn show(rows: &str) {
    // If stderr is closed, there is no reader.
    let _ = io::stderr().write_all(rows.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_lines_are_kept() {
        let mut tail = StderrTail::default();
        for number in 0..10_000 {
            tail.push(format!("line {number}\n").as_bytes());
        }
        let text = tail.text();
        assert!(text.len() <= LONGEST_TAIL);
        assert!(text.starts_with("line ") && text.ends_with("line 9999\n"));
    }

    #[test]
    fn every_row_begins_with_the_agent() {
        let mut echo = StderrEcho {
            prefix: "anna seed 3 | ".to_owned(),
            n_columns: 10,
            line: Vec::new(),
        };
        assert_eq!(echo.rows(b"fault: ri"), "");
        assert_eq!(
            echo.rows(b"val crashed\n\nx\r\x1b[2Jfault\ny"),
            "anna seed 3 | fault: riv\nanna seed 3 | al crashed\nanna seed 3 | \n\
             anna seed 3 | x  [2Jfaul\nanna seed 3 | t\n"
        );
        let long = echo.rows(&[b'z'; 2 * LONGEST_ROW]);
        assert!(!long.is_empty(), "a line without end is shown as it comes");
        assert!(long.lines().all(|row| row.starts_with("anna seed 3 | ")));
        assert!(echo.line.len() < LONGEST_ROW);
        echo.line.clear();
    }
}
